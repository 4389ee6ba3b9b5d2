"""The table as an actor without network code: seats connect, decide, propose and vote, and receive frames.

A frame of a seat is computed from the information state of that seat and from what is public at the table (names,
presence, proposals).  It is sent only if its bytes differ from the last one of the seat.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from cli.arguments import HUMAN
from cli.serve import wire
from cli.serve.keeping import Record
from cli.serve.seats import Links, Place, RandomBytes
from interpreter.agents import AgentError, AgentView, read_name
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.game import Game
from interpreter.records.saves import Save
from interpreter.records.shared_play import Decided, SharedPlay
from interpreter.records.undo import undo_point
from interpreter.rulebook.page import Paragraph
from interpreter.table.choices import choices
from interpreter.table.draft import Draft
from interpreter.table.frame import SeatFrames, events, reference_json
from interpreter.table.help_text import answer
from interpreter.table.information import InformationState
from interpreter.table.narrator import EventNarrator
from interpreter.table.reasons import reasons
from interpreter.table.reference import reference_of
from interpreter.table.scores import ScoreExplainer
from interpreter.table.understanding import understand
from interpreter.text.names import Names

if TYPE_CHECKING:
    from cli.serve.keeping import KeptInFiles
    from cli.serve.postgres import KeptInPostgres

    Kept = KeptInFiles | KeptInPostgres

PERSON = "person"
LATEST_EVENTS = 40
"""Events in a frame."""
MOST_LOGGED = 500
"""Events in an answer to `log`."""
REMEMBERED = 64
"""Acts of a seat whose answers are kept, in case they are sent again."""
MOST_SPECTATORS = 64


class Client(Protocol):
    """A connection that has taken a place: a seat, or None for a spectator; `host` says whether it may manage."""

    seat: int | None
    host: bool

    def send(self, message: bytes) -> None:
        """Send a message."""

    def show(self, message: bytes) -> None:
        """Send a frame, in the place of one that was not sent yet."""

    def dismiss(self, why: str) -> None:
        """Say why the connection ends, and end it."""


class Refused(Exception):  # noqa: N818 - an answer to a request, not an error
    """A request that is not carried out: its code, the reason in words, and what the rulebook says."""

    def __init__(self, code: str, text: str, rule: list[Any] | None = None) -> None:
        super().__init__(text)
        self.code, self.text, self.rule = code, text, rule


@attrs.define
class Seat:
    """A seat: the person or agent who plays it, the name, and whether a device is connected.

    `at_random` is an agent that chose at random in this play, because its belief could not be sampled.
    """

    who: str
    name: str = ""
    present: bool = False
    at_random: str = ""


@attrs.define
class Motion:
    """A proposal that the other people vote on: `what` is `undo` or `agent`; `waiting` have not voted."""

    what: str
    by: int
    seat: int
    who: str
    point: int
    waiting: set[int]


class Table:
    """One table: its play, its seats, and who is connected.

    `name` is its address, `port` that of its links.  `starts` counts how often it was opened: the numbers of frames go
    on above those that were sent before.
    """

    def __init__(
        self, name: str, play: SharedPlay, seats: list[Seat], links: Links, random_bytes: RandomBytes, *,
        salt: str | None = None, starts: int = 0, port: int = 0, kept: Kept | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.game: Game = play.game
        self.spec = ""
        self.seats = seats
        self.links = links
        self.kept = kept
        self.port = port
        self.starts = starts
        self.closed = False
        self.motion: Motion | None = None
        self.on_new: Callable[[], SharedPlay] | None = None
        self.on_hint: Callable[[Client, wire.Ask], None] | None = None
        self.link_url: Callable[[str], dict[str, str]] = lambda token: {"path": f"/t/{name}#{token}"}
        self._random_bytes = random_bytes
        self._at: dict[int, Client] = {}
        self._watching: list[Client] = []
        self._requested_by: int | None = None
        self._done: dict[int, OrderedDict[int | str, bytes]] = {}
        self._shown: dict[int | None, bytes] = {}
        self._frames: dict[int | None, SeatFrames] = {}
        self._numbers: dict[int | None, int] = {}
        self._first_number = starts * 1_000_000
        self._decision_since: dict[int, tuple[int, int]] = {}
        self._explainers: dict[int, ScoreExplainer] = {}
        self._begin(play, salt or random_bytes(16).hex())

    def _begin(self, play: SharedPlay, salt: str) -> None:
        """Begin a play, or go on with one."""
        self.play = play
        self.salt = salt
        self.seal = hashlib.sha256(f"{play.seed}/{salt}".encode()).hexdigest()
        self.motion = None
        for seat in self.seats:
            seat.at_random = ""

    # ---- what is kept

    @classmethod
    def restored(cls, record: Record, play: SharedPlay, random_bytes: RandomBytes, kept: Kept | None) -> Table:
        """Return a table that was kept, with the sealed answers of players who decide at once."""
        made = cls(
            record.name, play, [Seat(seat["who"], seat["name"]) for seat in record.seats], Links(dict(record.hashes)),
            random_bytes, salt=record.salt, starts=record.starts + 1, port=record.port, kept=kept,
        )  # fmt: skip
        done = play.decisions - record.answered_at
        if record.answers and 0 <= done < len(record.answers):
            for seat, actions in record.answers.items():
                if int(seat) in play.undecided:
                    with suppress(IllegalActionError):
                        made.decide(int(seat), tuple(actions))
        made.keep_record()
        return made

    def record(self) -> Record:
        """Return what is kept of the table besides its play."""
        return Record(
            self.name, self.port, [{"who": seat.who, "name": seat.name} for seat in self.seats],
            dict(self.links.hashes), self.salt, self.starts, "",
            {str(seat): list(actions) for seat, actions in self.play.answers.items()}, self.play.decisions,
        )  # fmt: skip

    def saved(self, spec: str) -> Save:
        """Return the play so far."""
        return self.play.saved(spec, [HUMAN if seat.who == PERSON else seat.who for seat in self.seats], self.names)

    def keep_record(self) -> None:
        """Keep the table besides its play."""
        if self.kept is not None:
            self.kept.write(self.record())

    def keep_play(self, spec: str) -> None:
        """Keep the play from its beginning."""
        self.spec = spec
        if self.kept is not None:
            self.kept.begin(self.record(), self.saved(spec))

    def _keep(self, entries: Sequence[Decided | int]) -> None:
        """Keep decisions, or the number of decisions that are left."""
        if self.kept is not None:
            self.kept.add(entries, lambda: self.saved(self.spec))

    # ---- who is here

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.who == PERSON)

    @property
    def names(self) -> Names:
        """The names of the players."""
        return Names({number: seat.name for number, seat in enumerate(self.seats) if seat.name})

    @property
    def clients(self) -> tuple[Client, ...]:
        """All connections of this table."""
        return (*self._at.values(), *self._watching)

    def sit(self, client: Client, place: Place, request: wire.Sit) -> None:
        """Give a place to a connection; another device in the same seat is dismissed.  Raises Refused."""
        if isinstance(place, int):
            before = self._at.pop(place, None)
            if before is not None:
                before.dismiss("replaced")
            client.seat = place
            self._at[place] = client
            seat = self.seats[place]
            if seat.who != PERSON:
                seat.who = PERSON
                self.keep_record()
            seat.present = True
        else:
            if len(self._watching) >= MOST_SPECTATORS:
                raise Refused("full", "there are too many spectators")
            client.host = place == "host"
            self._watching.append(client)
        seated = wire.write({
            "t": "seated", "id": request.id, "protocol": wire.PROTOCOL, "table": self.name, "you": client.seat,
            "host": client.host,
        })  # fmt: skip
        client.send(seated[:-1] + b',"game":' + reference_json(self.game).encode() + b"}")
        client.show(self._frame(client.seat)[0])

    def drop(self, client: Client) -> None:
        """Forget a connection that has ended; its seat is present until `away` says otherwise."""
        if client in self._watching:
            self._watching.remove(client)
        elif client.seat is not None and self._at.get(client.seat) is client:
            del self._at[client.seat]

    def away(self, number: int) -> None:
        """Note that nobody is connected to a seat any more."""
        if number not in self._at:
            self.seats[number].present = False
            self._end_vote_of(number)

    def close(self, why: str) -> None:
        """Close the table, and say why to all."""
        self.closed = True
        for client in self.clients:
            client.dismiss(why)

    # ---- requests

    def receive(self, client: Client, request: wire.Request) -> None:
        """Answer a request of a connection that has a place."""
        self._requested_by = client.seat
        try:
            self._answer(client, request)
        except Refused as refused:
            client.send(wire.write({
                "t": "refused", "id": request.id, "code": refused.code, "text": refused.text, "rule": refused.rule,
                "frame": json.loads(self._frame(client.seat)[0]),
            }))  # fmt: skip

    def _answer(self, client: Client, request: wire.Request) -> None:
        match request:
            case wire.Sit():
                raise Refused("form", "you sit at this table already")
            case wire.DraftRequest():
                client.send(self._draft(client, request))
            case wire.Act():
                self._act(client, request)
            case wire.Ask():
                self._ask(client, request)
            case wire.Undo():
                self._propose_undo(self._seat_of(client))
            case wire.Agree(yes=yes):
                self._vote(self._seat_of(client), yes=yes)
            case wire.Name(name=name):
                self._rename(self._seat_of(client), name)
            case wire.Leave():
                self._leave(client)
            case wire.SetSeat(seat=seat, who=who):
                self._set_seat(client, seat, who)
            case wire.New():
                self._new(client)
            case wire.LinkRequest():
                client.send(self._link(client, request))
            case wire.Close():
                self._for_host(client)
                self.close("closed")
            case _:
                raise AssertionError(request)
        if not isinstance(request, wire.DraftRequest | wire.Act | wire.Ask | wire.LinkRequest):
            client.send(wire.write({"t": "done", "id": request.id}))

    def _seat_of(self, client: Client) -> int:
        if client.seat is None:
            raise Refused("not-yours", "only players may do that")
        return client.seat

    def _for_host(self, client: Client) -> None:
        if not client.host:
            raise Refused("not-yours", "only the host may do that")

    # ---- deciding

    def _position(self, client: Client, n: int) -> tuple[int, Any]:
        """Return the seat of a client and the state at which it decides.  Raises Refused."""
        seat = self._seat_of(client)
        if self.play.fault is not None:
            raise Refused("fault", "a rule of the spec cannot be executed; the play before it is saved")
        if self.play.is_over:
            raise Refused("over", "the play is over")
        state = self.play.open.by_player.get(seat)
        if state is None:
            raise Refused("not-yours", "it is not your turn")
        moment, first = self._decision_since.get(seat, (0, 0))
        if moment != self.play.moment or not first <= n <= self._numbers.get(seat, 0):
            raise Refused("stale", "the table has changed since; look again")
        return seat, state

    def _act(self, client: Client, act: wire.Act) -> None:
        seat = self._seat_of(client)
        done = self._done.setdefault(seat, OrderedDict())
        if act.id in done:
            client.send(done[act.id])
            return
        seat, state = self._position(client, act.n)
        actions = self._read(seat, state, act.text or "") if act.picks is None else act.picks
        try:
            self.decide(seat, actions)
        except IllegalActionError as error:
            raise Refused("illegal", f"{error}") from None
        reply = done[act.id] = wire.write({"t": "done", "id": act.id})
        while len(done) > REMEMBERED:
            done.popitem(last=False)
        client.send(reply)

    def _read(self, seat: int, state: Any, text: str) -> tuple[int, ...]:
        """Return the small actions that a text means, as it is read at the terminal.  Raises Refused."""
        info = self.play.information(seat)
        meant = understand(AgentView(state), info, choices(info), self.names.take(text), reference_of(self.game))
        if meant.actions is None:
            narrator = EventNarrator(self.game, seat, self.names)
            rule = meant.rule
            rule_runs = None if rule is None else wire.blocks([Paragraph(rule.text, rule.tags)])
            raise Refused("illegal", self.names.put(narrator.places_in(meant.problem)), rule_runs)
        return (meant.actions,) if isinstance(meant.actions, int) else tuple(meant.actions)

    def decide(self, seat: int, actions: tuple[int, ...]) -> None:
        """Carry out a decision of a seat and keep it.  Raises IllegalActionError."""
        decided = self.play.decide(seat, actions)
        self.motion = None
        if decided:
            self._keep(decided)
        else:
            self.keep_record()

    def _draft(self, client: Client, request: wire.DraftRequest) -> bytes:
        _, state = self._position(client, request.n)
        draft = Draft(state)
        problem = None
        try:
            for picked in request.picks:
                draft = draft.pick(picked)
            if request.unpick is not None:
                draft = draft.unpick(request.unpick)
        except IllegalActionError as error:
            raise Refused("illegal", str(error)) from None
        action = request.pick if request.pick is not None else request.why
        if action is not None:
            if not 0 <= action < self.game.data.num_actions:
                raise Refused("illegal", self.game.texts.no_action(action))
            refusal = draft.why_not(action)
            if refusal.message:
                rule = reference_of(self.game).rule(refusal)
                blocks = None if rule is None else wire.blocks([Paragraph(rule.text, rule.tags)])
                narrator = EventNarrator(self.game, client.seat, self.names)
                text = self.names.put(narrator.places_in(refusal.message))
                problem = {"action": action, "text": text, "rule": blocks}
            elif request.pick is not None:
                draft = draft.pick(action)
        return wire.write({
            "t": "draft", "id": request.id, "n": request.n, "picks": draft.actions,
            "options": [attrs.asdict(option) for option in draft.options()], "complete": draft.complete,
            "text": draft.text, "problem": problem,
        })  # fmt: skip

    # ---- questions

    def _ask(self, client: Client, ask: wire.Ask) -> None:
        info = self.play.information(client.seat)
        narrator = EventNarrator(self.game, client.seat, self.names)
        book = reference_of(self.game)
        found: list[dict[str, Any]]
        match ask.what:
            case "rules":
                found = wire.blocks(book.book.blocks)
            case "word":
                found = wire.blocks(answer(book, narrator, None if info.pending is None else choices(info), ask.arg))
            case "why":
                lines = [] if client.seat is None else list(book.why(reasons(self.play.state, client.seat), narrator))
                found = wire.blocks([wire.outline(lines or ["Nothing has changed yet."])])
            case "log":
                since = int(ask.arg) if ask.arg.isdecimal() and len(ask.arg) < 9 else 0
                scores = self._scores(client.seat, info)
                logged = events(
                    attrs.evolve(info, events=info.events[: since + MOST_LOGGED]), since, self.names, scores
                )
                found = [{"kind": "events", "events": [attrs.asdict(event) for event in logged]}]
            case _:
                if client.seat is None or info.pending is None:
                    raise Refused("not-yours", "a hint is for the player who must decide")
                if self.on_hint is None:
                    raise Refused("agent", "there are no hints at this table")
                self.on_hint(client, ask)
                return
        client.send(wire.write({"t": "answer", "id": ask.id, "what": ask.what, "blocks": found}))

    # ---- proposals

    def _propose_undo(self, seat: int) -> None:
        if self.play.withdraw(seat):
            self.keep_record()
            return
        if self.motion is not None:
            raise Refused("vote", "another proposal waits for votes")
        point = undo_point(self.play.state, seat, self.people, self.names, takes_forced=len(self.people) == 1)
        if isinstance(point, str):
            raise Refused("undo", point)
        self._propose(Motion("undo", seat, seat, "", point, set()))

    def _propose(self, motion: Motion) -> None:
        motion.waiting = {p for p in self.people if p not in (motion.by, motion.seat) and self.seats[p].present}
        self.motion = motion
        self._carry_motion()

    def _vote(self, seat: int, *, yes: bool) -> None:
        motion = self.motion
        if motion is None or seat not in motion.waiting:
            raise Refused("vote", "there is no proposal for you to vote on")
        if not yes:
            self.motion = None
            return
        motion.waiting.discard(seat)
        self._carry_motion()

    def _end_vote_of(self, seat: int) -> None:
        """Let a proposal go on without a player who is away."""
        if self.motion is not None and seat in self.motion.waiting:
            self.motion.waiting.discard(seat)
            self._carry_motion()

    def _carry_motion(self) -> None:
        motion = self.motion
        if motion is None or motion.waiting:
            return
        self.motion = None
        if motion.what == "undo":
            self.play.rewind(motion.point)
            self._keep([self.play.decisions])
            self.keep_record()
        else:
            self.seats[motion.seat].who = motion.who
            self.keep_record()

    # ---- seats

    def _rename(self, seat: int, name: str) -> None:
        before = self.seats[seat].name
        self.seats[seat].name = name
        try:
            assert self.names is not None
        except ValueError as error:
            self.seats[seat].name = before
            raise Refused("name", str(error)) from None
        self.keep_record()

    def _leave(self, client: Client) -> None:
        self.drop(client)
        client.dismiss("left")
        if client.seat is not None:
            self.away(client.seat)

    def _set_seat(self, client: Client, number: int, who: str) -> None:
        if not 0 <= number < len(self.seats):
            raise Refused("form", f"there is no seat {number}; seats are 0 to {len(self.seats) - 1}")
        if who != PERSON:
            try:
                name = read_name(who, (PERSON,))
                name.check(self.game)
            except AgentError as error:
                raise Refused("agent", str(error)) from None
            who = str(name)
        if client.host or client.seat == number:
            self.seats[number].who = who
            self.keep_record()
            return
        by = self._seat_of(client)
        if self.seats[number].present or self.seats[number].who != PERSON or who == PERSON:
            raise Refused("not-yours", "only the host may change this seat, unless its player is away")
        if self.motion is not None:
            raise Refused("vote", "another proposal waits for votes")
        self._propose(Motion("agent", by, number, who, 0, set()))

    def _new(self, client: Client) -> None:
        if not client.host:
            self._seat_of(client)
        if not self.play.is_over:
            raise Refused("over", "this play is not over yet")
        if self.on_new is None:
            raise Refused("over", "there is no new play at this table")
        self._begin(self.on_new(), self._random_bytes(16).hex())
        self.keep_play(self.spec)

    def _link(self, client: Client, request: wire.LinkRequest) -> bytes:
        self._for_host(client)
        place = str(request.seat)
        if place not in self.links.hashes:
            raise Refused("form", f"there is no link for `{place}`")
        if request.renew:
            self.links.renew(request.seat, self._random_bytes)
            self.keep_record()
            if isinstance(request.seat, int) and (before := self._at.pop(request.seat, None)) is not None:
                before.dismiss("replaced")
        token = self.links.known.get(place)
        if token is None:
            raise Refused("link", "this link was made before the server was started again; renew it")
        return wire.write({"t": "link", "id": request.id, "seat": request.seat, **self.link_url(token)})

    # ---- frames

    def publish(self) -> Iterator[None]:
        """Show every connected seat its frame, if it has changed: first the seat that made a request, spectators last.

        Others may be served after each frame, but nothing may change this table before the last one.
        """
        for seat, client in sorted(self._at.items(), key=lambda place: place[0] != self._requested_by):
            message, fresh = self._frame(seat)
            if fresh:
                client.show(message)
            yield
        if self._watching:
            message, fresh = self._frame(None)
            for client in self._watching if fresh else ():
                client.show(message)

    def number_of(self, seat: int | None) -> int:
        """Return the number of the last frame of a seat."""
        return self._numbers.get(seat, self._first_number)

    def _frame(self, seat: int | None) -> tuple[bytes, bool]:
        """Return the frame of a seat as a message, and whether its bytes have changed."""
        info = self.play.information(seat)
        since, scores = max(0, len(info.events) - LATEST_EVENTS), self._scores(seat, info)
        shown = self._frames.setdefault(seat, SeatFrames()).json(info, since, self.names, scores)
        body = b'{"table":' + shown.encode() + b"," + wire.write(self._around(info, self._answered(seat)))[1:]
        fresh = self._shown.get(seat) != body
        if fresh:
            self._shown[seat] = body
            self._numbers[seat] = self._numbers.get(seat, self._first_number) + 1
        number = self._numbers[seat]
        if seat is not None and self._decision_since.get(seat, (0, 0))[0] != self.play.moment:
            self._decision_since[seat] = (self.play.moment, number)
        return b'{"t":"frame","n":%d,' % number + body[1:], fresh

    def _scores(self, seat: int | None, info: InformationState) -> Mapping[int, str]:
        """Return of what the changes of scores are made that a seat observes."""
        if seat is None:
            return {}
        explainer = self._explainers.setdefault(seat, ScoreExplainer(self.game, seat))
        return explainer.explained(self.play.state, info)

    def _answered(self, seat: int | None) -> str | None:
        if seat is None or seat not in self.play.answers:
            return None
        draft = Draft(self.play.open.by_player[seat], self.play.answers[seat])
        return draft.text

    def _around(self, info: InformationState, answered: str | None) -> dict[str, Any]:
        """Return what a frame has besides the table: what is public, and the sealed answer of its own seat."""
        play, motion, fault = self.play, self.motion, self.play.fault
        over = play.is_over
        return {
            "you": info.seat,
            "deciding": [] if over else sorted(play.open.by_player),
            "answered": answered,
            "players": [
                {
                    "seat": number, "name": seat.name, "who": seat.who, "present": seat.present,
                    "at_random": seat.at_random == seat.who,
                }
                for number, seat in enumerate(self.seats)
            ],
            "motion": None if motion is None else self._motion_of(motion, info.seat),
            "can": {"undo": info.seat in self.people and motion is None and not over, "new": over},
            "result": None if info.outcome is None or fault is not None else {
                "returns": info.outcome.returns, "winners": info.outcome.winners, "seed": str(play.seed),
                "salt": self.salt,
            },
            "fault": None if fault is None else _fault(fault),
            "unkept": self._unkept(),
            "seal": self.seal,
        }  # fmt: skip

    def _unkept(self) -> str | None:
        """Return in words that the play cannot be written to the disk at the moment."""
        if self.kept is None or not self.kept.problem:
            return None
        problem = f"The server cannot write this play to its disk: {self.kept.problem}."
        return f"{problem}  Decisions made meanwhile are lost if the server stops; earlier ones are saved."

    def _motion_of(self, motion: Motion, reader: int | None) -> dict[str, Any]:
        """Return a proposal as a seat reads it."""
        by, seat = ("you" if one == reader else self.names.of(one) for one in (motion.by, motion.seat))
        s = "" if by == "you" else "s"
        text = f"want{s} to take back the last decision." if motion.what == "undo" else (
            f"propose{s} that {motion.who} plays for {seat}.")  # fmt: skip
        text = f"{by[:1].upper()}{by[1:]} {text}"
        return {
            "what": motion.what, "by": motion.by, "seat": motion.seat, "who": motion.who, "text": text,
            "waiting": sorted(motion.waiting),
        }  # fmt: skip


def _fault(fault: RuleError) -> dict[str, Any]:
    """Return a fault of the rules for players: its code and line, without any value of the play."""
    return {"code": fault.code, "text": "a rule of the spec cannot be executed; the play before it is saved",
            "line": None if fault.span is None else fault.span.line}  # fmt: skip
