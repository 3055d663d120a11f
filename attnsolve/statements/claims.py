"""From a line of a script to statements: chains, several claims in one line, and what they hold for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from attnsolve.errors import ExpressionError
from attnsolve.limits import LIMITS, Limits
from attnsolve.statements.claim import Condition, Relation, Statement
from attnsolve.statements.grammar import Parser
from attnsolve.statements.tokens import FALLING, RISING, Kind
from attnsolve.statements.tree import ZERO, Name, Number, Product, Tree, names

TAILS = ("for", "as", "when", "if", "with", "where")
FILLERS = ("all", "every", "each", "any", "other", "and")
TRENDS = dict.fromkeys(RISING, Relation.INCREASES) | dict.fromkeys(FALLING, Relation.DECREASES)
FAR: dict[str, tuple[Tree, ...]] = {"≫": (Name("oo"),), "≪": (ZERO,)}  # where what is so large or small goes
OPPOSITE = {Relation.INCREASES: Relation.DECREASES, Relation.DECREASES: Relation.INCREASES}


def statements(text: str, known: Collection[str], *, limits: Limits = LIMITS) -> tuple[Statement, ...]:
    """Every statement of a line: a chain `a = b ≈ c` is one for each of its signs."""
    reader = ClaimReader(text, known, limits)
    found = reader.line()
    if not found:
        raise ExpressionError("no relation is claimed here; write =, ≈, <=, >= or -> between two formulas")
    return tuple(replace(one, text=text.strip()) for one in found)


class ClaimReader(Parser):
    """Reads a whole line of claims."""

    def line(self) -> list[Statement]:
        """Claims up to the end, those without conditions of their own sharing the ones behind them."""
        made: list[Statement] = []
        waiting: list[Statement] = []
        above = self.above()
        while not self.ends():
            found = self.chain()
            if self.next.text == "⇔":
                self.fail("⇔ claims two things; write one of them, such as alpha_a = 1/2 if m = 2")
            if self.taken("⇒"):
                premises = tuple(map(as_condition, found))
                if None in premises:
                    made += found
                else:
                    above = (*above, *(one for one in premises if one is not None))
                continue
            waiting += [replace(one, conditions=above) for one in found]
            conditions = (*above, *self.conditions()) if not self.ends() else ()
            if len(conditions) > len(above):
                # `alpha_a = 1/2, alpha_i = 0 for i ≠ a, b`: an index belongs to the claims that have it.
                made += [replace(one, conditions=fitting(one, conditions)) for one in waiting]
                waiting = []
            if not (self.ends() or self.taken(",") or self.next.kind is Kind.BREAK):
                self.fail(f"'{self.next.text}' was not expected here")
            while self.next.kind is Kind.BREAK or self.next.text in (",", "and"):
                self.take()
        return made + waiting

    def above(self) -> tuple[Condition, ...]:
        """What stands before the claims: `as c -> oo: …`, `for m = 2, …`."""
        if not (self.next.kind is Kind.WORD and self.next.text in TAILS):
            return ()
        found = self.conditions()
        if not self.taken(":", ","):
            self.fail("a claim is expected behind the condition: as c -> oo: alpha_a -> 1/2")
        return found

    def ends(self) -> bool:
        """Whether everything is read."""
        return self.next.kind is Kind.END

    def chain(self) -> list[Statement]:
        """a = b = c as two statements, or a trend."""
        left, links = self.sum(), list[Statement]()
        if trends := self.trends([left]):
            return trends
        while self.next.kind is Kind.RELATION:
            sign = self.take().text
            if sign == "⊥":
                return [*links, Statement(Product((left, self.sum())), Relation.EQUAL, ZERO)]
            if sign in FAR:
                self.fail("this says how large a symbol is; write it behind the claim: … for c ≫ 1")
            relation, right = Relation(sign), self.sum()
            links.append(Statement(left, relation, right))
            left = right
        if not links:
            self.fail("a relation is expected here: =, ≈, <=, >= or ->")
        return links

    def trends(self, lefts: list[Tree]) -> list[Statement]:
        """`alpha_1 and alpha_3 decrease with t`, `alpha_1 falls as t grows`; nothing where no trend is."""
        before = self.place
        while self.taken(",", "and") and self.starts_atom():
            lefts.append(self.sum())
        self.taken("is")
        said = self.next.text if self.next.kind is Kind.WORD else ""
        if said not in TRENDS:
            self.place = before
            return []
        self.take()
        if not self.taken("with", "in", "as", "mit", "com", "avec"):
            self.fail("say in what it changes: alpha_a increases with c")
        relation, variable = TRENDS[said], self.atom()
        if self.next.kind is Kind.WORD and self.next.text in TRENDS:  # as t grows, as t decreases
            falls = TRENDS[self.take().text] is Relation.DECREASES
            relation = OPPOSITE[relation] if falls else relation
        return [Statement(left, relation, variable) for left in lefts]

    def conditions(self) -> tuple[Condition, ...]:
        """`for all i ≠ a, b`, `as c -> oo`, `if m = 2`; `(i ≠ a, b)`."""
        found: list[Condition] = []
        while self.next.kind is Kind.BREAK and self.tokens[self.place + 1].text in TAILS:
            self.take()
        while True:
            if self.next.kind is Kind.WORD and self.next.text in TAILS:
                self.take()
                found.append(self.condition())
                while self.next.kind is Kind.WORD and self.next.text == "and":
                    self.take()
                    found.append(self.condition())
            elif self.next.text == "(" and self.has_relation():
                self.take()
                self.taken(*TAILS)
                found.append(self.condition())
                while self.taken(",", "and"):
                    found.append(self.condition())
                self.expect(")")
            elif self.next.text == "," and self.is_condition(self.place + 1):
                self.take()
                found.append(self.condition())
            else:
                return tuple(found)

    def is_condition(self, place: int) -> bool:
        """Whether `i ≠ a` or `c -> oo` stands there, which can be no claim of its own."""
        kinds = [token.kind for token in self.tokens[place : place + 2]]
        if kinds != [Kind.NAME, Kind.RELATION]:
            return False
        name, relation = (token.text for token in self.tokens[place : place + 2])
        goal = self.tokens[place + 2].text
        return (relation == "≠" and name not in self.known) or (relation == "→" and goal in ("oo", "0"))

    def condition(self) -> Condition:
        """One of them."""
        while self.next.kind is Kind.WORD and self.next.text in FILLERS:
            self.take()
        token = self.take()
        if token.kind is not Kind.NAME:
            self.fail("a name is expected here, as in: for i != a, b")
        index = self.index() if self.taken("_") else ()
        variable = Name(token.text, index)
        if self.next.kind is not Kind.RELATION:
            return Condition(variable, Relation.EQUAL)  # for all i
        if self.next.text in FAR:  # c ≫ 1
            sign = self.take().text
            if not isinstance(self.sum(), Number):
                self.fail("write how large it has to be: for c > 10, or as c -> oo")
            return Condition(variable, Relation.TENDS, FAR[sign], at_infinity=sign == "≫")
        relation = Relation(self.take().text)
        if relation is Relation.UNEQUAL:
            return Condition(variable, relation, self.excluded())
        value = self.sum()
        if relation is Relation.TENDS and value not in (Name("oo"), ZERO):
            self.fail("limits are taken at 0 or at infinity")
        return Condition(variable, relation, (value,), at_infinity=value == Name("oo"))

    def excluded(self) -> tuple[Tree, ...]:
        """a, b: the indices that are left out, up to where another claim begins."""
        found: list[Tree] = [Name(self.take().text)]
        while self.next.text in (",", "and"):
            after = self.tokens[self.place + 1 : self.place + 3]
            behind = after[1] if len(after) > 1 else after[-1]
            ends = behind.kind in (Kind.END, Kind.BREAK) or behind.text in (",", "and", ")")
            if not ends or after[0].kind is not Kind.NAME:
                break
            self.take()
            found.append(Name(self.take().text))
        return tuple(found)


def as_condition(claim: Statement) -> Condition | None:
    """`c -> oo` or `m = 2`, said as a premise; None where it is no condition on a symbol."""
    if not isinstance(claim.left, Name) or claim.relation in OPPOSITE:
        return None
    infinite = claim.relation is Relation.TENDS and claim.right == Name("oo")
    return Condition(claim.left, claim.relation, (claim.right,), at_infinity=infinite)


def fitting(claim: Statement, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions that concern a claim: an index is no business of claims without it."""
    found = names(claim.left) | names(claim.right)
    indices = {index for name in found for index in name.index}
    return tuple(
        one
        for one in conditions
        if one.relation is not Relation.UNEQUAL or one.variable.name in indices or one.variable in found
    )
