"""The rulebook of a game, written from its spec, for people who have never seen the language.

It works on the syntax tree, which keeps the author's wording; the checked rules lend the cards and the types of
values.  No phrase is made for one game.  `book.write_book` writes a book, `page.markdown` prints it.  The package
imports nothing, so that its vocabulary (`words`) and the parts of a page (`page`) can be used without the rest.
"""
