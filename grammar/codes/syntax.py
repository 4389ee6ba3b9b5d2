"""CG1xx: the form of a text, before anybody asks what it means."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        code="CG101",
        name="unexpected-word",
        summary="a word or sign cannot stand where it does",
        explanation=(
            "The line began as one that the language knows, and then came something that it cannot go on with. "
            "The message lists what could stand there instead."
        ),
        bad="cardgame 1\nplay\n    deal 5 stock to hand\n",
        good="cardgame 1\nplay\n    deal 5 from stock to hand\n",
    ),
    Code(
        code="CG102",
        name="reserved-word",
        summary="a word of the language is used as a name",
        explanation=(
            "The words that give a line its form are reserved: they cannot name a zone, a variable or a card. "
            "Only the actions of a choice may be called by a reserved word, such as `play` or `match`."
        ),
        bad="cardgame 1\nstate\n    turn: integer = 0\n",
        good="cardgame 1\nstate\n    turn_number: integer = 0\n",
    ),
    Code(
        code="CG103",
        name="misspelt-word",
        summary="a word is nearly a word of the language, which would fit here",
        explanation="The line makes sense once the word is replaced by the one that is suggested.",
        bad="cardgame 1\nplay\n    shufle stock\n",
        good="cardgame 1\nplay\n    shuffle stock\n",
    ),
    Code(
        code="CG104",
        name="unknown-sign",
        summary="a sign has no meaning in the language",
        explanation=(
            "Outside of texts and comments the language uses letters, digits, brackets and a few signs. "
            "Signs such as `&`, `;` or curly brackets mean nothing, and a number cannot run into a word."
        ),
        bad="cardgame 1\ndefine both = wet & cold\n",
        good="cardgame 1\ndefine both = wet and cold\n",
    ),
    Code(
        code="CG105",
        name="open-text",
        summary="a text is not closed before its line ends",
        explanation='A text is between two `"` on one line. There is no way to put a `"` inside a text.',
        bad='cardgame 1\ngame "Example\n    players 2\n',
        good='cardgame 1\ngame "Example"\n    players 2\n',
    ),
    Code(
        code="CG106",
        name="open-bracket",
        summary="a bracket is never closed",
        explanation=(
            "Inside brackets the ends of lines do not count, so a missing `)` or `]` swallows what comes after it. "
            "The mistake is reported at the bracket that was opened."
        ),
        bad="cardgame 1\ndefine double(n: 0..5) = (n + n\nplay\n    shuffle stock\n",
        good="cardgame 1\ndefine double(n: 0..5) = (n + n)\nplay\n    shuffle stock\n",
    ),
    Code(
        code="CG107",
        name="stray-bracket",
        summary="a closing bracket closes nothing, or a bracket of the other kind",
        explanation="Every `)` closes a `(` and every `]` closes a `[`, the innermost first.",
        bad="cardgame 1\ndefine double(n: 0..5) = n + n)\n",
        good="cardgame 1\ndefine double(n: 0..5) = (n + n)\n",
    ),
    Code(
        code="CG108",
        name="uneven-indentation",
        summary="a line is indented less than the one above, but not as little as any block before it",
        explanation="The lines of one block all begin at the same column.",
        bad='cardgame 1\nplay\n    if won\n            say "won"\n        say "done"\n    end game\n',
        good='cardgame 1\nplay\n    if won\n        say "won"\n        say "done"\n    end game\n',
    ),
    Code(
        code="CG109",
        name="unexpected-indentation",
        summary="a line is indented beneath one that opens no block",
        explanation=(
            "A deeper line belongs to the one above, so there must be something for it to belong to. A long line goes "
            "on in a deeper one only after a comma, inside brackets, or if the deeper line begins with an operator or "
            "a word that joins, such as `where`, `and`, `else`, `to` or `by`."
        ),
        bad="cardgame 1\nplay\n    shuffle stock\n        deal 5 from stock to hand\n",
        good="cardgame 1\nplay\n    shuffle stock\n    deal 5 from stock to hand\n",
    ),
    Code(
        code="CG110",
        name="missing-block",
        summary="nothing is indented beneath a line that opens a block",
        explanation="A phase, a loop, a choice and the like need at least one line that is indented beneath them.",
        bad="cardgame 1\nplay\n    while some p in players where p == leader\n    end game\n",
        good="cardgame 1\nplay\n    while some p in players where p == leader\n        end game\n",
    ),
    Code(
        code="CG111",
        name="incomplete-line",
        summary="a line ends before it says everything",
        explanation="The message lists what could come next.",
        bad="cardgame 1\nplay\n    move stock to\n",
        good="cardgame 1\nplay\n    move stock to discard\n",
    ),
    Code(
        code="CG112",
        name="missing-version",
        summary="the first line does not name the version of the language",
        explanation="A spec begins with `cardgame 1`, so that it keeps its meaning when the language grows.",
        bad='game "Example"\n    players 2\n',
        good='cardgame 1\ngame "Example"\n    players 2\n',
    ),
    Code(
        code="CG113",
        name="unknown-version",
        summary="the spec is written in a version of the language that is not known",
        explanation="Only version 1 exists. A later one may need a newer program.",
        bad="cardgame 2\n",
        good="cardgame 1\n",
    ),
    Code(
        code="CG114",
        name="tab-indentation",
        summary="a line is indented with tabs",
        explanation="Tabs are as wide as each editor wants, so indentation is made of spaces alone.",
        bad="cardgame 1\nplay\n\tshuffle stock\n",
        good="cardgame 1\nplay\n    shuffle stock\n",
    ),
    Code(
        code="CG115",
        name="too-deep",
        summary="brackets, blocks or operators are nested too deeply, or one line is far too long",
        explanation=(
            "At most 100 levels are allowed; a chain `a + b + c` nests once for each operator. "
            "Give a part of it a name with `let` or `define`."
        ),
        bad="cardgame 1\ndefine deep = " + "(" * 101 + "1" + ")" * 101 + "\n",
        good="cardgame 1\ndefine deep = " + "(" * 50 + "1" + ")" * 50 + "\n",
    ),
    Code(
        code="CG116",
        name="too-long-number",
        summary="a number has more than 9 digits",
        explanation="No game needs such a number, and not every part of a computer can hold it.",
        bad="cardgame 1\ndefine many = 12345678901\n",
        good="cardgame 1\ndefine many = 123456789\n",
    ),
    Code(
        code="CG117",
        name="too-large-file",
        summary="the file is larger than 250 kB, or has more than 50,000 words",
        explanation="A spec of this size is a mistake, most likely another kind of file. It is not read at all.",
        bad="cardgame 1\n" + "# the same remark, over and over\n" * 8_000,
        good="cardgame 1\n# a remark\n",
    ),
    Code(
        code="CG118",
        name="not-text",
        summary="the file is not text, or not text in UTF-8",
        explanation="A spec is plain text in UTF-8, without NUL characters.",
        bad="cardgame 1\n\0\n",
        good="cardgame 1\n",
    ),
    Code(
        code="CG120",
        name="no-variable",
        summary="the left side of `=` cannot get a value",
        explanation=(
            "Only a variable can be given a value, with its index if it has one. Cards are not assigned but moved, "
            "and what is computed by a definition changes by itself."
        ),
        bad="cardgame 1\nplay\n    (first c in trick).suit = hearts\n",
        good="cardgame 1\nplay\n    trump = hearts\n",
    ),
    Code(
        code="CG121",
        name="unknown-viewer",
        summary="the words after `seen by` do not say who",
        explanation="It is seen by `all`, `nobody`, its `owner`, `all but owner`, or the `team` that it belongs to.",
        bad="cardgame 1\nzones\n    hand[player]: cards, seen by owners\n",
        good="cardgame 1\nzones\n    hand[player]: cards, seen by owner\n",
    ),
    Code(
        code="CG122",
        name="unknown-limit",
        summary="a limit of a game is not `at most n decisions`",
        explanation="The length of a play is limited by the number of decisions, and there is one way to write it.",
        bad='cardgame 1\ngame "Example"\n    players 2\n    at most 500 moves\n',
        good='cardgame 1\ngame "Example"\n    players 2\n    at most 500 decisions\n',
    ),
    Code(
        code="CG123",
        name="unknown-slot-word",
        summary="a line has a word that is none of those it can have",
        explanation=(
            "Scenarios begin with `players n`; results are expected as `score of`, `returns of`, `winners` and "
            "`no winners`. A variant changes an `action` or a `case` in a phase."
        ),
        bad='scenarios 1 of "example.cardgame"\nscenario "won"\n    expect points of player 1 == 3\n',
        good='scenarios 1 of "example.cardgame"\nscenario "won"\n    expect score of player 1 == 3\n',
    ),
    Code(
        code="CG124",
        name="needless-type",
        summary="an option that is true or false gives its type",
        explanation="Such an option is written with its default alone, which says what it can be.",
        bad="cardgame 1\noption open_play: boolean = false\n",
        good="cardgame 1\noption open_play = false\n",
    ),
    Code(
        code="CG125",
        name="unprintable-character",
        summary="a text has a character that does not print",
        explanation=(
            "Characters that steer a terminal, turn the direction of a line, take no room, or have no meaning that all "
            "share (Unicode's categories C, Zl and Zp, except line feeds and tabs) cannot stand in a spec, not even in "
            "its texts and comments: what it shows would not be what it says."
        ),
        bad='cardgame 1\ngame "Two\u200bfold"  # \u202esuoivbo\n    players 2\n',
        good='cardgame 1\ngame "Twofold"  # suoivbo\n    players 2\n',
    ),
    Code(
        code="CG130",
        name="foreign-word",
        summary="a word or sign is that of another language",
        explanation=(
            "Programming languages have `elif`, `return`, `//` and the like; here another word means the same "
            "thing, or none is needed."
        ),
        bad="cardgame 1\nplay\n    if won: end game\n    elif lost: end game\n",
        good="cardgame 1\nplay\n    if won: end game\n    else if lost: end game\n",
    ),
    Code(
        code="CG131",
        name="misplaced-part",
        summary="a part is where it cannot be, though it could be elsewhere",
        explanation=(
            "Rule tags are at the end of a line; the effects of an action are below it, and further in; `otherwise` "
            "is the last action; a scenario begins with `players`, `option` and `start`; what is reckoned in the "
            "bound of a range is in brackets."
        ),
        bad="cardgame 1\nplay\n    p chooses\n        play card c from hand\n        move c to table\n",
        good="cardgame 1\nplay\n    p chooses\n        play card c from hand\n            move c to table\n",
    ),
    Code(
        code="CG132",
        name="equals-sign",
        summary="`=` where values are compared, or `==` where one is given",
        explanation="`x = e` gives a variable a value, `a == b` asks whether two values are the same.",
        bad="cardgame 1\nplay\n    if score = 3: end game\n",
        good="cardgame 1\nplay\n    if score == 3: end game\n",
    ),
)
