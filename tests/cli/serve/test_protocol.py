"""The protocol of a table: what a client sends, what it is answered, and how mistakes are refused."""

from __future__ import annotations

import errno
import hmac
import json
import os
import random
import stat
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect

from cli.serve import wire
from cli.serve.app import make_app
from cli.serve.keeping import KeptInFiles, unserved_tables
from cli.serve.seats import Links
from cli.serve.table import Seat, Table
from cli.serve.thinking import Task, Thinkers, Thought
from interpreter import load
from interpreter.agents import AgentView, RandomAgent
from interpreter.engine.faults import NoWorldError
from interpreter.loader import find_spec
from interpreter.records.autosave import resumable
from interpreter.records.shared_play import SharedPlay, whole_decision
from tests.cli.serve.serving import HOST, Player, served

KUHN, CHALICE, HEARTS = "classics/kuhn_poker", "chalice_and_wand", "classics/hearts"
SEARCH = "greedy:1"


def to_act(*players: Player) -> tuple[Player, Player]:
    """Return the player who must decide, and the other."""
    one, two = players
    return (one, two) if one.frame["table"]["pending"] else (two, one)


def test_two_people_play_a_whole_play_and_another() -> None:
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        assert one.ask(t="new")["code"] == "over"
        for number in range(10):
            if one.frame["result"]:
                break
            now, other = to_act(one, two)
            assert now.decide(number)["t"] == "done"
            now.until("frame"), other.until("frame")
        assert one.frame["result"]["returns"] == two.frame["result"]["returns"]
        assert one.ask(t="act", n=one.frame["n"], id="late", text="pass")["code"] == "over"
        assert one.ask(t="new")["t"] == "done"
        assert two.until("frame")["result"] is None


