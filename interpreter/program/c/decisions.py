"""Print decisions, chance events and the end as C.

For each node where a player decides `legal` fills a bitmap over the numbers of the small actions, the same as those of
the public state; `apply` takes one of them.  The choice of a card without copies is one shift of a set of cards into
the bitmap.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.rules import ResultLine
from interpreter.analysis.symbols import Local
from interpreter.analysis.transforms import joint_arguments
from interpreter.analysis.types import Card, Sequence, base_of, range_low
from interpreter.program.c.groups import all_of
from interpreter.program.c.sets import TOO_MANY_SETS
from interpreter.program.c.statements import StatementPrinter
from interpreter.program.nodes import Alternative, Chance, Decision, Final, Stage


class DecisionPrinter(StatementPrinter):
    """Prints decisions."""

    @property
    def num_faces(self) -> int:
        """How many faces the cards have."""
        return len(self.rules.faces)

    # ---- coding

    def coded(self, arg: core.Arg, text: str) -> str:
        """Return the number of an argument's value within its dimension."""
        type_ = base_of(arg.local.type)
        if isinstance(type_, Card):
            return f"(i64)FACE[{text}]" if self.copies else text
        low = range_low(type_)
        return f"({text} - {low})" if low else text

    def numbered(self, stage: Stage, values: list[str]) -> str:
        """Return the number of a small action of single arguments."""
        terms, stride = [str(stage.base)], 1
        for dim, text in reversed(list(zip(stage.dims, values, strict=True))):
            terms.append(text if stride == 1 else f"{text} * {stride}")
            stride *= dim
        return " + ".join(terms)

    # ---- sets

    def sets_of(self, alternative: Alternative) -> None:
        """Print the functions of the sets of an alternative, the last first: each calls those of later stages.

        They read the arguments of earlier stages from the state.
        """
        for number, stage in reversed(list(enumerate(alternative.stages))):
            if stage.is_set:
                self._set_of_stage(alternative, number)

    def _set_of_stage(self, alternative: Alternative, number: int) -> None:
        add, stage, action = self.text.add, alternative.stages[number], alternative.action
        (arg,), last, at = stage.args, number == len(alternative.stages) - 1, stage.node
        if not last:
            self._rest_of(alternative, number)
        self.stand(arg.span)
        self.print_set(f"alone{at}", arg, stage.candidates[0])
        rest, place = "0" if last else f"rest{at}", action.args.index(arg)
        read = not last and joint_arguments.read_later(action, place)
        shrinks = read and not joint_arguments.weighed_later(action, place)
        fault = self.fault("CG806", TOO_MANY_SETS)
        add(f"static const stage_t STAGE{at} = {{alone{at}, {rest}, {int(read)}, {int(shrinks)}, {fault}}};")

    def _rest_of(self, alternative: Alternative, number: int) -> None:
        """Print whether an action can be completed after a set, which becomes the argument in the state."""
        stage, following = alternative.stages[number : number + 2]
        self.text.add("")
        with self.text.block(f"static int rest{stage.node}(S *s, set_t picked)"):
            self.text.add(f"{self.local(stage.args[0].local)} = picked;")
            if following.is_set:
                self.text.add(f"return {_possible(following)};")
            else:
                self.legal_single(alternative, number + 1, "return 1;")
                self.text.add("return 0;")

    def legal_set(self, stage: Stage, picked: str) -> None:
        """Print which picks of a set are legal, and if it may end."""
        self.text.add("set_t picks;")
        end = f"mask_put(mask, {stage.base + self.num_faces});"
        self.text.add(f"if (stage_picks(s, &STAGE{stage.node}, {picked}, &picks)) {end}")
        if self.copies:
            self.text.add(f"while (!set_empty(picks)) mask_put(mask, {stage.base} + FACE[set_take(&picks)]);")
        else:
            self.text.add(f"mask_set(mask, picks, {stage.base});")

    # ---- what is legal

    def legal(self, node: Decision) -> None:
        """Print the function that fills the bitmap of a decision."""
        self.stand(node.span)
        self.text.add("")
        with self.text.block(f"static void legal{node.number}(S *s, u64 *mask)"):
            self.text.add("(void)s;")
            if node.only is not None:
                self._legal_stage(node.only, node.stage, "s->picked")
                return
            for way in node.alternatives:
                self._legal_way(way)
            if node.otherwise is not None:
                with self.text.block("if (mask_empty(mask))"):
                    self._legal_way(node.otherwise)

    def _legal_way(self, way: Alternative) -> None:
        with self.text.block("" if way.action.only_if is None else f"if ({self.condition(way.action.only_if)})"):
            self._legal_stage(way, 0, "set_none()")

    def _legal_stage(self, alternative: Alternative, number: int, picked: str) -> None:
        stage = alternative.stages[number]
        if stage.is_set:
            self.legal_set(stage, picked)
        else:
            self.legal_single(alternative, number)

    def legal_single(self, alternative: Alternative, number: int, found: str = "") -> None:
        """Print nested loops over single arguments that note the small actions, or do what `found` says at each."""
        stage = alternative.stages[number]
        following = alternative.stages[number + 1 :]
        such_that = None if following else alternative.action.such_that
        plain = not following and such_that is None and not found

        def innermost(names: dict[Local, str]) -> None:
            tests = []
            for arg in stage.args if following else ():
                self.store_local(arg.local, names[arg.local])
            with self.binding(names):
                if such_that is not None:
                    tests.append(self.condition(such_that))
            if following:
                tests.append(_possible(following[0]))
            done = (
                found or f"mask_put(mask, {self.numbered(stage, [self.coded(a, names[a.local]) for a in stage.args])});"
            )
            self.text.add(f"if ({tests[0]}) {done}" if tests else done)

        def loop(place: int, names: dict[Local, str]) -> None:
            if place == len(stage.args):
                innermost(names)
                return
            arg, chosen = stage.args[place], stage.candidates[place]
            last = place == len(stage.args) - 1

            def body(item: str) -> None:
                loop(place + 1, {**names, arg.local: item, arg.each: item})

            def put(item: str, test: str) -> None:
                values = [self.coded(a, item if a is arg else names[a.local]) for a in stage.args]
                self.text.add(f"mask_put_if(mask, {self.numbered(stage, values)}, {test});")

            with self.binding(names):
                if self._is_cards(chosen) and last and plain and not self.copies:
                    values = [self.coded(a, names[a.local]) for a in stage.args[:-1]]
                    self.text.add(f"mask_set(mask, {self.cards(chosen)}, {self.numbered(stage, [*values, '0'])});")
                elif isinstance(chosen, core.Select) and last and plain:
                    self._each_kept(chosen.binder, body, branchless=put)
                else:
                    self._each(chosen, body, ordered=False)

        with self.text.block(""):
            loop(0, {})

    # ---- applying

    def apply(self, node: Decision) -> None:
        """Print the function that carries out a small action: it returns where the play goes on, -1 if it stays."""
        self.stand(node.span)
        self.text.add("")
        numbers = {shape.base: number for number, shape in enumerate(self.program.shapes)}
        blocks = {way.stages[node.stage].base: way for way in reversed(node.open_ways)}
        with self.text.block(f"static int apply{node.number}(S *s, i64 a)"):
            self.text.add("i64 v[MOST_DIMS];")
            with self.text.block("switch (block_of(a))"):
                for base, way in blocks.items():
                    with self.text.block(f"case {numbers[base]}:"):
                        self.text.add(f"decode_action({numbers[base]}, a, v);")
                        self._apply_stage(node, way)
            self.text.add("return REFUSED;")

    def _apply_stage(self, node: Decision, alternative: Alternative) -> None:
        """Print what an action does whose arguments are in `v`."""
        stage = alternative.stages[node.stage]
        if stage.is_set:
            self._apply_pick(node, alternative)
            return
        for place, arg in enumerate(stage.args):
            if isinstance(base_of(arg.local.type), Card) and self.copies:
                self._one_of(arg, f"v[{place}]")
            else:
                self.set_local(arg.local, f"v[{place}]")
        self._advance(node, alternative)

    def _one_of(self, arg: core.Arg, face: str) -> None:
        """Print how a card of a face is found among those that can be chosen: the first of its copies."""
        card = self.fresh()
        self.text.add(f"i64 {card} = NONE;")
        if self._is_cards(arg.domain) and self.layout.order.ascends(arg.domain):
            self.text.add(f"{card} = set_first(set_and({self.cards(arg.domain)}, COPIES[{face}]));")
        else:
            test = f"if (FACE[{{}}] == {face}) {{{{ {card} = {{}}; {{}} }}}}"
            self._until(lambda stop: self._each(arg.domain, lambda item: self.text.add(test.format(item, item, stop))))
        self.text.add(f"if ({card} == NONE) {{ {self._lost()} {card} = 0; }}")
        self.set_local(arg.local, card)

    def _lost(self) -> str:
        return self.fail("CG901", "the chosen card is not there")

    def _apply_pick(self, node: Decision, alternative: Alternative) -> None:
        add, stage = self.text.add, alternative.stages[node.stage]
        arg = stage.args[0]
        if node.only is None:
            add("s->picked = set_none();")
        with self.text.block("if (v[0] != FACES)"):
            if self.copies:
                kept = f"set_and({self.cards(arg.domain)}, COPIES[v[0]])"
                add(f"i64 card = set_first(set_minus({kept}, s->picked));")
                add(f"if (card == NONE) {{ {self._lost()} card = 0; }}")
            else:
                add("i64 card = v[0];")
            add("set_put(&s->picked, card);")
            if arg.high is not None:
                with self.text.block(f"if (set_count(s->picked) < {self.value(arg.high)})"):
                    add(f"s->pc = {stage.node}; return STAY;")
            else:
                add(f"s->pc = {stage.node}; return STAY;")
        place = self.local(arg.local)
        declared = "" if arg.local in self.layout.slots else "set_t "
        add(f"{declared}{place} = s->picked;")
        add("s->picked = set_none();")
        self._advance(node, alternative)

    def _advance(self, node: Decision, alternative: Alternative) -> None:
        """Print where an action goes when a stage is complete."""
        if node.stage < len(alternative.stages) - 1:
            self.text.add(f"s->pc = {alternative.stages[node.stage + 1].node}; return STAY;")
            return
        self.watch_choice(alternative.action, "s->cur", secret=node.choice.secretly or node.hidden)
        self.text.add(f"return {alternative.body};")

    # ---- chance and the end

    def chance(self, node: Chance) -> None:
        """Print a chance event: it is drawn at once."""
        arg, add = node.random.arg, self.text.add
        with self.node(node.number, node.span):
            add(f"MARK({node.number});")
            item = self.fresh()
            chosen = all_of(core.Binder(arg.local, arg.domain, None, arg.where))
            fault = self.fail("CG808", "chance has nothing to choose from")
            if isinstance(base_of(arg.local.type), Card):
                listed = self.listed(chosen)
                add(f"if (!{listed}.n) {{ {fault} return STOP; }}")
                add(f"i64 {item} = chance_card(s, {listed}.a, {listed}.n);")
            else:
                low, high = self.fresh(), self.fresh()
                if isinstance(arg.domain, core.Range) and arg.where is None:
                    add(f"i64 {low} = {self.value(arg.domain.low)};")
                    add(f"i64 {high} = {self.value(arg.domain.high)};")
                    add(f"if ({high} < {low} || {high} - {low} >= INT32_MAX) {{ {fault} return STOP; }}")
                    add(f"i64 {item} = chance_range(s, {low}, {high});")
                else:
                    listed = self.listed(chosen)
                    add(f"if (!{listed}.n) {{ {fault} return STOP; }}")
                    add(f"i64 {item} = chance_one(s, {listed}.a, {listed}.n);")
            self.watch_fell(node.random, item)
            self.set_local(arg.local, item)
            add(f"if (++s->events > {self._most_events()}) {{ s->too_long = 1; return END; }}")
            self.go(node.next)

    def _most_events(self) -> int:
        most = self.rules.max_decisions
        return 5 * most + 4 * self.num_cards + 100

    def end(self, node: Final) -> None:
        """Print the count of the result."""
        with self.node(node.number, node.span):
            self.text.add("s->cur = TERMINAL;")
            for line in self.program.results:
                self.reach(line.tags)
                self._result(line)
            self.text.add("return STOP;")

    def _result(self, line: ResultLine) -> None:
        add = self.text.add
        with self.text.block(""):
            if line.player is None:
                add("u64 w = 0;")
                if isinstance(base_of(line.value.type), Sequence):
                    self._each(line.value, lambda item: add(f"w |= (u64)1 << {item};"))
                elif line.what == "winners":
                    one = self.named(self.value(line.value))
                    add(f"if ({one} != NONE) w |= (u64)1 << {one};")
                else:
                    one = self.named(self.value(line.value))
                    add(f"for (int i = 0; i < PLAYERS; i++) s->result[AT_{line.what.upper()} + i] = {one};")
                    return
                add("s->result[AT_WINNERS] = (i64)w;")
                return
            item = self.fresh()
            with (
                self.text.block(f"for (i64 {item} = 0; {item} < PLAYERS; {item}++)"),
                self.binding({line.player: item}),
            ):
                add(f"s->result[AT_{line.what.upper()} + {item}] = {self.value(line.value)};")


def _possible(stage: Stage) -> str:
    """Return whether any legal set exists at a stage."""
    return f"stage_possible(s, &STAGE{stage.node})"
