"""What a picture consists of, before anybody writes it down in a language for pictures."""

from __future__ import annotations

from enum import Enum

import attrs


class Kind(Enum):
    """What a node represents."""

    START = "start"
    """Where play, or a phase that is drawn separately, begins."""
    DECISION = "decision"
    """A player chooses."""
    CHANCE = "chance"
    """Cards are shuffled, or something is drawn by lot."""
    BRANCH = "branch"
    """Play goes one of several ways; the edges say when."""
    CALL = "call"
    """A phase is carried out that is drawn separately."""
    WHENEVER = "whenever"
    """A rule that waits for something to become true."""
    LEAVE = "leave"
    """A phase is left early that is drawn elsewhere."""
    BACK = "back"
    """A phase that is drawn separately is over, or a rule that waited; play goes on where it was."""
    END = "end"
    """The play is over."""


@attrs.frozen
class Node:
    """One thing that happens.

    `number` counts from 1 in the order of the text.  `title` is the phase that consists of this node alone,
    or empty; `lines` is what is written in it; `group` the number of the group that it lies in, or None.
    """

    number: int
    kind: Kind
    title: str
    lines: tuple[str, ...]
    group: int | None


@attrs.frozen
class Edge:
    """A way from one node to another, by their numbers; `labels` say when it is taken (none: always).

    Conditions stand in square brackets, verbs alone; after `/` is what happens on the way.  Each label
    is a case of its own.
    """

    source: int
    target: int
    labels: tuple[str, ...]


@attrs.frozen
class Group:
    """A phase around what belongs to it; `parent` is the number of the group around it, or None."""

    number: int
    title: str
    parent: int | None


@attrs.frozen
class Graph:
    """The state machine of one spec, for one number of players and one set of options."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...]
