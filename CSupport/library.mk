# Installs and removes a C library: header, static and shared library, and .pc file. The makefiles of the libraries include
# it after they have set NAME, VERSION, HEADER, STATIC and SHARED, and their rule `lib` builds the two libraries.
#
# PREFIX, LIBDIR, INCLUDEDIR, DESTDIR as GNU defines them.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
STRIP ?= strip

# Programs keep working as long as the first number of the version stays.
SONAME := lib$(NAME).so.$(firstword $(subst ., ,$(VERSION)))

.PHONY: lib install install-strip uninstall FORCE

# The .pc file locates its folders relative to itself, so that the installed tree can be moved.
install: lib
	install -d '$(DESTDIR)$(INCLUDEDIR)' '$(DESTDIR)$(LIBDIR)/pkgconfig'
	install -m 644 $(HEADER) '$(DESTDIR)$(INCLUDEDIR)'
	install -m 644 $(STATIC) '$(DESTDIR)$(LIBDIR)'
	install -m 755 $(SHARED) '$(DESTDIR)$(LIBDIR)'
	ln -sf $(notdir $(SHARED)) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/lib$(NAME).so'
	sed -e 's|@version@|$(VERSION)|' \
	  -e "s|@prefix@|$$(realpath -ms --relative-to='$(LIBDIR)/pkgconfig' '$(or $(PREFIX),/)')|" \
	  -e "s|@libdir@|$$(realpath -ms --relative-to='$(or $(PREFIX),/)' '$(LIBDIR)')|" \
	  -e "s|@includedir@|$$(realpath -ms --relative-to='$(or $(PREFIX),/)' '$(INCLUDEDIR)')|" \
	  $(HERE)/$(NAME).pc.in > '$(DESTDIR)$(LIBDIR)/pkgconfig/$(NAME).pc'

# As distributions ship it. The files in $(BUILD) keep their symbols, for a package of debug symbols.
install-strip: install
	$(STRIP) --strip-unneeded '$(DESTDIR)$(LIBDIR)/$(notdir $(SHARED))'
	$(STRIP) --strip-debug '$(DESTDIR)$(LIBDIR)/$(notdir $(STATIC))'

# Removes what `install` installs, and nothing else; the folders stay.
uninstall:
	rm -f '$(DESTDIR)$(INCLUDEDIR)/$(notdir $(HEADER))' '$(DESTDIR)$(LIBDIR)/$(notdir $(STATIC))' \
	  '$(DESTDIR)$(LIBDIR)/$(notdir $(SHARED))' '$(DESTDIR)$(LIBDIR)/$(SONAME)' \
	  '$(DESTDIR)$(LIBDIR)/lib$(NAME).so' '$(DESTDIR)$(LIBDIR)/pkgconfig/$(NAME).pc'

# `$(call remember,COMMAND)` writes the file `command` in BUILD, and changes it when the compiler or its flags change, so
# that everything is built again. An installation that names neither installs what was built: `sudo make install` may see
# other variables than `make lib` did.
remember = @mkdir -p $(BUILD); echo '$(1)' | cmp -s - $@ || echo '$(1)' > $@
builds = $(if $(filter-out default file undefined,$(foreach name,$(1),$(origin $(name)))),yes,$(if \
  $(filter install%,$(MAKECMDGOALS)),,yes))
