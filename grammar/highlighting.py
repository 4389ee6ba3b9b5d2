"""Syntax highlighting for editors and web pages, generated from the Lark grammars.

`rules` lists the tokens of a language as regular expressions, in the order in which they are tried.  From these come a
Pygments lexer (registered as a plugin) and, as files in `grammar/editors`, a TextMate grammar, a Vim syntax file and a
CodeMirror mode.  `python -m grammar.highlighting` writes the files.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar

import attrs
from lark import Lark
from lark.lexer import PatternStr
from pygments import token as pygments_token
from pygments.lexer import RegexLexer

from grammar.tables import parser

FOLDER = Path(__file__).parent / "editors"
SUFFIXES = {"cardgame": "cardgame", "scenario": "scenarios"}
"""The file suffix of each language."""

_CONSTANTS = ("true", "false", "none")
_PAIR = re.compile(r"([a-z]+)\[ \\t\]\+([a-z]+)\(\?!\\w\)")
_WORD = re.compile(r"([a-z]+)\(\?!\\w\)")
"""How the grammar writes a token of two words, and one that more may follow."""


@attrs.frozen
class Rule:
    """One kind of token: its regular expression in the syntax that Python, JavaScript and Oniguruma share."""

    kind: str
    regex: str
    line_start: bool = False


@attrs.frozen
class Words:
    """The reserved words of a language: those that open a section, constants, others, and tokens of two words."""

    sections: tuple[str, ...]
    constants: tuple[str, ...]
    keywords: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


def words(language: str) -> Words:
    """Return the reserved words of "cardgame" or "scenario"."""
    tables = parser(language)
    plain = {t.name: t.pattern.value for t in tables.terminals if isinstance(t.pattern, PatternStr)}
    single = {value for value in plain.values() if value.isalpha()}
    sections = {plain[name] for name in _first(tables, "start") if plain.get(name) in single}
    for rule in tables.rules:
        if rule.origin.name == "start":
            inner = {name for part in rule.expansion if not part.is_term for name in _first(tables, part.name)}
            sections |= {plain[name] for name in inner if plain.get(name) in single}
    patterns = [t.pattern.value.replace("\t", "\\t") for t in tables.terminals]
    pairs = sorted((match[1], match[2]) for text in patterns if (match := _PAIR.fullmatch(text)))
    single |= {match.group(1) for text in patterns if (match := _WORD.match(text))}
    return Words(tuple(sorted(sections)), _CONSTANTS, tuple(sorted(single - sections - set(_CONSTANTS))), tuple(pairs))


def _first(tables: Lark, name: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """Return the FIRST set of a nonterminal: the terminals that its derivations begin with."""
    found: set[str] = set()
    for rule in tables.rules:
        if rule.origin.name == name and rule.expansion:
            head = rule.expansion[0]
            if head.is_term:
                found.add(head.name)
            elif head.name not in seen:
                found |= _first(tables, head.name, seen | {name})
    return found


def rules(language: str) -> tuple[Rule, ...]:
    """Return the kinds of tokens of a language in the order in which they are tried."""
    known = words(language)
    tag = r"[ \t]+\[[A-Z]+[0-9]+[a-z]?(?:(?:-|,[ \t]*)[A-Z]*[0-9]+[a-z]?)*\](?=[ \t]*(?:#.*)?$)"
    return (
        Rule("comment", r"#.*"),
        Rule("tag", tag),
        Rule("string", r'"[^"\r\n]*"?'),
        Rule("section", _any_of(known.sections), line_start=True),
        Rule("keyword", "|".join(rf"\b{one}[ \t]+{two}\b" for one, two in known.pairs)),
        Rule("constant", _any_of(known.constants)),
        Rule("keyword", _any_of((*known.sections, *known.keywords))),
        Rule("name", r"[A-Za-z_][A-Za-z0-9_]*"),
        Rule("number", r"[0-9]+"),
        Rule("operator", r"==|!=|<=|>=|\+=|-=|->|\.\.|[-+*/<>=|]"),
        Rule("punctuation", r"[()\[\],.:]"),
    )


def _any_of(alternatives: tuple[str, ...]) -> str:
    """Return a regular expression for some words; an empty list would match nothing for ever, so it is an error."""
    if not alternatives:
        raise ValueError("there are no words to match")
    return rf"\b(?:{'|'.join(alternatives)})\b"


_PYGMENTS = {
    "comment": pygments_token.Comment.Single,
    "tag": pygments_token.Name.Label,
    "string": pygments_token.String,
    "section": pygments_token.Keyword.Declaration,
    "keyword": pygments_token.Keyword,
    "constant": pygments_token.Keyword.Constant,
    "name": pygments_token.Name,
    "number": pygments_token.Number.Integer,
    "operator": pygments_token.Operator,
    "punctuation": pygments_token.Punctuation,
}


class CardgameLexer(RegexLexer):  # type: ignore[misc]
    """Pygments lexer for specs."""

    name = "cardgame"
    aliases: ClassVar = ["cardgame"]
    filenames: ClassVar = ["*.cardgame"]
    url = ""
    version_added = ""
    flags = re.MULTILINE
    _language = "cardgame"

    @staticmethod
    def type_of(kind: str) -> Any:
        """Return the Pygments token type of a kind of token."""
        return _PYGMENTS[kind]

    @classmethod
    def get_tokendefs(cls) -> dict[str, list[tuple[str, Any]]]:
        """Return the rules of the lexer; they are made on first use, since the parser tables take time to load."""
        found = [(f"{'^' * rule.line_start}(?:{rule.regex})", _PYGMENTS[rule.kind]) for rule in rules(cls._language)]
        return {"root": [*found, (r"\s+", pygments_token.Whitespace)]}


class ScenariosLexer(CardgameLexer):
    """Pygments lexer for files of scenarios."""

    name = "cardgame scenarios"
    aliases: ClassVar = ["cardgame-scenarios"]
    filenames: ClassVar = ["*.scenarios"]
    _language = "scenario"


_TEXTMATE = {
    "comment": "comment.line.number-sign",
    "tag": "entity.other.attribute-name.rule-tag",
    "section": "keyword.other.section",
    "keyword": "keyword.control",
    "constant": "constant.language",
    "number": "constant.numeric",
    "operator": "keyword.operator",
}


def textmate(language: str) -> str:
    """Return the TextMate grammar of a language as JSON; VS Code and many other editors read it."""
    scope = SUFFIXES[language]
    patterns: list[dict[str, object]] = []
    for rule in rules(language):
        if rule.kind == "string":
            inside = [{"match": r'\{[^}"]*\}', "name": f"variable.other.interpolation.{scope}"}]
            patterns.append(
                {"begin": '"', "end": '"|$', "name": f"string.quoted.double.{scope}", "patterns": inside}
            )  # fmt: skip
        elif rule.kind in _TEXTMATE:
            match = f"^(?:{rule.regex})" if rule.line_start else rule.regex
            patterns.append({"match": match, "name": f"{_TEXTMATE[rule.kind]}.{scope}"})
    made = {"name": scope, "scopeName": f"source.{scope}", "fileTypes": [scope], "patterns": patterns}
    return json.dumps(made, indent=2) + "\n"


_VIM = {
    "section": "Statement", "keyword": "Keyword", "constant": "Constant", "pair": "Keyword", "number": "Number",
    "operator": "Operator", "string": "String", "value": "Special", "tag": "Label", "comment": "Comment",
}  # fmt: skip


def vim(language: str) -> str:
    """Return the Vim syntax file of a language."""
    known, name = words(language), SUFFIXES[language]
    lines = [
        f'" Generated from the grammar of {name} files by `python -m grammar.highlighting`.',
        'if exists("b:current_syntax")',
        "  finish",
        "endif",
        f"syntax keyword {name}Keyword {' '.join((*known.sections, *known.keywords))}",
        f"syntax keyword {name}Constant {' '.join(known.constants)}",
        *(rf"syntax match {name}Pair /\v<{one}[ \t]+{two}>/" for one, two in known.pairs),
        rf"syntax match {name}Section /\v^%({'|'.join(known.sections)})>/",
        rf"syntax match {name}Number /\v<[0-9]+>/",
        rf"syntax match {name}Operator /\v\=\=|!\=|\<\=|\>\=|\+\=|-\=|-\>|\.\.|[-+*\/<>=|]/",
        rf'syntax match {name}Value /\v\{{[^}}"]*\}}/ contained',
        rf'syntax region {name}String start=/"/ end=/"\|$/ oneline contains={name}Value',
        rf"syntax match {name}Tag /\v\s\zs\[[A-Z]+[0-9]+[a-z]?%(%(-|,[ \t]*)[A-Z]*[0-9]+[a-z]?)*\]%(\s*%(#.*)?$)@=/",
        f"syntax match {name}Comment /#.*/",
        *(f"highlight default link {name}{kind.capitalize()} {group}" for kind, group in _VIM.items()),
        f'let b:current_syntax = "{name}"',
    ]
    return "".join(f"{line}\n" for line in lines)


_CODEMIRROR = {"tag": "labelName", "section": "definitionKeyword", "constant": "atom", "name": "variableName"}


def codemirror(language: str) -> str:
    """Return a mode for CodeMirror 6: the argument of `StreamLanguage.define`."""
    table = [
        {"style": _CODEMIRROR.get(rule.kind, rule.kind), "regex": rule.regex, "lineStart": rule.line_start}
        for rule in rules(language)
    ]
    return f"""// Generated from the grammar of {SUFFIXES[language]} files by `python -m grammar.highlighting`.
