"""The picture of a spec: what is drawn, what leads where, and whether it can be read by what draws it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.analysis import core
from interpreter.analysis.core import Phase
from interpreter.graph.drawing import draw
from interpreter.graph.formats import Graph, Kind, Node, dot, mermaid
from interpreter.loader import bundled_games, load_text
from tests import bundled

HEAD = """cardgame 1
game "Small <Steps> & #1"
    players 2..3
option mode: plain | odd = plain "how"
enum Suit: sun "S", moon "M"
card Number(suit: Suit, rank: 1..6) written "{suit}{rank}"
deck in stock
    1 of each Number
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    heap:         cards, seen by all
state
    leader: player = player 1
    turns: 0..99 = 0
result
    score p = count(hand[p])
"""


def picture(text: str, **options: str) -> Graph:
    game = load_text(HEAD + text, None, dict(options))
    return draw(game.spec, game.rules)


def name(graph: Graph, number: int) -> str:
    """Return a node in one word or line, so that a picture can be compared as a list of texts."""
    node = graph.nodes[number - 1]
    return " | ".join([*([node.title] if node.title else []), *node.lines]) or node.kind.value


def ways(graph: Graph) -> list[str]:
    return [
        f"{name(graph, e.source)} -> {name(graph, e.target)}" + "".join(f" : {label}" for label in e.labels)
        for e in graph.edges
    ]


def ask(who: str = "leader", verb: str = "lead", depth: int = 1, then: str = "move c to heap") -> str:
    """Return a decision as text, so many blocks deep."""
    before = "    " * depth
    return f"{before}{who} chooses\n{before}    {verb} card c from hand[{who}]: {then}\n"


def test_automatic_steps_are_left_out_and_deals_are_drawn_with_their_shuffle() -> None:
    graph = picture(
        "play\n    turns = 1\n    shuffle stock\n    for p in players: deal 2 from stock to hand[p]\n" + ask()
        + "    move heap to stock\n"
    )  # fmt: skip
    assert ways(graph) == [
        "start -> shuffle stock | deal 2 to hand[p]",
        "shuffle stock | deal 2 to hand[p] -> leader: lead card",
        "leader: lead card -> end",
    ]


def test_a_branch_leads_on_where_nothing_is_drawn() -> None:
    graph = picture("play\n    if turns > 3\n" + ask(depth=2) + "    else: turns = 7\n" + ask(verb="follow"))
    assert ways(graph) == [
        "start -> branch",
        "branch -> leader: lead card : [turns > 3]",
        "leader: lead card -> leader: follow card",
        "branch -> leader: follow card : [else] / turns = 7",
        "leader: follow card -> end",
    ]


def test_a_branch_of_automatic_statements_is_not_drawn() -> None:
    graph = picture("play\n    if turns > 3: turns = 1\n    else: turns = 2\n" + ask())
    assert ways(graph) == ["start -> leader: lead card", "leader: lead card -> end"]


def test_a_match_has_a_way_for_each_case() -> None:
    graph = picture(
        "state\n    suit: Suit = sun\nplay\n    match suit\n        case sun\n" + ask(depth=3)
        + "        otherwise: turns = 2\n" + ask(verb="follow")
    )  # fmt: skip
    assert "suit? -> leader: lead card : [sun]" in ways(graph)
    assert "suit? -> leader: follow card : [otherwise] / turns = 2" in ways(graph)


def test_many_cases_without_a_decision_are_one_way() -> None:
    cases = "".join(f"        case {n}: turns = {n}\n" for n in range(1, 6))
    graph = picture(
        "play\n    match turns\n" + cases + "        case 0\n" + ask(depth=3)
        + "        otherwise: turns = 7\n" + ask(verb="follow")
    )  # fmt: skip
    assert "turns? -> leader: follow card : [else]" in ways(graph)


def test_a_loop_over_one_decision_leads_back_to_it() -> None:
    graph = picture("play\n    for p in players from leader\n" + ask("p", depth=2))
    assert "p: lead card -> p: lead card : each p in players from leader" in ways(graph)
    assert "p: lead card -> end" in ways(graph)


def test_while_tests_before_and_repeat_after_the_body() -> None:
    graph = picture("play\n    while turns < 9\n" + ask(depth=2) + "    repeat\n" + ask(verb="follow", depth=2)
                    + "    until turns == 3\n")  # fmt: skip
    assert ways(graph) == [
        "start -> branch",
        "branch -> leader: lead card : [turns < 9]",
        "leader: lead card -> branch",
        "branch -> leader: follow card : [else]",
        "leader: follow card -> leader: follow card : [else]",
        "leader: follow card -> end : [turns == 3]",
    ]


def test_turns_go_round_and_say_where_they_open_again() -> None:
    graph = picture(
        "play\n    in turn p in players from leader\n        p chooses\n"
        "            raise\n                reopen\n            pass\n"
    )
    [decision] = [n for n in graph.nodes if n.kind is Kind.DECISION]
    assert decision.lines == ("p:", "raise", "pass")
    assert "p: | raise | pass -> branch : pass : raise / reopen" in ways(graph)
    assert "branch -> p: | raise | pass : in turn p in players from leader" in ways(graph)


def test_a_decision_of_all_at_once_is_one_node() -> None:
    graph = picture("play\n    at once p in players\n" + ask("p", depth=2))
    assert "start -> p in players, all at once: lead card" in ways(graph)


def test_chance_by_lot_is_drawn() -> None:
    graph = picture("play\n    random n from 1..6\n    random card d from stock\n    move d to heap\n" + ask())
    assert graph.nodes[1].lines == ("random n from 1..6", "random card d from stock")
    assert graph.nodes[1].kind is Kind.CHANCE


def test_a_verb_that_leads_elsewhere_labels_its_edge() -> None:
    graph = picture(
        "play\n    leader chooses\n        go card c from hand[leader]\n            move c to heap\n"
        "        stop: end game\n" + ask(verb="follow")
    )
    assert "leader: | go card | stop -> leader: follow card : go" in ways(graph)
    assert "leader: | go card | stop -> end : stop" in ways(graph)


def test_the_end_of_a_phase_leads_after_it() -> None:
    graph = picture("play\n    early\n" + ask(verb="follow") + "phase early\n    if turns > 3: end early\n" + ask())
    assert "branch -> leader: follow card : [turns > 3]" in ways(graph)


def test_a_phase_of_several_nodes_is_a_group_and_one_of_a_single_node_is_its_title() -> None:
    graph = picture("play\n    both\nphase both\n    one(leader)\n" + ask(verb="follow")
                    + "phase one(p: player)\n" + ask("p"))  # fmt: skip
    assert [group.title for group in graph.groups] == ["both"]
    assert [(n.title, n.group) for n in graph.nodes if n.kind is Kind.DECISION] == [("one(p = leader)", 1), ("", 1)]


def test_a_small_phase_is_drawn_at_each_call_and_a_larger_one_once() -> None:
    small = "play\n    one\n    one\nphase one\n" + ask()
    assert sum(n.title == "one" for n in picture(small).nodes) == 2
    large = picture(small + "".join(ask(verb=f"act{n}") for n in range(4)))
    assert [n.lines for n in large.nodes if n.kind is Kind.CALL] == [("one",), ("one",)]
    assert [g.title for g in large.groups] == ["one"]
    assert sum(n.kind is Kind.BACK for n in large.nodes) == 1
    assert sum(n.lines == ("leader: act3 card",) for n in large.nodes) == 1


def test_a_phase_inside_itself_is_drawn_once_with_calls() -> None:
    graph = picture("play\n    one\nphase one at most 3 deep\n    two\nphase two\n" + ask(then="one"))
    assert [n.lines for n in graph.nodes if n.kind is Kind.CALL] == [("one",), ("one",)]
    assert sum(n.kind is Kind.DECISION for n in graph.nodes) == 1


def test_a_reaction_is_drawn_separately_with_its_end() -> None:
    graph = picture("whenever count(heap) > 3: end game\nwhenever turns == 5: turns = 6\nplay\n" + ask())
    assert "whenever count(heap) > 3 -> end" in ways(graph)
    assert sum(n.kind is Kind.WHENEVER for n in graph.nodes) == 1
    assert sum(n.kind is Kind.END for n in graph.nodes) == 2


def test_what_the_options_rule_out_is_not_drawn() -> None:
    text = (
        "play\n    if mode == odd\n" + ask(verb="oddly", depth=2) + "    match mode\n        case plain\n"
        + ask(verb="plainly", depth=3) + "        case odd: turns = 2\n    while mode == odd and turns < 4\n"
        + ask(verb="again", depth=2, then="turns += 1") + "    leader chooses\n        pass\n"
        + "        jump only if mode == odd\n"
    )  # fmt: skip
    assert ways(picture(text)) == ["start -> leader: plainly card", "leader: plainly card -> leader: pass",
                                   "leader: pass -> end"]  # fmt: skip
    odd = picture(text, mode="odd")
    assert "branch -> leader: again card : [turns < 4]" in ways(odd)
    assert any(n.lines == ("leader:", "pass", "jump") for n in odd.nodes)


# ---- the bundled games


def decisions(phase: Phase) -> Iterator[tuple[Phase, core.Choice]]:
    """Give the decisions of a phase, and of those that it carries out, on ways that the options leave open."""
    todo = [phase.body]
    while todo:
        for stmt in todo.pop():
            blocks = core.blocks_inside(stmt)
            match stmt:
                case core.Choice():
                    yield phase, stmt
                case core.CallPhase():
                    yield from decisions(stmt.phase)
                case core.If(condition=core.Const(value=value)):
                    blocks = (stmt.then if value else stmt.otherwise,)
                case core.While(condition=core.Const(value=False), first=True):
                    blocks = ()
                case core.InTurn(binder=core.Binder(where=core.CallDefine(define=define))) if (
                    isinstance(define.value, core.Const) and define.value.value is False
                ):
                    blocks = ()  # No player ever has a turn.
                case _:
                    pass
            todo.extend(blocks)


@pytest.mark.parametrize("condition", ["turns > 3 and mode == plain", "mode == odd or turns > 3"])
def test_parts_of_a_condition_that_options_decide_are_left_out(condition: str) -> None:
    graph = picture(f"play\n    if {condition}\n" + ask(depth=2))
    assert any(way.endswith(" : [turns > 3]") for way in ways(graph))


@pytest.mark.parametrize("game", bundled.EVERY)
def test_every_decision_of_a_game_is_drawn_with_its_phase_and_its_verbs(game: str) -> None:
    loaded = bundled.game(game)
    graph = draw(loaded.spec, loaded.rules)
    shown = "\n".join([*(g.title for g in graph.groups), *(n.title for n in graph.nodes)])
    acts = {line.rpartition(": ")[2].split()[0] for n in graph.nodes if n.kind is Kind.DECISION for line in n.lines}
    met = list(decisions(loaded.rules.play))
    assert met
    for phase, choice in met:
        offered = [a for a in choice.actions if not isinstance(a.only_if, core.Const)]
        assert {action.verb for action in offered} <= acts
        assert phase.declaration is None or re.search(rf"\b{phase.name}\b", shown), phase.name


@pytest.mark.parametrize("game", bundled_games())
def test_all_but_the_start_and_the_rules_that_wait_is_led_to(game: str) -> None:
    loaded = bundled.game(game)
    graph = draw(loaded.spec, loaded.rules)
    reached = {edge.target for edge in graph.edges}
    assert {n.kind for n in graph.nodes if n.number not in reached} <= {Kind.START, Kind.WHENEVER}
    left = {edge.source for edge in graph.edges}
    assert {n.kind for n in graph.nodes if n.number not in left} <= {Kind.END, Kind.BACK, Kind.LEAVE}


# ---- the texts


@pytest.mark.parametrize("game", bundled_games())
def test_mermaid_texts_are_in_order(game: str) -> None:
    loaded = bundled.game(game)
    graph = draw(loaded.spec, loaded.rules)
    lines = mermaid(graph).splitlines()
    assert lines[0] == "---"
    assert lines[2:4] == ["---", "flowchart TD"]
    made = [m.group(1) for line in lines if (m := re.match(r"\s*(n\d+)[(\[{>]+\".*\"[)\]}]+$", line))]
    assert sorted(made) == sorted(f"n{n.number}" for n in graph.nodes)
    assert sum(line.strip().startswith("subgraph ") for line in lines) == sum(line.strip() == "end" for line in lines)
    edges = [line for line in lines if re.fullmatch(r'    n\d+ -->(\|"[^"]*"\|)? n\d+', line)]
    assert len(edges) == len(graph.edges)


@pytest.mark.parametrize("game", bundled_games())
def test_dot_texts_are_in_order(game: str) -> None:
    loaded = bundled.game(game)
    graph = draw(loaded.spec, loaded.rules)
    text = dot(graph)
    outside = re.sub(r"label=<.*?>(?=[,;\]\n])", "", text)
    assert outside.count("{") == outside.count("}") == len(graph.groups) + 1
    assert len(re.findall(r"^ +n\d+ \[label=<.*>, shape=", text, re.MULTILINE)) == len(graph.nodes)
    assert len(re.findall(r"^    n\d+ -> n\d+(?: \[label=< .* >\])?$", text, re.MULTILINE)) == len(graph.edges)


def test_signs_of_the_languages_are_escaped() -> None:
    node = Node(1, Kind.DECISION, 'a "b" <c>', ("x < 1 & #2 `y`",), None)
    graph = Graph('say \\ "<&>"', (node,), (), ())
    assert 'n1("<b>a #quot;b#quot; #lt;c#gt;</b><br>x #lt; 1 #amp; #35;2 #96;y#96;")' in mermaid(graph)
    assert 'title: "say \\\\ \\"<&>\\""' in mermaid(graph)
    assert "label=<<b>a &quot;b&quot; &lt;c&gt;</b><br/>x &lt; 1 &amp; #2 `y`>" in dot(graph)


def test_no_text_of_a_spec_is_a_directive_to_what_draws() -> None:
    text = "%%{init: {'theme': 'dark'}}%%"
    graph = Graph(text, (Node(1, Kind.DECISION, text, (text,), None),), (), ())
    assert "%%" not in mermaid(graph)


@pytest.mark.parametrize("hash_seed", ["12345"])
def test_the_same_spec_gives_the_same_text(hash_seed: str) -> None:
    game = bundled_games()[0]
    code = (
        "import sys; from interpreter import load; from interpreter.graph.formats import dot; "
        "from interpreter.graph.drawing import draw; from interpreter.graph.formats import mermaid; "
        f"g = load({game!r}); d = draw(g.spec, g.rules); sys.stdout.write(mermaid(d) + dot(d))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"}
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, check=True)
    loaded = bundled.game(game)
    graph = draw(loaded.spec, loaded.rules)
    assert done.stdout.decode("utf-8").replace("\r\n", "\n") == mermaid(graph) + dot(graph)