def test_an_act_is_done_once_and_a_late_one_is_stale() -> None:
    with served(load(CHALICE), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        now, other = to_act(one, two)
        number, picks = now.frame["n"], now.draft()
        assert now.ask(t="act", n=number, id="a", picks=picks)["t"] == "done"
        made = server.actor.table.play.decisions
        assert now.ask(t="act", n=number, id="a", picks=picks)["t"] == "done"
        assert server.actor.table.play.decisions == made == 1
        other.until("frame")
        assert other.ask(t="act", n=0, id="b", picks=[1])["code"] == "stale"


def test_refusals_say_why_and_carry_the_frame() -> None:
    with served(load(CHALICE), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        now, other = to_act(one, two)
        refused = now.ask(t="act", n=now.frame["n"], id="a", text="discard nonsense")
        assert refused["code"] == "illegal"
        assert "nonsense" in refused["text"]
        assert refused["frame"] == now.frame
        assert other.ask(t="act", n=other.frame["n"], id="a", picks=[0])["code"] == "not-yours"
        assert now.ask(t="act", n=now.frame["n"], id="c", picks=[10**6])["code"] == "illegal"
        assert now.ask(t="draft", n=now.frame["n"], picks=[], why=10**6)["code"] == "illegal"
        assert server.actor.table.play.decisions == 0


def test_a_draft_picks_unpicks_and_says_why_not() -> None:
    with served(load(CHALICE), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        now, other = to_act(one, two)
        first, second = (option["action"] for option in now.options()[:2])
        picked = now.ask(t="draft", n=now.frame["n"], picks=[second], pick=first)
        assert picked["picks"] == sorted([first, second])
        assert now.ask(t="draft", n=now.frame["n"], picks=picked["picks"], unpick=first)["picks"] == [second]
        missing = next(a for a in range(60) if a not in {option["action"] for option in now.options()})
        problem = now.ask(t="draft", n=now.frame["n"], picks=[], why=missing)["problem"]
        assert problem["action"] == missing
        assert problem["text"]
        other.send(t="ask", id="x", what="log")
        assert other.next()["t"] == "answer", "nobody else learns of a draft"


def test_questions_are_answered_in_blocks() -> None:
    with served(load(CHALICE), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        now, _ = to_act(one, two)
        kinds = {what: now.ask(t="ask", what=what, arg="wand")["blocks"] for what in ("rules", "word", "why", "log")}
        assert {block["kind"] for block in kinds["rules"]} >= {"heading", "paragraph", "lines"}
        assert kinds["word"]
        assert any(entry["below"] for entry in kinds["why"][0]["entries"])
        assert [event["number"] for event in kinds["log"][0]["events"]] == list(range(len(kinds["log"][0]["events"])))


def test_the_log_explains_scores_as_frames_do() -> None:
    game, rng = load("classics/cribbage"), random.Random(1)
    play = SharedPlay(game, 7)
    while len(play.information(0).events) < 60:
        seat = play.undecided[0]
        play.decide(seat, AgentView(play.open.by_player[seat]).random_sentence(rng))
    links = Links.new(2, rng.randbytes, spectators=True)
    table = Table("aaaaaaaa", play, [Seat("person"), Seat("person")], links, rng.randbytes)
    with served(game, table=table) as server, server.sit(0) as one:
        shown = one.frame["table"]
        (logged,) = one.ask(t="ask", what="log", arg=str(shown["since"]))["blocks"]
        assert logged["events"] == shown["events"]
        assert any("score is now" in event["text"] and "made of" in event["text"] for event in shown["events"])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (json.dumps({"t": "ask", "what": "word", "arg": "x" * wire.MOST_BYTES}), 1009),
        ("no JSON", 1007),
        ("[" * 4_000, 1007),
        ("[1]", 1007),
        ('{"t":"unknown"}', 1008),
        ('{"t":["sit"]}', 1008),
        ("", 1007),
    ],
)
def test_what_is_no_request_ends_the_connection_with_words(data: str, code: int) -> None:
    with served(load(KUHN), "person", "person") as server:
        with server.sit(0) as one:
            table = one.frame["table"]
            one.socket.send_text(data)
            gone = one.until("gone")
            assert gone["text"].endswith(".")
            with pytest.raises(WebSocketDisconnect) as ended:
                one.next()
            assert ended.value.code == code
        with server.sit(0) as again:
            assert again.frame["table"] == table


@pytest.mark.parametrize(
    "message",
    [
        {"t": "act", "n": 1, "picks": [1]},
        {"t": "act", "n": 1, "id": 1},
        {"t": "act", "n": 1, "id": 1, "picks": [1], "text": "pass"},
        {"t": "act", "n": True, "id": 1, "picks": [1]},
        {"t": "act", "n": 1, "id": 1, "picks": ["1"]},
        {"t": "act", "n": 1, "id": 1, "picks": [1] * 501},
        {"t": "act", "n": 2**60, "id": 1, "picks": [1]},
        {"t": "ask", "what": "secrets"},
        {"t": "ask", "what": "\ud800"},
        {"t": "name", "name": "\ud800"},
        {"t": "seat", "seat": "1", "who": "random"},
        {"t": "link", "seat": {}},
        {"t": "agree", "yes": 1},
        {"t": "name", "id": [1], "name": "Ada"},
        {"t": "sit", "table": "x", "token": "y"},
    ],
)
def test_a_wrong_field_is_refused_in_words(message: dict[str, Any]) -> None:
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one:
        one.send(**message)
        refused = one.until("refused")
        assert refused["code"] == "form"
        assert refused["text"]
        assert one.ask(t="ask", what="log")["t"] == "answer"


def test_too_many_messages_are_refused_and_then_end_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(make_app.__globals__, "monotonic", lambda: 0.0)
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one:
        for number in range(40):
            one.send(t="ask", id=number, what="log")
        answers = [one.next() for _ in range(40)]
        assert {answer["code"] for answer in answers if answer["t"] == "refused"} == {"limit"}
        assert sum(answer["t"] == "answer" for answer in answers) >= 15
        for number in range(200):
            one.send(t="ask", id=number, what="log")
        assert one.until("gone")["why"] in ("limit", "slow")


def test_a_wrong_token_is_answered_as_a_missing_table(monkeypatch: pytest.MonkeyPatch) -> None:
    compare, compared = hmac.compare_digest, []

    def counted(one: str, other: str) -> bool:
        compared.append(other)
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    with served(load(HEARTS), *["person"] * 4) as server:
        token = server.tokens["0"]
        answers = []
        for table, given in ((server.name, "wrong"), (server.name, ""), ("aaaaaaaa", "wrong"), ("../x", token)):
            compared.clear()
            with server.connect() as player:
                player.send(t="sit", table=table, token=given)
                answers.append((player.next(), len(compared)))
                with pytest.raises(WebSocketDisconnect) as ended:
                    player.next()
                assert ended.value.code == 4404
        assert answers == [answers[0]] * 4
        pages = [server.client.get(path) for path in (f"/t/{server.name}", "/t/aaaaaaaa")]
        assert pages[0].content == pages[1].content
        with server.connect() as player:
            assert player.ask(t="ask", what="log")["code"] == "form"
            assert player.ask(t="sit", table=server.name)["code"] == "form"


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}])
def test_a_foreign_page_or_name_is_refused(headers: dict[str, str]) -> None:
    with served(load(KUHN), "person", "person") as server:
        assert server.client.get("/", headers=headers).status_code == 403
        with pytest.raises(WebSocketDisconnect), server.connect(**headers) as player:
            player.next()
        with server.connect(origin=f"http://{HOST}") as player:
            player.send(t="sit", table=server.name, token=server.tokens["0"])
            assert player.next()["t"] == "seated"


