"""The rulebook of a spec: all its chapters, in the order in which a reader needs them.

Phases stand in the order of play, each with the definitions that it is the first to use.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import walk
from interpreter.analysis.core import Variable
from interpreter.analysis.info import Info
from interpreter.analysis.rules import Rules
from interpreter.rulebook.aim import Aim
from interpreter.rulebook.definitions import Definitions
from interpreter.rulebook.front import Front
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.page import Block, Book, Entry, Heading, Lines, Paragraph, verbatim
from interpreter.rulebook.settle import Settled, settle
from interpreter.rulebook.statements import Statements, finished
from interpreter.rulebook.trees import names_in_texts, own_tags
from interpreter.rulebook.words import Phrase, listing, sentence, title, winning


def write_book(spec: ast.Spec, rules: Rules, settled: Settled) -> Book:
    """Return the rulebook of a spec that has been found sound.

    `spec` is put together already (no `use`, no `extends`); `rules` are what the checker made of this very tree in the
    setting in `settled`, with the defaults for what is open.
    """
    info = rules.info.copy()
    dealt = frozenset(face.kind for face in rules.faces)
    return _Writer(settle(spec, settled, info, dealt=dealt), rules, settled, info).book()


class _Writer:
    def __init__(self, spec: ast.Spec, rules: Rules, settled: Settled, info: Info) -> None:
        self.spec = spec
        self.lexicon = Lexicon(spec, rules, info)
        self.speech = Statements(self.lexicon, self.where_of)
        self.definitions = Definitions(self.speech)
        self.front = Front(self.speech, settled)
        self.play = next(item for item in spec.items if isinstance(item, ast.PlayDecl))
        self.aim = Aim(self.speech, self.play, next(i for i in spec.items if isinstance(i, ast.ResultDecl)))
        self.whenevers = [item for item in spec.items if isinstance(item, ast.WheneverDecl)]
        self.order = list(self.called_phases())
        self.settled = settled
        self.told: set[str] = set()

    def book(self) -> Book:
        """Return the whole book."""
        front = [
            *self.front.head(),
            *self.aim.blocks(),
            *self.front.cards(),
            *self.front.places(),
            *self.front.written(),
        ]
        course = [*self.course(), *self.always(), *self.result()]
        blocks = (*front, *course, *self.invariants(), *self.front.options())
        small = [d for d in self.lexicon.defines.values() if self.speech.small(d.name)]
        asides = tuple(self.definitions.whole(define) for define in small)
        return Book(blocks, asides, self.speech.conditions, self.speech.steps, self.speech.phrases())

    # ---- the order of play

    def called_phases(self) -> Iterator[str]:
        """Give the phases in the order in which a play meets them."""
        seen: set[str] = set()
        for part in (self.play, *self.whenevers):
            yield from self.reached(part, seen)

    def reached(self, node: object, seen: set[str] | None = None) -> Iterator[str]:
        """Give the phases that a part of the rules carries out, each once, in the order of play."""
        seen = set() if seen is None else seen
        for found in _calls(node):
            if found in self.lexicon.phases and found not in seen:
                seen.add(found)
                yield found
                yield from self.reached(self.lexicon.phases[found], seen)

    def where_of(self, phase: str) -> str:
        """Return the number of the part that tells a phase."""
        return f"part {self.order.index(phase) + 1}" if phase in self.order else "below"

    def course(self) -> list[Block]:
        """Return the play and its phases."""
        first, rest = self.setting_up()
        scope = Scope()
        made: list[Block] = []
        for heading, part, tags in (("Set-up", first, ()), ("The play", rest, self.play.tags)):
            if part:
                self.speech.chapter = heading
                steps = finished(self.speech.block(part, scope))
                made += [Heading(heading, 2, tags), Lines(steps, numbered=len(steps) > 1), *self.used_by([*part])]
                for stmt in part:
                    scope = self.speech.after(stmt, scope)
        for number, name in enumerate(self.order, 1):
            made += self.phase(number, self.lexicon.phases[name])
        return made

    def setting_up(self) -> tuple[tuple[st.Stmt, ...], tuple[st.Stmt, ...]]:
        """Return the first steps of a play, in which nobody decides and nothing is repeated, and all the others."""
        steps = self.play.block.statements
        for number, stmt in enumerate(steps):
            if isinstance(stmt, st.Repeat | st.While) or self.decides(stmt):
                return steps[:number], steps[number:]
        return (), steps

    def decides(self, node: object) -> bool:
        """Whether a player has a choice in a part of the rules, or in a phase that it carries out."""
        reached = [self.lexicon.phases[name] for name in self.reached(node)]
        return any(isinstance(found, st.Choice) for part in (node, *reached) for found in walk(part))

    def phase(self, number: int, phase: ast.PhaseDecl) -> list[Block]:
        """Return one phase: what it is given, what it keeps, what happens."""
        scope = Scope()
        given = []
        for param in phase.params:
            sort = self.lexicon.sort(param)
            named = self.speech.local(param.name, sort, scope, again="the other")
            scope = scope.named(param.name, named)
            plain = named.text == f"the {self.speech.sort_noun(sort)}"
            told = f"*{param.name}*" if sort == "boolean" else named.text
            kind = self.front.type_words(param.type)
            given.append(self.speech.one(sort) if plain else f"{told} ({kind})")
        blocks: list[Block] = [Heading(f"{number}. {title(phase.name)}", 3, phase.tags, (phase.name,))]
        if given:
            blocks.append(Paragraph(f"This is done for {listing(given)}."))
        kept = [entry for var in phase.block.state for entry in self.front.variable(var, scope)]
        if kept:
            blocks += [Paragraph("Written down anew each time:"), Lines(tuple(kept))]
        self.speech.chapter = title(phase.name)
        steps = finished(self.speech.block(phase.block.statements, scope))
        blocks.append(Lines(steps, numbered=len(steps) > 1))
        return [*blocks, *self.used_by([phase])]

    # ---- definitions where they are needed

    def used_by(self, nodes: list[ex.Node]) -> list[Block]:
        """Return the definitions that some parts use and that nobody has told yet."""
        entries: list[Entry] = []
        waiting = [name for node in nodes for name in _uses(node)]
        while waiting:
            name = waiting.pop(0)
            if name in self.told or name not in self.lexicon.defines:
                continue
            self.told.add(name)
            define = self.lexicon.defines[name]
            waiting = [*_uses(define), *waiting]
            entries += self.definitions.entry(define)
        return [Paragraph("Terms:"), Lines(tuple(entries))] if entries else []

    # ---- the rest

    def always(self) -> list[Block]:
        """Return what happens as soon as something is true."""
        if not self.whenevers:
            return []
        entries: list[Entry] = []
        self.speech.chapter = "At any time"
        for rule in self.whenevers:
            if rule.selection is not None:
                things = self.speech.things(rule.selection, Scope())
                lead, scope = f"as soon as {self.speech.there_is(things)}", things.scope
            else:
                assert rule.condition is not None
                lead, scope = f"as soon as {self.speech.clause(rule.condition, Scope())}", Scope()
            entries.append(Entry(f"{lead}:", own_tags(rule), self.speech.block(rule.body, scope)))
        about = "These rules hold throughout the game, after every step; the first that applies is carried out first."
        return [
            Heading("At any time"),
            Paragraph(about),
            Lines(finished(tuple(entries))),
            *self.used_by([*self.whenevers]),
        ]

    def result(self) -> list[Block]:
        """Return when the play is over and who has won."""
        decl = next(item for item in self.spec.items if isinstance(item, ast.ResultDecl))
        entries = [self.result_line(line) for line in decl.lines]
        there = {line.what for line in decl.lines}
        if self.lexicon.rules.cooperative:
            what = "score" if "score" in there else "result"
            entries.append(Entry(f"all players share this {what}, whatever it is"))
        elif "winners" not in there and self.lexicon.rules.num_players > 1:
            most = "the game is worth most to" if "returns" in there else "has the highest score"
            entries.append(Entry(f"whoever {most} wins; equals share the victory, and if all are equal it is a draw"))
        over = "The game is over when the last step of “The play” has been done"
        if any(isinstance(found, st.End) and found.what == "game" for found in walk(self.spec.items)):
            over += ", or as soon as a rule ends it"
        blocks: list[Block] = [
            Heading("The result", 2, decl.tags),
            Paragraph(sentence(over)),
            Lines(finished(tuple(entries))),
        ]
        limit = self.lexicon.rules.max_decisions
        blocks.append(Paragraph(f"A game of more than {limit} single choices is broken off without a result."))
        return [*blocks, *self.used_by([decl])]

    def result_line(self, line: ast.ResultLine) -> Entry:
        """Return one line of the result."""
        tags = own_tags(line)
        scope = Scope()
        if line.player is not None:
            scope = scope.named(line.player, Phrase("the player", whose="their"))
        if line.what == "winners":
            if isinstance(line.value, ex.Chain):
                return Entry("these win:", line.tags, self.speech.chain_entries(line.value, scope))
            sieved = self.speech.sieved_win(line.value, scope)
            return Entry(sieved or winning(self.speech.noun(line.value, scope)), tags)
        if line.what == "stakes":
            share = f"{self.aim.shared()}; each player's stake is {self.speech.text(line.value, scope)}"
            return Entry(share, tags)
        what = "what the game is worth to each player" if line.what == "returns" else "the score"
        if line.what == "score" and not self.lexicon.rules.cooperative:
            what = "the score of each player at the end"
        match line.value:
            case ex.Index(base=base, indices=(ex.Name(name=who),)) if who == line.player:
                variable = self.lexicon.info.symbol(base)
                if line.what == "score" and isinstance(variable, Variable):
                    return Entry(f"each player's {self.speech.variable_noun(variable)} is the final score", tags)
        if isinstance(line.value, ex.Chain):
            return Entry(f"{what} is:", line.tags, self.speech.chain_entries(line.value, scope))
        return Entry(f"{what} is {self.speech.text(line.value, scope)}", tags)

    def invariants(self) -> list[Block]:
        """Return what must hold throughout, and the definitions that nothing else has needed."""
        made: list[Block] = []
        decls = [item for item in self.spec.items if isinstance(item, ast.InvariantDecl)]
        if decls:
            entries = []
            for decl in decls:
                told = self.speech.clause(decl.condition, Scope())
                entries.append(Entry(sentence(f"{verbatim(decl.text)}: {told}" if decl.text else told), own_tags(decl)))
            made += [Heading("What is always true"), Lines(tuple(entries)), *self.used_by([*decls])]
        return [*made, *self.more_words()]

    def more_words(self) -> list[Block]:
        """Return the definitions that nothing has needed; in a setting they belong to branches that are not taken."""
        if self.settled.options or self.settled.players is not None:
            return []
        rest = self.used_by([d for d in self.lexicon.defines.values() if d.name not in self.told])
        unused = [d for d in self.lexicon.defines.values() if d.name not in self.told]
        entries = [entry for define in unused for entry in self.definitions.entry(define)]
        if entries:
            rest += [Paragraph("Used nowhere:"), Lines(tuple(entries))]
        return [Heading("More words"), *rest] if rest else []


def _calls(node: object) -> Iterator[str]:
    for found in walk(node):
        if isinstance(found, st.Do):
            yield found.call.name


def _uses(node: object) -> list[str]:
    """Return the names that a part uses, in the order of the text."""
    used: list[str] = []
    for found in walk(node):
        used += [found.name] if isinstance(found, ex.Name | ex.Call) else names_in_texts(found)
    return used
