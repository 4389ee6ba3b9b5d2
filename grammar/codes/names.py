"""CG2xx: names that mean nothing, or two things."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        code="CG201",
        name="unknown-name",
        summary="a name is used that nothing declares",
        explanation=(
            "Every name is declared somewhere: as a zone, a variable, an option, a definition, a phase, a value of an "
            "enumeration, or a local name. Most often it is misspelt, or a local name is used where it is not known."
        ),
        bad="define strong(c: Number) = c.rank > limmit  # <--\noption limit: 1..5 = 3\n",
        good=(
            "option limit: 1..5 = 3\n"
            "define strong(c: Number) = c.rank > limit\n"
            "result\n    score p = count(c in table where c is Number and strong(c))\n"
        ),
    ),
    Code(
        code="CG202",
        name="name-used-twice",
        summary="one name is given to two things",
        explanation=(
            "A name means one thing. A local name (of a parameter, a `let`, an argument, or of what is "
            "gone through) may "
            "not be one that already means something where it is given. Two actions of one verb in a choice must begin "
            "differently, with a card, cards or a value: who decides step by step says the first step of one of them."
        ),
        bad="define worth(p: player) = points[p]\ndefine trump = clubs  # <--\nresult\n    score p = worth(p)\n",
        good=(
            "define worth(p: player) = points[p]\ndefine lowest_suit = clubs\nresult\n"
            "    score p = worth(p) + count(c in table where c.suit == lowest_suit)\n"
        ),
    ),
    Code(
        code="CG203",
        name="unknown-attribute",
        summary="something does not have this attribute",
        explanation=(
            "A card has the attributes of its kind, a value of an enumeration those of its table. Cards together have "
            "none: ask one of them, or fold over them."
        ),
        bad="result\n    score p = sum(c.rnak for c in table where c is Number)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG204",
        name="ambiguous-value",
        summary="a value belongs to two enumerations, and nothing shows which is meant",
        explanation=(
            "Two enumerations may have a value of the same name as long as its position "
            "shows which of them "
            "is meant, as in a comparison with a variable. Where nothing does, rename one of the values."
        ),
        bad="enum Colour: green, hearts\ndefine favourite = hearts  # <--\n",
        good=(
            "enum Colour: green, red\ndefine favourite = hearts\nresult\n"
            "    score p = if trump == favourite then 1 else 0\n"
        ),
    ),
    Code(
        code="CG205",
        name="unknown-type",
        summary="a type is named that does not exist",
        explanation=(
            "Types are `boolean`, `integer`, a range such as `0..5`, `player`, `card`, `cards`, the "
            "enumerations and the "
            "kinds of cards of the game; any of them but `cards` may be followed by `or none`."
        ),
        bad="state\n    trump: Siut or none = none  # <--\n    points[player]: 0..9 = 0\n",
        good="state\n    trump: Suit or none = none\n    points[player]: 0..9 = 0\n",
    ),
    Code(
        code="CG206",
        name="unknown-fact",
        summary="`game` says something that the language does not know",
        explanation="The facts of a game are how many play, whether they play together, its source, and its length.",
        bad='game "Example"\n    plyers 2..4  # <--\n    players 2\n',
        good='game "Example"\n    players 2\n    at most 500 decisions\n',
    ),
    Code(
        code="CG207",
        name="wrong-count",
        summary="something has more or fewer arguments, indices or attributes than are given",
        explanation=(
            "A definition, a phase and a function are called with an argument for each parameter, a family of zones or "
            "variables with an index for each in its declaration, a kind of card with all its attributes or none."
        ),
        bad="result\n    score p = points  # <--\n",
        good="result\n    score p = points[p]\n",
    ),
    Code(
        code="CG208",
        name="unknown-result",
        summary="a line of `result` says something that the language does not know",
        explanation="The lines of `result` are `score p = ..`, `winners = ..`, `stakes p = ..` and `returns p = ..`.",
        bad="result\n    socre p = points[p]  # <--\n",
        good="result\n    score p = points[p]\n",
    ),
    Code(
        code="CG209",
        name="unknown-fold",
        summary="a function does not fold over things",
        explanation=(
            "The folds are `count`, `sum`, `max`, `min`, `same`, `different` and `consecutive`. All but `count` need a "
            "value for each "
            "thing: `sum(c.rank for c in table)`."
        ),
        bad="result\n    score p = total(c.rank for c in table where c is Number)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG210",
        name="stray-each",
        summary="`each` is where no cards are chosen or counted",
        explanation=(
            "`each` is the card in question in the condition of an argument such as `any cards s from hand[p] where "
            "each.suit == trump`, and on a line of the deck. Elsewhere a selection gives the card a name."
        ),
        bad="result\n    score p = count(c in table where each.suit == trump)  # <--\n",
        good="result\n    score p = count(c in table where c.suit == trump)\n",
    ),
    Code(
        code="CG211",
        name="kind-as-value",
        summary="a kind of card where a value is needed",
        explanation="A kind is no card and no value. A card is tested for it with `is`.",
        bad="result\n    score p = count(c in table where c == Jester)  # <--\n",
        good="result\n    score p = count(c in table where c is Jester)\n",
    ),
    Code(
        code="CG212",
        name="phase-as-value",
        summary="a phase where a value is needed, or something else where a phase is",
        explanation="A phase acts and has no value; a definition has a value and does nothing.",
        bad="result\n    score p = take_turn(p)  # <--\n",
        good="define worth(p: player) = points[p]\nresult\n    score p = worth(p)\n",
    ),
    Code(
        code="CG213",
        name="no-value-in-text",
        summary="the braces of a text contain no value",
        explanation="In a text, `{p}`, `{left(p)}` and `{2 * count(won)}` are replaced by what they come to.",
        bad='play\n    say "it begins with {player +}"  # <--\n    for p in players: take_turn(p)\n',
        good='play\n    say "it begins with {player 1}"\n    for p in players: take_turn(p)\n',
    ),
    Code(
        code="CG214",
        name="section-twice",
        summary="a section occurs twice that there is one of",
        explanation="`game`, `play` and `result` stand once in a spec.",
        bad=("result\n    score p = points[p]\nresult  # <--\n    winners = highest p in players by points[p]\n"),
        good="result\n    score p = points[p]\n    winners = all highest p in players by points[p]\n",
    ),
    Code(
        code="CG215",
        name="missing-section",
        summary="a section is missing that every game needs",
        explanation="Every spec has `game` with its players, `play` and `result`, and a deck if it has cards or zones.",
        bad='game "Example"  # <--\n    at most 500 decisions\n',
        good='game "Example"\n    players 2\n    at most 500 decisions\n',
    ),
    Code(
        code="CG216",
        name="extends-twice",
        summary="a spec extends two others",
        explanation="A variant changes one base. A variant of a variant extends that variant.",
        bad='extends "base.cardgame"\nextends "other.cardgame"  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG217",
        name="nothing-extended",
        summary="a spec that extends no other changes a section",
        explanation="`replace`, `add`, `remove`, `set` and `in` change the spec that is named by `extends`.",
        bad="remove define worth  # <--\n",
        good='extends "base.cardgame"\nremove define unused\n',
    ),
    Code(
        code="CG218",
        name="missing-file",
        summary="a file that is used or extended cannot be found",
        explanation="The path of another file begins at the folder of the file that names it.",
        bad='extends "bass.cardgame"  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG219",
        name="circular-files",
        summary="files bring each other in",
        explanation="A file may not use or extend itself, directly or through others.",
        bad='extends "example.cardgame"  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG220",
        name="already-there",
        summary="a variant adds what its base already has",
        explanation="Write `replace` in front of a section that takes the place of one of the base.",
        bad='extends "base.cardgame"\nadd define worth(p: player) = 2 * points[p]  # <--\n',
        good='extends "base.cardgame"\nreplace define worth(p: player) = 2 * points[p]\n',
    ),
    Code(
        code="CG221",
        name="nothing-to-change",
        summary="a variant changes what its base does not have",
        explanation="What is replaced, removed or set is found by its name, so the base must have one of that name.",
        bad='extends "base.cardgame"\nset limmit = 3  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG222",
        name="other-parameters",
        summary="a replacement is called in another way than what it replaces",
        explanation="The base calls a phase or definition with its parameters, so a replacement keeps their types.",
        bad='extends "base.cardgame"\nreplace define worth(p: player, n: 0..5) = points[p] + n  # <--\n',
        good='extends "base.cardgame"\nreplace define worth(q: player) = points[q] + 1\n',
    ),
    Code(
        code="CG230",
        name="still-used",
        summary="a variant removes what is still used",
        explanation="What uses it, in the base or in the variant, must be replaced or removed too.",
        bad='extends "base.cardgame"\nremove define worth  # <--\n',
        good='extends "base.cardgame"\nremove define worth\nreplace result\n    score p = points[p]\n',
    ),
    Code(
        code="CG233",
        name="library-needs",
        summary="a library speaks of what the game does not have",
        explanation=(
            "A library is checked with the game that uses it; its comment says which zones, variables and kinds of "
            "cards the game must declare."
        ),
        bad='use "needs.cardgame"  # <--\nresult\n    score p = held(p)\n',
        good=(
            'use "needs.cardgame"\nzones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n'
            "    table: row, seen by all\n    kitty: cards, seen by all\nresult\n    score p = held(p)\n"
        ),
    ),
    Code(
        code="CG229",
        name="no-one-place",
        summary="an edit of a variant does not lead to one place, or leaves nothing",
        explanation=(
            "An edit names its place by a path, and by a rule tag or the words of the base. Where these words are in "
            "several places, add a step to the path: a tag, an action or a case; or change all places with "
            "`replace every`. A block, a choice, a `match` and a deck keep at least one part."
        ),
        bad='extends "base.cardgame"\nin take_turn: remove action play  # <--\n',
        good='extends "base.cardgame"\nin take_turn: add action pass\n',
    ),
    Code(
        code="CG234",
        name="changed-twice",
        summary="two lines of a variant change the same place",
        explanation=(
            "All changes of a variant apply to the base as it is written, so their order does not matter. Two changes "
            "of one place, or of a place and a part of it, contradict each other."
        ),
        bad=(
            'extends "base.cardgame"\nreplace define worth(p: player) = 1\nreplace define worth(p: player) = 2  # <--\n'
        ),
        good='extends "base.cardgame"\nreplace define worth(p: player) = 2\n',
    ),
    Code(
        code="CG235",
        name="edit-does-not-fit",
        summary="an edit puts something where another sort of thing is",
        explanation=(
            "A statement is replaced by statements, a value by a value, a type by a type, an action by an action. "
            "Statements go before and after statements."
        ),
        bad='extends "base.cardgame"\nin take_turn: replace hand[p] with say "nothing"  # <--\n',
        good='extends "base.cardgame"\nin take_turn: replace hand[p] with hand[p] + table\n',
    ),
    Code(
        code="CG240",
        name="first-value-too-early",
        summary="the first value of a variable asks for one that has none yet",
        explanation=(
            "Variables are given their first values one after another, in the order of the text, those of a phase when "
            "it begins. So a first value may ask for what is declared before it, also through definitions."
        ),
        bad="state\n    points[player]: 0..100 = bonus  # <--\n    bonus: 0..9 = 3\n    trump: Suit or none = none\n",
        good="state\n    bonus: 0..9 = 3\n    points[player]: 0..100 = bonus\n    trump: Suit or none = none\n",
    ),
    Code(
        code="CG241",
        name="option-too-early",
        summary="an option asks for one that is declared further down",
        explanation=(
            "Options are decided one after another, in the order of the text, so ranges and defaults may ask for the "
            "number of players and for the options before them."
        ),
        bad="option shown: 1..dealt = 1  # <--\noption dealt: 1..5 = 3\n",
        good=(
            "option dealt: 1..5 = 3\noption shown: 1..dealt = 1\n"
            "result\n    score p = if dealt > shown then points[p] else 0\n"
        ),
    ),
    Code(
        code="CG242",
        name="about-something-else",
        summary="a text about a rule names what the rule does not have",
        explanation=(
            "The rulebook prints a text of `about` instead of words that are derived from the rule. The names in its"
            " braces and all its numbers are compared with the rule, so a change of the rule is noticed here."
        ),
        bad='about phase take_turn "Play 2 cards from your {hand} to the {table}."  # <--\n',
        good='about phase take_turn "Play one card from your {hand} to the {table}."\n',
    ),
)
