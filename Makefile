# `make play` and `make test` set up what each needs in .venv; PYTHON names another interpreter.

PYTHON ?= python3
# What Python compiles is kept beside the environment: two workers and many processes that tests start read it again.
export PYTHONDONTWRITEBYTECODE =
export PYTHONPYCACHEPREFIX = $(CURDIR)/.venv/.bytecode
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check

.PHONY: play test lint quick-tests coverage soak docs web-test

play: .venv/.play
	@$(BIN)/cardgame play chalice_and_wand

# Style and types are checked beside the tests: the type checker is one process, the tests are two.
test: .venv/.test
	@$(MAKE) --no-print-directory --jobs=2 lint quick-tests

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

quick-tests: .venv/.test
	@$(BIN)/python -m tests.web.served
	$(BIN)/pytest -n 2 --dist worksteal

# Stories of people with a browser. Playwright brings a Chromium where the system has none.
web-test: .venv/.web
	CARDGAME_WEB=1 $(BIN)/pytest -n 2 -m "web or not soak" tests/web

# What takes hours, a share of the time for each part; the next call goes on where this one ended.
MINUTES ?= 60
soak: .venv/.test
	$(PIP) --editable '.[rlcard]'
	$(BIN)/python -m tests.soak --minutes $(MINUTES) --jobs 2

# Which lines and branches of the four packages the quick tests reach. It takes two to three times as long as the tests.
coverage: .venv/.test
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n 2 --dist worksteal
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# The documentation site, in build/site: open build/site/index.html.
docs: .venv/.docs
	$(BIN)/python -m tests.docs.site
	@echo "The site is in build/site: open build/site/index.html"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("cardgame needs Python 3.11 or later" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

# Installed again only when the list of packages may have changed; playing needs a few of those that tests need.
.venv/.play: pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

.venv/.test: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[dev,openspiel,pettingzoo,vector]'
	@touch .venv/.play $@

.venv/.web: pyproject.toml | .venv/.test
	$(PIP) --editable '.[dev,web]'
	@test -z "$$($(BIN)/python -m tests.web.served)" || $(BIN)/playwright install --with-deps chromium
	@touch $@

.venv/.docs: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[docs,cards,openspiel,pettingzoo,gymnasium]'
	@touch .venv/.play $@
