# Everything a developer needs; `make` alone lists the targets.

PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --quiet --disable-pip-version-check
PLAYABLE := $(VENV)/.playable
INSTALLED := $(VENV)/.installed
BROWSER := $(VENV)/.browser
DOCUMENTED := $(VENV)/.documented

# Every process that a test starts would compile the sources anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play test test-all test-tab test-learn soak lint bench installed ladder load profile handlers messages page cluster docs wheels tab coverage clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The environment is made once, and again when pyproject.toml or the page's sources change.
PAGE_TAKES := $(addprefix src/sintra/,components.py drawing/glyphs.py rules/rule_options.py table/codegen table/shown/messages)
SOURCES := pyproject.toml hatch_build.py $(shell find web $(PAGE_TAKES) \( -name node_modules -o -name tests -o -name __pycache__ \) -prune -o -type f -print)

NEEDED := import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*project["dependencies"], *project["optional-dependencies"]["compile"], sep="\n")

COMPILE := from sintra.table.workers.warm_up import compile_beginning; compile_beginning()

# The page is built while pip fetches the compiler, which then compiles what a first game needs. Python makes bytecode of
# what it imports; pip would first make it of everything.
$(PLAYABLE): export PIP_NO_COMPILE := 1
$(PLAYABLE): $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --no-deps --editable . & page=$$!; \
	$(PY) -c '$(NEEDED)' > $(VENV)/needed.txt && $(PIP) install --requirement $(VENV)/needed.txt \
	&& PYTHONPATH=src $(PY) -c "$(COMPILE)" || { kill $$page; exit 1; }; \
	wait $$page
	@touch $@

# pip would compile with one processor.
$(INSTALLED): $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --no-compile --editable '.[dev]'
	PYTHONWARNINGS=ignore $(PY) -m compileall -qq -j 0 $(VENV)/lib || true
	$(PY) hatch_build.py tools
	@touch $@ $(PLAYABLE) $(DOCUMENTED)

$(DOCUMENTED): $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --editable '.[docs]'
	@touch $@ $(PLAYABLE)

$(BROWSER): $(INSTALLED) tests/chromium.py
	$(PY) tests/chromium.py
	@touch $@

play: $(PLAYABLE) ## play at the table, in the browser
	$(VENV)/bin/sintra

# A third worker keeps two processors busy while the others wait for a browser or a server.
PYTEST := $(PY) -m pytest -n 3 --dist worksteal

test: $(INSTALLED) $(BROWSER) ## run the tests but those that take long: under ten minutes
	$(PY) tests/compile_ahead.py
	$(PYTEST) -m "not long"

# At a table in a tab it runs one test of each kind of screen: of nearly all it tests the same page and the same service.
test-all: test ## run all tests, those that take long too: under forty minutes
	$(PYTEST) -m long
	$(PYTEST) --tab -m tab tests/table/browser

test-tab: $(INSTALLED) $(BROWSER) ## run the tests of the page at a table in a browser's tab, without a network
	$(PYTEST) --tab tests/table/browser

# PyTorch's wheels are huge, so what needs them has an environment of its own.
LEARN := $(VENV)-learn
$(LEARN)/.installed: pyproject.toml
	$(PYTHON) -m venv $(LEARN)
	$(LEARN)/bin/python -m pip --quiet --disable-pip-version-check install --editable '.[dev,learn]'
	@touch $@

test-learn: $(LEARN)/.installed ## run the tests that need PyTorch
	$(LEARN)/bin/python -m pytest tests/learn/needs_torch.py

soak: $(INSTALLED) $(BROWSER) ## run the tests that have a long form, in that form: an hour and more
	$(PY) tests/compile_ahead.py
	$(PYTEST) --soak -o faulthandler_timeout=0

lint: $(INSTALLED) ## check style, format and types
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(PY) hatch_build.py check

# What Sintra's environments are compared with.
BESIDE := $(VENV)/.bench
$(BESIDE): pyproject.toml | $(INSTALLED)
	$(PIP) install --editable '.[bench]'
	@touch $@

bench: $(INSTALLED) $(BESIDE) ## measure engine, players and environments here, as tables and as JSON in build/
	$(VENV)/bin/sintra bench --out build/bench.json
	$(PY) bench/environments.py --json build/environments.json

installed: $(INSTALLED) ## measure what an installation weighs and how soon the first move comes
	$(PY) bench/installed.py $(WHEEL)

LADDER ?= build/ladder.jsonl --games 200 --seed 33 --minutes 600
ladder: $(INSTALLED) ## play the ladder of all levels and print it; if stopped, the same command goes on
	mkdir -p build
	$(PY) bench/ladder.py $(LADDER)

LOAD ?= --at sqlite:1:200 postgres:1:200 postgres:3:200 postgres:1:1000 postgres:3:1000
load: $(INSTALLED) ## measure the table with 200 and 1,000 games at once, on SQLite and PostgreSQL
	$(PY) bench/table_load.py $(LOAD)

profile: $(INSTALLED) ## show where the processor time of the table goes, with 60 games at once
	$(PY) bench/table_profile.py $(PROFILE)

handlers: $(INSTALLED) ## measure how long each endpoint of the table keeps its one thread busy
	PYTHONPATH=tests $(PY) bench/table_handlers.py

messages: $(INSTALLED) ## measure what a move and its messages cost the table, part by part
	$(PY) bench/table_messages.py

page: tab $(BROWSER) ## measure how heavy and how quick the page is, at a server and in a tab
	PYTHONPATH=tests $(PY) bench/page.py

cluster: $(INSTALLED) ## measure a Ray cluster against processes on the same cores
	PYTHONPATH=tests $(PY) bench/cluster_match.py

docs: $(DOCUMENTED) ## build the documentation site in build/site
	$(PY) docs/site/build_site.py build/site

# Zig's linker, for all systems, is 400 MB.
RELEASE := $(VENV)/.release
$(RELEASE): $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --editable '.[release]'
	@touch $@ $(PLAYABLE)

wheels: $(RELEASE) ## build the wheels of a release for all platforms in dist, and try those that run here
	$(PY) release/wheels.py $(WHEELS)

tab: $(INSTALLED) ## build the table that runs in a browser's tab, a static folder, in build/tab
	PYTHONPATH=. $(PY) release/tab_folder.py

coverage: $(INSTALLED) $(BROWSER) ## run all tests and show what they do not reach
	$(PYTEST) --cov --cov-report=term-missing:skip-covered

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) $(LEARN) web/node_modules src/sintra/table/page src/sintra/native build dist .coverage coverage.xml .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests docs -type d -name __pycache__ -prune -exec rm -rf {} +
