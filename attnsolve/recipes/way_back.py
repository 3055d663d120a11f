"""The chain rule over a plan: back from a result through every call behind it, share by share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from attnsolve.graph import Graph
from attnsolve.languages import message
from attnsolve.ops import OPS, OPS_BY_NAME, Family, Gradient, Op, Passing
from attnsolve.ops.base import GRADIENT, PARTIAL, RESULT, SECOND
from attnsolve.problem import Call, Derivative
from attnsolve.recipes.base import Plan
from attnsolve.recipes.tiles_behind import SCORES_BACK, VALUES_BACK, Tile, tiles_behind

UNIT, ADD_UP, HAND_ON = OPS_BY_NAME["unit_gradient"], OPS_BY_NAME["add_up"], OPS_BY_NAME["hand_on"]
JACOBIAN, LEFT_GRADIENT = OPS_BY_NAME["softmax_jacobian"], OPS_BY_NAME["left_gradient"]
SHIFTED, OVER_SUM = OPS_BY_NAME["shifted_exponentials"], OPS_BY_NAME["over_sum"]
LAST_MAXIMUM = message("Exponentials of this tile with the last maximum")
WEIGHTS_AGAIN = message("Weights of this tile, made again: over the last sum")
WEIGHTS_GRADIENT = message("Gradient of the weights")


class Use(NamedTuple):
    """One place where a value is used on the way: the call, which of its matrices it is, and its way back."""

    call: Call
    place: int
    gradient: Gradient
    tile: Tile | None = None  # of a softmax that sees its keys in tiles: which of them


class Past(NamedTuple):
    """A way past an op: to which value, and how."""

    target: str
    op_gradient: Gradient


def parameter(op: Op, place: int) -> str:
    """What an op calls one of its matrices."""
    return op.parameters[0] if op.gathers else op.parameters[place]


class Way:
    """The way back through the calls behind a result, as far as it concerns what is wanted."""

    def __init__(self, plan: Plan, graph: Graph, of: str, wanted: Sequence[str]) -> None:
        self.plan = plan
        self.graph = graph
        self.of = of
        self.wanted = wanted
        self.start = ""
        behind = graph.behind([of])
        self.changing = {*wanted, *(call.out for call in graph.following(wanted))}
        self.changing &= {
            of,
            *(call.out for call in behind),
            *(name for call in behind for name in call.args),
        }
        self.calls = [call for call in behind if call.out in self.changing and self.has_share(call)]
        self.gradients: dict[str, str] = {}  # the gradient of a value, by its name
        self.shares: dict[str, list[tuple[str, Use]]] = {}  # what each use of a value adds to its gradient
        self.uses = self.find_uses()
        self.left = {name: len(uses) for name, uses in self.uses.items()}
        # What each whole gradient is called: dX is that of the given X, not of tokens picked from it.
        self.names: dict[str, str] = {}
        for name in sorted({of: None, **self.uses}, key=lambda name: graph.maker(name) is not None):
            self.names[name] = self.free(f"{self.group(name)}d{letter_of(name)}")

    def has_share(self, call: Call) -> bool:
        """Whether something that changes goes into a call."""
        return not self.changing.isdisjoint(call.args)

    def find_uses(self) -> dict[str, list[Use]]:
        """Where each value that matters is used, from the result back."""
        uses: dict[str, list[Use]] = {}
        live = {self.of}
        for call in reversed(self.calls):
            if call.out not in live:
                continue  # a shortcut goes past it
            past = self.shortcut(call)
            if past is not None:
                use = Use(call, 0, past.op_gradient)
                uses.setdefault(past.target, []).append(use)
                live.add(past.target)
                continue
            for name, use in self.uses_in(call):
                if name in self.changing:
                    uses.setdefault(name, []).append(use)
                    live.add(name)
        return uses

    def uses_in(self, call: Call) -> Iterator[tuple[str, Use]]:
        """What a call uses, and the way back to each; through tiles it goes at once to scores and values."""
        tiles = tiles_behind(self.graph, call)
        for tile in tiles:
            yield tile.scores, Use(call, 0, SCORES_BACK, tile)
            yield tile.values, Use(call, 0, VALUES_BACK, tile)
        if not tiles:
            for place, name in enumerate(call.args):
                if name in self.changing:
                    yield name, Use(call, place, self.rule(call, place))

    def shortcut(self, call: Call) -> Past | None:
        """The way past the op that made the first matrix, unless that matrix's own gradient is wanted."""
        short, made = call.op.shortcut, self.graph.maker(call.args[0])
        if short is None or made is None or call.args[0] in self.wanted:
            return None
        if made.op.name not in short.past or made.options or made.args[0] not in self.changing:
            return None
        return Past(made.args[0], short.gradient)

    def rule(self, call: Call, place: int) -> Gradient:
        """How the gradient of one matrix of a call is made; without a rule it is refused."""
        wanted = parameter(call.op, place)
        for gradient in call.op.gradients or ():
            if gradient.parameter == wanted:
                return gradient
        if call.op.no_gradient:
            with self.plan.at("of"):
                self.plan.refuse_here(
                    f"no gradient goes back through {call.op.name} ({call.out}): {call.op.no_gradient}"
                )
        known = ", ".join(op.name for op in OPS if op.gradients)
        whose = "gradients" if call.op.gradients is None else f"the gradient of {call.args[place]}"
        named = f"{call.out} is made by {call.op.name}, which has no rule for {whose}"
        with self.plan.at("of"):
            self.plan.refuse_here(f"{named}; those that have one are {known}")

    def begin(self, settings: Mapping[str, Any]) -> None:
        """The gradient of the result itself: as given, or 1 for a loss."""
        plan, maker = self.plan, self.graph.made[self.of]
        if maker.op.family is Family.MASK:
            plan.refuse("of", "scores that are -∞ have no gradient; go back from the weights made of them")
        if "gradient" in settings:
            if "loss" in settings:
                plan.refuse(
                    "loss", "'loss' says which gradient a loss has, but 'gradient' gives it; keep one of them"
                )
            self.start = settings["gradient"]
            shape, needed = plan.frames[self.start].shape, plan.frames[self.of].shape
            if shape != needed:
                said = f"the gradient is {shape[0]}×{shape[1]}, but {self.of} is {needed[0]}×{needed[1]}"
                plan.refuse("gradient", f"{said}; a gradient is as large as what it belongs to")
        else:
            options = {"share": settings["loss"]} if "loss" in settings else {}
            if plan.frames[self.of].columns.size > 1:
                plan.refuse(
                    "of", f"{self.of} is no single number a row; give its gradient too, such as gradient: G"
                )
            self.start = self.add(self.names[self.of], UNIT, (self.of,), self.of, options=options)
        self.gradients[self.of] = self.start

    def go_back(self, rows: tuple[int, ...]) -> None:
        """Every call, from the last to the first."""
        for call in reversed(self.calls):
            gradient = self.gradients.get(call.out)
            if gradient is None:
                continue
            if rows and any(
                use.call is call and self.is_softmax(use) for uses in self.uses.values() for use in uses
            ):
                self.write_jacobians(call, rows)
                rows = ()
            for name, uses in list(self.uses.items()):
                for use in uses:
                    if use.call is call:
                        self.take(name, use, gradient)
        if rows:
            self.plan.refuse("jacobian", "there is no softmax on the way back")

    def is_softmax(self, use: Use) -> bool:
        """Whether the way back leads through a softmax."""
        return use.gradient.by is not None and use.gradient.by().name == "softmax_gradient"

    def write_jacobians(self, call: Call, rows: tuple[int, ...]) -> None:
        for row in rows:
            letter = "J" if len(rows) == 1 else f"J{row + self.plan.layout.index_from}"
            with self.plan.at("jacobian"):
                self.plan.call(letter, JACOBIAN, call.out, rows=(row,))

    def take(self, name: str, use: Use, gradient: str) -> None:
        """The share of one use in the gradient of a value; the last one completes it."""
        single = len(self.uses[name]) == 1
        made = self.share(name, use, gradient, through="" if single else use.call.out)
        self.shares.setdefault(name, []).append((made, use))
        self.left[name] -= 1
        if self.left[name]:
            return
        if single:
            self.gradients[name] = made
            return
        shares = tuple(share for share, _ in self.shares[name])
        self.gradients[name] = self.add(self.names[name], ADD_UP, shares, name)

    def share(self, name: str, use: Use, gradient: str, *, through: str) -> str:
        """The call, or calls, that make one share."""
        rule, call = use.gradient, use.call
        if rule.by is None:
            return gradient if through else self.add(self.names[name], HAND_ON, (gradient,), name)
        known = {GRADIENT: gradient, RESULT: call.out}
        if use.tile is not None:
            known |= self.in_tile(use.tile, gradient)
        elif not call.op.gathers:
            known |= dict(zip(call.op.parameters, call.args, strict=False))
        for word, (op, arguments) in zip((PARTIAL, SECOND), rule.partials, strict=False):
            known[word] = self.partial(call, op(), tuple(known[word] for word in arguments))
        frames = tuple(self.plan.frames[argument] for argument in call.args)
        options = rule.settings(Passing(call.options, frames, use.place))
        arguments = tuple(known[word] for word in rule.arguments if word in known)
        out = self.share_name(name, through) if through else self.names[name]
        return self.add(out, rule.by(), arguments, name, title=rule.title, options=options, through=through)

    def in_tile(self, tile: Tile, gradient: str) -> dict[str, str]:
        """The weights of a tile, made again with the last maximum and the last sum, and their gradient."""
        group = self.group(tile.scores)
        powers = tile.powers or self.once(
            f"{group}P", SHIFTED, (tile.scores, tile.maximum), title=LAST_MAXIMUM
        )
        weights = self.once(f"{group}A", OVER_SUM, (powers, tile.total), title=WEIGHTS_AGAIN)
        back = self.once(f"{group}dA", LEFT_GRADIENT, (gradient, tile.values), title=WEIGHTS_GRADIENT)
        return {"A": weights, "H": back}

    def once(self, letter: str, op: Op, arguments: tuple[str, ...], *, title: str) -> str:
        """The result of a call of this part, which is made where there is none yet."""
        for made in self.plan.calls:
            if (made.op, made.args) == (op, arguments):
                return made.out
        return self.plan.call(self.free(letter), op, *arguments, title=title)

    def partial(self, call: Call, op: Op, arguments: tuple[str, ...]) -> str:
        """What several gradients of a call need is worked out once."""
        is_product = op.name in ("product", "right_gradient")
        title = message("First a product that is needed for it") if is_product else ""
        return self.once(f"{self.group(call.out)}B_{call.letter}", op, arguments, title=title)

    def add(
        self,
        letter: str,
        op: Op,
        arguments: tuple[str, ...],
        value: str,
        *,
        title: str = "",
        options: Mapping[str, Any] | None = None,
        through: str = "",
    ) -> str:
        """A call that makes a gradient, which lies on the page as its value does."""
        out = self.plan.call(letter, op, *arguments, title=title, **(options or {}))
        frame = self.plan.frames[value]
        assert frame.shape == self.plan.frames[out].shape
        self.plan.frames[out] = frame._replace(role=frame.role or self.plan.layout.roles.get(value))
        derivative = Derivative(value, self.of, self.start or out, through)
        self.plan.calls[-1] = self.plan.calls[-1]._replace(derivative=derivative)
        return out

    def group(self, name: str) -> str:
        """The head, case or step that a value belongs to, with a dot behind it."""
        pieces = name.split(".")[1:-1]
        return "".join(f"{piece}." for piece in pieces)

    def share_name(self, value: str, through: str) -> str:
        """dX_Q for what X gets through Q."""
        suffix = "_".join(["", *through.split(".")[1:]])
        return self.free(f"{self.group(value)}d{letter_of(value)}{suffix}")

    def free(self, letter: str) -> str:
        """A name that nothing of this part has or will have."""
        taken, number = letter, 1
        while f"{self.plan.prefix}.{taken}" in self.plan.frames or taken in self.names.values():
            number += 1
            taken = f"{letter}{number}"
        return taken


def letter_of(name: str) -> str:
    """A of a.head2.A."""
    return name.rpartition(".")[2]
