"""Settings of Sphinx for the documentation site; `python -m tests.docs.site` writes the pages and builds them."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent

project = "cardgame"
html_title = "cardgame"
author = "the authors of cardgame"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]

# Headings get the anchors that they have on GitHub, so that the same links lead to them.
myst_heading_anchors = 4
myst_fence_as_directive: list[str] = []
suppress_warnings = [
    "myst.header",  # Rulebooks begin some parts below the second level.
    "misc.highlighting_failure",  # Examples of diagnostics have signs that no spec can have.
]

# Docstrings mark code with single backticks.
default_role = "code"
autodoc_default_options = {"exclude-members": "Stepped"}  # An alias whose text is no name of the page.
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_class_signature = "separated"
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_static_path = [str(HERE / "static"), str(HERE / "vendor")]
html_css_files = ["site.css"]
html_js_files = [("mermaid.tiny.js", {"defer": "defer"}), ("diagrams.js", {"defer": "defer"})]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
