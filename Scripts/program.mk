# Builds vadmon as it will be installed, and installs it: build/program has the same layout as PREFIX. The Makefile
# includes this file.
#
# Whether to build is determined from the files in build/program, without running Swift: after `make build`,
# `sudo make install` only copies, even if root has no Swift on its PATH.
#
# PREFIX, BINDIR, DATADIR, MANDIR and DESTDIR have the meanings of the GNU Coding Standards.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
STRIP ?= strip

STAGED := build/program
PROGRAM := $(STAGED)/bin/vadmon
PROGRAM_SOURCES := Package.swift Package.resolved Scripts/make-manual.swift Scripts/program.mk \
  $(shell find Sources CSupport -name '*.swift' -o -name '*.[ch]' -o -name '*.modulemap') \
  $(wildcard Sources/Charts/Report/page/*)

MANUAL := $(addprefix vadmon,.1 $(addsuffix .1,-analyze -live -devices -label -compare -pause -tune -bench))
# The folders below share/ in which bash-completion, zsh and fish look.
COMPLETIONS := bash-completion/completions/vadmon zsh/site-functions/_vadmon fish/vendor_completions.d/vadmon.fish

# Links the run-time libraries of Swift and of C++ statically, exports nothing, and sets no search path for libraries,
# because none are installed beside the program. Only Swift's run-time library needs the one of C++: the linker takes its
# archive from a folder that has nothing else. So that building again gives the same bytes, modules of C do not record when
# their headers were written, nor objects a hash of what the compiler had in memory, which it needs to skip work.
STATIC := .build/static
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath --product vadmon \
  -Xswiftc -L$(STATIC) -Xlinker --no-export-dynamic -Xcc -Xclang -Xcc -fno-pch-timestamp \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen

# The packages that a build has resolved, or that a release pins. Without the file, there is a new build.
Package.resolved:

# A single rule, so that all files come from one build. The program is written last.
$(PROGRAM): $(PROGRAM_SOURCES)
	@Scripts/install-dependencies.sh build
	mkdir -p $(STATIC)
	ln -sf "$$($(CC) -print-file-name=libstdc++.a)" $(STATIC)
	$(RELEASE)
	rm -rf $(STAGED)
	mkdir -p $(STAGED)/bin $(STAGED)/share/man/man1 $(dir $(addprefix $(STAGED)/share/,$(COMPLETIONS)))
	set -e; vadmon="$$($(RELEASE) --show-bin-path)/vadmon"; \
	"$$vadmon" --experimental-dump-help | \
	  $(SWIFT) Scripts/make-manual.swift "$$("$$vadmon" --version)" $(STAGED)/share/man/man1; \
	"$$vadmon" --generate-completion-script bash > $(STAGED)/share/$(word 1,$(COMPLETIONS)); \
	"$$vadmon" --generate-completion-script zsh > $(STAGED)/share/$(word 2,$(COMPLETIONS)); \
	"$$vadmon" --generate-completion-script fish > $(STAGED)/share/$(word 3,$(COMPLETIONS)); \
	install -s --strip-program='$(STRIP)' "$$vadmon" $@

.PHONY: install-program uninstall-program
install-program: $(PROGRAM)
	install -D -m 755 $(PROGRAM) '$(DESTDIR)$(BINDIR)/vadmon'
	install -d '$(DESTDIR)$(MANDIR)/man1'
	install -m 644 $(addprefix $(STAGED)/share/man/man1/,$(MANUAL)) '$(DESTDIR)$(MANDIR)/man1'
	$(foreach file,$(COMPLETIONS),install -D -m 644 $(STAGED)/share/$(file) '$(DESTDIR)$(DATADIR)/$(file)' &&) :

uninstall-program:
	rm -f '$(DESTDIR)$(BINDIR)/vadmon' $(foreach page,$(MANUAL),'$(DESTDIR)$(MANDIR)/man1/$(page)') \
	  $(foreach file,$(COMPLETIONS),'$(DESTDIR)$(DATADIR)/$(file)')
