"""Write a syntax tree back as text: the canonical form of a spec.

`parse(unparse(spec)) == spec` for every tree that the parser makes, tags included; comments are not part
of the tree and are lost.  A line that would be too long goes on in a deeper one, by the rules of
`grammar.layout`.
"""

from __future__ import annotations

from grammar import ast
from grammar import unparse_expressions as write
from grammar.ast import Item, Part, Section, Spec
from grammar.expressions import Alternative, Chain, Pattern
from grammar.statements import Case
from grammar.unparse_expressions import OPEN, SUM, expression, params, quoted, type_
from grammar.unparse_statements import Lines, action_lines, statement, tagged, with_body

WIDTH = 110


def unparse(spec: Spec) -> str:
    """Return the canonical text of a spec."""
    lines = Lines()
    lines.add(0, f"cardgame {spec.version}", spec.tags)
    before: Item | None = None
    for item in spec.items:
        own = Lines()
        _item(own, item)
        if not (type(before) is type(item) and len(own.rows) == 1 and lines.rows[-1][:1].isalpha()):
            lines.rows.append("")
        lines.rows += own.rows
        before = item
    return "\n".join(lines.rows) + "\n"


def _item(lines: Lines, item: Item) -> None:
    match item:
        case ast.Use():
            lines.add(0, f"use {quoted(item.path)}", item.tags)
        case ast.Extends():
            lines.add(0, f"extends {quoted(item.path)}", item.tags)
        case ast.Replace():
            _changed(lines, item.what, "replace ")
        case ast.Add():
            _changed(lines, item.what, "add ")
        case ast.Remove():
            lines.add(0, f"remove {item.sort} {item.name}", item.tags)
        case ast.RemoveCase():
            lines.add(0, f"remove case {_patterns(item.patterns)} in {item.owner} {item.name}", item.tags)
        case ast.RemoveAction():
            lines.add(0, f"remove action {item.verb} in phase {item.name}", item.tags)
        case ast.RemoveLine():
            lines.add(0, f"remove {write.pattern(item.cards)} in {item.name}", item.tags)
        case ast.SetOption():
            lines.add(0, f"set {item.name} = {expression(item.value)}", item.tags)
        case _:
            _section(lines, item, "")


def _changed(lines: Lines, what: Section | Part, before: str) -> None:
    match what:
        case ast.CasePart(case=case):
            head = before + (f"case {_patterns(case.patterns)}" if case.patterns else "otherwise")
            if isinstance(case, Case):
                with_body(lines, 0, f"{head} in phase {what.name}", case.tags, case.body)
            else:
                lines.add(0, f"{head} in define {what.name}: {expression(case.value)}", case.tags)
        case ast.ActionPart():
            lines.add(0, f"{before}action in phase {what.name}")
            action_lines(lines, 1, what.action, "otherwise " if what.last else "")
        case ast.LinePart():
            lines.add(0, f"{before}{_deck_line(what.line)} in {what.name}", what.line.tags)
        case _:
            _section(lines, what, before)


def _patterns(patterns: tuple[Pattern, ...]) -> str:
    return ", ".join(write.pattern(p) for p in patterns)


def _deck_line(line: ast.DeckLine) -> str:
    count = opening(expression(line.count, SUM))
    return f"{count} of {'each ' * line.each}{write.pattern(line.cards)}{write.where(line.where)}"


def _section(lines: Lines, section: Section, before: str) -> None:
    match section:
        case ast.GameDecl():
            lines.add(0, f"{before}game {quoted(section.name)}", section.tags)
            for fact in section.facts:
                lines.add(1, _fact(fact), fact.tags)
        case ast.OptionDecl():
            lines.add(0, before + _option(section), section.tags)
        case ast.EnumDecl():
            _enum(lines, section, before)
        case ast.CardDecl():
            written = "" if section.written is None else f" written {quoted(section.written)}"
            named = f" named {', '.join(quoted(n) for n in section.named)}" if section.named else ""
            lines.add(0, f"{before}card {section.name}{params(section.params)}{written}{named}", section.tags)
        case ast.DeckDecl():
            index = "" if section.index is None else f"[{type_(section.index)}]"
            lines.add(0, f"{before}deck in {section.zone}{index}", section.tags)
            for line in section.lines:
                lines.add(1, _deck_line(line), line.tags)
        case ast.ZonesDecl():
            lines.add(0, f"{before}zones", section.tags)
            for zone in section.zones:
                lines.add(1, _zone(zone), zone.tags)
        case ast.StateDecl():
            lines.add(0, f"{before}state", section.tags)
            _variables(lines, 1, section.variables)
        case ast.PlayDecl():
            lines.add(0, f"{before}play", section.tags)
            _block(lines, section.block)
        case ast.PhaseDecl():
            lines.add(0, f"{before}phase {section.name}{params(section.params)}", section.tags)
            _block(lines, section.block)
        case ast.DefineDecl():
            _define(lines, section, before)
        case ast.ResultDecl():
            lines.add(0, f"{before}result", section.tags)
            for result in section.lines:
                player = "" if result.player is None else f" {result.player}"
                lines.add(1, f"{result.what}{player} = {expression(result.value)}", result.tags)
        case ast.WheneverDecl():
            what = expression(section.condition, OPEN) if section.condition is not None else None
            if section.selection is not None:
                what = write.selection(section.selection)
            with_body(lines, 0, f"{before}whenever {what}", section.tags, section.body)
        case ast.InvariantDecl():
            text = "" if section.text is None else f" {quoted(section.text)}"
            lines.headed(0, f"{before}invariant{text}:", expression(section.condition, OPEN), section.tags)


