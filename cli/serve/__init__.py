"""A table in the browser: seats with links, one actor for each table, frames that depend on the seat alone.

`wire` reads and writes messages, `seats` has the links, `table` is what happens at one table without any network, `hub`
runs tables as actors, and `app` is the web application.  `docs/serving.md` is the protocol.
"""
