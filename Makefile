# `make play` and `make test` set up everything they need in .venv; PYTHON names another interpreter.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: play test

play: $(STAMP)
	@$(BIN)/cardgame play chalice_and_wand

test: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist worksteal

# Installed again only when the list of packages may have changed.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("cardgame needs Python 3.11 or later" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,native,openspiel,pettingzoo]'
	@touch $(STAMP)
