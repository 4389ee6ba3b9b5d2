"""Long conditions and chains as lists, where one sentence would be hard to follow."""

from __future__ import annotations

from grammar import ast
from grammar import expressions as ex
from interpreter.rulebook.clauses import Clauses
from interpreter.rulebook.lexicon import Scope
from interpreter.rulebook.page import Entry
from interpreter.rulebook.patterns import described, matching_faces
from interpreter.rulebook.selections import conjuncts, disjuncts
from interpreter.rulebook.trees import own_tags
from interpreter.rulebook.words import listing

MANY = 3
"""So many parts of a condition make a list."""
_LEADS = {"or": "one of these {}:", "and": "all of this {}:"}


class Listed(Clauses):
    """Puts what is long into lists."""

    def is_long(self, condition: ex.Condition) -> bool:
        """Whether a condition has so many parts, or parts inside parts, that it needs a list."""
        whole = self.inlined(condition)
        if not isinstance(whole, ex.Logic):
            return False
        operands = _operands(whole)
        return len(operands) >= MANY or any(isinstance(o, ex.Logic) for o in operands)

    def listed(self, condition: ex.Condition, scope: Scope, verb: str = "is true") -> tuple[str, tuple[Entry, ...]]:
        """Return a condition as the lead of a list and its lines; a short one has no lines."""
        whole = self.inlined(condition)
        if not self.is_long(whole) or not isinstance(whole, ex.Logic):
            return self.clause(condition, scope), ()
        below: list[Entry] = []
        for operand in _operands(whole):
            if self.is_long(operand):
                below.append(Entry(*self._inner(operand, scope)))
            else:
                below.append(Entry(self.clause(operand, scope), own_tags(operand)))
        return _LEADS[whole.op].format(verb), tuple(below)

    def _inner(self, operand: ex.Condition, scope: Scope) -> tuple[str, tuple[str, ...], tuple[Entry, ...]]:
        lead, below = self.listed(operand, scope)
        return lead, own_tags(operand), below

    def chain_entries(self, chain: ex.Chain, scope: Scope) -> tuple[Entry, ...]:
        """Return the links of a chain as lines."""
        below = []
        plain = all(link.condition is None for link in chain.alternatives)
        truth = self.lexicon.sort(chain) == "boolean"
        for number, link in enumerate(chain.alternatives):
            told = self.clause(link.value, scope) if truth else self.text(link.value, scope)
            if link.condition is not None:
                told = f"if {self.clause(link.condition, scope)}: {told}"
            elif number and chain.alternatives[number - 1].condition is not None:
                told = f"otherwise: {told}"
            elif number and not plain:
                told = f"if there is none: {told}"
            below.append(Entry(told, own_tags(link)))
        return tuple(below)

    def case_entries(self, match: ast.MatchValue, scope: Scope) -> tuple[Entry, ...]:
        """Return the cases of a value as lines."""
        below = []
        truth = all(self.lexicon.sort(case.value) == "boolean" for case in match.cases)
        for case in match.cases:
            told = self.cases_named(case.patterns, scope)
            value = self.clause(case.value, scope) if truth else self.text(case.value, scope)
            below.append(Entry(f"{told}: {value}", own_tags(case), (), self.named_by(case.patterns)))
        return tuple(below)

    def cases_named(self, patterns: tuple[ex.Pattern, ...], scope: Scope) -> str:
        """Return the patterns of a case in words; no patterns mean all that is left."""
        told = [described(self.lexicon, p, lambda e: self.text(e, scope)) for p in patterns]
        return listing(told, "or") if told else "anything else"

    def named_by(self, patterns: tuple[ex.Pattern, ...]) -> tuple[str, ...]:
        """Return the cards for which a case stands, by what is printed on them."""
        kinds = [p for p in patterns if isinstance(p, ex.KindPattern)]
        return tuple(dict.fromkeys(face.text for kind in kinds for face in matching_faces(self.lexicon, kind)))


def _operands(condition: ex.Logic) -> list[ex.Condition]:
    return conjuncts(condition) if condition.op == "and" else disjuncts(condition)
