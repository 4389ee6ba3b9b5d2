"""The rulebook of a spec: all its chapters, in the order in which a reader needs them.

The standard setting is printed; what other options change is a table of its own.  Phases are in the order of play, each
with the definitions that it is the first to use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.english import counted
from grammar.expressions import walk
from grammar.source import Span
from interpreter.analysis.checker import Checker
from interpreter.analysis.rules import Rules
from interpreter.english.phrases import YOU
from interpreter.english.words import (
    LONGEST,
    capital,
    in_one,
    is_test,
    listing,
    mark,
    number_of_words,
    sentence,
    singular,
    title,
    words,
)
from interpreter.rulebook.choices import led
from interpreter.rulebook.components import Components
from interpreter.rulebook.definitions import Definitions
from interpreter.rulebook.differences import PARTS, SUMMARY, Comparison, marked, options_chapter, other_values
from interpreter.rulebook.lexicon import ADDRESSED, Lexicon, Scope, sort_of_type
from interpreter.rulebook.page import (
    DIFFERS,
    TERMS,
    Block,
    Book,
    Entry,
    Heading,
    Lines,
    Paragraph,
    Row,
    Table,
    chapter_mark,
    runs,
    verbatim,
)
from interpreter.rulebook.patterns import face_name
from interpreter.rulebook.result import END, Result
from interpreter.rulebook.settle import Settled, settle
from interpreter.rulebook.statements import AT_ANY_TIME, Statements, finished, round_of
from interpreter.rulebook.trees import Reads, names_in, names_in_texts, own_tags
from interpreter.setting import Signature

MOST_CASES = 5
"""The index leaves out a list of more cases by card."""
CARD_LINES = 14
"""Steps of the round in the summary."""
LEFT_OUT = Entry("…")
"""Steps that the summary leaves out."""
WHOLE_CARD = 24
"""Lines of the summary with the parts of the round."""


Check = Callable[[Mapping[str, str | int | bool]], Rules | None]
"""Checks the spec with some options set; None where it is not sound so."""


Example = Callable[[Mapping[Span, str]], tuple[Block, ...]]
"""Writes the worked example with the book's words for values, by where they stand in the spec."""


def write_book(
    spec: ast.Spec, rules: Rules, settled: Settled, check: Check | None = None, example: Example | None = None
) -> Book:
    """Return the rulebook of a spec that has been found sound.

    `spec` is put together already (no `use`, no `extends`); `rules` are what the checker made of this very tree in the
    setting in `settled`, with the defaults for what is open.  With `check` the book says what other options change;
    with `example` the chapter on the end has one.
    """
    writer = _Writer(spec, rules, settled)
    book = writer.book()
    if example is not None:
        headings = [n for n, b in enumerate(book.blocks) if isinstance(b, Heading)] + [len(book.blocks)]
        end = next(n for n in headings if isinstance(b := book.blocks[n], Heading) and b.text == END)
        after = headings[headings.index(end) + 1]
        shown = example(book.phrases)
        book = attrs.evolve(book, blocks=(*book.blocks[:after], *shown, *book.blocks[after:]))
    decls = [i for i in spec.items if isinstance(i, ast.OptionDecl) and i.name not in settled.options]
    if not decls:
        return book
    found: dict[str, dict[str | int | bool, Book]] = {}
    for decl in decls if check is not None else ():
        assert check is not None
        for value in other_values(decl, rules):
            other = check({**settled.options, decl.name: value})
            if other is not None:
                changed = Settled(settled.players, {**settled.options, decl.name: value})
                alternative = _Writer(spec, other, changed, settled, writer).book()
                found.setdefault(decl.name, {})[value] = alternative
    number = next((n for n, b in enumerate(book.blocks) if isinstance(b, Heading) and b.text == "Index of terms"), None)
    number = len(book.blocks) if number is None else number
    compared = {name: {value: Comparison(book.blocks, other.blocks) for value, other in others.items()}
                for name, others in found.items()}  # fmt: skip
    options = options_chapter(book, decls, rules, compared, writer.components.usual_values())
    book = marked(book, [one for values in compared.values() for one in values.values()])
    return attrs.evolve(book, blocks=(*book.blocks[:number], *options, *book.blocks[number:]), alternatives=found)


