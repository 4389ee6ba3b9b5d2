"""Conditions as clauses: "the hand is empty", "no card in the trick is a Wizard"."""

from __future__ import annotations

from grammar import ast
from grammar import expressions as ex
from grammar.expressions import walk
from interpreter.analysis.symbols import Define, Option
from interpreter.rulebook.lexicon import Scope
from interpreter.rulebook.patterns import described
from interpreter.rulebook.selections import Selections, conjuncts, disjuncts, leads
from interpreter.rulebook.trees import mentions, put
from interpreter.rulebook.words import Phrase, article, listing, number_of, predicate, words

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


class Clauses(Selections):
    """Puts conditions into words."""

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
                if any(mentions(a, b) for a in args for b in bound) or any(_size(a) > SMALL for a in args):
                    return expr
                given = dict(zip((p.name for p in define.params), args, strict=False))
                return self.inlined(put(define.value, given, self.lexicon.info))
            case _:  # All others call no definition themselves.
                return expr

    # ---- and, or

    def _logic(self, expr: ex.Logic, scope: Scope, negated: bool) -> str:
        op = expr.op if not negated else {"and": "or", "or": "and"}[expr.op]
        operands = conjuncts(expr) if expr.op == "and" else disjuncts(expr)
        told = []
        nested = False
        for operand in operands:
            text = self.clause(operand, scope, negated)
            inner = _joint(operand, negated)
            if inner is not None and inner != op:
                text = f"{'either' if inner == 'or' else 'both'} {text}"
            nested = nested or inner is not None
            told.append(text)
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
        if isinstance(right, ex.Chain) and right.alternatives[0].condition is not None:
            return self._told_by_case(expr, right, scope, negated)
        match left:
            case ex.Call("count", (counted,)):
                return self._count_of(counted, expr, scope, negated)
            case ex.Over("count", selection) if isinstance(right, ex.Number):
                if (some := _some(expr, negated)) is not None:
                    return f"there is {self.things(selection, scope).one('some' if some else 'no')}"
                things = self.things(selection, scope, many=right.value != 1)
                amount = _MANY[expr.op][negated].replace("exactly ", "", expr.op == "==" and not negated)
                few = right.value == 1
                told = things.one(str(right.value)) if few else things.many(str(right.value))
                return f"there {'is' if few else 'are'} {amount}{told}"
            case _:  # All others are told as what they are, below.
                pass
        subject = self.noun(left, scope)
        if isinstance(right, ex.Bool):
            return self.clause(left, scope, negated != ((expr.op == "==") != right.value))
        value = self.noun(right, scope).text
        if isinstance(left, ex.Chain):
            subject = Phrase(f"({subject.text})")
        return f"{subject.be()} {_TOLD[expr.op][negated]}{value}"

    def _told_by_case(self, expr: ex.Compare, right: ex.Chain, scope: Scope, negated: bool) -> str:
        """Return a comparison with a value that depends on something: "if C, it is 1, otherwise it is 2"."""
        told = []
        for link in right.alternatives:
            clause = self._compare(self.lexicon.info.changed(expr, right=link.value), scope, negated)
            told.append(clause if link.condition is None else f"if {self.clause(link.condition, scope)}, {clause}")
        return ", otherwise ".join(told)

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
            if (some := _some(expr, negated)) is not None:
                return self._empty(subject, some)
            if expr.right.value == 1:
                return f"there is {amount}1 of {subject.text}"
            return f"there are {amount}{expr.right.value} {subject.bare or subject.text}"
        told = self.noun(expr.right, scope).text
        if subject.plural or self.lexicon.sort(counted) == "players":
            counted_as = subject.text if subject.plural and subject.owner is not None else subject.bare or subject.text
            return f"the number of {counted_as} is {_TOLD[expr.op][negated]}{told}"
        if (some := _some(expr, negated)) is not None:
            return f"{subject.text} {'is empty' if not some else 'is not empty'}"
        if isinstance(expr.right, ex.Number):
            return f"{subject.text} holds {amount}{number_of(told, 'card')}"
        return f"the number of cards in {subject.text} is {_TOLD[expr.op][negated]}{told}"

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
        some = "some" if negated else "no"
        if subject.owner is not None and subject.bare:
            return f"{subject.owner.have()} {some} {subject.bare}"
        return f"there are {some} {(subject.bare or subject.text).removeprefix('the ')}"

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
        if where is not None and self._plain(where, selection.name):
            bare = self.things(self.lexicon.info.changed(selection, where=None), scope)
            subject = Phrase(bare.one(which))
            if not subject.simple and not _is_subject(where, selection.name):
                things = self.things(selection, scope)
                return f"there is {things.one('no' if which == 'no' else 'some')}"
            return self.clause(where, scope.named(selection.name, subject))
        things = self.things(selection, scope)
        return f"there is {things.one('no' if which == 'no' else 'some')}"

    def _plain(self, where: ex.Condition, name: str) -> bool:
        """Whether a condition can take "no card" for its subject: one test, and not a negated one."""
        match where:
            case ex.Is(negated=False) | ex.Compare(op="==" | "<" | "<=" | ">" | ">="):
                return leads(where, name)
            case ex.Index():
                return leads(where, name)
            case ex.Call(name=called):
                return leads(where, name) and predicate(called) is not None
            case _:  # Of all others "no card" would be read wrongly.
                return False

    def _some_subset(self, which: str, selection: ex.Selection, scope: Scope) -> str:
        things = self.things(self.lexicon.info.changed(selection, where=None), scope)
        there = f"there is {things.one('no' if which == 'no' else 'some')}"
        if selection.where is None:
            return there
        return f"{there} for which {self.clause(selection.where, things.scope)}"

    def _every(self, expr: ex.Every, scope: Scope, negated: bool) -> str:
        name = expr.selection.name
        things = self.things(expr.selection, scope)
        which = "not every" if negated else "every"
        has = self.inlined(expr.has)
        if leads(has, name) and _is_subject(has, name):
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
        return f"{subject.be(negated)} marked *{words(name)}*{behind}"

    def _named_truth(self, expr: ex.Name, scope: Scope, negated: bool) -> str:
        match self.lexicon.info.symbol(expr):
            case Option():
                return f"the option *{words(expr.name)}* is {'off' if negated else 'on'}"
            case Define():
                return self._truth(expr.name, [], scope, negated)
            case _:  # A variable, or a local name: what is true of it is a mark.
                return f"*{words(expr.name)}* is{' not' if negated else ''} marked"

    def _called(self, expr: ex.Call, scope: Scope, negated: bool) -> str:
        if expr.name == "face_down" and expr.args:
            subject = self.noun(expr.args[0], scope)
            lies = ("do not lie", "lie") if subject.plural else ("does not lie", "lies")
            return f"{subject.text} {lies[not negated]} face down"
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
        whole = self.lexicon.weights.get(name, 0) <= 3 * SMALL
        return whole and _size(define.value) <= SMALL + 2 * len(define.params)

    def _truth(self, name: str, args: list[ex.Expr], scope: Scope, negated: bool) -> str:
        return self.holds(name, [self.noun(a, scope) for a in args], negated)

    def holds(self, name: str, args: list[Phrase], negated: bool = False) -> str:
        """Return that a definition is true of some things: "the card *follows* with the hand"."""
        sorts = [self.lexicon.sort(p) for p in self.lexicon.defines[name].params]
        said = predicate(name, many=bool(args) and args[0].plural)
        if not args or said is None:
            behind = f" for {listing([a.text for a in args])}" if args else ""
            return f"*{words(name)}* {'does not hold' if negated else 'holds'}{behind}"
        joint = "for" if "player" in sorts[1:2] else "with"
        behind = f" {joint} {listing([a.text for a in args[1:]])}" if args[1:] else ""
        verb, *rest = said.split(" ")
        told = f"*{said}*"
        if negated:
            helping = verb in ("is", "are", "has", "have", "can", "could", "may", "must", "should", "will", "was")
            if helping and verb not in ("has", "have"):
                told = f"{verb} not *{' '.join(rest)}*"
            else:
                told = f"{'do' if args[0].plural else 'does'} not *{' '.join([_base(verb), *rest])}*"
        elif verb in ("is", "are"):
            told = f"{verb} *{' '.join(rest)}*"
        return f"{args[0].text} {told}{behind}"


