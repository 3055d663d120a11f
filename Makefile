# make demo    render every problem into build/ (needs Python 3.11+ and nothing else)
# make test    run all tests          make lint    ruff and mypy
# make site    a practice site of the bundled problems in build/site (needs npm, and the network once)
# make bench   run the benchmarks     make clean   remove what the others made, except .venv
# make test-oldest   the core of the tests, with the oldest libraries that are allowed
# make test-pythons  the same with every Python from 3.11 on that is found on this machine
# make pictures   make those of README and gallery again (needs TeX, poppler, librsvg, Chromium and ImageMagick)
#
# Another interpreter: make demo PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
# What can be tested without programs besides Python, and what these tests need.
CORE := tests/exact tests/loader tests/ops tests/verifier tests/exams tests/test_problems.py tests/test_surroundings.py
FOR_THE_CORE := pytest pytest-timeout pytest-xdist hypothesis jsonschema 'mpmath<1.4' numpy babel
BIN := $(VENV)/bin

.PHONY: demo site test test-oldest test-pythons lint bench pictures clean messages

demo: $(VENV)/.installed
	$(BIN)/attnsolve render problems/ problems/symbols/ -o build/ --force
	$(BIN)/attnsolve render problems/ problems/symbols/ -o build/ --to latex --force
	@echo "The worked solutions are in build/: Markdown (.md) and LaTeX (.tex)."

site: $(VENV)/.installed
	$(BIN)/attnsolve site problems/ problems/symbols/ -o build/site
	@echo "See it: $(BIN)/attnsolve site --serve -o build/site"

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --dist loadfile

# The oldest versions that pyproject.toml allows, in a folder of their own; what the tests themselves need is new.
test-oldest: | $(BIN)/python
	$(BIN)/python -m venv build/oldest
	$(BIN)/python -m tools.oldest > build/oldest/constraints.txt
	build/oldest/bin/python -m pip install --quiet -e . -c build/oldest/constraints.txt
	build/oldest/bin/python -m pip install --quiet $(FOR_THE_CORE)
	build/oldest/bin/python -m pytest -n auto $(CORE)

# Each has a folder of its own; what is not found is told, and is no fault.
test-pythons:
	@mkdir -p build
	@$(PYTHON) -m tools.pythons > build/pythons.txt
	@while read -r version python; do \
	    echo "Python $$version: $$python"; \
	    "$$python" -m venv "build/python-$$version" && \
	    "build/python-$$version/bin/python" -m pip install --quiet -e . -c constraints.txt $(FOR_THE_CORE) && \
	    "build/python-$$version/bin/python" -m pytest -n auto $(CORE) || exit 1; \
	done < build/pythons.txt

messages: $(VENV)/.installed-dev
	$(BIN)/python -m tools.messages

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.growth -o docs/performance.md
	$(BIN)/python -m benchmarks.browser
	$(BIN)/python -m benchmarks.generations
	$(BIN)/python -m benchmarks

pictures: $(VENV)/.installed
	$(BIN)/python docs/pictures.py

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find attnsolve tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# The stamps make a second call cost nothing.
$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e . -c constraints.txt
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e '.[dev,torch]' -c constraints.txt
	@touch $@ $(VENV)/.installed

# ensurepip is asked for first: without it `python -m venv` fails halfway and leaves a broken folder.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "attnsolve needs Python 3.11 or newer; name one: make demo PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	    { echo "$(PYTHON) cannot make virtual environments; on Debian: apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
