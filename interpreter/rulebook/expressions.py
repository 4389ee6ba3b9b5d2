"""Expressions as words: conditions as clauses, on top of values as noun phrases.

"no card in the trick is a Wizard", "the leader's score is at least 5".
"""

from __future__ import annotations

from grammar import ast
from grammar import expressions as ex
from grammar.expressions import operands, walk
from interpreter.analysis.core import Define
from interpreter.analysis.functions import CALLABLE, is_relation
from interpreter.analysis.symbols import Option
from interpreter.analysis.types import EnumType
from interpreter.rulebook.lexicon import Scope
from interpreter.rulebook.nouns import Nouns
from interpreter.rulebook.patterns import described
from interpreter.rulebook.things import Things
from interpreter.rulebook.trees import (
    asks_for_some,
    is_subject,
    joint_of,
    leads,
    mentions,
    own_tags,
    put,
    size,
)
from interpreter.rulebook.words import (
    PREPOSITIONS,
    Phrase,
    article,
    base_form,
    is_noun,
    is_plural,
    listing,
    number_of,
    plural,
    predicate,
    said_once,
    singular,
    words,
)

_TOLD = {
    "==": ("", "not "),
    "!=": ("not ", ""),
    "<": ("less than ", "at least "),
    "<=": ("at most ", "more than "),
    ">": ("more than ", "at most "),
    ">=": ("at least ", "less than "),
}
_MANY = {
    "==": ("exactly ", "not exactly "),
    "!=": ("not exactly ", "exactly "),
    "<": ("fewer than ", "at least "),
    "<=": ("at most ", "more than "),
    ">": ("more than ", "at most "),
    ">=": ("at least ", "fewer than "),
}
SMALL = 8
"""Nodes of a definition that is told in the place where it is used, if its name says little."""


