"""The rulebook of a game, written from its spec, for people who have never seen the language.

It works on the syntax tree, which still says things as their author said them; the checked rules lend the
cards and the kinds of values.  No way of saying something is made for one game.
"""

from interpreter.rulebook.book import write_book
from interpreter.rulebook.page import Book, markdown
from interpreter.rulebook.settle import Settled, settle

__all__ = ["Book", "Settled", "markdown", "settle", "write_book"]