def test_every_response_has_a_strict_policy() -> None:
    with served(load(KUHN), "person", "person") as server:
        for path in ("/", "/t/x", "/static/index.html", "/missing"):
            headers = server.client.get(path).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
        assert server.client.get("/static/../app.py").status_code == 404


def test_a_second_device_takes_the_seat_and_the_first_takes_it_back() -> None:
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one:
        with server.sit(0) as two:
            assert one.until("gone")["why"] == "replaced"
            assert two.frame["you"] == 0
        with server.sit(0) as back:
            assert back.frame["table"] == two.frame["table"]


def test_undo_needs_the_agreement_of_the_others() -> None:
    game = load(CHALICE, options={"hands": "open"})
    with served(game, "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        now, other = to_act(one, two)
        before = now.frame["table"]["view"]
        assert now.ask(t="undo")["code"] == "undo"
        nothing = next(o["action"] for o in now.options() if "nothing" in o["words"])
        assert now.ask(t="act", n=now.frame["n"], id="a", picks=[nothing])["t"] == "done"
        now.until("frame"), other.until("frame")
        assert other.ask(t="undo")["t"] == "refused"
        assert now.ask(t="undo")["t"] == "done"
        motion = other.until("frame")["motion"]
        assert (motion["what"], motion["waiting"]) == ("undo", [other.frame["you"]])
        assert motion["text"] == f"Player {now.frame['you'] + 1} wants to take back the last decision."
        while now.frame["motion"] is None:
            now.next()
        assert now.frame["motion"]["text"] == "You want to take back the last decision."
        assert now.ask(t="agree", yes=True)["code"] == "vote"
        assert other.ask(t="agree", yes=False)["t"] == "done"
        assert other.until("frame")["motion"] is None
        assert server.actor.table.play.decisions == 1
        assert now.ask(t="undo")["t"] == "done"
        assert other.ask(t="agree", yes=True)["t"] == "done"
        while now.frame["table"]["view"] != before:
            now.next()
        assert server.actor.table.play.decisions == 0


def test_decisions_at_once_are_open_to_all_and_reveal_nothing_until_the_last() -> None:
    with (
        served(load(HEARTS), *["person"] * 4) as server,
        server.sit(0) as a,
        server.sit(1) as b,
        server.sit(2) as c,
        server.sit(3) as d,
        server.sit("spectators") as s,
    ):
        everybody = (a, b, c, d)
        for player in everybody:
            while player.frame["players"][3]["present"] is False:
                player.until("frame")
        assert all(player.frame["table"]["pending"] for player in everybody)
        assert d.frame["deciding"] == [0, 1, 2, 3]
        for player in (c, a, d):
            assert player.decide("first")["t"] == "done"
            assert player.until("frame")["answered"].startswith("pass")
        assert c.ask(t="undo")["t"] == "done"
        assert c.until("frame")["answered"] is None
        for watcher in (b, s):
            watcher.send(t="ask", id="x", what="log")
            while (message := watcher.next())["t"] == "frame":
                assert message["table"]["view"]["acting"] == watcher.frame["table"]["view"]["acting"]
                assert not any(p["present"] is False for p in message["players"])
            assert len(message["blocks"][0]["events"]) == len(watcher.frame["table"]["events"])
        assert server.actor.table.play.decisions == 0
        for player in (c, b):
            assert player.decide("second")["t"] == "done"
        while len(a.frame["deciding"]) > 1:
            a.until("frame")
        assert server.actor.table.play.decisions == 4


def test_an_agent_takes_over_and_the_person_takes_the_seat_back() -> None:
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one, server.sit("host") as host:
        assert one.ask(t="seat", seat=1, who="random")["t"] == "done"
        while one.frame["players"][1]["who"] != "random":
            one.until("frame")
        assert one.ask(t="seat", seat=1, who="person")["code"] == "not-yours"
        assert one.ask(t="seat", seat=0, who="nobody")["code"] == "agent"
        assert one.ask(t="seat", seat=5, who="random")["code"] == "form"
        assert host.ask(t="seat", seat=0, who=SEARCH)["t"] == "done"
        while not one.frame["result"]:
            one.until("frame")
        with server.sit(1) as two:
            assert two.frame["players"][1] == {
                "seat": 1,
                "name": "",
                "who": "person",
                "present": True,
                "at_random": False,
            }
        assert one.ask(t="seat", seat=0, who="person")["t"] == "done"


def test_a_table_shows_that_an_agent_had_to_choose_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(_: Thinkers, task: Task) -> Thought:
        return Thought(whole_decision(RandomAgent(1), AgentView(task.state)), reason="no belief can be sampled")

    monkeypatch.setattr(Thinkers, "think", refused)
    with served(load(KUHN), "person", SEARCH) as server, server.sit(0) as one:
        assert one.frame["players"][1]["at_random"] is False
        while not one.frame["result"]:
            shown = one.frame["n"]
            if one.frame["table"]["pending"]:
                one.decide(shown)
            while one.frame["n"] == shown:
                one.next()
        assert [player["at_random"] for player in one.frame["players"]] == [False, True]
        assert one.ask(t="new")["t"] == "done"
        while one.frame["result"]:
            one.until("frame")
        assert one.frame["players"][1]["at_random"] is False


def test_the_reason_for_no_hint_is_the_players_own(monkeypatch: pytest.MonkeyPatch) -> None:
    error = NoWorldError.at(1, 12, "walks need `pip install x`")

    async def refused(_: Thinkers, task: Task) -> Thought:
        return Thought(whole_decision(RandomAgent(1), AgentView(task.state)), reason=error.to_player)

    monkeypatch.setattr(Thinkers, "think", refused)
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        (paragraph,) = to_act(one, two)[0].ask(t="ask", what="hint")["blocks"]
        said = "".join(text for _, text in paragraph["text"])
        assert said.startswith("There is no hint: no deal consistent with what you have seen can be sampled after 12")
        assert ["typed", "pip install x"] in paragraph["text"]


def test_the_host_manages_links_and_closes_the_table() -> None:
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one, server.sit("host") as host:
        assert one.ask(t="link", seat=1)["code"] == "not-yours"
        assert one.ask(t="close")["code"] == "not-yours"
        known = host.ask(t="link", seat=0)
        assert known["path"] == f"/t/{server.name}#{server.tokens['0']}"
        assert known["qr"].startswith("data:image/svg+xml")
        assert host.ask(t="link", seat=0, renew=True)["path"] != known["path"]
        assert one.until("gone")["why"] == "replaced"
        with server.connect() as player:
            player.send(t="sit", table=server.name, token=server.tokens["0"])
            assert player.next()["why"] == "unknown"
        host.send(t="close")
        assert host.until("gone")["why"] == "closed"


def test_a_spectator_sees_public_events_and_decides_nothing() -> None:
    with served(load(KUHN), "person", "person") as server, server.sit("spectators") as watcher:
        assert all(card is None for zone in watcher.frame["table"]["view"]["zones"] for card in zone["cards"])
        for message in ({"t": "act", "n": 1, "picks": [0]}, {"t": "undo"}, {"t": "name", "name": "Ada"}):
            assert watcher.ask(**message)["code"] == "not-yours"


def test_names_are_shown_to_all() -> None:
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        assert one.ask(t="name", name="Ada")["t"] == "done"
        while two.frame["players"][0]["name"] != "Ada":
            two.until("frame")
        assert two.frame["table"]["view"]["players"] == ["Ada", "you"]
        for wrong in ("Ada", "chance", "<b>", "x" * 17):
            assert two.ask(t="name", name=wrong)["code"] == "name"


STUCK = """cardgame 1

game "<script>alert(1)</script>"
    players 2
    at most 50 decisions

card Plain(rank: 1..8) written "<b>{rank}"

deck in stock
    1 of each Plain

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    kept:         pile, seen by all

play
    shuffle stock
    deal 4 from stock to hand[players]
    player 1 chooses "<i>play</i> a card"
        play card c from hand[player 1]
            move c to kept
    player 1 chooses
        play card c from hand[player 1] where count(hand[player 1]) > 3
            move c to kept

result
    winners = player 1
"""


@pytest.fixture
def stuck(tmp_path: Path) -> Path:
    path = tmp_path / "stuck.cardgame"
    path.write_text(STUCK, encoding="utf-8")
    return path


def test_a_fault_of_the_rules_is_shown_to_all_and_can_be_taken_back(stuck: Path) -> None:
    with served(load(str(stuck)), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        assert one.decide("a")["t"] == "done"
        for player in (one, two):
            while player.frame["fault"] is None:
                player.until("frame")
            assert player.frame["fault"]["code"] == "CG807"
            assert player.frame["result"] is None
        assert one.ask(t="act", n=one.frame["n"], id="b", picks=[0])["code"] == "fault"
        assert one.ask(t="ask", what="log")["t"] == "answer"


def test_texts_of_a_spec_never_become_html(stuck: Path) -> None:
    with served(load(str(stuck)), "person", "person") as server, server.sit(0) as one:
        assert one.frame["table"]["pending"]["prompt"] == "<i>play</i> a card"
        for path in ("/", f"/t/{server.name}"):
            response = server.client.get(path)
            assert "script>alert" not in response.text


def test_the_seat_that_acts_is_shown_its_frame_first_and_others_are_served_after_each() -> None:
    game, order = load(KUHN), []

    class Device:
        host = False

        def __init__(self) -> None:
            self.seat: int | None = None

        def send(self, message: bytes) -> None:
            order.append((json.loads(message)["t"], self.seat))

        def show(self, message: bytes) -> None:
            order.append((json.loads(message)["t"], self.seat))

        def dismiss(self, why: str) -> None:
            raise AssertionError(why)

    table = Table("t", SharedPlay(game, 7), [Seat("person")] * 2, Links({}), random.Random(1).randbytes)
    devices = [Device(), Device()]
    for seat, device in enumerate(devices):
        table.sit(device, seat, wire.Sit(table="t", token=""))
    for _ in range(2):
        seat = table.play.undecided[0]
        order.clear()
        table.receive(devices[seat], wire.Act(n=table.number_of(seat), id=1, text="pass"))
        assert order == [("done", seat)]
        publishing = table.publish()
        next(publishing)
        assert order[1:] == [("frame", seat)]
        assert len(list(publishing)) == 1
        assert order[2:] == [("frame", 1 - seat)]


# ---- what is kept


def test_a_table_goes_on_after_a_crash_with_its_links_and_sealed_answers(tmp_path: Path) -> None:
    game, spec = load(HEARTS), find_spec(HEARTS)
    with served(game, *["person"] * 4, kept=KeptInFiles(spec, tmp_path / "tables")) as server:
        with server.sit(0) as one, server.sit(2) as two:
            assert one.ask(t="name", name="Ada")["t"] == "done"
            for player in (one, two):
                assert player.decide("pass")["t"] == "done"
            answered, tokens = two.until("frame")["answered"], server.tokens
        kept = server.actor.table.kept
        assert kept is not None
        assert not kept.problem
        assert not kept.is_waiting
        kept.close(remove=False)
        server.actor.table.kept = None  # It was killed: nothing more is written.
    (found,) = unserved_tables(spec, tmp_path / "tables")
    taken = found.take(spec, tmp_path / "tables")
    assert unserved_tables(spec, tmp_path / "tables") == [], "one process serves it"
    table = Table.restored(found.record, SharedPlay.restored(found.play.save, game), random.Random(3).randbytes, taken)
    with served(game, table=table) as server:
        server.tokens = tokens
        with server.sit(2) as two, server.sit(1) as three, server.sit(3) as four:
            assert two.frame["answered"] == answered
            assert two.frame["players"][0]["name"] == "Ada"
            assert two.frame["n"] > 1_000_000
            for player in (three, four):
                assert player.decide("pass")["t"] == "done"
            while len(two.frame["deciding"]) > 1:
                two.until("frame")
            assert server.actor.table.play.decisions == 4


@pytest.mark.parametrize("full_from", ["the beginning", "a decision"])
def test_a_full_disk_is_shown_to_all_and_loses_nothing(
    full_from: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, spec, write, full = load(KUHN), find_spec(KUHN), os.write, full_from == "the beginning"

    def limited(handle: int, data: bytes) -> int:
        if full and stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data)

    monkeypatch.setattr(os, "write", limited)
    kept = KeptInFiles(spec, tmp_path)
    with served(game, "person", "person", kept=kept) as server, server.sit(0) as one, server.sit(1) as two:
        now, other = to_act(one, two)
        before = _decisions_on_disk(spec, tmp_path)
        full = True
        now.ask(t="act", n=now.frame["n"], id=1, text="bet")
        for player in (one, two):
            while not player.frame["unkept"]:
                player.until("frame")
            assert "No space left on device" in player.frame["unkept"]
        assert _decisions_on_disk(spec, tmp_path) == before
        full = False
        while not other.frame["table"]["pending"]:
            other.until("frame")
        other.ask(t="name", name="Ada")
        assert other.ask(t="act", n=server.actor.table.number_of(other.frame["you"]), id=2, text="bet")["t"] == "done"
        for player in (one, two):
            while player.frame["unkept"] or not player.frame["result"]:
                player.until("frame")
    assert _decisions_on_disk(spec, tmp_path) == 2
    (found,) = unserved_tables(spec, tmp_path)
    assert "Ada" in [seat["name"] for seat in found.record.seats]


def test_no_message_is_sent_before_the_decisions_of_the_table_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, send, sent = find_spec(CHALICE), WebSocket.send_text, []

    class Slow(KeptInFiles):
        def settle(self) -> None:
            time.sleep(0.05)
            super().settle()

    with served(load(CHALICE), "person", "random", kept=Slow(spec, tmp_path)) as server:

        async def checked(socket: WebSocket, text: str) -> None:
            sent.append((server.actor.table.play.decisions, _decisions_on_disk(spec, tmp_path)))
            await send(socket, text)

        with server.sit(0) as one:
            monkeypatch.setattr(WebSocket, "send_text", checked)
            for number in range(3):
                assert one.decide(number)["t"] == "done"
                one.until("frame")
                while not one.frame["table"]["pending"]:
                    one.until("frame")
    assert max(made for made, _ in sent) > 3
    assert [made for made, _ in sent] == [kept for _, kept in sent]


def test_no_table_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync, send, writing, serving = os.fsync, WebSocket.send_text, set(), set()

    def noted(handle: int) -> None:
        writing.add(threading.get_ident())
        sync(handle)

    async def sent(socket: WebSocket, text: str) -> None:
        serving.add(threading.get_ident())
        await send(socket, text)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(WebSocket, "send_text", sent)
    kept = KeptInFiles(find_spec(HEARTS), tmp_path)
    with served(load(HEARTS), *["person"] * 4, kept=kept) as server, server.sit(0) as one:
        assert one.ask(t="name", name="Ada")["t"] == "done"
        assert one.decide("sealed")["t"] == "done"
        assert writing
        assert not writing & serving


def _decisions_on_disk(spec: Path, folder: Path) -> int | None:
    """Return how many decisions the journal of the only table has, which may be open; None where there is none."""
    found = resumable(spec, folder, running=True)
    return len(found[0].save.said) if found else None


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"name":3}'])
def test_a_damaged_record_is_no_table(damage: str, tmp_path: Path) -> None:
    game, spec = load(KUHN), find_spec(KUHN)
    with served(game, "person", "person", kept=KeptInFiles(spec, tmp_path)):
        pass
    (record,) = tmp_path.glob("*.table")
    assert len(unserved_tables(spec, tmp_path)) == 1
    record.write_text(damage)
    assert unserved_tables(spec, tmp_path) == []