class Expressions(Nouns):
    """Puts values and conditions into words."""

    # ---- conditions
    def clause(self, expr: ex.Expr, scope: Scope, negated: bool = False) -> str:
        """Return a condition, or its opposite, as a clause."""
        expr = self.inlined(expr)
        match expr:
            case ex.Bool(value=value):
                return "always" if value != negated else "never"
            case ex.Not(value=value):
                return self.clause(value, scope, not negated)
            case ex.Logic():
                return self._logic(expr, scope, negated)
            case ex.Compare():
                return self._compare(expr, scope, negated)
            case ex.Is():
                return self._is(expr, scope, expr.negated != negated)
            case ex.Quantified(which=which, selection=selection):
                return self._quantified(which, selection, scope, negated)
            case ex.Every():
                return self._every(expr, scope, negated)
            case ex.Fold(function="same" | "different") | ex.Over(function="same" | "different"):
                return self.alike(expr, scope, negated)
            case ex.Call():
                return self._called(expr, scope, negated)
            case ex.Name():
                return self._named_truth(expr, scope, negated)
            case ex.Index(base=ex.Name(name=name), indices=indices):
                return self.marked(name, indices, scope, negated)
            case ex.Chain():
                return self._either(expr, scope, negated)
            case ex.Attribute(base=base, name=name):
                verb = "is not" if negated else "is"
                return f"{self.noun(base, scope).text} {verb} marked *{words(name)}*"
            case _:  # All others are values: what they are is said to be so.
                return f"{self.noun(expr, scope).text} is {'not so' if negated else 'so'}"

    def inlined(self, expr: ex.Condition) -> ex.Condition:
        """Return a condition in which small definitions are written out."""
        match expr:
            case ex.Logic(left=left, right=right):
                return self.lexicon.info.changed(expr, left=self.inlined(left), right=self.inlined(right))
            case ex.Not(value=value):
                return self.lexicon.info.changed(expr, value=self.inlined(value))
            case ex.Call(name=name, args=args) if name in self.lexicon.defines and self.small(name):
                define = self.lexicon.defines[name]
                bound = {n.name for n in walk(define.value) if isinstance(n, ex.Selection)}
                if any(mentions(a, b) for a in args for b in bound) or any(size(a) > SMALL for a in args):
                    return expr
                given = dict(zip((p.name for p in define.params), args, strict=False))
                return self.inlined(put(define.value, given, self.lexicon.info))
        return expr

    # ---- and, or

    def _logic(self, expr: ex.Logic, scope: Scope, negated: bool) -> str:
        op = expr.op if not negated else {"and": "or", "or": "and"}[expr.op]
        joined = operands(expr, expr.op)
        told = []
        nested = False
        for operand in joined:
            text = self.clause(operand, scope, negated)
            inner = joint_of(operand, negated)
            if inner == "or" and op == "and":
                text = f"either {text}"
            nested = nested or inner is not None
            told.append(text)
        told = told if nested else said_once(told, op)
        if op == "or" and (nested or len(told) > 2):
            return ", or ".join(told)
        if op == "and" and any(", or " in t or t.startswith("either ") for t in told):
            return ", and ".join(told)
        if len(told) < 3 or any("," in t for t in told):
            return f" {op} ".join(told)
        return ", ".join(told[:-1]) + f" {op} {told[-1]}"

    def _either(self, expr: ex.Chain, scope: Scope, negated: bool) -> str:
        told = []
        for link in expr.alternatives:
            value = self.clause(link.value, scope, negated)
            told.append(value if link.condition is None else f"if {self.clause(link.condition, scope)}, {value}")
        return "; otherwise ".join(told)

    # ---- comparisons

    def _compare(self, expr: ex.Compare, scope: Scope, negated: bool) -> str:
        left, right = expr.left, expr.right
        if isinstance(left, ex.Name) and isinstance(self.lexicon.info.symbol(left), Option):
            return self._option(left, expr, scope, negated)
        if cases := self.by_case(expr, scope, negated):
            return ", otherwise ".join(said if case is None else f"if {case}, {said}" for case, said in cases)
        match left:
            case ex.Call("count", (counted,)):
                return self._count_of(counted, expr, scope, negated)
            case ex.Over("count", selection) if isinstance(right, ex.Number):
                if (some := asks_for_some(expr, negated)) is not None:
                    return f"there is {self.things(selection, scope).one('some' if some else 'no')}"
                things = self.things(selection, scope, many=right.value != 1)
                amount = _MANY[expr.op][negated].replace("exactly ", "", expr.op == "==" and not negated)
                few = right.value == 1
                told = things.one("one") if few else things.many(str(right.value))
                return f"there {'is' if few else 'are'} {amount}{told}"
        subject = self.noun(left, scope)
        if isinstance(right, ex.Bool):
            return self.clause(left, scope, negated != ((expr.op == "==") != right.value))
        value = self.noun(right, scope).text
        if isinstance(left, ex.Chain):
            subject = Phrase(f"({subject.text})")
        if expr.op in ("==", "!=") and self.lexicon.sort(left) == "number" and not isinstance(right, ex.Number):
            equal = (expr.op == "==") != negated
            verb = ("equal", "differ from") if subject.plural else ("equals", "differs from")
            return f"{subject.text} {verb[not equal]} {value}"
        return f"{subject.be()} {_TOLD[expr.op][negated]}{value}"

    def by_case(self, expr: ex.Condition, scope: Scope, negated: bool = False) -> list[tuple[str | None, str]]:
        """Return what a comparison with a value that depends on something asks, with the case in which it does.

        The last is without a case; there are none where a condition is no such comparison.
        """
        if not isinstance(expr, ex.Compare) or not isinstance(expr.right, ex.Chain):
            return []
        links = expr.right.alternatives
        if links[-1].condition is not None or any(link.condition is None for link in links[:-1]):
            return []
        return [
            (None if link.condition is None else self.clause(link.condition, scope),
             self._compare(self.lexicon.info.changed(expr, right=link.value), scope, negated))
            for link in links
        ]  # fmt: skip

    def _option(self, left: ex.Name, expr: ex.Compare, scope: Scope, negated: bool) -> str:
        name = left.name
        if self.lexicon.options[name].choices and isinstance(expr.right, ex.Name):
            verb = "is not" if (expr.op == "!=") != negated else "is"
            return f"the option *{words(name)}* {verb} `{expr.right.name}`"
        if isinstance(expr.right, ex.Bool):
            return self._named_truth(left, scope, negated != ((expr.op == "==") != expr.right.value))
        return f"the option *{words(name)}* is {_TOLD[expr.op][negated]}{self.text(expr.right, scope)}"

    def _count_of(self, counted: ex.Expr, expr: ex.Compare, scope: Scope, negated: bool) -> str:
        amount = _MANY[expr.op][negated]
        if isinstance(counted, ex.Name) and counted.name == "players":
            amount = amount if amount != "exactly " else ""
            return f"there are {amount}{number_of(self.text(expr.right, scope), 'player')}"
        subject = self.noun(counted, scope)
        if self.lexicon.sort(counted) == "players" and isinstance(expr.right, ex.Number):
            if (some := asks_for_some(expr, negated)) is not None:
                return self._empty(subject, some)
            if expr.right.value == 1:
                bare = subject.bare or subject.text
                one = singular(bare.removesuffix("*")) + ("*" if bare.endswith("*") else "")
                return f"there is {amount}one {one}" if one != bare else f"there is {amount}one of {subject.text}"
            return f"there are {amount}{expr.right.value} {subject.bare or subject.text}"
        told = self.noun(expr.right, scope).text
        verb = f"is {_TOLD[expr.op][negated]}"
        if expr.op in ("==", "!=") and not isinstance(expr.right, ex.Number):
            verb = "equals " if (expr.op == "==") != negated else "differs from "
        if subject.plural or self.lexicon.sort(counted) == "players":
            counted_as = subject.text if subject.plural and subject.owner is not None else subject.bare or subject.text
            return f"the number of {counted_as} {verb}{told}"
        if (some := asks_for_some(expr, negated)) is not None:
            return f"{subject.text} {'is empty' if not some else 'is not empty'}"
        if isinstance(expr.right, ex.Number):
            return f"{subject.text} holds {amount}{number_of(told, 'card')}"
        if subject.text.startswith("whose "):
            return f"{subject.text} holds a number of cards that {verb}{told}"
        return f"the number of cards in {subject.text} {verb}{told}"

    # ---- tests

    def _is(self, expr: ex.Is, scope: Scope, negated: bool) -> str:
        subject = self.noun(expr.value, scope)
        match expr.test:
            case "empty":
                if among := self.in_any(expr.value, scope):
                    return f"there are {'some' if negated else 'no'} {among}"
                return self._empty(subject, negated)
            case "none":
                return self._absent(subject, negated)
            case ex.Member(domain=domain):
                return self._member(expr.value, subject, domain, scope, negated)
            case ex.KindPattern() | ex.NumberPattern() as pattern:
                told = described(self.lexicon, pattern, lambda e: self.text(e, scope), many=subject.plural)
                if isinstance(expr.value, ex.EndOf) and self.is_slot(expr.value.zone):
                    zone = self.text(expr.value.zone, scope)
                    return f"{zone} {'does not hold' if negated else 'holds'} {told}"
                if negated and told.startswith(("a ", "an ")):
                    return f"{subject.be()} not {told}"
                return f"{subject.be(negated)} {told}"

    def _empty(self, subject: Phrase, negated: bool) -> str:
        if not subject.plural:
            return f"{subject.be(negated)} empty"
        none = "" if negated else "no "
        if subject.owner is not None and subject.bare:
            return f"{subject.owner.have()} {none}{subject.bare}"
        return f"there are {none}{(subject.bare or subject.text).removeprefix('the ')}"

    def _absent(self, subject: Phrase, negated: bool) -> str:
        bare = subject.bare
        if subject.owner is not None and bare:
            return f"{subject.owner.have()} {article(bare) if negated else f'no {bare}'}"
        if not bare and subject.text.startswith("the "):
            bare = subject.text.removeprefix("the ")
        if bare:
            return f"there is {article(bare) if negated else f'no {bare}'}"
        return f"there is {'' if negated else 'not '}{subject.text}"

    def _member(self, value: ex.Expr, subject: Phrase, domain: ex.Expr, scope: Scope, negated: bool) -> str:
        if isinstance(domain, ex.RangeValue):
            return f"{subject.be(negated)} from {self.text(domain, scope)}"
        if isinstance(value, ex.Attribute) and isinstance(self.lexicon.info.symbol(domain), EnumType):
            base = self.noun(value.base, scope)
            return f"{base.have()} {'no ' + words(value.name) if negated else article(words(value.name))}"
        where = self.noun(domain, scope)
        if self.lexicon.sort(value) == "card" and not where.plural:
            return f"{subject.be(negated)} in {where.text}"
        return f"{subject.be(negated)} one of {where.text}"

    # ---- some, no, every

    def _quantified(self, which: str, selection: ex.Selection, scope: Scope, negated: bool) -> str:
        which = {"some": "no", "no": "some"}[which] if negated else which
        if isinstance(selection.domain, ex.Call) and selection.domain.name == "subsets":
            return self._some_subset(which, selection, scope)
        where = selection.where
        where = where if where is None else self.inlined(where)
        if (parts := self._apart(selection, where)) is not None:
            return self.clause(parts, scope, negated=which == "no")
        if where is not None and self._plain(where, selection.name):
            bare = self.things(self.lexicon.info.changed(selection, where=None), scope)
            subject = Phrase(bare.one(which))
            if not subject.simple and not is_subject(where, selection.name):
                return self.there_is(self.things(selection, scope), which)
            return self.clause(where, scope.named(selection.name, subject))
        return self.there_is(self.things(selection, scope), which)

    def there_is(self, things: Things, which: str = "some") -> str:
        """Return that there is one of some things, or none."""
        return f"there is {things.one('no') if which == 'no' else article(things.one('').strip())}"

    def _apart(self, selection: ex.Selection, where: ex.Condition | None) -> ex.Condition | None:
        """Return "some .. or some .." for some of whom this or that is asked, with what is not about them apart.

        None where that says nothing more plainly.
        """
        if not isinstance(where, ex.Logic) or self.tellable(where, selection.name):
            return None
        changed = self.lexicon.info.changed
        name = selection.name
        some = ex.Quantified("some", selection, span=selection.span)
        if where.op == "or":
            parts = [self._apart(selection, p) or changed(some, selection=changed(selection, where=p))
                     for p in operands(where, "or")]  # fmt: skip
            plain = all(not isinstance(p, ex.Quantified) or self._plain(p.selection.where, name) for p in parts)
        else:
            about = [p for p in operands(where, "and") if mentions(p, name)]
            if len(about) != 1:
                return None
            parts = [p for p in operands(where, "and") if p is not about[0]]
            plain = self._plain(about[0], name)
            parts.append(changed(some, selection=changed(selection, where=about[0])))
        if not plain:
            return None
        joined, *rest = parts
        for part in rest:
            joined = changed(where, left=joined, right=part)
        return joined

    def _plain(self, where: ex.Condition | None, name: str) -> bool:
        """Whether a condition can take "no card" for its subject: one test, and not a negated one."""
        if where is not None and any(isinstance(part, ex.Call) and is_relation(part.name) for part in walk(where)):
            return False  # "whoever played no card"
        match where:
            case ex.Is(negated=False) | ex.Compare(op="==" | "<" | "<=" | ">" | ">="):
                return leads(where, name)
            case ex.Index():
                return leads(where, name)
            case ex.Call(name=called):
                return leads(where, name) and predicate(called) is not None
        return False

    def _some_subset(self, which: str, selection: ex.Selection, scope: Scope) -> str:
        things = self.things(self.lexicon.info.changed(selection, where=None), scope)
        there = self.there_is(things, which)
        if selection.where is None:
            return there
        return f"{there} for which {self.clause(selection.where, things.scope)}"

    def _every(self, expr: ex.Every, scope: Scope, negated: bool) -> str:
        name = expr.selection.name
        things = self.things(expr.selection, scope)
        which = "not every" if negated else "every"
        has = self.inlined(expr.has)
        if leads(has, name) and is_subject(has, name):
            subject = Phrase(things.one(which))
            return self.clause(has, scope.named(name, subject))
        if self.tellable(has, name):
            told, _ = self.relative(has, name, things.scope, human=things.human)
            return f"{things.one(which)} is one{told}"
        return f"for {things.one(which)}, {self.clause(expr.has, things.scope)}"

    # ---- what is true or not

    def marked(self, name: str, indices: tuple[ex.Expr, ...], scope: Scope, negated: bool) -> str:
        """Return that something carries a mark, or does not."""
        subject = self.noun(indices[0], scope)
        behind = f" for {listing([self.text(i, scope) for i in indices[1:]])}" if indices[1:] else ""
        verb = ("do not have" if subject.plural else "does not have") if negated else (
            "have" if subject.plural else "has")  # fmt: skip
        return f"{subject.text} {verb} the mark *{words(name)}*{behind}"

    def _named_truth(self, expr: ex.Name, scope: Scope, negated: bool) -> str:
        match self.lexicon.info.symbol(expr):
            case Option():
                return f"the option *{words(expr.name)}* is {'off' if negated else 'on'}"
            case Define():
                return self._truth(expr.name, [], scope, negated)
        return f"the mark *{words(expr.name)}* is{' not' if negated else ''} set"

    def _called(self, expr: ex.Call, scope: Scope, negated: bool) -> str:
        function = CALLABLE.get(expr.name)
        if function is not None and function.english.clause is not None and expr.args:
            subject = self.noun(expr.args[0], scope)
            verb, rest = function.english.clause.split(" ", 1)
            forms = (f"do not {verb}", verb) if subject.plural else (f"does not {verb}", f"{verb}s")
            return f"{subject.text} {forms[not negated]} {rest}"
        if expr.name in self.lexicon.defines:
            return self._truth(expr.name, list(expr.args), scope, negated)
        return f"{self.noun(expr, scope).text} is {'not so' if negated else 'so'}"

    def small(self, name: str) -> bool:
        """Whether a definition is so short that its words can stand in its place."""
        define = self.lexicon.defines[name]
        truth = self.lexicon.results.get(name) == "boolean"
        if not truth or define.lets or isinstance(define.value, ast.MatchValue | ex.Chain) or not define.params:
            return False
        if not isinstance(define.value, ex.Is | ex.Compare | ex.Quantified | ex.Index | ex.Logic):
            return False
        if own_tags(define) or self.word_for_cards(name) is not None:
            return False
        whole = self.lexicon.weights.get(name, 0) <= 3 * SMALL
        return whole and size(define.value) <= SMALL + 2 * len(define.params)

    def _truth(self, name: str, args: list[ex.Expr], scope: Scope, negated: bool) -> str:
        return self.holds(name, [self.noun(a, scope) for a in args], negated)

    def holds(self, name: str, args: list[Phrase], negated: bool = False) -> str:
        """Return that a definition is true of some things: "the card *follows* with the hand"."""
        sorts = [self.lexicon.sort(p) for p in self.lexicon.defines[name].params]
        said = predicate(name, many=bool(args) and args[0].plural)
        if not args and (told := self._as_a_moment(name, said, negated)):
            return told
        noun = is_noun(name) and words(name).split(" ")[-1] not in PREPOSITIONS
        if said is None and len(args) == 1 and noun and (" " not in words(name) or sorts[0] != "cards"):
            called = plural(words(name)) if args[0].plural else words(name)
            told = called if args[0].plural else article(called)
            return args[0].be(negated) + " " + told.replace(called, f"*{called}*")
        if not args or said is None:
            behind = f" for {listing([a.text for a in args])}" if args else ""
            return f"*{words(name)}* {'does not hold' if negated else 'holds'}{behind}"
        joint = " for" if "player" in sorts[1:2] else " from" if sorts[:2] == ["card", "cards"] else " with"
        if said.split(" ")[-1] in PREPOSITIONS:
            joint = ""
        behind = f"{joint} {listing([a.text for a in args[1:]])}" if args[1:] else ""
        verb, *rest = said.split(" ")
        told = f"*{said}*"
        if negated:
            helping = verb in ("is", "are", "has", "have", "can", "could", "may", "must", "should", "will", "was")
            if helping and verb not in ("has", "have"):
                told = f"{verb} not *{' '.join(rest)}*".replace("*a ", "a *").replace("*an ", "an *")
            else:
                told = f"{'do' if args[0].plural else 'does'} not *{' '.join([base_form(verb), *rest])}*"
        elif verb in ("is", "are"):
            article_ = f"{rest.pop(0)} " if rest[0] in ("a", "an") else ""
            told = f"{verb} {article_}*{' '.join(rest)}*"
        return f"{args[0].text} {told}{behind}"

    def _as_a_moment(self, name: str, said: str | None, negated: bool) -> str:
        """Return that a definition about nothing in particular is true, of its time: "it is the *first trick*"."""
        it = "it is not" if negated else "it is"
        if said is not None:
            return f"{it} *{words(name)}*" if " " not in words(name) and said.startswith("is ") else ""
        return f"{it} the *{words(name)}*" if is_noun(name) and not is_plural(name) else ""
