"""The state machine of a spec as a picture: what is decided, by whom, what chance does, how play ends."""

from interpreter.drivers.graph.dot import dot
from interpreter.drivers.graph.drawing import draw
from interpreter.drivers.graph.mermaid import mermaid
from interpreter.drivers.graph.model import Edge, Graph, Group, Kind, Node

__all__ = ["Edge", "Graph", "Group", "Kind", "Node", "dot", "draw", "mermaid"]