def standard(spec: ast.Spec, rules: Rules, settled: Settled) -> Settled:
    """Return a setting with every option at its value; open stays what depends on an open number of players."""
    known = {option.name: option for option in rules.options}
    fixed = rules.player_range[0] == rules.player_range[1]
    players = settled.players if not fixed else rules.num_players
    options = dict(settled.options)
    for decl in (item for item in spec.items if isinstance(item, ast.OptionDecl)):
        names = {part.name for part in walk(decl.default) if isinstance(part, ex.Name)}
        open_ = {n for n in names if (n == "players" and players is None) or (n in known and n not in options)}
        if decl.name not in options and not open_:
            options[decl.name] = known[decl.name].in_words(known[decl.name].value)
    return Settled(players, options)


def _with_all_faces(spec: ast.Spec, rules: Rules, settled: Settled) -> Rules:
    """Return the rules with the faces of every number of players, where that is open and the decks depend on it."""
    low, high = rules.player_range
    if settled.players is not None or low == high:
        return rules
    names = names_in(tuple(item for item in spec.items if isinstance(item, ast.DeckDecl | ast.CardDecl)))
    for item in spec.items:
        if isinstance(item, ast.OptionDecl) and item.name in names:
            names |= names_in(item.default)
    if "players" not in names:
        return rules
    checker, signature = Checker(spec), Signature.of(spec)
    faces = {attrs.evolve(face, copies=0): face for face in rules.faces}
    for players in range(low, high + 1):
        found = checker.check(signature.setting(players, settled.options), advise=False, attribute=False).rules
        for face in () if found is None else found.faces:
            alike = attrs.evolve(face, copies=0)
            faces[alike] = max(face, faces.get(alike, face), key=lambda one: one.copies)
    return attrs.evolve(rules, faces=tuple(faces.values()))


