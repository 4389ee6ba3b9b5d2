"""CG2xx: names that are not declared, or declared twice, and edits of variants."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        code="CG201",
        name="unknown-name",
        summary="a name is not declared",
        explanation=(
            "A name is a zone, a variable, an option, a definition, a phase, a value of an enumeration, or a local "
            "name. Often it is misspelt, or a local name is used outside its block."
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
        summary="a name is declared twice",
        explanation=(
            "Every name has one meaning. A local name (a parameter, a `let`, an argument, the variable of a selection) "
            "must differ from every name in scope. Two actions of one choice may share a verb only if their first "
            "arguments differ in form: a card, cards, or a value."
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
        summary="a value does not have this attribute",
        explanation=(
            "A card has the attributes of its kind, and a value of an enumeration has the columns of its table. A "
            "group of cards has no attributes: use one card of it, or a fold such as `sum`."
        ),
        bad="result\n    score p = sum(c.rnak for c in table where c is Number)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG204",
        name="ambiguous-value",
        summary="a value belongs to two enumerations, and the context does not select one",
        explanation=(
            "Two enumerations may share the name of a value if the context shows which one is meant, such as a "
            "comparison with a variable. Otherwise rename one of the values."
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
        summary="a type does not exist",
        explanation=(
            "Types are `boolean`, `integer`, a range such as `0..5`, `player`, `card`, `cards`, the enumerations and "
            "the kinds of cards. `or none` may follow any of them except `cards`."
        ),
        bad="state\n    trump: Siut or none = none  # <--\n    points[player]: 0..9 = 0\n",
        good="state\n    trump: Suit or none = none\n    points[player]: 0..9 = 0\n",
    ),
    Code(
        code="CG206",
        name="unknown-fact",
        summary="`game` has a fact that does not exist",
        explanation=(
            "The facts of a game are the number of players, `cooperative`, its source, and its maximum length."
        ),
        bad='game "Example"\n    plyers 2..4  # <--\n    players 2\n',
        good='game "Example"\n    players 2\n    at most 500 decisions\n',
    ),
    Code(
        code="CG207",
        name="wrong-count",
        summary="the number of arguments, indices or attributes is wrong",
        explanation=(
            "A call of a definition, a phase or a function has one argument for each parameter. A zone or variable "
            "with indices needs one value for each of them. A kind of card takes all of its attributes or none."
        ),
        bad="result\n    score p = points  # <--\n",
        good="result\n    score p = points[p]\n",
    ),
    Code(
        code="CG208",
        name="unknown-result",
        summary="`result` has a line that does not exist",
        explanation=("The lines of `result` are `score p = ..`, `winners = ..`, `stakes p = ..` and `returns p = ..`."),
        bad="result\n    socre p = points[p]  # <--\n",
        good="result\n    score p = points[p]\n",
    ),
    Code(
        code="CG209",
        name="unknown-fold",
        summary="a function is not a fold",
        explanation=(
            "The folds are `count`, `sum`, `max`, `min`, `same`, `different` and `consecutive`. All but `count` need a "
            "value for each element: `sum(c.rank for c in table)`."
        ),
        bad="result\n    score p = total(c.rank for c in table where c is Number)  # <--\n",
        good="result\n    score p = sum(c.rank for c in table where c is Number)\n",
    ),
    Code(
        code="CG210",
        name="stray-each",
        summary="`each` is used outside a condition on chosen or counted cards",
        explanation=(
            "`each` is the card in the condition of an argument such as `any cards s from hand[p] where each.suit == "
            "trump`, and on a line of the deck. In a selection, use the name of its variable."
        ),
        bad="result\n    score p = count(c in table where each.suit == trump)  # <--\n",
        good="result\n    score p = count(c in table where c.suit == trump)\n",
    ),
    Code(
        code="CG211",
        name="kind-as-value",
        summary="a kind of card is used as a value",
        explanation="A kind of card is not a value. Test the kind of a card with `is`.",
        bad="result\n    score p = count(c in table where c == Jester)  # <--\n",
        good="result\n    score p = count(c in table where c is Jester)\n",
    ),
    Code(
        code="CG212",
        name="phase-as-value",
        summary="a phase is used as a value, or a value as a phase",
        explanation="A phase runs statements and has no value. A definition has a value and runs no statements.",
        bad="result\n    score p = take_turn(p)  # <--\n",
        good="define worth(p: player) = points[p]\nresult\n    score p = worth(p)\n",
    ),
    Code(
        code="CG213",
        name="no-value-in-text",
        summary="the braces of a text contain no value",
        explanation="A text replaces `{p}`, `{left(p)}` and `{2 * count(won)}` by their values.",
        bad='play\n    say "it begins with {player +}"  # <--\n    for p in players: take_turn(p)\n',
        good='play\n    say "it begins with {player 1}"\n    for p in players: take_turn(p)\n',
    ),
    Code(
        code="CG214",
        name="section-twice",
        summary="a section that must be unique occurs twice",
        explanation="`game`, `play` and `result` occur once in a spec.",
        bad=("result\n    score p = points[p]\nresult  # <--\n    winners = highest p in players by points[p]\n"),
        good="result\n    score p = points[p]\n    winners = all highest p in players by points[p]\n",
    ),
    Code(
        code="CG215",
        name="missing-section",
        summary="a required section is missing",
        explanation=(
            "Every spec has `game` with its players, `play` and `result`. A spec with cards or zones also has a `deck`."
        ),
        bad='game "Example"  # <--\n    at most 500 decisions\n',
        good='game "Example"\n    players 2\n    at most 500 decisions\n',
    ),
    Code(
        code="CG216",
        name="extends-twice",
        summary="a spec extends two others",
        explanation="A variant has one base. The base may be a variant itself.",
        bad='extends "base.cardgame"\nextends "other.cardgame"  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG217",
        name="nothing-extended",
        summary="a spec without `extends` changes a section",
        explanation="`replace`, `add`, `remove`, `set` and `in` change the spec that `extends` names.",
        bad="remove define worth  # <--\n",
        good='extends "base.cardgame"\nremove define unused\n',
    ),
    Code(
        code="CG218",
        name="missing-file",
        summary="a file after `use` or `extends` does not exist",
        explanation="The path of a file is relative to the file that names it, or to the bundled games.",
        bad='extends "bass.cardgame"  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG219",
        name="circular-files",
        summary="files include each other in a circle",
        explanation="A file cannot use or extend itself, directly or through other files.",
        bad='extends "example.cardgame"  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG220",
        name="already-there",
        summary="a variant adds a section that its base already has",
        explanation="Write `replace` instead of `add` to replace the section of the base.",
        bad='extends "base.cardgame"\nadd define worth(p: player) = 2 * points[p]  # <--\n',
        good='extends "base.cardgame"\nreplace define worth(p: player) = 2 * points[p]\n',
    ),
    Code(
        code="CG221",
        name="nothing-to-change",
        summary="a variant changes something that its base does not have",
        explanation="`replace`, `remove` and `set` find a section or option of the base by its name.",
        bad='extends "base.cardgame"\nset limmit = 3  # <--\n',
        good='extends "base.cardgame"\nset limit = 3\n',
    ),
    Code(
        code="CG222",
        name="other-parameters",
        summary="a replacement has other parameters than the section that it replaces",
        explanation=(
            "The base calls a phase or definition with its parameters. A replacement has parameters of the same types."
        ),
        bad='extends "base.cardgame"\nreplace define worth(p: player, n: 0..5) = points[p] + n  # <--\n',
        good='extends "base.cardgame"\nreplace define worth(q: player) = points[q] + 1\n',
    ),
    Code(
        code="CG230",
        name="still-used",
        summary="a variant removes a section that is still used",
        explanation="Also replace or remove the parts of the base or the variant that use it.",
        bad='extends "base.cardgame"\nremove define worth  # <--\n',
        good='extends "base.cardgame"\nremove define worth\nreplace result\n    score p = points[p]\n',
    ),
    Code(
        code="CG233",
        name="library-needs",
        summary="a library uses a name that the game does not have",
        explanation=(
            "A library is checked with each game that uses it. The comment at its top lists the zones, variables and "
            "kinds of cards that the game must declare."
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
        summary="an edit of a variant leads to no place or to several, or leaves an empty block",
        explanation=(
            "An edit names its place by a path, and by a rule tag or words of the base. If these words occur in "
            "several places, add a step to the path: a tag, an action or a case. `replace every` changes all places. A "
            "block, a choice, a `match` and a deck keep at least one part."
        ),
        bad='extends "base.cardgame"\nin take_turn: remove action play  # <--\n',
        good='extends "base.cardgame"\nin take_turn: add action pass\n',
    ),
    Code(
        code="CG234",
        name="changed-twice",
        summary="two edits of a variant change the same place",
        explanation=(
            "All edits of a variant apply to the base as it is written, so their order does not matter. Two edits of "
            "one place, or of a place and a part of it, contradict each other."
        ),
        bad=(
            'extends "base.cardgame"\nreplace define worth(p: player) = 1\nreplace define worth(p: player) = 2  # <--\n'
        ),
        good='extends "base.cardgame"\nreplace define worth(p: player) = 2\n',
    ),
    Code(
        code="CG235",
        name="edit-does-not-fit",
        summary="an edit replaces a part by something of another sort",
        explanation=(
            "Replace a statement by statements, a value by a value, a type by a type, an action by an action. Insert "
            "statements before and after statements."
        ),
        bad='extends "base.cardgame"\nin take_turn: replace hand[p] with say "nothing"  # <--\n',
        good='extends "base.cardgame"\nin take_turn: replace hand[p] with hand[p] + table\n',
    ),
    Code(
        code="CG240",
        name="first-value-too-early",
        summary="an initial value uses a variable that has no value yet",
        explanation=(
            "Variables are initialised in the order of the text, those of a phase when it begins. An initial value may "
            "use only variables that are declared before it. The same holds for definitions in it."
        ),
        bad="state\n    points[player]: 0..100 = bonus  # <--\n    bonus: 0..9 = 3\n    trump: Suit or none = none\n",
        good="state\n    bonus: 0..9 = 3\n    points[player]: 0..100 = bonus\n    trump: Suit or none = none\n",
    ),
    Code(
        code="CG241",
        name="option-too-early",
        summary="an option uses an option that is declared after it",
        explanation=(
            "Options are set in the order of the text. Ranges and defaults may use the number of players and the "
            "options before them."
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
        summary="a text of `about` has a name or number that its rule does not have",
        explanation=(
            "The rulebook prints a text of `about` instead of the words that it derives from the rule. `validate` "
            "compares the names in braces and all numbers of the text with the rule."
        ),
        bad='about phase take_turn "Play 2 cards from your {hand} to the {table}."  # <--\n',
        good='about phase take_turn "Play one card from your {hand} to the {table}."\n',
    ),
)
