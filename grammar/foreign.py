"""Words, signs and word orders of other languages, each with its idea and the construct of this language.

Beginners write Python, JavaScript, SQL, spreadsheet formulas and everyday English.  `found` looks up a line that does
not parse, or that has a name which nothing declares.  A row has a pattern, the idea, and the text to write; without a
text, only the author can know it.  A text is offered as a fix only if the line can be read with it.

A pattern that begins with `^` matches at the beginning of a statement or section; with the name of a section before
it, as in `deck^`, only within that section.  `<x>` is an operand, `<v>` any text,
`@` represents blanks, `~` for blanks or none.
In a text to write, `{phase}` is the phase that the line is in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

import attrs

from grammar.diagnostics import Cure, Diagnostic, Edit, difference
from grammar.source import Source, Span

Write = str | Callable[[re.Match[str]], str] | None

_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def _python_range(found: re.Match[str]) -> str:
    """Return `range(a, b)`, which leaves out its last number, as a range."""
    first, last = found["a"] or "0", found["b"]
    return f"{first}..{int(last) - 1}" if last.isdecimal() else f"{first}..({last} - 1)"


def _dealt(found: re.Match[str]) -> str:
    """Return `draw two cards from a to b` as a `deal`."""
    word = found["n"].lower()
    number = "1" if word in ("a", "an") else str(_NUMBERS.index(word)) if word in _NUMBERS else found["n"]
    return f"deal {number} from {found['a']} to {found['b']}"


def _numeral(found: re.Match[str]) -> str:
    return str(_NUMBERS.index(found[0].lower()))


_RANGE = "a range is written with two dots, and both ends belong to it"
_BLOCK = "a section is one of `game`, `zones`, `state`, `play`, `phase`, `define`, `result` and the like"
_DEAL = "`deal` moves cards from the top of a pile, `move` moves cards that have a name"
_MOVE = "cards go to a zone with `move`"
_SAY = "a message to all players is the statement `say` with a text in quotes"
_LOOP = "`for n in 1..3` repeats its block for each number, `repeat PHASE until ..` until a condition holds"
_BEST = "the best of several is `highest p in players by ..` or `lowest ..`"
_IF = "a choice between values is `if C then x else y`"
_CHANCE = "chance gives a name to its outcome: `random die from 1..6`; a die is a range such as `1..6`"
_ENDS = "the play ends with `end game`"
_WINS = "`end game` ends the play, and `result` says who wins"
_DEFINE = "a definition gives a value: `define name(p: player) = ..`; a `phase` has statements"
_PLAYERS = "all players do something in `for p in players: ..`; `deal n from PILE to hand[players]` deals to each"
_LEAVES = "a card leaves a zone when it is moved to another: `move c to ..`"
_SINGLE = "`if C then x else y` is a value; a statement is written `if C: s`"
_ACTIONS = "`chooses` ends the line, or a text in quotes follows; the actions are indented below"
_WHOSE = "a player has a name: of a parameter, of a loop (`for p in players`) or of a variable of `state`"
_VIEWERS = "each zone states who sees it"
_COUNT = "`count` gives the number of cards in a zone"
_OF = "a line of the deck is a number, `of` or `of each`, and a kind"
_TURN = "cards are turned with `turn .. face up` or `turn .. face down`"
_WINNERS = "the result is `expect winners player 2`"
_CHOSEN = "an action chooses a card with `card c from ZONE`"
_SEVERAL = "cards are chosen in a number: `any cards`, `2 cards`"
_NESTED = "`some`, `no` and `every` look through one place; another one comes in the condition"
_HOLDS = "a zone holds `at most n` cards"
_NAMED = "a phase is run by its name"
_SOME = "whether there is such a card: `some c in ZONE where c is Kind`"
_ARTICLE = "what is declared is written by its name, without an article"
_SOMETIMES = "an action that is offered only sometimes says `only if`"
_BRACKETED = "`the` and its name are in brackets here"
_LOCAL = "zones, variables and functions are written by their name alone"
_PILE = "the place of the deck is written by the name that `zones` gives it"
_PARTS = "the parts are separated by a comma"
_ROUND = "a quotient is rounded by `rounded up`, `rounded down` or `rounded nearest`, after the divisor"
_EDIT = "an edit begins with its place: `in PHASE: replace OLD with NEW`, `in PHASE: after [R1]: ..`"
_HOLD = '`given hand[player 1] holds ".."` puts cards into a zone'
_WORDS = "these are two words"
_TAG = "a rule tag is capital letters and a number in square brackets, at the end of the line, as `[R1]`"
_NONE_LEFT = "an empty zone is tested with `is empty`, another with `is not empty`"
_DEFINED = "a definition has `=` before its value"
_MEMBERS = "a selection gives its members a name: `c in ZONE where ..`"
_METHODS = (
    "nothing has methods: cards go with `move top of PILE to ZONE`, `count(c in ZONE where ..)` counts, "
    "`for p in players` is a loop"
)
_PLAYER_COUNT = "how many play is `players 2`, or a range: `players 2..4`"
_LIMIT = "the limit is `at most 400 decisions`"
_TYPED = "a variable of `state` is its name, a colon, its type and perhaps `=` with a first value"
_ORDER = "steps follow one another, and players act in their order, so nothing says how: leave such words out"
_KIND = "the kind of a card is tested with `is`: `c is Joker`"
_COMPARE = "two values are compared with `==`, `!=`, `<`, `<=`, `>` or `>=`"

_ROWS: tuple[tuple[str, str, Write], ...] = (
    # ---- sections
    (r"^(?:variables?|vars?|globals?|data)\b:?", _BLOCK, "state"),
    (r"^(?:setup|main|start|begin|rules)\b:?", _BLOCK, "play"),
    (r"^(?:score|scoring|results?|winners?|victory|outcome)\b:?$", _BLOCK, "result"),
    (r"^(?:zone|places?|piles|board|areas|table)\b:?$", _BLOCK, "zones"),
    (r"^(?:import|include|require|from)@(\"[^\"]*\")", "definitions of another file come with `use`", r"use \1"),
    (r"^(?:import|include|require|from|using)@\w.*",
     "definitions of another file come with `use` and its name in quotes", None),
    (r"^(before|after|remove)@(\[\w+\])@in@([\w, ]+?)(~:<v>)?$", _EDIT, r"in \3: \1 \2\4"),
    (r"^replace@(\[\w+\])@in@([\w, ]+?)~:~<v>$", _EDIT, r"in \2: replace \1 with \3"),
    (r"^replace@in@([\w, ]+?)~:~<v>@with@<v>$", _EDIT, r"in \1: replace \2 with \3"),
    (r"^(before|after|remove)@in@([\w, ]+?)~:~<v>$", _EDIT, r"in \2: \1 \3"),
    (r"^(?:replace|remove|before|after)@(?:in\b|\[\w+\]).*$", _EDIT, None),
    (r"^(extends|use)@([\w./-]+)", "the name of a file is a text in quotes", r'\1 "\2"'),
    (r"^(?:class|struct|type|record|object)@(\w+)", "a kind of card is declared with `card`", r"card \1"),
    (r"^enum@(\w+)~[=:]?~[\[({]<v>[\])}]", "the values of an `enum` follow a colon, without brackets", r"enum \1: \2"),
    (r"^enum@(\w+)~=~<v>$", "the values of an `enum` follow a colon", r"enum \1: \2"),
    (r"^enum@(\w+)@(\w+(?:, *\w+)+)$", "the values of an `enum` follow a colon", r"enum \1: \2"),
    (r"^option@(\w+):~(\w+(?:, *\w+)+)~=", "the words of an option are separated by `|`",
     lambda m: f"option {m[1]}: {' | '.join(re.split(', *', m[2]))} ="),
    (r"\b(some|no)@(\w+@in@[^,\n]+?),@(?=\w+@in@)", _NESTED, r"\1 \2 where some "),
    (r"\bevery@(\w+@in@[^,\n]+?),@(\w+@in@[^,\n]+?)@has\b", _NESTED, r"every \1 has every \2 has"),
    (r"(?<== )(?:no|off|none|False)\b", "true and false are written `true` and `false`", "false"),
    (r"(?<== )(?:yes|on|True)\b", "true and false are written `true` and `false`", "true"),
    (r"^(?:const|let|var|val|final)@(\w+)~=", "a value of the whole file is a definition", r"define \1 ="),
    (r"^(?:def|function|func|fn|sub|macro|fun)\b", _DEFINE, "define"),
    (r"^(?:procedure|routine|method|action|step|def|function)@(\w+)", _DEFINE, r"phase \1"),
    (r"(?<=[ ,\[])(\w+)~[:=]~(?=\")", "the short text of a value follows it without a sign", r"\1 "),
    (r"^game@([^\"\n]*[^\"\n:])$", "the name of the game is a text in quotes", r'game "\1"'),
    (r"^(?:title|name|game)~[:=]~\"?([^\"\n]+)\"?$", "the name of the game is a text in quotes", r'game "\1"'),
    (r"^(phase@\w+(?:\([^)\n]*\))?),?~(?:up@to|max(?:imum)?|(?:max(?:imum)?@)?depth|recursive)~(\d*)(?:@\w+)?$",
     "a phase inside itself has a limit",
     lambda m: f"{m[1]} at most {m[2] or 8} deep"),
    (r"^(?:override|overwrite|change|modify|redefine|update)@(?=zones|state|play|phase|define|result|deck|enum|card|game)",


     "a variant changes a section of its base with `replace`", "replace "),
    (r"^(?:append|insert|new|include)@(?=zones|state|phase|define|enum|card|option|invariant)",
     "a variant brings in a section with `add`", "add "),
    (r"^(?:delete|drop|without|omit)@(?=phase|define|option|enum|card|state|case)",
     "a variant takes a section of its base out with `remove`", "remove "),
    (r"^(?:based@on|inherits?(?:@from)?|variant@of|extend)@(\"[^\"]*\")", "a variant names its base with `extends`",
     r"extends \1"),
    (r"^(define@\w+(?:\([^)\n]*\))?(?:@->@[\w ]+)?)~(?:=>|:=|:|->|@is|@returns?|@as|@means|@equals)~(?==|\w|\(|-)",
     _DEFINED,
     r"\1 = "),
    (r"^(define@\w+(?:\([^)\n]*\))?)~\{~(?:return@)?<v>;?~\}$", _DEFINED, r"\1 = \2"),
    (r"^option@(\w+)~:~(?=[^|.\n]+$)", "the value of an option follows `=`", r"option \1 = "),
    (r"^option@(\w+)~=~(\w+(?:~[|,/]~\w+)+)$",
     "an option has its words and, after `=`, the one that is taken by itself",
     lambda m: f"option {m[1]}: {' | '.join(re.split('[ |,/]+', m[2]))} = {re.split('[ |,/]+', m[2])[0]}"),
    (r"(?<=[:|=] )\"(\w+)\"(?=~(?:[|=]|$))", "the words of an option are names without quotes", r"\1"),
    (r"game^(?:(?:min|max|num|number|no)(?:_of)?_?)?players?(?:_count|_number|s)?~[:=]?~(\d+)$", _PLAYER_COUNT,
     r"players \1"),
    (r"game^(?:(?:min|max|num|number|no)(?:_of)?_?)?players?~[:=]?~[\[(]?(\d+)(?:~,~\d+)*~,~(\d+)[\])]?$",
     _PLAYER_COUNT, r"players \1..\2"),
    (r"game^(?:max|maximum|limit|at_most)?_?(?:of_)?(?:decisions|turns|moves|steps|length|limit)?~[:=]?~(\d+)$", _LIMIT,
     r"at most \1 decisions"),
    (r"deck^(?:(?:each|every)@)?([A-Z]\w*)~(?:[:=x*]|@)~(\d+)$", _OF, r"\2 of each \1"),
    (r"state^(?:let|var|const|val|my|local|static)@(?=\w+(?:\[[^\]\n]*\])?~:)", _TYPED, ""),
    (r"state^(?:let|var|const|val|my|local|static)@(\w+(?:\[[^\]\n]*\])?)~=~(-?\d+)$", _TYPED, r"\1: integer = \2"),
    (r"state^(?:let|var|const|val|my|local|static)@(\w+(?:\[[^\]\n]*\])?)~=~(true|false)$", _TYPED,
     r"\1: boolean = \2"),
    (r"(?<=: )[\[({](\w+)[\])}]", "a type is a name without brackets", r"\1"),
    (r"game^(\w+)~[:=](?!=)~(?=\S)", "a fact of the game is a word and its value without a sign", r"\1 "),
    (r"^(?:int|integer|number|num)@(\w+)~=", "a type follows the name of a variable", r"\1: integer ="),
    (r"^(?:bool|boolean)@(\w+)", "a type follows the name of a variable", r"\1: boolean"),
    (r"^(\w+(?:\[\w+\])?)~=~(-?\d+)", "a variable has a type", r"\1: integer = \2"),
    (r"^(\w+(?:\[\w+\])?)~=~(true|false)", "a variable has a type", r"\1: boolean = \2"),
    (r"^(\w+(?:\[\w+\])?)~=~(player \d+)", "a variable has a type", r"\1: player = \2"),
    # ---- statements
    (r"^(?:print|echo|puts|announce|display|output|console\.log|alert|printf|log|write)~\(?~(\"[^\"]*\")~\)?",
     _SAY, r"say \1"),
    (r"^say~\(~(\"[^\"]*\")~\)", _SAY, r"say \1"),
    (r"^(?:print|echo|puts|announce|display|output|console|alert|printf|log|write)\b", _SAY, None),
    (r"`([^`\n]*)`",
     "a text is in double quotes, and braces hold its values",
     lambda m: f'"{m[1].replace("${", "{").replace("#{", "{")}"'),
    (r"[$#](?=\{)", "braces alone hold the values of a text", ""),
    (r"^(say \"[^\"]*)\"~[+,&]~<x>~[+,&]~\"([^\"]*\")$", "values stand in braces in a text", r"\1{\2}\3"),
    (r"^(say \"[^\"%]*)%[sdi]([^\"%]*\")~[%,]~\(?<x>\)?$", "values stand in braces in a text", r"\1{\3}\2"),
    (r"^(say \"[^\"]*)\"~\+~<x>$", "values stand in braces in a text", r'\1{\2}"'),
    (r"^(?:say|announce)@(?!\")[\w ]+", _SAY, None),
    (r"^(?:deal|draw|give|take|move)@(?:all|every|each|(?:the@)?(?:rest|remaining|others?)).*?@(?:from|in)@<v>@to@<v>$",
     "all cards of a place go with `move PLACE to PLACE`",
     r"move \1 to \2"),
    (r"^(?:draw|take|get|distribute|move|give|deal)s?@(?P<n>\w+)(?:@cards?)?@(?:from|off|of)@(?P<a>.+?)@(?:in)?to@(?P<b>.+?)$",


     _DEAL, _dealt),
    (r"^(?:draw|take|get|distribute|move|give|deal)s?@(\w+)(?:@cards?)?@(?:in)?to@<v>@from@<v>$",
     "`from` comes before `to`", r"deal \1 from \3 to \2"),
    (r"^(?:draw|take|get|distribute|give|deal)s?@.*\bto@(?:each|every|all|both|the)@(?:players?|hands?)\b.*",
     "`deal n from PILE to hand[players]` deals to the zone of each player", None),
    (r"^(?:draw|take|get|distribute|give|deal)s?@\w+(?:@cards?)?@(?:from|off|of)@(?!.*\bto\b).+?$",
     "`deal` says where the cards go: `deal n from PILE to ZONE`", None),
    (r"^(?:each|every|all)@players?\b.*", _PLAYERS, None),
    (r"^<x>@(?:draws?|gets?|takes?|receives?)\b.*", _DEAL, None),
    (r"^(?:put|place|lay|add|discard|play|return|send|give|insert|push|move)@<v>@(?:on)?to@the@(top|bottom)@of@<x>$",
     _MOVE, r"move \1 to \2 of \3"),
    (r"^(?:put|place|insert|return|move)@<v>@(?:in(?:to)?|to|at)@(?:place|position|index)@<v>@(?:of|in|from)@<x>$",
     _MOVE, r"move \1 to place \2 of \3"),
    (r"^(?:put|place|lay|return|send)@<v>@on@(?:the@)?(top|bottom)@of@<x>$", _MOVE,
     r"move \1 to \2 of \3"),
    (r"^(move .+?)@from@.+?(@to@.+)$", "a card is moved from where it is", r"\1\2"),
    (r"^(?:set|assign)@<x>@(?:to|=|as)@<v>$", "`=` gives a variable a value", r"\1 = \2"),
    (r"^(?:now|let|make|change|put)@<x>@(?:is|be|equals?|becomes?|to|into)@<v>$",
     "`=` gives a variable a value", r"\1 = \2"),
    (r"^set@(?=\w+(?:\[[^\]\n]*\])?~[-+]?=)", "`=` gives a variable a value", ""),
    (r"^<x>@(?:becomes|is set to|gets|:=|<-|is now)@<v>$", "`=` gives a variable a value", r"\1 = \2"),
    (r"^<x>~(?::=|<-)~<v>$", "`=` gives a variable a value", r"\1 = \2"),
    (r"^(?:increase|increment|raise|grow)@<x>@by@<v>$", "a number grows with `+=`", r"\1 += \2"),
    (r"^(?:increase|increment|raise)@<x>$", "a number grows with `+=`", r"\1 += 1"),
    (r"^(?:decrease|decrement|reduce|lower)@<x>@by@<v>$", "a number shrinks with `-=`", r"\1 -= \2"),
    (r"^(?:decrease|decrement|reduce|lower)@<x>$", "a number shrinks with `-=`", r"\1 -= 1"),
    (r"^add@(-?\d+|[\w.]+)(?:@points?)?@to@<x>$", "a number grows with `+=`", r"\2 += \1"),
    (r"^(?:subtract|take|deduct)@(-?\d+|[\w.]+)(?:@points?)?@from@<x>$", "a number shrinks with `-=`",
     r"\2 -= \1"),
    (r"^(?:put|place|lay|discard|play|return|send|give|insert|push|move|add)@<v>@(?:(?:in|on)?to|in|on|onto)@<x>$",
     _MOVE, r"move \1 to \2"),
    (r"^<x>~=~<x>~(\+\+|--)", "a number changes with `+=` or `-=`", lambda m: f"{m[1]} {m[3][0]}= 1"),
    (r"^move~\(~<x>~,~<x>~\)$", _MOVE, r"move \1 to \2"),
    (r"^(?:deal|draw)~\(.*", "`deal n from PILE to ZONE` has no brackets", None),
    (r"^move@(?:all@)?(?:of@)?(?:the@)?cards?@(?:from|in|of)@(.+?)@to@",
     "all cards of a zone are moved by the name of the zone",
     r"move \1 to "),
    (r"^game\.(?:end|over|finish|stop)\(\)", _ENDS, "end game"),
    (r"^<x>~\+\+|^\+\+<x>", "one is added with `+= 1`", lambda m: f"{m[1] or m[2]} += 1"),
    (r"^<x>~--|^--<x>", "one is taken away with `-= 1`", lambda m: f"{m[1] or m[2]} -= 1"),
    (r"^<x>~=([+-])~(?=\w)", "a number changes with `+=` or `-=`", r"\1 \2= "),
    (r"^<x>~([*/])=~<v>$", "only `+=` and `-=` change a number", r"\1 = \1 \2 \3"),
    (r"^<x>\.(?:append|push|add|insert|put|extend|unshift|push_back)\(<v>\)$", _MOVE, r"move \2 to \1"),
    (r"^(?:append|push|insert)\(<x>, *<x>\)$", _MOVE, r"move \2 to \1"),
    (r"^<x>\.shuffle\(\)|^shuffle~\(<x>\)", "`shuffle` is a statement", lambda m: f"shuffle {m[1] or m[2]}"),
    (r"^shuffle@([^(\n]*? [-+] .*?)(?=@into@|$)", "brackets go around a sum of zones", r"shuffle (\1)"),
    (r"^(?:random\.shuffle|mix)~\(?~<x>~\)?$", "`shuffle` is a statement", r"shuffle \1"),
    (r"^<x>\.(?:pop|remove|sort|reverse|clear|draw|deal)\(.*", f"{_DEAL}; the order of cards follows from moves", None),
    (r"^(?:remove|delete|destroy|trash|discard)@<v>", _LEAVES,
     None),
    (r"^(?:the@)?game@(?:is@over|ends|over)|^game_?over(?:\(\))?|^end@the@game", _ENDS, "end game"),
    (r"^(?:exit|quit|endgame|finish|stop)(?:\(\))?$", _ENDS, "end game"),
    (r"^<x>@(?:wins?|loses?|lost|won|has won|has lost|is@the@winner)\b.*", _WINS, None),
    (r"^(?:the@)?winners?@(?:is|are|will@be)\b.*", "the winners are `winners = all highest p in players by ..`", None),
    (r"^(?:the@)?(?:score|points)@(?:is|are|of@\w+)\b.*", "the score of each player is `score p = ..`", None),
    (r"^(?:win|lose|winner)\b.*", _WINS, None),
    (r"^(?:return|break|exit|leave)(?:@(?:phase|now))?$", "`end` and the name of a phase leaves it", "end {phase}"),
    (r"^(?:try|except|catch|finally|raise|throw|assert)\b",
     "there are no exceptions: what must hold is tested before, with `if` or `only if`", None),
    (r"^(?:continue|next|skip)(?:;|$)",
     "a loop leaves some out with `where`, or an `if` has the rest in its block", None),
    (r"^(?:return|break|goto|yield|await|async|del|with|lambda|global|new|delete)\b",
     "a phase is left with `end` and its name, a loop ends by its condition", None),
    (r"^pass$", "a statement that does nothing is `nothing`", "nothing"),
    (r"^for@(?:each|all|every)@players?\b(?!@in\b)", "a loop iterates over `players`", "for p in players"),
    (r"^repeat@with@(\w+)@running@(?:through|from)@<v>(?=~(?::|$))", "a loop is `for x in ..`", r"for \1 in \2"),
    (r"^for@(\w+)~,~\w+@in@enumerate\(<v>\)", "a loop gives a name to one thing at a time", r"for \1 in \2"),
    (r"(?<= in )range~\(~(?:0~,~)?(?:len|count|length)~\(~<x>~\)~\)",
     "a loop iterates over the elements themselves: `for p in players`", r"\1"),
    (r"^<x>\.(?:forEach|each|map|for_each)\(~\(?(\w+)\)?~=>~<v>~\);?$", "a loop is `for x in ..`", r"for \2 in \1: \3"),
    (r"(?<= in )(?:everyone|everybody|anyone|all|each|(?:all|each|every|the)@players?)\b", "all players are `players`",
     "players"),
    (r"^for~(?:each|all|every)\b", "a loop begins with `for` alone", "for"),
    (r"^for~\((?:(?:let|var|const)@)?(\w+)@(?:of|in|:)@<v>\)", "a loop is `for x in ..`", r"for \1 in \2"),
    (r"^for@(\w+)@of\b", "a loop is `for x in ..`", r"for \1 in"),
    (r"^(?:foreach|loop)@", "a loop is `for x in ..`", "for "),
    (r"^for@(\w+)~(?:=|from|:=)~<x>~(?:to|\.\.)~<x>", _RANGE, r"for \1 in \2..\3"),
    (r"^for~\(.*;.*", _LOOP, None),
    (r"^repeat@(\w+)@times", _LOOP, None),
    (r"^(?:loop|forever|do)\b", _LOOP, None),
    (r"^(repeat \w+)@while@<v>$", "`repeat` goes on until a condition holds", r"\1 until not (\2)"),
    (r"^until@<v>,?@(?:do|repeat|loop)@(\w+)$", "`repeat` goes on until a condition holds", r"repeat \2 until \1"),
    (r"^do@(\w+)@(until@.+)$", "`repeat` goes on until a condition holds", r"repeat \1 \2"),
    (r"^until@([^:\n]+)", "a loop begins with `while`, or is `repeat PHASE until ..`", r"while not (\1)"),
    (r"^unless@<x>@is@not@(?=empty|none|in\b|[A-Z])",
     "`if not` negates a condition, and two negations cancel out", r"if \1 is "),
    (r"^unless@([^:\n]+)", "`if not` is a condition that does not hold", r"if not (\1)"),
    (r"^(?:when|once|always|as@soon@as|every@time|on|after)@(?=\S)",
     "a rule that waits for something begins with `whenever`",
     "whenever "),
    (r"^(?:when|whenever|once|in@case|provided(?:@that)?)@", "a condition begins with `if`", "if "),
    (r"^(?:elif|elsif|elseif|else@when|or@if)\b", "the next alternative is `else if`", "else if"),
    (r"^otherwise\b", "the other alternative of `if` is `else`", "else"),
    (r"^(?:default|case@(?:_|else|default)|else)\b", "the last case is `otherwise`", "otherwise"),
    (r"(?<=case )_", "the last case is `otherwise`", None),
    (r"^(?:switch|select|case@of)~\(<v>\)|^(?:switch|match~\()~([^:()\n]+)\)?", "cases follow `match`",
     lambda m: f"match {m[1] or m[2]}"),
    (r"^(?:when)@(\w+)~(?:->|=>|:)", "a case begins with `case`", r"case \1:"),
    (r"^(case .+?)~(?:->|=>)", "what holds in a case follows `:`", r"\1:"),
    (r"^((?:if|else if|while) .+?),?@(?:then|do)~:?$", "a block is indented below its line", r"\1"),
    (r"^((?:if|else if|while|for) .+?),?@(?:then|do)~:?@<v>$", _SINGLE, r"\1: \2"),
    (r"^((?:if|else if|while)~\(.+\))@(?=[a-z])", "a statement on the same line follows `:`", r"\1: "),
    (r"^(.+?)(?<! only),?@(?:only@when|when|if)@<v>$", _SOMETIMES, r"\1 only if \2"),
    (r"^(.+?),?@if@<v>$", _SINGLE, r"if \2: \1"),
    (r"^(.+?),?@unless@<v>$", _SOMETIMES, r"\1 only if not (\2)"),
    (r"^(.+?),?@unless@<v>$", _SINGLE, r"if not (\2): \1"),
    (r"^((?:if|else if|while|for) .+?)~\{~<v>~\}$", "a statement on the same line follows `:`",
     r"\1: \2"),
    (r"^turn@over@<v>$|^turn@(?:up|face@up)@<v>$", _TURN, lambda m: f"turn {m[1] or m[2]} face up"),
    (r"^(?:flip|reveal|uncover|expose)@<v>@(?:over|up)$", _TURN, r"turn \1 face up"),
    (r"^(?:hide|cover|conceal)@<v>$", _TURN, r"turn \1 face down"),
    (r"^flip@<v>$|^reveal@<v>$", _TURN, lambda m: f"turn {m[1] or m[2]} face up"),
    (r"^turn@<v>@(?:over|up|face-up|open)$", _TURN, r"turn \1 face up"),
    (r"^turn@<v>@(?:down|face-down)$", _TURN, r"turn \1 face down"),
    (r"^(show .+? to )(?:everyone|everybody|all players|each player)", "everybody is `all`", r"\1all"),
    (r"^swap@<v>(?:@and@|@for@|~,~)<v>$", "two things are swapped with `swap a with b`", r"swap \1 with \2"),
    (r"^(the@<x>)(?=@chooses\b)", _BRACKETED, r"(\1)"),
    (r"(?<= for )(the@<x>)$|(?<= to )(the@<x>)$", _BRACKETED, lambda m: f"({m[1] or m[3]})"),
    (r"^<x>@(?:choose|picks?|decides?|selects?|(?:must|may|can)@choose)\b", "a choice is `p chooses`", r"\1 chooses"),
    (r"^(?:choose|ask|prompt|input)\b.*", "a choice is `p chooses`, with its actions indented below", None),
    (r"^(<x> chooses)\b~(?!\")\S.*", _ACTIONS, None),
    (r"^(?:call|do|run|execute|perform|invoke|goto)@(\w+(?:\(.*\))?)$", _NAMED, r"\1"),
    (r"^end@(?:the@)?(?:turn|phase|round|step)$", "a phase is left with `end` and its name", "end {phase}"),
    (r"(?<== )next@player$|^next@player\b.*", "the player after `p` in turn is `next(p)`", None),
    (r"^(?:roll|throw|toss)@(?:(?:an?|the|one|two|\d+)@)?(?:die|dice|coin|\d*d\d+)\b.*", _CHANCE, None),
    (r"^(?:random|randint|rand)~\(.*", _CHANCE, None),
    (r"^(?:let|var|const|my|local|auto)@", "a new name begins with `let`", "let "),
    # ---- deck, zones, dealing
    (r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b", "numbers are written in digits", _numeral),
    (r"\b(?:one|any|an?|1)@card@(\w+)@from\b", _CHOSEN, r"card \1 from"),
    (r"(?<!\w)(?:an?|the|one|1)@card@(?:(\w+)@)?(?:from|in|of)\b", _CHOSEN, lambda m: f"card {m[1] or 'c'} from"),
    (r"\bcard@(\w+)@(?:in|of)\b", _CHOSEN, r"card \1 from"),
    (r"(?<!any )(?<!\d )\bcards@(\w+)@from\b", _SEVERAL, r"any cards \1 from"),
    (r"(?<=\w )(\w+)@in\b", _CHOSEN, r"card \1 from"),
    (r"^deal@from\b", "`deal` has the number of cards", "deal 1 from"),
    (r"^deal@\S+@to\b(?!.*from).*", "cards are dealt with `deal n from PILE to ZONE`", None),
    (r"^\"(\w+)\"@", "an action begins with its verb, without quotes", r"\1 "),
    (r"^(.+?)@(?:then|do|->|=>)@<v>$", "what is done follows `:`", r"\1: \2"),
    (r"^(\w+)@(?:(?:of|per|for)@(?:each|every|a))?~player~:", "what belongs to a player has an index", r"\1[player]:"),
    (r"^players?(?:'s)?@(\w+)~:", "what belongs to a player has an index", r"\1[player]:"),
    (r"(?<=cards|.pile|..row)~(?:\(|@(?:max(?:imum)?(?:@of)?|limit|up@to|atmost)@)(\d+)\)?", _HOLDS,
     r" at most \1"),
    (r"(?<=: )(?:bool|Bool|truth|flag)\b", "true and false have the type `boolean`", "boolean"),
    (r"(?<=: )(?:int|Int|number|num|counter|float)\b", "whole numbers have the type `integer`", "integer"),
    (r"^(\d+)~(?:copies of|times|x|\*)~(?:of )?(?=\w)", _OF, r"\1 of "),
    (r"^(\d+)@each@(?:of@)?(?=\w)", _OF, r"\1 of each "),
    (r"^(\d+)@of@every@", _OF, r"\1 of each "),
    (r",~(?:hidden|face down|secret|invisible|unseen)$", _VIEWERS, ", seen by nobody"),
    (r",~(?:public|face up|open|visible|shown)$", _VIEWERS, ", seen by all"),
    (r",~(?:private|owned)$", _VIEWERS, ", seen by owner"),
    (r",~(?:visible|shown|known|open|seen)@(?:to|by|for)@(?=\w)", _VIEWERS, ", seen by "),
    (r"\bseen@(?=(?:owner|all|nobody)\b)", _VIEWERS, "seen by "),
    (r",~(?:visible|shown|known|open|seen|hidden)~(?::|=|@only)?@(?:to@)?(?=(?:owner|all|nobody|everyone|everybody)\b)",
     _VIEWERS,
     ", seen by "),
    (r"(?<=seen by )(?:everyone|everybody|anyone|anybody|all players|public|each player|players)\b",
     "everybody is `all`", "all"),
    (r"(?<=seen by )(?:no one|noone|none|no players?|hidden)\b", "nobody is `nobody`", "nobody"),
    (r"(?<=seen by )(?:the |its |their )?(?:owner|player|holder|himself|herself|self|owner only|only owner)\b",
     "the player of the zone is `owner`", "owner"),
    (r"(?<=seen by )(?:the |all )?(?:others|opponents|everyone else|other players)\b", "the others are `all but owner`",
     "all but owner"),
    # ---- comparisons
    (r"===|=<>=", _COMPARE, "=="),
    (r"!==|=/=|<>", _COMPARE, "!="),
    (r"=<", _COMPARE, "<="),
    (r"=>", _COMPARE, ">="),
    (r"\b(?:is@not|isn't|does@not)@(?:equals?(?:@to)?|the@same@as)\b", _COMPARE, "!="),
    (r"\b(?:(?:is@)?equals?(?:@to)?|is@the@same@as|is@exactly|eq)\b", _COMPARE, "=="),
    (r"\b(?:is@)?(?:greater|more|larger|bigger|higher)@than@or@equal@to\b|\bis@(?:at@least|not@less@than)\b",
     _COMPARE, ">="),
    (r"\b(?:is@)?(?:less|fewer|smaller|lower)@than@or@equal@to\b|\bis@(?:at@most|not@more@than)\b",
     _COMPARE, "<="),
    (r"\b(?:is@)?(?:greater|more|larger|bigger|higher)@than\b|\bis@(?:above|over)\b|\bexceeds\b", _COMPARE, ">"),
    (r"\b(?:is@)?(?:less|fewer|smaller|lower)@than\b|\bis@(?:below|under)\b", _COMPARE, "<"),
    (r"\bthere@(?:are|is)@no@(?:more@)?(?:cards?@)?(?:left@)?(?:in|on)@(?:the@)?<x>", _NONE_LEFT, r"\1 is empty"),
    (r"\bthere@(?:are|is)@(?:still@)?(?:any@|some@)?(?:cards?@)?(?:left@)?(?:in|on)@(?:the@)?<x>", _NONE_LEFT,
     r"\1 is not empty"),
    (r"<x>@(?:has|have)@no@(?:more@)?cards?(?:@left)?\b", _NONE_LEFT, r"\1 is empty"),
    (r"<x>@(?:has|have)@(?:run@out|no@more)\b|<x>@runs@out\b", _NONE_LEFT, lambda m: f"{m[1] or m[2]} is empty"),
    (r"\b(not@)?(?:is@)?between@(.+?)@and@(.+?)(?=~(?:[:,)\]]|$|\band\b|\bor\b))",
     "membership in a range is `is in a..b`",
     lambda m: f"is {m[1] or ''}in {m[2]}..{m[3]}"),
    (r"\b(is@)?(not@)?in~[\[{]([^\]}\n]*)[\]}]", "membership in some values is written with round brackets",
     lambda m: f"is {m[2] or ''}in ({m[3]})"),
    (r"\b(?:is@)?one@of\b", "membership is `is in`", "is in"),
    (r"\bis@between@<x>@and@<x>", "membership in a range is `is in a..b`", r"is in \1..\2"),
    (r"<x>~(<=?|>=?)~<x>~(<=?|>=?)(?!=)", "a comparison has two sides; two of them are joined with `and`",
     lambda m: f"{m[1]} {m[2]} {m[3]} and {m[3]} {m[4]}"),
    (r"\bno@cards?@(?:left@)?(?:in|on)@<x>", "an empty zone is tested with `is empty`", r"\1 is empty"),
    (r"\bany@cards?@(?:left@)?(?:in|on)@<x>(?=~:)", "an empty zone is tested with `is empty`", r"\1 is not empty"),
    (r"\b(?:there@is@)?(?:an?@)?([A-Z]\w*)@(?:is@)?(?:in|among)@<x>", _SOME, r"some c in \2 where c is \1"),
    (r"<x>@(?:has|contains|holds|includes)@(?:an?@|some@)?([a-z]\w*)@(?:where|with)@", _SOME, r"some \2 in \1 where "),
    (r"<x>@(?:has|contains|holds|includes)@(?:an?@)?([A-Z]\w*)|<x>\.(?:contains|includes|has)\(.*?\)", _SOME, None),
    (r"\bnot@in\b", "membership is `is in`", "is not in"),
    (r"(?<!is )(?<!not )\b(?:in|within|among)\b", "membership is `is in`", "is in"),
    (r"\bcontains@<x>", "membership is `c is in ZONE`", None),
    (r"\bis@(not@)?an?\b", "after `is` a kind of card needs no article", lambda m: f"is {m[1] or ''}".rstrip()),
    # ---- values
    (r"(?:(?<=: )|(?<== )|(?<=\())((?:[^:=?\n]|[=!<>]=)+?)~\?~([^:\n]+?)~:~<v>$", _IF, r"if \1 then \2 else \3"),
    (r"(?:(?<=: )|(?<== ))([^:=\n]+?)@if@(.+?)@else@<v>$", _IF, r"if \2 then \1 else \3"),
    (r"(?:(?<=: )|(?<== ))if@<v>~:~<v>~,?@else~:?@<v>$", _IF, r"if \1 then \2 else \3"),
    (r"(?i:\bIF)~\(([^,;\n]+)[,;]~([^,;\n]+)[,;]~([^,;()\n]+)\)", _IF,
     lambda m: f"(if {re.sub('(?<![=!<>])=(?!=)', '==', m[1])} then {m[2]} else {m[3]})"),
    (r"\?\.", "what may be absent is read with a point, and `else` gives what counts in its place", "."),
    (r"\bisinstance~\(~<x>~,~(\w+)~\)", _KIND, r"\1 is \2"),
    (r"<x>@(?:instanceof|isa|is_a|is@of@kind|is@of@type)@(?=[A-Z])", _KIND, r"\1 is "),
    (r"\bby@(?:lambda@\w+~:|\(?\w+\)?~=>)~<v>$", "`by` is followed by the value itself", r"by \1"),
    (r"\b(?:the@)?(?:most|best|greatest|largest|biggest|maximum|max|strongest|top)@(\w+)@in\b", _BEST,
     r"highest \1 in"),
    (r"\b(?:the@)?(?:least|fewest|smallest|worst|minimum|min|weakest)@(\w+)@in\b", _BEST, r"lowest \1 in"),
    (r"\b(?:the@)?(?:player|neighbou?r|one)@(?:to|on)@(?:the|his|her|their)@(left|right)@of@(?:the@)?<x>",
     "the neighbours are `left(p)` and `right(p)`", r"\1(\2)"),
    (r"<x>'s@(left|right)(?:@(?:neighbou?r|player))?", "the neighbours are `left(p)` and `right(p)`", r"\2(\1)"),
    (r"<x>@else@<x>(?=@(?:[<>=!+-]|and\b|or\b|is\b))", "brackets go around a value and its `else`", r"(\1 else \2)"),
    (r"<x>~(?:\?\?|\?:|\|\|)~<x>", "the value in the place of an absent one follows `else`", r"(\1 else \2)"),
    (r"\?\?|\?:", "the value in the place of an absent one follows `else`", "else"),
    (r"\b(?:coalesce|COALESCE|ifnull|IFNULL|nvl|default)~\(~(.+?)~,~(\w+)~\)",
     "the value in the place of an absent one follows `else`", r"(\1 else \2)"),
    (r"\b(?:COUNTIFS?|countif|count_if)~\(~<x>~[,;]~([A-Z]\w*)~\)", _MEMBERS, r"count(c in \1 where c is \2)"),
    (r"\b(?:COUNTIFS?|countif|count_if|SUMIFS?|sumif|AVERAGEIFS?|FILTER)~\(.*", _MEMBERS, None),
    (r"\b(?:ROUNDUP|CEILING|ceil(?:ing)?|(?:math|Math)\.ceil)~\((.+)\)", _ROUND, r"\1 rounded up"),
    (r"\b(?:ROUNDDOWN|FLOOR|INT|TRUNC|floor|int|(?:math|Math)\.(?:floor|trunc))~\((.+)\)", _ROUND, r"\1 rounded down"),
    (r"\b(?:ROUND|round|(?:math|Math)\.round)~\((.+)\)", _ROUND, r"\1 rounded nearest"),
    (r"\b(?:MOD|mod)~\(~(.+?)~[,;]~(\w+)~\)|<x>~%~<x>", "a remainder is written with `mod`",
     lambda m: f"{m[1] or m[3]} mod {m[2] or m[4]}"),
    (r"\(~(\w+)~\+~1~\)~(?:%|mod)~[\w.]+(?:\(\w*\))?", "the player after `p` in turn is `next(p)`", r"next(\1)"),
    (r"\(~(\w+)~-~1~\)~(?:%|mod)~[\w.]+(?:\(\w*\))?",
     "the player before `p` in turn is `previous(p)`", r"previous(\1)"),
    (r"\b(?:integer|int|number|between)~\(~(-?\w+)~,~(-?\w+)~\)", _RANGE, r"\1..\2"),
    (r"\d+~%(?!~\w)", "there are no percentages: a part of a number is a quotient, as in `n / 2 rounded down`", None),
    (r"\b(?:SUM|COUNT|MAX|MIN|Sum|Count|Max|Min|COUNTA)(?=~\()", "functions are written in small letters",
     lambda m: m[0].lower().removesuffix("a")),
    (r"\b(?:self|this|me|my|game|Math|math|np|Number|Array|Object|board|globals?|Game)\.(\w+)", _LOCAL, r"\1"),
    (r"\bcount~\(~\*~\)", "`count` takes the zone whose cards it counts", None),
    (r"\bcount\((\w+)@for@\1@in@", "`count` counts the members of a selection", r"count(\1 in "),
    (r"\b(count|some|no|all|every)(~\(|@)<x>@where@", _MEMBERS, lambda m: f"{m[1]}{m[2]}c in {m[3]} where "),
    (r"(?<=\()\[(.*)\](?=\))", "`sum(.. for c in ZONE)` and the like have round brackets alone", r"\1"),
    (r"(?<=\w\[)\"(\w+)\"(?=\])|(?<=\w\[)'(\w+)'(?=\])", "a name is written without quotes", lambda m: m[1] or m[2]),
    (r"\]~\[", "several indices stand in one pair of brackets, with a comma between", ", "),
    (r"\?", _IF, None),
    (r"\b(?:number|amount|count|size|length)@of@(?:the@)?(?:cards@in@)?<x>", _COUNT,
     r"count(\1)"),
    (r"\b(?:len|length|size|num|card_count|sizeof)~(?=\()", _COUNT, "count"),
    (r"\b(?:itertools\.)?(?:combinations|powerset|all_subsets|sublists)~(?=\()",
     "sets of some cards are `subsets(CARDS)`, those of two `subsets(CARDS, 2)`", "subsets"),
    (r"\ball@(?:of@(?:them|the@cards)@)?(?:the@|have@the@|of@the@)?same@\w+",
     "that all cards are alike is `same(c.rank for c in CARDS)`, with the name of the set", None),
    (r"<x>\.(?:length|size|count|len)(?:\(\))?", _COUNT, r"count(\1)"),
    (r"<x>\.(?:is_?[eE]mpty|empty)(?:\(\))?", "`is empty` tests for an empty zone", r"\1 is empty"),
    (r"\b(min|max|sum|same|different)@(?=\w)(.+@for@\w+@in@[\w\[\], ]+)$", "functions take brackets", r"\1(\2)"),
    (r"\bcount@(?=\w)(\w[^)(=<>:\n]*?)(?=~(?:[=!<>]|:|$))", "`count` takes brackets", r"count(\1)"),
    (r"\brange\((?:(?P<a>[\w.]+), *)?(?P<b>[\w.]+)\)", _RANGE, _python_range),
    (r"(?<![\w.])(-?\d+)~(?:\bto\b|\bthrough\b|\buntil\b|-|\u2013|:|\.\.\.)~(-?\d+)", _RANGE, r"\1..\2"),
    (r"(?<=from )1?d(\d+)\b", _CHANCE, r"1..\1"),
    (r"(?<![\w.])(-?\w+)~(?:\bto\b|\bthrough\b|\bthru\b|\buntil\b|-|\u2013|:|\.\.\.)~(-?\w+)", _RANGE, r"\1..\2"),
    (r"\bbetween@<x>@and@<x>|\[(\d+), *(\d+)\]", _RANGE, lambda m: f"{m[1] or m[3]}..{m[2] or m[4]}"),
    (r"(?<=[\w(] )(?:from|of)\b(?=@\w)", "a selection is `c in ZONE where ..`", "in"),
    (r"\b(?:if|with|when|whose|which|that|having|such that|and)\b", "a selection filters with `where`", "where"),
    (r"\bwhere\b", "a condition on all members follows `has`, one on a chosen set `such that`", "has"),
    (r"\b(?:sorted|ordered|sort|order)@by\b", "`for c in Z by k` goes through Z in ascending order", "by"),
    (r"\bselect\b.*", _BEST, None),
    (r"\b(?:max|min|sorted|maximum|minimum|argmax|best|sort|order)\b.*(?:\bkey\b|\blambda\b|=>|\bby\b).*", _BEST, None),
    (r"\b(?:argmax|argmin|maximum|minimum|sorted|order@by|sort@by)\b.*", _BEST, None),
    (r"\b(?:the@)?(\d+)[a-z]{2}@card@(?:of|in|from)@(?:the@)?", "the n-th card is `card n of`", r"card \1 of "),
    (r"\b(?:the@)?(top|bottom)@(?:of@)?(?:the@)?(?=\w+$)", "the uppermost card is `top of`", r"\1 of "),
    (r"\b(?:the@)?(top|bottom)@card@(?:of|in|from)@(?:the@)?", "the uppermost card is `top of`", r"\1 of "),
    (r"\b(?:the@)?(top|bottom)@card@(?:of|in|from)\b", "the uppermost card is `top of`", r"\1 of"),
    (r"\b(?:the@)?(first|last)@card@(?:of|in|from)\b@<x>", "a selection gives its members a name",
     r"(\1 c in \2)"),
    (r"\b(?:randint|rand|random|roll|choice|dice|die)~\(.*|\b\d*d\d+\b", _CHANCE, None),
    (r"(?<== )(?:roll|random|rand|throw)\b.*", _CHANCE, None),
    (r"\bplayer~[\[(](\d+)[\])]|\bplayer(\d+)\b|\bPlayer (\d+)\b", "players are `player 1`, `player 2` and so on",
     lambda m: f"player {m[1] or m[2] or m[3]}"),
    (r"\b(?:current_player|active_player|me|self|myself|this|you)\b", _WHOSE, None),
    (r"\bplus\b", "a sum is written with `+`", "+"),
    (r"\bminus\b", "a difference is written with `-`", "-"),
    (r"\btimes\b", "a product is written with `*`", "*"),
    (r"\b(?:divided by|over)\b", "a quotient is written with `/`", "/"),
    (r"\*\*|\^", "there is no power; multiply, as in `n * n`", None),
    (r"scenario^(given .+?)@(?:(?:is|are)@empty|(?:holds|has)@(?:nothing|none|no@cards?))$",
     "a place without cards holds 0 cards", r"\1 holds 0 cards"),
    (r"scenario^(expect .+?)@holds@(?:nothing|none|no@cards?)$", "a place without cards is empty", r"\1 is empty"),
    (r"\b(?:null|nil|undefined|None|NULL|nothing)\b", "absence is `none`", "none"),
    (r"\b(?:True|TRUE|yes)\b", "true is written `true`", "true"),
    (r"\b(?:False|FALSE|no)\b", "false is written `false`", "false"),
    (r"\b(?:AND|And)\b", "conditions are joined with `and`", "and"),
    (r"\b(?:OR|Or|xor)\b", "conditions are joined with `or`", "or"),
    (r"\b[fFrRbBuU](?=\")", "values stand in braces in a text, which begins with its quotation mark", ""),
    (r"\b(?:lambda|map|filter|reduce)\b.*", "a selection names its members: `c in ZONE where ..`", None),
    (r"\b(?:any|some)~\(.*", "`some c in ZONE where ..` is true if a member meets a condition", None),
    (r"\b(?:all|every)~\(.*", "`every c in ZONE has ..` is true if all members meet a condition", None),
    (r"\b(?:average|avg|mean|abs|sqrt|round|floor|ceil|ceiling|str|int|string)~\(.*",
     "the functions are `count`, `sum`, `max`, `min`, `same`, `different`, `consecutive`; `/` is `rounded down`", None),
    (r"\breturn@", "a definition is an expression, so it is its value alone", ""),
    (r"\|\|?", "conditions are joined with `or`", "or"),
    (r"\b(?:suchthat|such@as@that)\b", _WORDS, "such that"),
    (r"\b(only|at|up|seen)_?(if|most|least|once|to|by)\b", _WORDS, r"\1 \2"),
    (r"\b(?:inturn|in_turn)\b", _WORDS, "in turn"),
    (r"@\(~([A-Z]+[0-9]+[a-z]?)~\)$|@\{~([A-Z]+[0-9]+[a-z]?)~\}$", _TAG, lambda m: f"  [{m[1] or m[2]}]"),
    (r"@\[~[A-Za-z]+[ .:#-]*[0-9]+[a-z]?~\]$", _TAG, None),
    (r"\b(?:the|an?)@(?=(?:deck|draw@pile|discard@pile)\b)", _PILE, None),
    (r"\b(?:the|an?|its?|his|her|their)@(?=[a-z])", _ARTICLE, ""),
    (r";~(?=\S)", _PARTS, ", "),
    (r"@(?:one@(?:at@a@time|by@one)|clockwise|in@order|randomly|immediately|now|again|afterwards)\b", _ORDER,
     ""),
    (r"@(?:(?:per|for@each|to@each)@player|each|apiece)\b", "`hand[players]` already deals to each player", ""),
    (r"<x>\.\w+~\(.*", _METHODS, None),
    # ---- scenarios
    (r"scenario^(?:assert|check|verify|ensure|require|then|should|test|confirm)@(?:that@)?",
     "a claim begins with `expect`", "expect "),
    (r"scenario^(?:given|with|suppose)@(player \d+)@(?:has|holds|gets)@(?=\")", _HOLD, r"given hand[\1] holds "),
    (r"scenario^(given@\w+(?:\[[^\]\n]*\])?)~(?:=|:|@is|@has|@contains)~(?=\")", _HOLD, r"\1 holds "),
    (r"scenario^(expect@\w+(?:\[[^\]\n]*\])?)~(?:==?|:|@is|@has|@contains)~(?=\")",
     "the cards of a zone are compared with `holds`",
     r"\1 holds "),
    (r"scenario^(player \d+)@(?:plays?|bids?|discards?|draws?|takes?|chooses?)@", "what a player does follows `does`",
     lambda m: f"{m[1]} does {m[0].split()[-1].removesuffix('s')} "),
    (r"\b(?:the@)?winners?(?:@(?:is|are)|~==?|:)@(?=player)", _WINNERS, "winners "),
    (r"\b(player \d+)@(?:wins|to win|has won|is the winner)", _WINNERS, r"winners \1"),
    (r"\b(?:the@)?game@(?:is@over|ends|ended|end)\b", "the end is `expect game over`", "game over"),
    (r"\b(player \d+)(?:'s turn|@(?:is )?to@(?:move|play|choose)|@acts|@is active)",
     "whose decision it is: `expect player 1 to act`", r"\1 to act"),
    (r"\b(player \d+)@(?:may not|can't|can not|must not)\b", "what is impossible: `player 1 cannot ..`", r"\1 cannot"),
    (r"scenario^(given .+?)@(?:is|==|are)@<v>$", "a value is given with `=`", r"\1 = \2"),
    (r"scenario^((?:given|expect) .+ holds \"[^\"]*)\"((?:~,~\"[^\"]*\")+)$", "all cards of a place stand in one text",
     lambda m: m[1] + " " + " ".join(re.findall('[^ ,"]+', m[2])) + '"'),
    # ---- signs at the end
    (r"[.;]$", "the end of the line ends a statement", ""),
    (r";", "each statement is on a line of its own", None),
)  # fmt: skip
"""The order matters: the first row with which the line can be read is reported."""

_BEGINS = re.compile(r"(\w*)\^")
_ANCHOR = re.compile(r"(?<![\[\\])\^")

LONGEST_LINE = 300
"""Longer lines are not searched, so that the time stays linear."""

MOST_MATCHES = 10

_OPERAND = r"((?:\w|\.(?=\w))+(?:\[[^\]\n]*\])?(?:\.\w+)*(?:\([^()\n]*\))?)"


@attrs.frozen
class Row:
    """A foreign word: what it looks like, whether it begins a statement, its idea, what to write, and its section."""

    pattern: re.Pattern[str]
    begins: bool
    idea: str
    write: Write
    section: str = ""


@cache
def _rows() -> tuple[Row, ...]:
    return tuple(
        Row(re.compile(_ANCHOR.sub("", pattern).replace("<x>", _OPERAND).replace("<v>", "(.+?)")
                   .replace("@", "[ ]+").replace("~", "[ ]*")),
            placed is not None, idea, write, placed[1] if placed is not None else "")
        for pattern, placed, idea, write in (
            (pattern[placed.end(1):] if placed else pattern, placed, idea, write)
            for pattern, idea, write in _ROWS for placed in (_BEGINS.match(pattern),)
        )
    )  # fmt: skip


Reads = Callable[[tuple[Edit, ...]], bool]

MOST_PAIRS = 25
"""Pairs of rows that are tried for a line with two foreign things."""

MOST_OTHERS = 3
"""Other fixes that are kept, to be tried where the first one turns out to be wrong."""


def found(
    source: Source, place: Span, sound: Reads, reads: Reads | None = None, *, closest: bool = False
) -> Diagnostic | None:
    """Return what may be meant by a line with something foreign at a place, or None.

    `sound` says whether the line can be read with some edits, `reads` whether it can up to the place.  The fixes with
    which all of it can count (the `closest` to the place first, or in the order of the rows), then those of two rows
    together; then a row without a text; then one whose fix is not the only one that is needed.
    """
    begin = source.line_starts[place.line - 1]
    line = _COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else "", source.line(place.line)).rstrip()
    line = _TAGS.sub("", line)
    if len(line) > LONGEST_LINE:
        return None
    phase = _phase(source, begin)
    within = section(source, begin) if line[:1].isspace() else ""
    matches = list(_matches(line, phase, within))

    def mended(words: str, ideas: str, text: str) -> Cure:
        edit = difference(Span(source, begin, begin + len(line)), text)
        return Cure(f"write `{words}`: {ideas}" if words else ideas, (edit,), ideas)

    single = ((m, mended(m.words, m.row.idea, m.line)) for m in matches if m.line != line)
    fits = [(m, cure) for m, cure in single if sound(cure.edits)]
    if closest:
        at = place.start - begin
        fits.sort(key=lambda fit: (not fit[0].start <= at < fit[0].end, fit[0].end - fit[0].start))
    if not fits:
        both = (
            (m, n)
            for m in matches
            if m.line != line
            for n in _matches(m.line, phase, within)
            if n.line not in (line, m.line)
        )
        pairs = (
            (m, mended(n.line.strip(), f"{m.row.idea}; {n.row.idea}", n.line)) for m, n in islice(both, MOST_PAIRS)
        )
        fits = list(islice(((m, cure) for m, cure in pairs if sound(cure.edits)), 1))
    if fits:
        (first, cure), *others = fits
        more = tuple(dict.fromkeys(other for _, other in others if other.edits != cure.edits))[:MOST_OTHERS]
        return attrs.evolve(first.diagnostic(source, begin, cure), others=more)
    at = place.start - begin
    near = [m for m in matches if m.start <= at <= m.end]
    words = next((m for m in near if m.row.write is None), None)
    if words is not None:
        return words.diagnostic(source, begin, words.row.idea)
    for m in near if reads is not None else ():
        cure = mended(m.words, m.row.idea, m.line)
        if m.line != line and m.end > at - 1 and reads is not None and reads(cure.edits):
            return m.diagnostic(source, begin, cure.text)
    return None


@attrs.frozen
class _Match:
    """A row that matches a line from one character to another; `words` are written there, and give the new line."""

    row: Row
    start: int
    end: int
    shown: str
    words: str
    line: str

    def diagnostic(self, source: Source, begin: int, cure: str | Cure) -> Diagnostic:
        """Return what is wrong at the match."""
        shown = self.shown if len(self.shown) <= 30 else f"{self.shown[:30]}.."
        span = Span(source, begin + self.start, begin + self.end)
        return Diagnostic("CG130", f"`{shown.strip()}` is not allowed here", span, cure)


def _matches(line: str, phase: str, within: str) -> Iterator[_Match]:
    """Yield what each row makes of a line of a section: at each place, and at all of them together."""
    starts = [len(line) - len(line.lstrip()), *(m.end() for m in re.finditer(": ", line))]
    for row in _rows():
        if row.section not in ("", within):
            continue
        if row.begins:
            found = [m for m in (row.pattern.match(line, start) for start in starts) if m and m[0]]
        else:
            found = [m for m in row.pattern.finditer(line) if m[0]][:MOST_MATCHES]
        texts = [_written(row, m, phase) for m in found]
        for match, text in zip(found, texts, strict=True):
            start, end = match.span()
            yield _Match(row, start, end, match[0], text.strip(), line[:start] + text + line[end:])
        if len(found) > 1 and row.write is not None:
            whole = line
            for match, text in reversed([*zip(found, texts, strict=True)]):
                whole = whole[: match.start()] + text + whole[match.end() :]
            yield _Match(row, *found[0].span(), found[0][0], texts[0].strip(), whole)


def _written(row: Row, match: re.Match[str], phase: str) -> str:
    """Return what a row writes in the place of a match; the same where only the author can know it."""
    if row.write is None:
        return match[0]
    text = match.expand(row.write) if isinstance(row.write, str) else row.write(match)
    return text.replace("{phase}", phase)


_TAGS = re.compile(r"[ \t]+\[[A-Z]+[0-9][^\]\n]*\]$")
_COMMENT = re.compile(r'"[^"\n]*"|#.*')
_SECTION = re.compile(r"^(\w+)", re.MULTILINE)
_PHASE = re.compile(r"^phase[ \t]+(\w+)", re.MULTILINE)


def section(source: Source, before: int) -> str:
    """Return the word that begins the section of a place, or an empty text."""
    words: list[str] = _SECTION.findall(source.text, 0, before)
    return words[-1] if words else ""


def _phase(source: Source, before: int) -> str:
    """Return the name of the phase that a place is in."""
    names = _PHASE.findall(source.text, 0, before)
    return names[-1] if names else "PHASE"
