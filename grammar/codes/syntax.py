"""CG1xx: syntax errors."""

from __future__ import annotations

from grammar.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        code="CG101",
        name="unexpected-word",
        summary="a word or sign is not allowed in this position",
        explanation=(
            "The beginning of the line is correct, but nothing in the language continues with this word or sign. The "
            "message lists what can follow instead."
        ),
        bad="cardgame 1\nplay\n    deal 5 stock to hand\n",
        good="cardgame 1\nplay\n    deal 5 from stock to hand\n",
    ),
    Code(
        code="CG102",
        name="reserved-word",
        summary="a reserved word is used as a name",
        explanation=(
            "Reserved words give a line its form. They cannot name a zone, a variable or a card. Only an action may "
            "have one of some reserved words as its verb, such as `play` or `match`."
        ),
        bad="cardgame 1\nstate\n    turn: integer = 0\n",
        good="cardgame 1\nstate\n    turn_number: integer = 0\n",
    ),
    Code(
        code="CG103",
        name="misspelt-word",
        summary="a word is probably a misspelt word of the language",
        explanation="The line is correct with the suggested word.",
        bad="cardgame 1\nplay\n    shufle stock\n",
        good="cardgame 1\nplay\n    shuffle stock\n",
    ),
    Code(
        code="CG104",
        name="unknown-sign",
        summary="a sign is not part of the language",
        explanation=(
            "Outside texts and comments, the language uses letters, digits, brackets and a few signs. Signs such as "
            "`&`, `;` and curly brackets have no meaning. White space separates a number from a word."
        ),
        bad="cardgame 1\ndefine both = wet & cold\n",
        good="cardgame 1\ndefine both = wet and cold\n",
    ),
    Code(
        code="CG105",
        name="open-text",
        summary='a text has no closing `"` on its line',
        explanation='A text is enclosed in `"` on one line. It cannot contain `"`.',
        bad='cardgame 1\ngame "Example\n    players 2\n',
        good='cardgame 1\ngame "Example"\n    players 2\n',
    ),
    Code(
        code="CG106",
        name="open-bracket",
        summary="a bracket is not closed",
        explanation=(
            "Inside brackets, ends of lines are ignored. A missing `)` or `]` therefore also affects the lines below. "
            "The message is at the opening bracket."
        ),
        bad="cardgame 1\ndefine double(n: 0..5) = (n + n\nplay\n    shuffle stock\n",
        good="cardgame 1\ndefine double(n: 0..5) = (n + n)\nplay\n    shuffle stock\n",
    ),
    Code(
        code="CG107",
        name="stray-bracket",
        summary="a closing bracket has no opening bracket, or one of the other kind",
        explanation="Every `)` closes a `(` and every `]` closes a `[`, the innermost first.",
        bad="cardgame 1\ndefine double(n: 0..5) = n + n)\n",
        good="cardgame 1\ndefine double(n: 0..5) = (n + n)\n",
    ),
    Code(
        code="CG108",
        name="uneven-indentation",
        summary="the indentation of a line matches no block above it",
        explanation="All lines of a block begin in the same column.",
        bad='cardgame 1\nplay\n    if won\n            say "won"\n        say "done"\n    end game\n',
        good='cardgame 1\nplay\n    if won\n        say "won"\n        say "done"\n    end game\n',
    ),
    Code(
        code="CG109",
        name="unexpected-indentation",
        summary="a line is indented below a line that opens no block",
        explanation=(
            "An indented line belongs to the line above. A long line continues on an indented line after a comma and "
            "inside brackets. It also continues if the indented line begins with an operator or a joining word. "
            "Joining words are `where`, `and`, `else`, `to`, `by` and others."
        ),
        bad="cardgame 1\nplay\n    shuffle stock\n        deal 5 from stock to hand\n",
        good="cardgame 1\nplay\n    shuffle stock\n    deal 5 from stock to hand\n",
    ),
    Code(
        code="CG110",
        name="missing-block",
        summary="a line that opens a block has no indented line below it",
        explanation="A phase, a loop, a choice and similar lines need at least one indented line below them.",
        bad="cardgame 1\nplay\n    while some p in players where p == leader\n    end game\n",
        good="cardgame 1\nplay\n    while some p in players where p == leader\n        end game\n",
    ),
    Code(
        code="CG111",
        name="incomplete-line",
        summary="a line is incomplete",
        explanation="The message lists what can come next.",
        bad="cardgame 1\nplay\n    move stock to\n",
        good="cardgame 1\nplay\n    move stock to discard\n",
    ),
    Code(
        code="CG112",
        name="missing-version",
        summary="the first line does not name the version of the language",
        explanation=(
            "A spec begins with `cardgame 1`, so that later versions of the language do not change its meaning."
        ),
        bad='game "Example"\n    players 2\n',
        good='cardgame 1\ngame "Example"\n    players 2\n',
    ),
    Code(
        code="CG113",
        name="unknown-version",
        summary="the version of the language is unknown",
        explanation="Only version 1 exists. A later version may need a newer program.",
        bad="cardgame 2\n",
        good="cardgame 1\n",
    ),
    Code(
        code="CG114",
        name="tab-indentation",
        summary="a line is indented with tabs",
        explanation="The width of a tab differs between editors. Indent with spaces.",
        bad="cardgame 1\nplay\n\tshuffle stock\n",
        good="cardgame 1\nplay\n    shuffle stock\n",
    ),
    Code(
        code="CG115",
        name="too-deep",
        summary="brackets, blocks or operators are nested too deeply, or a line is too long",
        explanation=(
            "The limit is 100 levels; a chain `a + b + c` has one level for each operator. Name a part of it with "
            "`let` or `define`."
        ),
        bad="cardgame 1\ndefine deep = " + "(" * 101 + "1" + ")" * 101 + "\n",
        good="cardgame 1\ndefine deep = " + "(" * 50 + "1" + ")" * 50 + "\n",
    ),
    Code(
        code="CG116",
        name="too-long-number",
        summary="a number has more than 9 digits",
        explanation="A number in a spec has at most 9 digits. A computed `integer` may be larger.",
        bad="cardgame 1\ndefine many = 12345678901\n",
        good="cardgame 1\ndefine many = 123456789\n",
    ),
    Code(
        code="CG117",
        name="too-large-file",
        summary="the file is larger than 250 kB, or has more than 50,000 words",
        explanation="The file is not read. It is probably not a spec.",
        bad="cardgame 1\n" + "# the same remark, over and over\n" * 8_000,
        good="cardgame 1\n# a remark\n",
    ),
    Code(
        code="CG118",
        name="not-text",
        summary="the file is not text in UTF-8",
        explanation="A spec is plain text in UTF-8, without NUL characters.",
        bad="cardgame 1\n\0\n",
        good="cardgame 1\n",
    ),
    Code(
        code="CG120",
        name="no-variable",
        summary="the left side of `=` is not a variable",
        explanation=(
            "Only a variable can be set, with its index if it has one. Move cards with `move`. The value of a "
            "definition is always computed."
        ),
        bad="cardgame 1\nplay\n    (first c in trick).suit = hearts\n",
        good="cardgame 1\nplay\n    trump = hearts\n",
    ),
    Code(
        code="CG121",
        name="unknown-viewer",
        summary="the words after `seen by` are not a viewer",
        explanation="A viewer is `all`, `nobody`, `owner`, `all but owner` or `team`.",
        bad="cardgame 1\nzones\n    hand[player]: cards, seen by owners\n",
        good="cardgame 1\nzones\n    hand[player]: cards, seen by owner\n",
    ),
    Code(
        code="CG122",
        name="unknown-limit",
        summary="a limit of the game is not `at most n decisions`, or one of a phase not `at most n deep`",
        explanation=(
            "The maximum length of a play is a number of decisions. The limit of a phase is how often it runs inside "
            "itself."
        ),
        bad='cardgame 1\ngame "Example"\n    players 2\n    at most 500 moves\n',
        good='cardgame 1\ngame "Example"\n    players 2\n    at most 500 decisions\n',
    ),
    Code(
        code="CG123",
        name="unknown-slot-word",
        summary="a word is not one of those allowed here",
        explanation=(
            "A scenario begins with lines such as `players n`. Its results are `score of`, `returns of`, `winners` and "
            "`no winners`. In a phase, a variant changes an `action` or a `case`."
        ),
        bad='scenarios 1 of "example.cardgame"\nscenario "won"\n    expect points of player 1 == 3\n',
        good='scenarios 1 of "example.cardgame"\nscenario "won"\n    expect score of player 1 == 3\n',
    ),
    Code(
        code="CG124",
        name="needless-type",
        summary="a boolean option states its type",
        explanation="Write such an option with its default only: `option open_play = false`.",
        bad="cardgame 1\noption open_play: boolean = false\n",
        good="cardgame 1\noption open_play = false\n",
    ),
    Code(
        code="CG125",
        name="unprintable-character",
        summary="a text contains a character that does not print",
        explanation=(
            "Characters of the Unicode categories C, Zl and Zp are refused, also in texts and comments. Exceptions are "
            "line feeds and tabs. Such characters can control a terminal or change the order of the displayed text."
        ),
        bad='cardgame 1\ngame "Two\u200bfold"  # \u202esuoivbo\n    players 2\n',
        good='cardgame 1\ngame "Twofold"  # suoivbo\n    players 2\n',
    ),
    Code(
        code="CG130",
        name="foreign-word",
        summary="a word or sign belongs to another language",
        explanation=(
            "Words such as `elif` and `return`, and signs such as `//`, are from programming languages. The message "
            "names the equivalent in this language, if there is one."
        ),
        bad="cardgame 1\nplay\n    if won: end game\n    elif lost: end game\n",
        good="cardgame 1\nplay\n    if won: end game\n    else if lost: end game\n",
    ),
    Code(
        code="CG131",
        name="misplaced-part",
        summary="a part of a line or block is in the wrong place",
        explanation=(
            "A rule tag is at the end of a line. The effect of an action is below the action, indented. `otherwise` is "
            "the last action. A scenario begins with `setup`, `players`, `option` and `start`, in this order. A "
            "calculation in a bound of a range is in brackets."
        ),
        bad="cardgame 1\nplay\n    p chooses\n        play card c from hand\n        move c to table\n",
        good="cardgame 1\nplay\n    p chooses\n        play card c from hand\n            move c to table\n",
    ),
    Code(
        code="CG132",
        name="equals-sign",
        summary="`=` in a comparison, or `==` in an assignment",
        explanation="`x = e` sets a variable. `a == b` compares two values.",
        bad="cardgame 1\nplay\n    if score = 3: end game\n",
        good="cardgame 1\nplay\n    if score == 3: end game\n",
    ),
)