def _base(verb: str) -> str:
    return "have" if verb in ("has", "have") else verb.removesuffix("s")


def _is_subject(condition: ex.Condition, name: str) -> bool:
    """Whether the thing itself, and nothing that belongs to it, is the subject of one test."""
    match condition:
        case ex.Is(value=ex.Name(name=own)) | ex.Compare(left=ex.Name(name=own)):
            return own == name
        case ex.Call() | ex.Index():
            return True
        case _:  # All others have another subject.
            return False


def _joint(condition: ex.Condition, negated: bool) -> str | None:
    """Return whether a part of a condition is itself told with `and` or `or`, after its `not` has moved inside."""
    while isinstance(condition, ex.Not):
        condition, negated = condition.value, not negated
    if not isinstance(condition, ex.Logic):
        return None
    return {"and": "or", "or": "and"}[condition.op] if negated else condition.op


def _some(expr: ex.Compare, negated: bool) -> bool | None:
    """Return whether a number is asked to be more than none (True), none (False) or something else (None)."""
    match expr.op, expr.right:
        case (">" | "!=", ex.Number(value=0)) | (">=", ex.Number(value=1)):
            return not negated
        case ("<=" | "==", ex.Number(value=0)) | ("<", ex.Number(value=1)):
            return negated
        case _:  # All others are compared with some other number.
            return None


def _size(node: ex.Node) -> int:
    return sum(1 for _ in walk(node))