const rules = {json.dumps(table, indent=2)};
for (const rule of rules) rule.regex = new RegExp("^(?:" + rule.regex + ")");

export const {SUFFIXES[language]} = {{
  name: "{SUFFIXES[language]}",
  token(stream) {{
    const rule = rules.find((rule) => (!rule.lineStart || stream.sol()) && stream.match(rule.regex));
    if (!rule && !stream.eatSpace()) stream.next();
    return rule ? rule.style : null;
  }},
}};
"""


def editor_files() -> dict[Path, str]:
    """Return the generated files with their texts."""
    found: dict[Path, str] = {}
    for language, suffix in SUFFIXES.items():
        found[FOLDER / "vscode" / "syntaxes" / f"{suffix}.tmLanguage.json"] = textmate(language)
        found[FOLDER / "vim" / "syntax" / f"{suffix}.vim"] = vim(language)
        found[FOLDER / "codemirror" / f"{suffix}.js"] = codemirror(language)
    detect = "".join(f"autocmd BufRead,BufNewFile *.{suffix} setfiletype {suffix}\n" for suffix in SUFFIXES.values())
    found[FOLDER / "vim" / "ftdetect" / "cardgame.vim"] = detect
    return found


def main() -> None:
    """Write the files for editors."""
    for path, text in editor_files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
