# `make help` lists what there is. Nothing has to be installed beforehand but Python 3.11 or newer (and make).

HOST ?= 127.0.0.1
PORT ?= 8000
PROCESSES ?= 2
WORKERS ?= 2
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

# Where it is set, as in many containers, each of the hundred servers that tests start compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run cluster setup test test-many lint types layers migrations format browser proxy screenshots icons lock bench chaos bench-rules rules clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: .venv/.base ## serve the site: make run [HOST=127.0.0.1] [PORT=8000]
	@exec $(BIN)/python manage.py serve --host $(HOST) --port $(PORT)

setup: .venv/.dev ## make the environment (.venv) with everything in it

# Tests wait more than they work: one process more than there are processors, but not many.
WORKERS_OF_TESTS := $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -lt 3 ] && echo $$((n + 2)) || echo 5)
# A file's tests stay together; files go out in the order of tests/conftest.py, the longest first.
SHARED_OUT := --numprocesses $(WORKERS_OF_TESTS) --dist loadfile --no-loadscope-reorder

test: .venv/.dev lint types layers migrations browser proxy ## check everything: lint, types, layers, migrations, all tests
	$(BIN)/python manage.py check
	$(BIN)/python -m pytest $(SHARED_OUT) $(ARGS)
	$(if $(ARGS),,@$(MAKE) --no-print-directory test-many)

# What depends on the database and the broker, once more on the real ones. The rules, the scripts and the pages as
# people see them do not.
MANY := tests/workers tests/live tests/lobby tests/ratings tests/replays tests/site/test_pages.py tests/site/test_lobby.py \
	tests/site/test_accounts.py tests/site/test_admin.py tests/site/test_serve.py tests/site/test_profiles.py \
	tests/site/test_moderation.py tests/site/test_bad_input.py

test-many: .venv/.dev ## the tests that depend on it in the shape of many processes (PostgreSQL, Redis, workers)
	$(BIN)/python -m spitsite.cluster.services --forgetful $(BIN)/python -m pytest $(SHARED_OUT) \
		$(or $(ARGS),$(MANY))

lint: .venv/.dev ## ruff: faults and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: .venv/.dev ## put the code into the common format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: .venv/.dev ## mypy, strict
	$(BIN)/mypy

layers: .venv/.dev ## import-linter: who may know whom
	$(BIN)/lint-imports

migrations: .venv/.dev ## is a migration missing?
	$(BIN)/python manage.py makemigrations --check --dry-run

browser: .venv/.dev ## get a Chromium for the browser tests, if there is none
	@$(BIN)/python tests/chromium.py

proxy: .venv/.dev ## get an nginx for the test behind a proxy, if there is none
	@$(BIN)/python tests/nginx.py

cluster: .venv/.dev ## the site in many processes: make cluster [PORT=8000] [PROCESSES=2] [WORKERS=2] [ARGS=--fresh]
	@exec $(BIN)/python manage.py cluster --host $(HOST) --port $(PORT) --processes $(PROCESSES) --workers $(WORKERS) $(ARGS)

bench: .venv/.dev ## the live path under load; prints figures
	$(BIN)/python -m tests.scale.bench $(ARGS)

DURATION ?= 600
chaos: .venv/.dev ## everything fails at random while matches are played; then the books are checked: make chaos [DURATION=600]
	$(BIN)/python -m tests.scale.chaos --duration $(DURATION) $(ARGS)

rules: .venv/.dev ## the rules at length: every branch, many random matches, 100,000 states against a second reading
	RULES_EXAMPLES=60 $(BIN)/python -m pytest tests/rules --cov=games.rules --cov-branch --cov-fail-under=100 \
		--cov-report=term-missing:skip-covered
	$(BIN)/python -m tests.rules.naive 100000

# chess is GPL: it is put beside ours here, and used for nothing else.
bench-rules: .venv/.dev ## what judging a play costs, beside python-chess; prints figures
	$(PIP) install --quiet "chess>=1.11,<2"
	$(BIN)/python -m tests.scale.bench_rules $(ARGS)

screenshots: .venv/.dev browser ## pictures of all pages, to look at: make screenshots [DIR=var/screenshots]
	$(BIN)/python -m tests.screenshots $(or $(DIR),var/screenshots)

icons: .venv/.dev browser ## draw the app's icons and the picture of shared links anew
	$(BIN)/python -m tests.icons

lock: .venv/.dev ## choose the newest allowed versions of all dependencies, with their hashes
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile $(LOCK) pyproject.toml -o requirements/base.txt
	$(BIN)/uv pip compile $(LOCK) pyproject.toml --group dev -c requirements/base.txt -o requirements/dev.txt

LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --quiet --upgrade \
	--custom-compile-command "make lock"

clean: ## throw away what can be made again; the database stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache var/static var/static.stamp
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- The environment: .base to run the site, .dev to work on it --------------------------------------------------------

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
			"If there is a newer one under another name: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "This Python comes without venv. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Making the environment in .venv …"
	@$(PYTHON) -m venv .venv

.venv/.base: requirements/base.txt | .venv/bin/python
	@echo "Installing what the site is made of …"
	@$(PIP) install --quiet --require-hashes -r requirements/base.txt
	@touch $@

.venv/.dev: requirements/dev.txt .venv/.base
	@echo "Installing what it is worked on with …"
	@$(PIP) install --quiet --require-hashes -r requirements/dev.txt
	@touch $@
