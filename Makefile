# Everything a developer needs; `make` alone lists the targets.

PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help play test lint bench coverage clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The environment is made once, and again when pyproject.toml changes.
$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

play: $(INSTALLED) ## play at the table
	@echo "The table to play at comes later. Until then: $(VENV)/bin/sintra --help"

test: $(INSTALLED) ## run all tests
	$(PY) -m pytest -n 2

lint: $(INSTALLED) ## check style, format and types
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy

bench: $(INSTALLED) ## measure engine and players here, as a table and as build/bench.json
	$(VENV)/bin/sintra bench --out build/bench.json

coverage: $(INSTALLED) ## run all tests and show what they do not reach
	$(PY) -m pytest -n 2 --cov --cov-report=term-missing:skip-covered

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) build dist .coverage coverage.xml .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -type d -name __pycache__ -prune -exec rm -rf {} +
