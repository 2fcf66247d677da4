# Everything one does with this site. `make` alone lists it.

PORT ?= 8000
PYTHON := .venv/bin/python
PIP_INSTALL := $(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes

# A stamp carries the checksum of its lock and lies in the environment that it vouches for.
stamp = .venv/.installed-$(1)-$(shell cksum < $(1).txt | tr ' ' '-')
RUNTIME := $(call stamp,requirements)
DEV := $(call stamp,requirements-dev)
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard belote_site/locale/*/LC_MESSAGES/*.po))

# Whole files side by side, in the order in which they are collected: the browser's come last. Tests that wait for clocks
# and browsers leave processors idle, so there is one more worker than these.
PARALLEL := --numprocesses $(shell expr $$(nproc) + 1) --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# What production needs to be told, with values that are good for nothing but the check.
DEPLOYED := BELOTE_ENV=production BELOTE_ORIGINS=https://belote.example BELOTE_TRUSTED_PROXIES=1 \
	BELOTE_OPERATOR=Nobody BELOTE_CONTACT=nobody@belote.example \
	BELOTE_SECRET_KEY=used-by-the-check-only-0123456789-abcdefghijklmnopqrstuvwxyz

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev play test check screenshots messages lock

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(RUNTIME) $(CATALOGUES) ## make the virtual environment and the translations; quick when nothing changed

setup-dev: setup $(DEV) ## the same, and what the tests and checks need

$(RUNTIME):
	@if ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then \
		for python in python3.14 python3.13 python3.12 python3 none; do \
			"$$python" -c 'import ensurepip, sqlite3, ssl, sys, venv; sys.exit(sys.version_info < (3, 12))' \
				2>/dev/null && break; \
		done; \
		if [ "$$python" = none ]; then \
			echo "Belote needs Python 3.12 or newer with venv. Install it and try again. Debian 13, Ubuntu 24.04 or newer:" >&2; \
			echo "  apt install python3 python3-venv" >&2; \
			echo "An older system: install a newer Python beside its own, for instance with pyenv or uv," >&2; \
			echo "so that python3.12, python3.13 or python3.14 runs." >&2; \
			exit 1; \
		fi; \
		echo "Making the virtual environment with $$("$$python" --version)..."; \
		"$$python" -m venv --clear .venv; \
	fi
	@echo "Installing what the site needs to run..."
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(DEV): $(RUNTIME)
	@echo "Installing what the tests need..."
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@

%.mo: %.po | $(RUNTIME)
	@.venv/bin/pybabel --quiet compile --input-file $< --output-file $@

play: setup ## play on this machine; PORT=8000
	@case "$(PORT)" in ""|*[!0-9]*) echo "PORT must be a number, as in: make play PORT=9000" >&2; exit 2;; esac
	@$(PYTHON) manage.py migrate --verbosity 0
	@exec $(PYTHON) -m belote_site.server --bind 127.0.0.1 --port $(PORT)

test: check ## run the checks and the tests
	@echo "== pytest"
	@$(PYTHON) -m pytest $(PARALLEL) $(PYTEST)

check: setup-dev ## format, lint, types, imports, migrations, production settings
	@echo "== ruff format" && .venv/bin/ruff format --check --output-format concise .
	@echo "== ruff check" && .venv/bin/ruff check --output-format concise .
	@echo "== mypy" && .venv/bin/mypy --no-error-summary
	@echo "== import-linter" && .venv/bin/lint-imports --no-logo
	@echo "== migrations" && $(PYTHON) manage.py makemigrations --check --dry-run
	@echo "== check --deploy" && $(DEPLOYED) $(PYTHON) manage.py check --deploy --fail-level WARNING

screenshots: setup-dev ## a deal in pictures, in both sizes and all languages (needs Chromium)
	@BELOTE_REQUIRE_ALL=1 BELOTE_ALL_PICTURES=1 $(PYTHON) -m pytest --quiet tests/browser -k pictures

messages: setup-dev ## collect the sentences to translate (needs gettext)
	@$(PYTHON) manage.py makemessages --locale fr --locale et --locale th --no-obsolete --add-location file \
		--ignore '.*' --ignore node_modules --ignore staticfiles --ignore tests

lock: ## resolve requirements*.in anew (needs uv)
	@for name in requirements requirements-dev; do \
		uv pip compile --quiet --universal --generate-hashes --python-version 3.12 --no-emit-index-url \
			--custom-compile-command "make lock" $$name.in --output-file $$name.txt || exit 1; \
	done