class _Writer:
    """Writes one book; one of another setting is written `like` that of the setting that is `announced`."""

    def __init__(
        self,
        spec: ast.Spec,
        rules: Rules,
        settled: Settled,
        announced: Settled | None = None,
        like: _Writer | None = None,
    ) -> None:
        self.settled = announced or settled
        whole = standard(spec, rules, settled)
        rules = _with_all_faces(spec, rules, settled)
        original, info = spec, rules.info.copy()
        self.some_tag = next((tag for node in walk(spec.items) for tag in node.tags), None)
        dealt = frozenset(face.kind for face in rules.faces)
        spec = settle(spec, whole, info, dealt=dealt, usual=None if like is None else like.read)
        self.read: frozenset[str] = like.read if like is not None else names_in(settle(original, whole, info).items)
        self.spec = spec
        self.lexicon = Lexicon(spec, rules, info, whole.players)
        self.speech: Statements = Statements(self.lexicon, None if like is None else like.speech)
        self.definitions = Definitions(self.speech)
        self.components = Components(self.speech, whole, original)
        self.play = next(item for item in spec.items if isinstance(item, ast.PlayDecl))
        decl = next(i for i in spec.items if isinstance(i, ast.ResultDecl))
        self.result = Result(self.speech, self.play, decl, self.setting_up()[0])
        self.decl = decl
        self.whenevers = [item for item in spec.items if isinstance(item, ast.WheneverDecl)]
        called = self.lexicon.carried_out((self.play, *self.whenevers))
        self.order = [name for name in called if not self.speech.is_brief(name)]
        self.explained: dict[str, tuple[Entry, str]] = {}
        self.starts: set[Entry] = set()
        self.steps: dict[str, tuple[Entry, ...]] = {}
        self.like = like
        self.card: list[str] = []
        self.main = self.main_phase()
        if self.main is not None:
            self.speech.round_noun = round_of(self.main.name)
        loops = [s for s in self.play.block.statements if isinstance(s, st.Repeat | st.While)]
        main = next((loop for loop in loops if self.lexicon.leaves_a_choice(loop.body)), loops[0] if loops else None)
        self.speech.main_loop = None if main is None else main.span

    def book(self) -> Book:
        """Return the whole book."""
        course = [*self.course(), *self.always()]
        end = [*self.result.blocks(), *self.used_by([self.decl], END)]
        rules = [*self.components.blocks(), *course, *self.actions(), *end, *self.invariants()]
        index = self.index([*course, *end])
        blocks = (*self.head(indexed=bool(index)), *rules, *index, *self.summary())
        unseen = [d for d in self.lexicon.defines.values() if self.definitions.is_written_out(d.name)]
        asides = tuple(self.definitions.entry(define) for define in unseen)
        speech = self.speech
        return Book(blocks, asides, speech.conditions, speech.limits, speech.steps, speech.phrases())

    # ---- the head

    def head(self, *, indexed: bool) -> list[Block]:
        """Return the title, what the game is, how to win, and how to read the book, which may have an index."""
        rules = self.lexicon.rules
        game = next(item for item in self.spec.items if isinstance(item, ast.GameDecl))
        low, high = rules.player_range
        low, high = (self.settled.players,) * 2 if self.settled.players is not None else (low, high)
        players = counted(high, "player") if low == high else f"{low} to {high} players"
        if (teams := self.lexicon.teams) is not None:
            count = counted(len(teams.teams), "team")
            players += f" in {count}" if teams.only_if is None else ", alone or in teams"
        kind = f"{'cooperative ' if rules.cooperative else ''}{'card ' if self.lexicon.kinds else ''}game"
        tags = tuple(dict.fromkeys(t for fact in game.facts for t in own_tags(fact)))
        name = verbatim(game.name)
        blocks: list[Block] = [
            Heading(name, 1, game.tags),
            Paragraph(f"{name} is a {kind} for {'exactly ' if low == high else ''}{players}.", tags),
            self._aim(),
        ]
        if (about := self.speech.about("game", "")) is not None:
            blocks.append(Paragraph(about))
        sources = [verbatim(str(fact.values[0])) for fact in game.facts if fact.name == "source" and fact.values]
        if sources:
            blocks.append(Paragraph(f"The rules are from {listing(sources)}."))
        if self.settled.options:
            decls = {i.name: i for i in self.spec.items if isinstance(i, ast.OptionDecl)}
            given = tuple(_chosen(decls[n], v) for n, v in self.settled.options.items())
            blocks += [Paragraph("This book is for these options:"), Lines(given)]
        return [*blocks, Lines(self.conventions(indexed=indexed))]

    def _aim(self) -> Paragraph:
        """Return how to win, with what the terms in that mean, or the chapters that explain them at length."""
        aim = self.result.aim()
        terms = {run for run, style in runs(aim.text) if style == "term"}
        said = [aim.text]
        for entry, chapter in self.explained.values():
            own = next((run for run, style in runs(entry.text) if style == "term"), "")
            if own in terms or singular(own) in terms:
                said.append(f"For *{own}*, see {chapter_mark(chapter)}." if entry.below else entry.text)
        return attrs.evolve(aim, text=" ".join(said))

    def conventions(self, *, indexed: bool) -> tuple[Entry, ...]:
        """Return how to read the marks of this book, which has an index of terms if it is `indexed`."""
        open_ = any(isinstance(i, ast.OptionDecl) and i.name not in self.settled.options for i in self.spec.items)
        tag = self.some_tag
        said = [
            "This book has the standard options. "
            f"A sentence with {DIFFERS} changes with an option: see {chapter_mark('Options')}." if open_ else "",
            f"A mark such as [{tag}] is the number of a rule of the designer." if tag is not None else "",
            "Terms in *italics* are explained in the index of terms." if indexed else "",
            " ".join(text for text, needed in (
                ("“In turn”: one player after the other; each finishes the whole step before the next begins.",
                 self.speech.in_turn),
                ("“In secret”: nobody sees a choice until all have chosen.", self.speech.in_secret),
            ) if needed),
            "If several players fit where a rule means one, take the one with the lowest number." if (
                self.speech.takes_lowest) else "",
            "Words in brackets after “do” and a chapter are the decisions that players make there." if (
                self.speech.names_deciders) else "",
        ]  # fmt: skip
        return tuple(Entry(text) for text in said if text)

    # ---- the order of play

    def main_phase(self) -> ast.PhaseDecl | None:
        """Return the phase that the play repeats and in which a player decides; None where it repeats no single one."""
        for stmt in self.play.block.statements:
            match stmt:
                case st.Repeat(body=body) | st.While(body=body):
                    calls = [s.call for s in body if isinstance(s, st.Do)]
                    decided = [c for c in calls if self.lexicon.leaves_a_choice(self.lexicon.phases[c.name])] or calls
                    if len(decided) == 1 and not decided[0].args:
                        return self.lexicon.phases[decided[0].name]
                case st.For(body=(st.Do(call=call),)) if not self.speech.is_brief(call.name) and (
                    self.lexicon.leaves_a_choice(self.lexicon.phases[call.name])
                ):
                    return self.lexicon.phases[call.name]
        return None

    def course(self) -> list[Block]:
        """Return the set-up, the sequence of play, and all phases."""
        first, rest = self.setting_up()
        scope = Scope()
        made: list[Block] = []
        order = list(self.order)
        nested = {n for name in order for n in self.lexicon.carried_out(self.lexicon.phases[name])}
        for heading, part, tags in (("Set-up", first, ()), ("Sequence of play", rest, self.play.tags)):
            if not part:
                continue
            self.speech.chapter = heading
            steps = self.steps[heading] = finished(self.speech.block(part, scope))
            for stmt in part:
                scope = self.speech.after(stmt, scope)
            reached = [*self.lexicon.carried_out(tuple(part))]
            own = [name for name in order if name in reached]
            order = [name for name in order if name not in own]
            brief = tuple(name for name in reached if self.speech.is_brief(name) and name not in nested)
            made += [Heading(heading, 2, tags, brief), *_steps(steps), *self.used_by([*part], heading)]
            for name in own:
                made += self.phase(self.lexicon.phases[name])
        self.waiting = order
        return made

    def setting_up(self) -> tuple[tuple[st.Stmt, ...], tuple[st.Stmt, ...]]:
        """Return the first steps of a play, in which nothing is repeated and nobody decides, and all the others."""
        steps = self.play.block.statements
        for number, stmt in enumerate(steps):
            later = any(isinstance(step, st.Repeat | st.While) for step in steps[number:])
            if isinstance(stmt, st.Repeat | st.While) or (self.lexicon.leaves_a_choice(stmt) and not later):
                return steps[:number], steps[number:]
        return (), steps

    def phase(self, phase: ast.PhaseDecl) -> list[Block]:
        """Return one phase: what it is given, what is noted, what happens."""
        scope = Scope()
        given = []
        doer = self.speech.doer(phase)
        for param in phase.params:
            sort = self.lexicon.sort(param)
            others = doer is not None and sort == "player" and self.speech.are_others(phase, doer, param)
            named = self.speech.local(param.name, sort, scope, "the other" if others else "the")
            if param is doer:
                scope = scope.named(param.name, YOU).addressing(ex.Name(param.name, span=phase.span), ADDRESSED)
            else:
                scope = scope.named(param.name, named)
                given.append(self.definitions.indefinite(named, param, sort).text)
        name = title(phase.name)
        brief = [n for n in self.lexicon.carried_out(phase) if self.speech.is_brief(n)]
        blocks: list[Block] = [Heading(name, 3, phase.tags, (phase.name, *brief))]
        if (about := self.speech.about("phase", phase.name)) is not None:
            blocks.append(Paragraph(about))
        if scope.actor is not None or given:
            who = "This is done for one player (“you”)" if scope.actor is not None else "This is done"
            blocks.append(Paragraph(f"{who}{' with ' + listing(given) if given else ''}."))
        if phase.deep is not None:
            deep = self.speech.noun(phase.deep, scope).text
            again = f"While this is done, it can begin again, up to {deep} levels deep."
            blocks.append(Paragraph(f"{again} Finish each one before you go on with the one around it."))
        self.speech.chapter = name
        noted = finished(tuple(self._starts(phase, scope)))
        self.starts.update(noted)
        steps = self.steps[name] = (*noted, *finished(self.speech.block(phase.block.statements, scope)))
        return [*blocks, *_steps(steps), *self.used_by([phase], name)]

    def _starts(self, phase: ast.PhaseDecl, scope: Scope) -> Iterator[Entry]:
        """Give how the variables of a phase start, where the phase ever reads that."""
        for var in phase.block.state:
            for family in var.families:
                unread = not Reads(family.name, phase, self.spec.items).first
                if own_tags(var) or not (unread or family.name in self.speech.chosen_once):
                    seen = "" if var.seen_by is None else f" (seen by {self.components.viewers(var.seen_by)})"
                    if start := self.speech.start(var, self.lexicon.variables[family.name], scope):
                        yield Entry(f"{start}{seen}", own_tags(var), (), (family.name,))

    # ---- definitions where they are needed

    def used_by(self, nodes: list[ex.Node], chapter: str) -> list[Block]:
        """Return the definitions that some parts use and that nothing before has explained."""
        entries: list[Entry] = []
        waiting = [name for node in nodes for name in self._uses(node)]
        while waiting:
            name = waiting.pop(0)
            if name in self.explained or name not in self.lexicon.defines:
                continue
            define = self.lexicon.defines[name]
            said = self.speech.named_in_about("define", name)
            waiting = [*(self._uses(define) if said is None else said), *waiting]
            entry = self.definitions.entry(define)
            self.explained[name] = entry, chapter
            if not self.definitions.is_written_out(name):
                entries.append(entry)
        return [Paragraph(TERMS), Lines(tuple(entries))] if entries else []

    def _uses(self, node: ex.Node) -> list[str]:
        """Return the names that a part uses, in the order of the text, with those of brief phases written out in it."""
        used: list[str] = []
        for found in self.speech.written_nodes(node):
            used += [found.name] if isinstance(found, ex.Name | ex.Call) else names_in_texts(found)
        return used

    # ---- the rest

    def always(self) -> list[Block]:
        """Return what happens as soon as something is true."""
        if not self.whenevers:
            return []
        entries: list[Entry] = []
        chapter = self.speech.chapter = AT_ANY_TIME
        for rule in self.whenevers:
            if rule.condition is None:
                lead, scope = self.speech.there_are(rule.selections, Scope())
            else:
                lead, scope = self.speech.clause(rule.condition, Scope()), Scope()
            entries += led(f"as soon as {lead}", self.speech.block(rule.body, scope), own_tags(rule))
        about = "These rules apply after every step of the game. If several apply, carry out the first of them first."
        blocks: list[Block] = [Heading(chapter), Paragraph(about), Lines(finished(tuple(entries)))]
        blocks += self.used_by([*self.whenevers], chapter)
        for name in self.waiting:
            blocks += self.phase(self.lexicon.phases[name])
        return blocks

    def actions(self) -> list[Block]:
        """Return the table of all actions, with the chapter that has their limits and effects."""
        who: dict[tuple[str, ...], dict[str, None]] = {}
        for a in self.speech.actions:
            who.setdefault((a.verb, a.typed, a.chapter), {}).update(dict.fromkeys(self._meant(a.who, a.chapter)))
        if not who:
            return []
        rows = (
            Row((typed, capital(listing([*players], "or")), chapter_mark(chapter)), (), (verb,))
            for (verb, typed, chapter), players in who.items()
        )
        return [Heading("Actions"), Table(("Action", "Who", "Chapter"), tuple(rows))]

    def _meant(self, who: str, chapter: str, seen: tuple[str, ...] = ()) -> Iterator[str]:
        """Give the players whom a chapter calls “you”: those for whom other chapters carry it out."""
        if who != ADDRESSED:
            yield who
        for other, done_by in self.speech.done_for.get(chapter, ()) if who == ADDRESSED and chapter not in seen else ():
            yield from self._meant(other, done_by, (*seen, chapter))

    def invariants(self) -> list[Block]:
        """Return what must hold throughout."""
        decls = [item for item in self.spec.items if isinstance(item, ast.InvariantDecl)]
        if not decls:
            return []
        entries = []
        for decl in decls:
            text = self.speech.clause(decl.condition, Scope())
            entries.append(Entry(sentence(f"{verbatim(decl.text)}: {text}" if decl.text else text), own_tags(decl)))
        lead = "You can check this at every decision:"
        return [Heading("Checks"), Paragraph(lead), Lines(tuple(entries)), *self.used_by([*decls], "Checks")]

    def index(self, course: list[Block]) -> list[Block]:
        """Return the index of terms: the chapter that explains each, or what a note is and where it counts.

        The cards that a rule names one by one are among them.
        """
        rows = [*self._notes(course), *self._cards(course)]
        rows += [Row((words(n), chapter_mark("Components"))) for n in self.components.usual_values()
                 if self.lexicon.uses[n]]  # fmt: skip
        for name, (entry, chapter) in self.explained.items():
            if not self.definitions.is_written_out(name):
                terms = [run for run, style in runs(entry.text) if style == "term"] or [words(name)]
                rows.append(Row((words(name) if words(name) in terms else terms[0], chapter_mark(chapter))))
        if not rows:
            return []
        found: dict[str, dict[str, None]] = {}
        for row in sorted(rows, key=lambda row: row.cells[0]):
            found.setdefault(row.cells[0], {})[row.cells[1]] = None
        every = tuple(Row((term, listing([*explained]))) for term, explained in found.items())
        return [Heading("Index of terms"), Table(("Term", "Explained in"), every)]

    def _cards(self, course: list[Block]) -> Iterator[Row]:
        """Give the cards that rules name, each with the chapters that do."""
        faces = {face.text: face for face in self.lexicon.rules.faces}
        chapter = ""
        for block in course:
            chapter = block.text if isinstance(block, Heading) else chapter
            texts = [block.text] if isinstance(block, Paragraph) else []
            texts += [t for e in block.entries for t in _single_lines(e)] if isinstance(block, Lines) else []
            typed = {run for text in texts for run, style in runs(text) if style == "typed"}
            for text in (text for text in faces if text in typed):
                yield Row((capital(face_name(faces[text])), chapter_mark(chapter)), (), (text,))

    def _notes(self, course: list[Block]) -> Iterator[Row]:
        """Give what is noted with yes or no, and marks of players, that the `course` prints as terms.

        The chapters are those that set them, and those that read them.
        """
        lines = [entry for block in course if isinstance(block, Lines) for entry in block.entries]
        terms = {run for line in lines for e in line.walk() for run, style in runs(e.text) if style == "term"}
        chapters = {name: block.text for block in course if isinstance(block, Heading) for name in block.names}
        found: dict[str, tuple[str, str, dict[str, None]]] = {}
        for part in (self.play, *self.whenevers, *self.lexicon.phases.values()):
            chapter = chapters.get(part.name, "") if isinstance(part, ast.PhaseDecl) else "Sequence of play"
            for node in walk(part):
                match node:
                    case ex.Param(name=name) if self.lexicon.sort(node) == "boolean":
                        meaning = "Yes or no, given with the step"
                    case st.Let(name=name, value=value) if self.lexicon.sort(value) == "boolean":
                        meaning = "Yes or no"
                    case st.Assign(target=ex.Name(name=name) | ex.Index(base=ex.Name(name=name))):
                        meaning = self._of_note(name)
                    case _:  # Nothing else sets a mark.
                        continue
                term = next((said for said in (words(name), mark(name)) if said in terms), "")
                if term and meaning and name not in self.explained:
                    places = found.setdefault(term, (name, meaning, {}))[2]
                    places.update({chapter: None} if chapter else {})
        for term, (name, meaning, places) in found.items():
            readers = [chapter for chapter in self.speech.readers(name) if chapter not in places]
            counts = f"; counts in {listing([*map(chapter_mark, readers)])}" if readers else ""
            yield Row((term, f"{meaning}: {listing([*map(chapter_mark, places)])}{counts}"))

    def _of_note(self, name: str) -> str:
        """Return what a mark, a note or a role that only some player has is; "" for all other variables."""
        variable = self.lexicon.variables.get(name)
        if variable is None:
            return ""
        match sort_of_type(variable.type):
            case "boolean" if variable.indices:
                return "A mark"
            case "boolean":
                return "Yes or no"
            case "player":
                return "One player or nobody"
            case sort if sort in self.lexicon.enums and name in self.lexicon.noted:
                return f"One {words(sort)} or none"
        return ""

    def summary(self) -> list[Block]:
        """Return a summary that fits on a card: the steps of a round, and of its parts in which a player decides.

        First values, the set-up and what is below a step are left out.  Of more steps than a card has lines all with a
        decision are in it, and "…" for others; the parts are there as long as their lines fit.
        """
        has_chapter = self.main is not None and not self.speech.is_brief(self.main.name)
        first = title(self.main.name) if self.main is not None and has_chapter else "Sequence of play"
        deciding = [title(name) for name in self.order if self.lexicon.leaves_a_choice(self.lexicon.phases[name])]
        bold = {*deciding, *(words(action.verb) for action in self.speech.actions)}
        blocks: list[Block] = []
        lines = 0
        for chapter in (first, *(name for name in deciding if name != first)):
            steps = [entry for entry in self.steps.get(chapter, ()) if entry not in self.starts]
            kept = [_in_short(e) if n < CARD_LINES or _has_bold(e, bold) else LEFT_OUT for n, e in enumerate(steps)]
            short = [e for n, e in enumerate(kept) if e is not LEFT_OUT or kept[n - 1] is not LEFT_OUT]
            more = sum(1 for entry in short for _ in entry.walk())
            lines += more
            fits = not blocks or (lines <= WHOLE_CARD if self.like is None else chapter in self.like.card)
            if not short or not fits:
                continue
            self.card.append(chapter)
            lead = f"Each {self.speech.round_noun}" if has_chapter else "The game"
            lead = lead if chapter == first else chapter_mark(chapter)
            blocks += [Paragraph(f"{lead}:"), Lines(tuple(short), numbered=len(short) > 1)]
        return [Heading(SUMMARY), *blocks] if blocks else []