def opening(text: str) -> str:
    """Return an expression as the first line of a block can have it: a `-` there would go on with the line above."""
    return f"({text})" if text.startswith("-") else text


def _fact(fact: ast.Fact) -> str:
    if fact.name == "decisions":
        return f"at most {fact.values[0]} decisions"
    return " ".join([fact.name, *(_fact_value(v) for v in fact.values)])


def _fact_value(value: int | str | tuple[int, int]) -> str:
    if isinstance(value, tuple):
        return f"{value[0]}..{value[1]}"
    return quoted(value) if isinstance(value, str) else str(value)


def _option(option: ast.OptionDecl) -> str:
    kind = " | ".join(option.choices) if option.type is None else type_(option.type)
    text = "" if option.text is None else f" {quoted(option.text)}"
    named = option.name if kind == "boolean" else f"{option.name}: {kind}"
    return f"option {named} = {expression(option.default)}{text}"


def _enum(lines: Lines, enum: ast.EnumDecl, before: str) -> None:
    if not enum.params:
        values = (v.name if v.text is None else f"{v.name} {quoted(v.text)}" for v in enum.values)
        lines.add(0, f"{before}enum {enum.name}: {', '.join(values)}", enum.tags)
        return
    lines.add(0, f"{before}enum {enum.name}{params(enum.params)}", enum.tags)
    for row in enum.values:
        short = [] if row.text is None else [quoted(row.text)]
        lines.add(1, " ".join([row.name, *short, *(expression(a) for a in row.attributes)]), row.tags)


def _families(families: tuple[ast.Family, ...]) -> str:
    return ", ".join(f.name + (f"[{', '.join(type_(i) for i in f.indices)}]" if f.indices else "") for f in families)


def _zone(zone: ast.ZoneDecl) -> str:
    most = "" if zone.at_most is None else f" at most {expression(zone.at_most, SUM)}"
    return f"{_families(zone.families)}: {zone.kind}{most}, seen by {_who(zone.seen_by)}"


def _who(viewer: ast.Viewer | ast.ViewerIf) -> str:
    if isinstance(viewer, ast.Viewer):
        return viewer.who
    condition = expression(viewer.condition, OPEN)
    return f"if {condition} then {_who(viewer.then)} else {_who(viewer.otherwise)}"


def _variables(lines: Lines, depth: int, variables: tuple[ast.VarDecl, ...]) -> None:
    for variable in variables:
        initial = "" if variable.initial is None else f" = {expression(variable.initial)}"
        seen = "" if variable.seen_by is None else f", seen by {_who(variable.seen_by)}"
        lines.add(depth, f"{_families(variable.families)}: {type_(variable.type)}{initial}{seen}", variable.tags)


def _block(lines: Lines, block: ast.Block) -> None:
    if block.state:
        lines.add(1, "state")
        _variables(lines, 2, block.state)
    for one in block.statements:
        statement(lines, 1, one)


def _define(lines: Lines, define: ast.DefineDecl, before: str) -> None:
    arrow = "" if define.type is None else f" -> {type_(define.type)}"
    head = f"{before}define {define.name}{params(define.params)}{arrow} ="
    value = define.value
    in_lines = isinstance(value, Chain) and any(a.tags for a in value.alternatives)
    if not isinstance(value, ast.MatchValue) and not define.lets and not in_lines:
        text = f"{head} {expression(value)}"
        if len(tagged(text, define.tags)) <= WIDTH:
            lines.add(0, text, define.tags)
            return
    lines.add(0, head, define.tags)
    for let in define.lets:
        lines.add(1, f"let {let.name} = {expression(let.value)}", let.tags)
    if isinstance(value, ast.MatchValue):
        _match(lines, value)
        return
    links = value.alternatives if isinstance(value, Chain) else (Alternative(value, span=value.span),)
    for number, link in enumerate(links):
        text = write.alternative(link)
        lines.add(1, f"else {text}" if number else opening(text), link.tags)


def _match(lines: Lines, match: ast.MatchValue) -> None:
    lines.add(1, f"match {expression(match.subject, SUM)}", match.tags)
    for case in match.cases:
        patterns = ", ".join(write.pattern(p) for p in case.patterns)
        head = f"case {patterns}" if patterns else "otherwise"
        lines.add(2, f"{head}: {expression(case.value)}", case.tags)
