"""Conditions as clauses, on top of values as noun phrases: "no card in the trick is a Wizard", "your hand is empty"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.english import counted
from grammar.expressions import operands, walk
from interpreter.analysis.core import Define, Variable
from interpreter.analysis.functions import CALLABLE, is_relation
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import EnumType, Optional
from interpreter.english.clauses import Clause, Condition, There, Words, joined
from interpreter.english.phrases import IT, Phrase, named
from interpreter.english.words import (
    PREPOSITIONS,
    article,
    is_noun,
    is_plural,
    listing,
    mark,
    predicate,
    words,
)
from interpreter.rulebook.lexicon import Lexicon, Scope
from interpreter.rulebook.patterns import described, matching_faces
from interpreter.rulebook.trees import (
    EACH,
    asks_for_some,
    has_alternatives,
    is_subject,
    is_truth,
    leads,
    mentions,
    own_tags,
    put,
    size,
)
from interpreter.rulebook.values import Values

_COMPARED = {
    "==": ("", False), "!=": ("", True), "<": ("less than ", False), "<=": ("at most ", False),
    ">": ("more than ", False), ">=": ("at least ", False),
}  # fmt: skip
_RANKED = {**_COMPARED, "<": ("lower than ", False), ">": ("higher than ", False)}
"""How values of an enumeration compare: "a rank higher than six"."""
_AMOUNTS = {
    "==": ("exactly", False), "!=": ("exactly", True), "<": ("fewer than", False), "<=": ("at most", False),
    ">": ("more than", False), ">=": ("at least", False),
}  # fmt: skip
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_AMOUNTS_OF = {"<": "fewer", "<=": "at most as many", ">": "more", ">=": "at least as many", "==": "as many"}
_OF_ALL = ("every", "no", "at least one")
"""Determiners with which what each thing has is said with "has": "every card has a rank of more than 1"."""
_WHICH = {"some": "at least one", "no": "no"}
SMALL = 8
"""Nodes of a definition that is written out where it is used, if its name says little."""


class Conditions(Values):
    """Puts values and conditions into words.

    `chosen_once` are the notes that say nothing but that an action was chosen, with the choice and the action.  `like`
    is the writer of the standard book: what has a chapter or a term there has one here too.
    """

    def __init__(self, lexicon: Lexicon, like: Conditions | None = None) -> None:
        super().__init__(lexicon)
        self.like = like
        if like is not None:
            lexicon.uses |= Counter({name: like.lexicon.uses[name] for name in lexicon.defines})
        self.chosen_once = dict(self._chosen_once())

    def _chosen_once(self) -> Iterator[tuple[str, tuple[st.Choice, st.Action]]]:
        """Give the notes of phases that start as no and become yes as an effect of one action, and nowhere else."""
        nodes = self.lexicon.nodes
        targets = Counter(n.target.name for n in nodes if isinstance(n, st.Assign) and isinstance(n.target, ex.Name))
        noted = {
            name for name, var in self.lexicon.noted.items()
            if is_truth(var) is False and not self.lexicon.variables[name].indices
        }  # fmt: skip
        for choice in (n for n in nodes if isinstance(n, st.Choice)):
            for action in choice.actions:
                for stmt in action.body:
                    match stmt:
                        case st.Assign(tags=(), target=ex.Name(name=name), value=ex.Bool(value=True)) if (
                            name in noted and targets[name] == 1
                        ):
                            yield name, (choice, action)

    def condition(self, expr: ex.Expr, scope: Scope) -> Condition:
        """Return a condition as a clause."""
        expr = self.inlined(expr)
        match expr:
            case ex.Bool(value=value):
                return Words("always", "never") if value else Words("never", "always")
            case ex.Not(value=value):
                return self.condition(value, scope).negation()
            case ex.Logic(op=op):
                return joined(op, [self.condition(part, scope) for part in operands(expr, op)])
            case ex.Compare():
                return self._compare(expr, scope)
            case ex.Is():
                made = self._is(expr, scope)
                return made.negation() if expr.negated else made
            case ex.Quantified(which=which, selection=selection):
                return self._quantified(which, selection, scope)
            case ex.Every():
                return self._every(expr, scope)
            case ex.Fold(function="same" | "different" | "consecutive"):
                return self.alike(expr, scope)
            case ex.Call():
                return self._called(expr, scope)
            case ex.Name():
                return self._named_truth(expr, scope)
            case ex.Index(base=base, indices=indices):
                variable = self.lexicon.info.symbol(base)
                assert isinstance(variable, Variable)
                return self.marked(variable, indices, scope)
            case ex.Chain():
                said = [(lead, self.clause(link.value, scope)) for lead, link in self.links(expr, scope)]
                return Words("; ".join(f"{lead}, {text}" if lead else text for lead, text in said))
            case ex.Attribute(base=base, name=name):
                return Clause(self.noun(base, scope), "be", f"marked *{words(name)}*")
            case _:  # All others are values that are true or not.
                return Clause(self.noun(expr, scope), "be", "so")

    def inlined(self, expr: ex.Condition) -> ex.Condition:
        """Return a condition in which small definitions are written out."""
        match expr:
            case ex.Logic(left=left, right=right):
                return self.lexicon.info.changed(expr, left=self.inlined(left), right=self.inlined(right))
            case ex.Not(value=value):
                return self.lexicon.info.changed(expr, value=self.inlined(value))
            case ex.Call(name=name) if name in self.lexicon.defines and self.small(name):
                written = self.written_out(expr)
                return expr if written is None else self.inlined(written)
        return expr

    def written_out(self, call: ex.Call) -> ex.Expr | None:
        """Return the body of a definition for a call; None where that would bring names into conflict."""
        define = self.lexicon.defines[call.name]
        if define.lets or isinstance(define.value, ast.MatchValue):
            return None
        bound = {n.name for n in walk(define.value) if isinstance(n, ex.Selection)}
        if any(mentions(a, b) for a in call.args for b in bound) or any(size(a) > SMALL for a in call.args):
            return None
        given = dict(zip((p.name for p in define.params), call.args, strict=False))
        made: ex.Expr = put(define.value, given, self.lexicon.info)
        return made

    def has_about(self, name: str) -> bool:
        """Whether the author describes a definition, which then keeps its name."""
        return ("define", name) in self.lexicon.abouts

    def is_used_once(self, name: str) -> bool:
        """Whether a definition can be written out at its only use."""
        return name in self.lexicon.defines and self.lexicon.uses[name] == 1 and not self.has_about(name)

    def small(self, name: str) -> bool:
        """Whether a definition is so short that its words can stand in its place."""
        define = self.lexicon.defines[name]
        if self.has_about(name):
            return False
        if self.like is not None and name in self.like.lexicon.defines and not self.like.small(name):
            return False
        truth = self.lexicon.results.get(name) == "boolean"
        if not truth or define.lets or isinstance(define.value, ast.MatchValue | ex.Chain) or not define.params:
            return False
        if not isinstance(define.value, ex.Is | ex.Compare | ex.Quantified | ex.Index | ex.Logic):
            return False
        if own_tags(define) or self.word_for_cards(name) is not None:
            return False
        whole = self.lexicon.weights.get(name, 0) <= 3 * SMALL
        return whole and size(define.value) <= SMALL + 2 * len(define.params)

    def links(self, chain: ex.Chain, scope: Scope) -> Iterator[tuple[str, ex.Alternative]]:
        """Give the links of a chain, each with the words before it: "otherwise, if ..."."""
        for number, link in enumerate(chain.alternatives):
            case = "" if link.condition is None else f"if {self.clause(link.condition, scope)}"
            yield ", ".join(part for part in ("otherwise" * (number > 0), case) if part), link

    # ---- comparisons

    def _compare(self, expr: ex.Compare, scope: Scope) -> Condition:
        left, right = expr.left, expr.right
        if isinstance(left, ex.TupleValue) and isinstance(right, ex.TupleValue) and expr.op in OPPOSITE:
            return self.condition(self.unrolled(expr, left.items, right.items), scope)
        if isinstance(right, ex.Chain) and self.lexicon.sort(right) != "player":
            cases = self.by_case(expr, scope)
            if cases:
                said = [clause if case is None else f"if {case}, {clause}" for case, clause in cases]
                return Words(", otherwise ".join(said))
        counted_ = self._counted(expr, scope)
        if counted_ is not None:
            return counted_
        if isinstance(right, ex.Bool):
            made = self.condition(left, scope)
            return made if (expr.op == "==") == right.value else made.negation()
        if expr.op in ("==", "!=") and self.lexicon.sort(left) == self.lexicon.sort(right) == "boolean":
            text = f"{self.clause(left, scope)} exactly if"
            its = scope.named(EACH, IT) if EACH in scope.phrases else scope  # "whose suit ... its rank"
            same, differs = (f"{text} {self.clause(right, its, negated=negated)}" for negated in (False, True))
            return Words(same, differs) if expr.op == "==" else Words(differs, same)
        subject = self.noun(left, scope)
        parity = self._in_every(expr, scope)
        if parity is not None:
            return parity
        value = self.noun(right, scope)
        owner = subject.owner
        while owner is not None and owner.pronoun is None:
            owner = owner.owner
        relative = owner is not None  # "Whose holder" begins a clause.
        sort = self.lexicon.sort(right)
        is_known = isinstance(right, ex.Name) and right.name in scope.phrases and not isinstance(left, ex.Name)
        is_known &= sort != "number" and value.text == f"the {self.sort_noun(sort)}"
        is_known &= not (value.human and subject.text.startswith(f"{value.text} "))
        if (value.is_second_person or is_known) and subject.pronoun is None and not relative:
            subject, value = value, subject
        compared = _RANKED if self.lexicon.sort(left) in self.lexicon.enums else _COMPARED
        amount, negated = compared[expr.op]
        match left, right:
            case ex.Fold(function="sum", selection=ex.Selection(where=None) as selection), ex.Number():
                whole = self.all_of(selection, scope)
                if subject.after == f"of {whole.object}" and expr.op not in OPPOSITE:
                    return Clause(whole, "have", f"{article(subject.head)} of exactly {value.object}", negated)
        if expr.op in OPPOSITE:
            other = compared[OPPOSITE[expr.op]][0]
            return Clause(subject, "be", f"{amount}{value.object}", negative=f"{other}{value.object}")
        equals = expr.op in ("==", "!=") and self.lexicon.sort(left) == "number" and not isinstance(right, ex.Number)
        equals |= self.lexicon.has_copies and self.lexicon.sort(left) == self.lexicon.sort(right) == "card"
        made = Clause(subject, "equal" if equals else "be", f"{amount}{value.object}", negated)
        return made if negated else self._of_end(left, made, scope)

    def unrolled(self, expr: ex.Compare, left: tuple[ex.Expr, ...], right: tuple[ex.Expr, ...]) -> ex.Condition:
        """Return a comparison of several values by that of the first two, and of the others where these are equal."""

        def like(made: ex.Condition) -> ex.Condition:
            return self.lexicon.info.like(expr, made)

        strict: Literal["<", ">"] = "<" if expr.op[0] == "<" else ">"
        first = like(ex.Compare(expr.op if len(left) == 1 else strict, left[0], right[0], span=expr.span))
        if len(left) == 1:
            return first
        same = like(ex.Compare("==", left[0], right[0], span=expr.span))
        rest = self.unrolled(expr, left[1:], right[1:])
        return like(ex.Logic("or", first, like(ex.Logic("and", same, rest, span=expr.span)), span=expr.span))

    def _of_end(self, value: ex.Expr, made: Clause, scope: Scope) -> Condition:
        """Return what is said of the top card of a pile, with that there is one where the pile may be empty."""
        match value:
            case ex.Attribute(base=ex.CardAt(at=str(), zone=zone)) if isinstance(
                self.lexicon.info.type(value), Optional
            ) and not self.is_slot(zone):
                return joined("and", [self._empty(self.noun(zone, scope)).negation(), made])
        return made

    def _in_every(self, expr: ex.Compare, scope: Scope) -> Words | None:
        """Return "this is every third round" for a remainder of a count: the count is divisible, or not."""
        match expr:
            case ex.Compare(op="==" | "!=", left=ex.Arithmetic(op="mod", left=count, right=right), right=ex.Number(0)):
                said = f"divisible by {self.text(right, scope)}"
                clause = Clause(self.noun(count, scope), "be", said)
                pair = Words(clause.text, clause.negation().text)
                return pair if expr.op == "==" else pair.negation()
        return None

    def by_case(self, expr: ex.Condition, scope: Scope) -> list[tuple[str | None, str]]:
        """Return what a comparison with a value that depends on something requires, with the case in which it does.

        The last is without a case; there are none where a condition is no such comparison.
        """
        if not isinstance(expr, ex.Compare) or not isinstance(expr.right, ex.Chain):
            return []
        links = expr.right.alternatives
        if links[-1].condition is not None or any(link.condition is None for link in links[:-1]):
            return []
        return [
            (None if link.condition is None else self.clause(link.condition, scope),
             self.clause(self.lexicon.info.changed(expr, right=link.value), scope))
            for link in links
        ]  # fmt: skip

    def _counted(self, expr: ex.Compare, scope: Scope) -> Condition | None:
        """Return a comparison of a number of things: "your hand has at least 3 cards"; None for all else."""
        amount, negated = _AMOUNTS[expr.op]
        some = asks_for_some(expr)
        match expr.left, expr.right:
            case ex.Over("count", selection), ex.Number(value=value):
                if some is not None:
                    return self._quantified("some" if some else "no", selection, scope)
                held = None if selection.where is None else (
                    self._held(selection, scope, f"{amount} {value}", many=value != 1))  # fmt: skip
                if held is not None:
                    return held.negation() if negated else held
                group = self.group(selection, scope, many=value != 1)
                return There(group.one if value == 1 else group.many, negated, f"{amount} {value}")
            case ex.Call("count", (ex.Name(name="players"),)), right:
                number = counted(right.value, "player") if isinstance(right, ex.Number) else (
                    f"{self.text(right, scope)} players")  # fmt: skip
                one, other = (f"there {be} {amount} {number}" for be in ("are", "are not"))
                return Words(other, one) if negated else Words(one, other)
            case ex.Call("count", (things,)), right:
                return self._count_of(things, right, expr, scope)
        return None

    def _count_of(self, things: ex.Expr, right: ex.Expr, expr: ex.Compare, scope: Scope) -> Condition:
        subject = self.noun(things, scope)
        some = asks_for_some(expr)
        amount, negated = _AMOUNTS[expr.op]
        match right:
            case ex.Call("count", (ex.Name(name="players"),)) if expr.op in ("==", "!=") and subject.one:
                every = Words(f"all players are {subject.bare}", f"not all players are {subject.bare}")
                return every if expr.op == "==" else every.negation()
        is_list = self.lexicon.sort(things) == "players" or self.family(things) is None
        if some is not None:
            empty = self._empty(subject)
            return empty.negation() if some else empty
        if isinstance(right, ex.Number):
            if is_list and subject.owner is None and subject.one:
                one = subject.as_singular()
                assert one is not None
                return There(one if right.value == 1 else subject, negated, f"{amount} {right.value}")
            if not subject.plural:
                return Clause(subject, "contain", f"{amount} {counted(right.value, 'card')}", negated)
        if (
            self.family(things) is not None
            and subject.plural
            and subject.owner is not None
            and subject.owner.is_relative
        ):
            op = "==" if expr.op == "!=" else expr.op
            said = f"{_AMOUNTS_OF[op]} {subject.bare} {'than' if op in '<>' else 'as'} {self.text(right, scope)}"
            return Clause(subject.owner, "have", said, negated=expr.op == "!=")
        single = self.family(things) is not None and not subject.plural and not is_plural(subject.head)
        if single and expr.op in OPPOSITE:
            said, opposite = (f"{_AMOUNTS_OF[op]} cards {'than' if op in '<>' else 'as'} {self.text(right, scope)}"
                              for op in (expr.op, OPPOSITE[expr.op]))  # fmt: skip
            return Clause(subject, "contain", said, negative=opposite)
        number = self._count(things, subject)
        low, negated = _COMPARED[expr.op]
        verb = "equal" if expr.op in ("==", "!=") and not isinstance(right, ex.Number) else "be"
        return Clause(number, verb, f"{low}{self.text(right, scope)}", negated)

    # ---- tests

    def _is(self, expr: ex.Is, scope: Scope) -> Condition:
        subject = self.noun(expr.value, scope)
        match expr.test:
            case "empty":
                if isinstance(expr.value, ex.Index) and self.is_several(expr.value):
                    return self._all_empty(expr.value, scope)
                if isinstance(expr.value, ex.Arithmetic):
                    subject = self.cards_of(expr.value, scope, "or")
                return self._empty(subject)
            case "none":
                if isinstance(expr.value, ex.Extreme):  # That there is a best one is that there is one.
                    return There(self.group(expr.value.selection, scope).one, negated=True)
                return self.absent(subject)
            case ex.Member(domain=domain):
                return self._member(expr.value, subject, domain, scope)
            case ex.KindPattern() | ex.NumberPattern() as pattern:
                what = described(self.lexicon, pattern, lambda e: self.text(e, scope), many=subject.plural)
                if isinstance(expr.value, ex.CardAt) and self.is_slot(expr.value.zone):
                    return Clause(self.noun(expr.value.zone, scope), "hold", what)
                return Clause(subject, "be", what)

    def _empty(self, subject: Phrase) -> Condition:
        if not subject.plural:
            return Clause(subject, "be", "empty")
        if subject.owner is not None:
            return Clause(subject.owner, "have", subject.bare, negated=True, negative=f"no {subject.bare}")
        if subject.determiner == "these":
            return Words(f"there are no such {subject.head}", f"there is at least one of {subject.text}")
        return There(subject, negated=True)

    def _all_empty(self, places: ex.Index, scope: Scope) -> Condition:
        """Return that several zones are empty: "every player's hand is empty", "no player has won cards"."""
        every, some = (self.indexed(places, scope, which) for which in ("every", "at least one"))
        if every.owner is None or some.owner is None or every.owner.pronoun is not None:
            return There(self.element(places, "card", scope), negated=True)
        if every.plural:
            return Words(f"{every.owner.under('no').text} has {every.bare}", f"{some.owner.text} has {every.bare}")
        return Words(Clause(every, "be", "empty").text, Clause(some, "be", "empty", negated=True).text)

    def absent(self, subject: Phrase) -> Condition:
        """Return that something is not there: "the leader has no spell", "there is no trump"."""
        if subject.owner is not None:
            return Clause(subject.owner, "have", article(subject.bare), negated=True, negative=f"no {subject.bare}")
        if subject.head.startswith("player who ") and not subject.after:
            return Words(f"there is no {subject.bare}", f"there is a {subject.bare}")
        if not subject.determiner:
            return Words(f"there is no value of {subject.text}", f"there is a value of {subject.text}")
        return There(subject, negated=True)

    def _member(self, value: ex.Expr, subject: Phrase, domain: ex.Expr, scope: Scope) -> Condition:
        if isinstance(domain, ex.RangeValue):
            low, high = (self.lexicon.info.constant(end) for end in (domain.low, domain.high))
            if low is not None and high == low + 1:
                return Clause(subject, "be", f"{self.text(domain.low, scope)} or {self.text(domain.high, scope)}")
            return Clause(subject, "be", f"from {self.text(domain, scope)}")
        if isinstance(value, ex.Attribute) and isinstance(self.lexicon.info.symbol(domain), EnumType):
            attribute = words(value.name)
            return Clause(self.noun(value.base, scope), "have", article(attribute), negative=f"no {attribute}")
        where = self.noun(domain, scope)
        if self.lexicon.sort(value) == "card" and not where.plural:
            return Clause(subject, "be", where.within)
        one = where.as_singular() if where.one and where.owner is None else None
        if one is not None and not one.after:
            return Clause(subject, "be", one.under("a").text)
        return Clause(subject, "be", f"one of {where.object}")

    # ---- some, no, every

    def _quantified(self, which: Literal["some", "no"], selection: ex.Selection, scope: Scope) -> Condition:
        where = None if selection.where is None else self.inlined(selection.where)
        if isinstance(selection.domain, ex.Call) and selection.domain.name == "subsets":
            return self._some_subset(which, selection, scope)
        if where is not None and (held := self._held(selection, scope)) is not None:
            return held.negation() if which == "no" else held
        if where is not None and self._plain(where, selection.name):
            everything = self.group(self.lexicon.info.changed(selection, where=None), scope)
            if not everything.one.after or is_subject(where, selection.name):
                clause, opposite = (
                    self.condition(where, scope.named(selection.name, everything.one.under(_WHICH[w]))).text
                    for w in (which, _other(which))
                )
                return Words(clause, opposite)
        return There(self.group(selection, scope).one, negated=which == "no", some="at least one")

    def _held(self, selection: ex.Selection, scope: Scope, amount: str = "", *, many: bool = False) -> Clause | None:
        """Return that one place or list has cards of a sort: "your hand contains at least one card of the led suit"."""
        if self.lexicon.sort(selection) != "card":
            return None
        place = self.place(selection.domain, scope)
        in_place = self.family(selection.domain) is not None and not self.is_several(selection.domain)
        in_place = in_place and not place.plural and place.pronoun is None
        if not in_place and not self.is_of_list(selection.domain, scope):
            return None
        verb = "contain" if in_place else "include"
        match None if selection.where is None else self.inlined(selection.where):
            case ex.Is(negated=False, value=ex.Name(name=own), test=ex.KindPattern() as pattern) if (
                own == selection.name and not amount and len(matching_faces(self.lexicon, pattern)) == 1
            ):
                what = described(self.lexicon, pattern, lambda e: self.text(e, scope))
                determiner, _, bare = what.partition(" ")
                return Clause(place, verb, what, negative=f"no {bare}" if determiner in ("a", "an") else None)
        inner = self.unplaced(selection, scope, many=many)
        if amount:
            return Clause(place, verb, f"{amount} {(inner.as_plural() if many else inner).bare}")
        return Clause(place, verb, inner.under("at least one").text, negative=inner.under("no").text)

    def there_are(self, selections: Iterable[ex.Selection], scope: Scope) -> tuple[str, Scope]:
        """Return that there is one of each of some things, and the scope in which they have their names."""
        found: list[Phrase] = []
        for selection in selections:
            group = self.group(selection, scope)
            found.append(group.one)
            scope = group.scope
        if len(found) == 1:
            return There(found[0], some="at least one").text, scope
        return f"there is {listing([one.under('a').text for one in found])}", scope

    def _plain(self, where: ex.Condition | None, name: str) -> bool:
        """Whether a condition can take "no card" for its subject: one test, and not a negated one."""
        if where is not None and any(isinstance(part, ex.Call) and is_relation(part.name) for part in walk(where)):
            return False
        match where:
            case ex.Is(negated=False) | ex.Compare(op="==" | "<" | "<=" | ">" | ">="):
                return leads(where, name)
            case ex.Index():
                return leads(where, name)
            case ex.Call(name=called):
                return leads(where, name) and predicate(called) is not None
        return False

    def _some_subset(self, which: Literal["some", "no"], selection: ex.Selection, scope: Scope) -> Condition:
        """Return that a place has cards that fulfil a condition together: "your hand contains no set of 2 cards"."""
        domain = selection.domain
        assert isinstance(domain, ex.Call)
        cards = self.cards_of_sets(domain, scope)
        head = f"set of {f'{self.text(domain.args[1], scope)} ' if len(domain.args) > 1 else ''}cards"
        inner = scope.named(selection.name, Phrase("cards", "these", True))
        such = "" if selection.where is None else self._of_set(selection.where, inner)
        if not cards.plural and cards.pronoun is None:
            held = Clause(cards, "contain", f"at least one {head} {such}".strip(), negative=f"no {head} {such}".strip())
            return held if which == "some" else held.negation()
        return There(Phrase(head, after=f"from {cards.object} {such}".strip()), negated=which == "no")

    def cards_of_sets(self, domain: ex.Call, scope: Scope) -> Phrase:
        """Return the cards of which sets are formed: "the cards of the suit in your hand"."""
        cards = self.noun(domain.args[0], scope)
        return attrs.evolve(cards, determiner="the") if cards.determiner == "all" else cards

    def _amount_of(self, value: ex.Expr, scope: Scope) -> str:
        """Return "of exactly 8", "equal to the total"."""
        text = self.text(value, scope)
        return f"of exactly {text}" if isinstance(value, ex.Number) else f"equal to {text}"

    def _of_set(self, where: ex.Condition, scope: Scope) -> str:
        """Return what is true of the cards of a set: "with a total rank of exactly 8"."""
        match where:
            case ex.Compare(op="==", left=ex.Fold(function="sum", value=ex.Attribute(name=attribute)), right=right):
                return f"with a total {words(attribute)} {self._amount_of(right, scope)}"
        return f"for which {self.clause(where, scope)}"

    def _every(self, expr: ex.Every, scope: Scope) -> Condition:
        name = expr.selection.name
        group = self.group(expr.selection, scope)
        has = self.inlined(expr.has)
        if (more := self._beyond_others(expr.selection, has, scope)) is not None:
            return more
        every = group.one.under("every")
        some = group.one.under("at least one")
        match has:
            case ex.Compare(op=op, left=left, right=ex.Attribute(base=ex.Name(name=each)) as right) if (
                op in _TURNED and each == EACH
            ):
                turned = self.lexicon.info.changed(has, op=_TURNED[op], left=right, right=left)
                made, opposite = (self.condition(turned, scope.named(name, those)) for those in (every, some))
                return Words(made.text, opposite.negation().text, made if isinstance(made, Clause) else None)
        if leads(has, name) and not has_alternatives(has):
            made = self.condition(has, scope.named(name, every))
            opposite = self.condition(has, scope.named(name, some)).negation()
            return Words(made.text, opposite.text, made if isinstance(made, Clause) else None)
        text = self.clause(has, group.scope)
        return Words(f"for {every.text}, {text}", f"not for {every.text}, {text}")

    def _beyond_others(self, selection: ex.Selection, has: ex.Condition, scope: Scope) -> Clause | None:
        """Return that a number of one player is beyond that of all others: "your prime is more than that of ..."."""
        match has, selection.where:
            case ex.Compare(op="<" | "<=" | ">" | ">=" as op, left=theirs, right=own), ex.Compare(
                op="!=", left=ex.Name(name=one), right=player
            ) if one == selection.name and put(theirs, {one: player}, self.lexicon.info) == own:
                rest = f"that of every other {self.element(selection.domain, 'player', scope).bare}"
                amount = {"<": "more than", "<=": "at least", ">": "less than", ">=": "at most"}[op]
                other = {"<": "at most", "<=": "less than", ">": "at least", ">=": "more than"}[op]
                return Clause(self.noun(own, scope), "be", f"{amount} {rest}", negative=f"{other} {rest}")
        return None

    # ---- what is true or not

    def marked(self, variable: Variable, indices: tuple[ex.Expr, ...], scope: Scope) -> Clause:
        """Return that something carries a mark."""
        subject = self.card_or_value(indices[0], scope)
        rest = f" for {listing([self.text(i, scope) for i in indices[1:]])}" if indices[1:] else ""
        return Clause(subject, "be", f"marked *{mark(variable.name)}*{rest}")

    def _named_truth(self, expr: ex.Name, scope: Scope) -> Condition:
        said = Words(f"*{mark(expr.name)}* is yes", f"*{mark(expr.name)}* is no")
        if expr.name in scope.phrases:
            return said
        if expr.name in self.chosen_once:
            choice, action = self.chosen_once[expr.name]
            verb = f"**{words(action.verb)}**"
            if isinstance(choice.player, ex.Name) and isinstance(self.lexicon.info.symbol(choice.player), Local):
                return Words(f"{verb} was chosen", f"{verb} was not chosen")
            who = self.noun(choice.player, Scope()).text
            return Words(f"{who} has chosen {verb}", f"{who} has not chosen {verb}")
        match self.lexicon.info.symbol(expr):
            case Define():
                return self._truth(expr.name, [], scope)
        return said

    def _called(self, expr: ex.Call, scope: Scope) -> Condition:
        function = CALLABLE.get(expr.name)
        if expr.name == "splits" and expr.name not in self.lexicon.defines:
            return Clause(self.noun(expr.args[0], scope), "split", f"into {self.groups(expr.args[1:], scope)}")
        if function is not None and function.english.clause is not None and expr.args:
            verb, _, rest = function.english.clause.partition(" ")
            return Clause(self.noun(expr.args[0], scope), verb, rest)
        if expr.name in self.lexicon.defines:
            return self._truth(expr.name, list(expr.args), scope)
        return Clause(self.noun(expr, scope), "be", "so")

    def _truth(self, name: str, args: list[ex.Expr], scope: Scope) -> Condition:
        return self.holds(name, [self.noun(a, scope) for a in args])

    def holds(self, name: str, args: list[Phrase]) -> Condition:
        """Return that a definition is true of some things: "the card *follows* with the hand"."""
        said = predicate(name)
        if not args:
            return self._of_a_moment(name)
        if len(args) == 2 and args[1].is_relative and self.takes_object(name):  # "that you may *claim*"
            subject = Phrase(f"{args[1].text} {args[0].text}", "", plural=args[0].plural)
            return self.holds(name, [subject, named("")])
        sorts = [self.lexicon.sort(p) for p in self.lexicon.defines[name].params]
        rest = listing([a.object for a in args[1:]])
        is_name = is_noun(name) and words(name).split(" ")[-1] not in PREPOSITIONS
        if said is None:
            if len(args) == 1 and is_name and sorts[0] == "cards" and not is_plural(name):
                return Clause(args[0], "form", article(f"*{words(name)}*"))
            if len(args) == 1 and is_name and (" " not in words(name) or sorts[0] != "cards") and not is_plural(name):
                return Clause(args[0], "be", article(f"*{words(name)}*") if not args[0].plural else f"*{words(name)}*")
            return Clause(args[0], "fulfil", f"*{words(name)}*" + (f" {self._joint(sorts)} {rest}" if rest else ""))
        verb, what = said
        if verb == "be" and (word := self.word_for_cards(name)) is not None:
            what = article(word)
        if self._is_of_others(name):
            return Clause(args[0], "have", f"*{words(name)}*", negative=f"no *{words(name)}*")
        last = (what or verb).split(" ")[-1]
        joint = "" if last in PREPOSITIONS or self.takes_object(name) else self._joint(sorts)
        joint = "of" if joint and verb == "be" and what.startswith(("a ", "an ")) else joint
        after = f"{joint} {rest}".strip() if rest else ""
        first, _, more = verb.partition(" ")
        if more:  # A modal verb: "may *roll*".
            return Clause(args[0], first, f"*{' '.join((more, what)).strip()}* {after}".strip())
        if verb == "be" and sorts[0] == "cards" and len(args) == 1 and what.startswith(("a ", "an ")):
            kind = what.split(" ", 1)
            return Clause(args[0], "form", f"{kind[0]} *{kind[1]}*")
        if verb in ("be", "have"):
            of_a_kind = what.split(" ", 1) if what.startswith(("a ", "an ")) else ["", what]
            return Clause(args[0], verb, f"{of_a_kind[0]} *{of_a_kind[1]}* {after}".strip())
        return Clause(args[0], verb, after, term=what)

    def _is_of_others(self, name: str) -> bool:
        """Whether a definition says that a player has others, by the plural of a noun: `rivals(p)`."""
        define = self.lexicon.defines[name]
        match define.value, define.params:
            case ex.Quantified(which="some", selection=selection), (param,):
                return is_plural(name) and " " not in words(name) and (
                    self.lexicon.sort(selection) == self.lexicon.sort(param) == "player")  # fmt: skip
        return False

    def _joint(self, sorts: list[str]) -> str:
        return "for" if "player" in sorts[1:2] else "from" if sorts[:2] == ["card", "cards"] else "with"

    def _of_a_moment(self, name: str) -> Condition:
        """Return that a definition about nothing in particular is true: "this is the *first trick*"."""
        if predicate(name) is None and is_noun(name) and not is_plural(name):
            return Clause(named("this"), "be", f"the *{words(name)}*")
        return Clause(named(f"*{words(name)}*"), "be", "true")


def _other(which: Literal["some", "no"]) -> Literal["some", "no"]:
    return "no" if which == "some" else "some"