def _has_bold(entry: Entry, words_: set[str]) -> bool:
    """Whether an entry has one of some words in bold, or one below it has."""
    styled = (found for line in entry.walk() for found in runs(line.text))
    return any(run in words_ for run, style in styled if style in ("bold", "chapter"))


def _steps(entries: tuple[Entry, ...]) -> list[Block]:
    return [Lines(entries, numbered=len(entries) > 1)] if entries else []


def _single_lines(entry: Entry) -> Iterator[str]:
    """Give the texts of an entry and of those below it, but not of a list that has a line for each of many cards."""
    yield entry.text
    if sum(bool(below.names) for below in entry.below) < MOST_CASES:
        for below in entry.below:
            yield from _single_lines(below)


def _in_short(entry: Entry) -> Entry:
    """Return a step for the summary: without rule tags, and with what is below it in one line where that is short.

    Of decisions only their short forms are left.
    """
    ways = [e.short for e in entry.below if e.short]
    if any(e.text in PARTS for e in entry.below):
        return Entry(entry.text)
    if ways and len(ways) == len(entry.below):
        return Entry(f"{entry.text} {listing(ways, 'or')}.")
    below = tuple(_in_short(e) for e in entry.below)
    whole = in_one([entry.text, *(e.text for e in below)])
    doubled = is_test(entry.text) and any(is_test(e.text) and e.text in whole for e in below)
    doubled |= any(e.below for e in entry.below[:-1])  # A reader could not see where the inner list ends.
    if not doubled and not any(e.below for e in below) and number_of_words(whole) <= 2 * LONGEST:
        return Entry(whole)
    return Entry(entry.text, (), below, numbered=entry.numbered)


def _chosen(decl: ast.OptionDecl, value: str | int | bool) -> Entry:
    """Return the value of an option that is fixed."""
    text = f" {sentence(verbatim(decl.text))}" if decl.text else ""
    return Entry(f"{title(decl.name)}: {option_value(value)}.{text}", own_tags(decl), (), (decl.name, *decl.choices))


def option_value(value: str | int | bool) -> str:
    """Return the value of an option as a reader meets it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"`{value}`" if isinstance(value, str) else str(value)
