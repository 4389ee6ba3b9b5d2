"""The protocol of a table: what a client sends, and what it is answered."""

from __future__ import annotations

import pytest
from starlette.websockets import WebSocketDisconnect

from interpreter import load
from tests.cli.serve.serving import HOST, served

KUHN = "classics/kuhn_poker"


def test_two_people_play_a_whole_play() -> None:
    with served(load(KUHN), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        for number in range(10):
            if one.frame["result"]:
                break
            now = one if one.frame["deciding"] == [0] else two
            assert now.decide(number)["t"] == "done"
            one.until("frame"), two.until("frame")
        assert one.frame["result"]["returns"] == two.frame["result"]["returns"]
        assert one.frame["seal"] == two.frame["seal"]


def test_an_act_is_done_once() -> None:
    with served(load("chalice_and_wand"), "person", "person") as server, server.sit(0) as one, server.sit(1) as two:
        now = one if one.frame["deciding"] == [0] else two
        number, picks = now.frame["n"], now.draft()
        assert now.ask(t="act", n=number, id="a", picks=picks)["t"] == "done"
        made = len(server.actor.table.play.state.history())
        assert now.ask(t="act", n=number, id="a", picks=picks)["t"] == "done"
        assert now.ask(t="act", n=number, id="b", picks=picks)["code"] in ("stale", "not-yours")
        assert len(server.actor.table.play.state.history()) == made


def test_a_wrong_token_is_answered_as_a_missing_table() -> None:
    with served(load(KUHN), "person", "person") as server:
        answers = []
        for table, token in ((server.name, "wrong"), ("aaaaaaaa", "wrong"), ("../x", server.tokens["0"])):
            with server.connect() as player:
                player.send(t="sit", table=table, token=token)
                answers.append(player.next())
                with pytest.raises(WebSocketDisconnect) as ended:
                    player.next()
                assert ended.value.code == 4404
        assert answers == [answers[0]] * 3
        pages = [server.client.get(path) for path in (f"/t/{server.name}", "/t/aaaaaaaa")]
        assert pages[0].content == pages[1].content


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}])
def test_a_foreign_page_or_name_is_refused(headers: dict[str, str]) -> None:
    with served(load(KUHN), "person", "person") as server:
        assert server.client.get("/", headers=headers).status_code == 403
        with pytest.raises(WebSocketDisconnect), server.connect(**headers) as player:
            player.next()
        with server.connect(origin=f"http://{HOST}") as player:
            player.send(t="sit", table=server.name, token=server.tokens["0"])
            assert player.next()["t"] == "seated"
