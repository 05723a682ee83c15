# limitlab's build.  `make help` lists what it can do.
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS add to what the code needs and never replace it.  Each BUILD folder
# is a world of its own, so that variants live side by side: make CC=clang BUILD=build/clang unit

BUILD  ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

CLANG   := $(shell $(CC) --version 2>/dev/null | grep -c clang)
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Werror $(if $(filter 0,$(CLANG)),$(GCCWARN))
# Whether gcc thinks that something may be uninitialized depends on how hard it optimises: no error.
GCCWARN  = -Wjump-misses-init -Wno-error=maybe-uninitialized
# What results depend on: contraction gives other bits where a multiplication and an addition can be fused.
NEEDED   = -std=gnu11 -fno-fast-math -ffp-contract=off -I$(BUILD)/made
COMPILE  = $(CC) $(CPPFLAGS) -O2 -g $(WARN) $(CFLAGS) $(NEEDED)
LINK     = $(COMPILE) $(LDFLAGS)
LIBS     = -lsqlite3 -lcsv -lyaml -ljansson -lgmp -lpthread $(LDLIBS)
TESTLIBS = -lcmocka -lm $(LIBS)
SANITIZE = -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

# New files are picked up by themselves.  tests/test_*.c and tests/fuzz/fuzz_*.c are programs, others help.
SOURCES  := $(sort $(foreach dir,engine algos harness reports,$(wildcard $(dir)/*.c $(dir)/*/*.c)))
PARTS    := $(filter-out harness/main.c,$(SOURCES))
HELPERS  := $(filter-out tests/test_%.c,$(wildcard tests/*.c))
TESTS    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/test_*.c))
SCRIPTS  := $(addprefix tests/,counts.sh style.sh claims.sh determinism.sh readme.sh page.sh)
FUZZERS  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
object    = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# Builds whose results must be the same to the byte: compiler, then what is different about it.
VARIANTS ?= gcc-O0 $(if $(shell command -v clang),clang-O3)
FLAGS_O0        = -O0
FLAGS_O3        = -O3
FLAGS_sanitized = $(SANITIZE)
BUILDS          = $(VARIANTS:%=$(BUILD)/variants/%)

# What the tests may ask for.
export BUILD CC FUZZ_SECONDS
export LIMITLAB := $(abspath $(BUILD)/limitlab)
export ASAN_OPTIONS ?= detect_leaks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS ?= print_stacktrace=1

# Recipes show what they make; with V=1, how.
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $@; )
MAKEFLAGS += --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run test unit style bench asan fuzz fuzzers tidy install clean help setup always

all: $(BUILD)/limitlab         ## build build/limitlab
run test unit asan fuzz: SETUP = install

run: $(BUILD)/limitlab         ## the main job: one scenario through many designs, and a report
	$(BUILD)/limitlab compare scenarios/three-regions.yaml --db $(BUILD)/results.db --out $(BUILD)/report

test: $(BUILD)/limitlab $(TESTS) $(BUILDS)    ## every test: programs, style, determinism, README
	@VARIANTS='$(BUILDS)' tests/run.sh $(BUILD)/logs $(TESTS) $(SCRIPTS)

unit: $(BUILD)/limitlab $(TESTS)    ## the test programs alone
	@tests/run.sh $(BUILD)/logs $(TESTS)

style:                         ## the rules of the house alone: includes, words, lengths
	@tests/run.sh $(BUILD)/logs tests/style.sh

bench: $(BUILD)/limitlab       ## how fast this build is on this machine
	$(BUILD)/limitlab bench
	@echo 'Spin:' && for world in 'get-then-set 5 2 5' 'cas 5 2 5'; do \
		echo "$$world: $$(TMPDIR=$(BUILD) tests/spin.sh $$world 2>&1)"; done

asan:                          ## the test programs under the address and undefined-behaviour sanitizers
	@$(MAKE) BUILD=$(BUILD)/asan CFLAGS='$(SANITIZE) $(CFLAGS)' unit

fuzz:                          ## hostile input for every reader, FUZZ_SECONDS=60 each (clang)
	@.ci/setup install ci
	@$(MAKE) CC=clang BUILD=$(BUILD)/fuzz CFLAGS='$(SANITIZE) -fsanitize=fuzzer-no-link $(CFLAGS)' fuzzers

fuzzers: $(FUZZERS:%=%.sh)
	@tests/run.sh $(BUILD)/logs $^

tidy: $(BUILD)/made/embedded_text.h    ## clang-tidy over everything
	@printf '%s\0' $(SOURCES) | \
		xargs -0 -n 4 -P $(shell nproc) sh -c 'clang-tidy --quiet "$$@" -- $(NEEDED)' tidy

install: $(BUILD)/limitlab     ## binary, plug-in headers and man page below DESTDIR, in PREFIX=/usr/local
	install -D -t $(DESTDIR)$(PREFIX)/bin $(BUILD)/limitlab
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/limitlab engine/limiter.h engine/wide.h
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 harness/limitlab.1

clean:                         ## remove what was built
	rm -rf $(BUILD)

help:                          ## this list
	@awk -F ':.*##[ ]*' '/^[a-z]+:.*##/ { printf "make %-9s%s\n", $$1, $$2 }' Makefile
	@echo 'Variables: BUILD, CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, PREFIX, DESTDIR, FUZZ_SECONDS.'

# run and test install what is missing; a plain make only says so.
setup:
	@.ci/setup $(or $(SETUP),check)

# Changed flags rebuild everything; a file that went away links again.
$(BUILD)/flags: export STAMP = $(LINK) $(LIBS)
$(BUILD)/sources: export STAMP = $(SOURCES) $(HELPERS)
$(BUILD)/flags $(BUILD)/sources: always
	@mkdir -p $(@D); echo "$$STAMP" | cmp -s - $@ || echo "$$STAMP" >$@

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) -MMD -MP -c -o $@ $<

# What the program carries along: its pages' style and script, the protocols' own text.
EMBEDDED := harness/page.css harness/page.js $(wildcard algos/*/*.c)
$(BUILD)/made/embedded_text.h: harness/embed.awk $(EMBEDDED) $(BUILD)/sources
	@mkdir -p $(@D)
	$(call say,AWK)awk -f $< $(EMBEDDED) >$@
$(patsubst %,$(BUILD)/%/harness/embedded.o,obj $(VARIANTS:%=variants/%.obj)): \
	$(BUILD)/made/embedded_text.h

$(BUILD)/limitlab: $(call object,$(SOURCES)) $(BUILD)/sources
	$(call say,LINK)$(LINK) -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/parts.a: $(call object,$(PARTS) $(HELPERS)) $(BUILD)/sources | setup
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/tests/test_%: $(BUILD)/obj/tests/test_%.o $(BUILD)/parts.a
	@mkdir -p $(@D)
	$(call say,LINK)$(LINK) -o $@ $^ $(TESTLIBS)

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/parts.a
	@mkdir -p $(@D)
	$(call say,LINK)$(LINK) -fsanitize=fuzzer -o $@ $^ $(TESTLIBS)

$(BUILD)/tests/fuzz/fuzz_%.sh: tests/fuzz.sh $(BUILD)/tests/fuzz/fuzz_%
	@ln -sf $(abspath $<) $@

define variant
$(BUILD)/variants/$(1): $(SOURCES:%.c=$(BUILD)/variants/$(1).obj/%.o) $(BUILD)/sources
	$$(call say,LINK)$$(VARIANT) -o $$@ $$(filter %.o,$$^) $$(LDFLAGS) $$(LIBS)

$(BUILD)/variants/$(1) $(BUILD)/variants/$(1).obj/%: VARIANT = \
	$(firstword $(subst -, ,$(1))) $$(CPPFLAGS) -w $$(CFLAGS) $$(FLAGS_$(lastword $(subst -, ,$(1)))) $$(NEEDED)

$(BUILD)/variants/$(1).obj/%.o: %.c $(BUILD)/flags | setup
	@mkdir -p $$(@D)
	$$(call say,CC)$$(VARIANT) -MMD -MP -c -o $$@ $$<
endef
$(foreach name,$(VARIANTS),$(eval $(call variant,$(name))))

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
