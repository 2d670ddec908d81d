# SPDX-License-Identifier: MIT
# ringside: `make help` lists the targets.
CC ?= cc
CXX ?= c++
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
CXXFLAGS ?= -O2 -g

BUILD := build
ifeq ($(SANITIZE),1)
BUILD := build/sanitized
# gcc 12 takes the row of a matrix for the whole of it once the sanitizers have rewritten the code.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-stringop-overflow
endif

# Debian packages: what `make deps` installs when it is missing. README.md gives the reason for each.
PACKAGES := gcc g++ make pkg-config libopencv-core-dev libopencv-imgproc-dev libturbojpeg0-dev libpng-dev \
	libv4l-dev libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libjansson-dev espeak-ng libcmocka-dev
CHECK_PACKAGES := clang-format cppcheck universal-ctags

LIBRARIES := libturbojpeg libpng libv4l2 libavformat libavcodec libavutil libswscale jansson

# The OpenCV modules are named one by one: opencv4.pc would link all of them.
LDLIBS_ALL = -lopencv_imgproc -lopencv_core $(shell pkg-config --libs $(LIBRARIES)) -lstdc++ -lpthread -lm
INCLUDES = -I. $(shell pkg-config --cflags $(LIBRARIES))
WARN := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wundef -Wvla
CWARN := $(WARN) -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $(CWARN) $(CFLAGS) $(SANITIZERS)
ALL_CXXFLAGS = -std=c++17 $(WARN) $(CXXFLAGS) $(SANITIZERS) -isystem /usr/include/opencv4

SOURCES := $(sort $(wildcard calibration/*.c vision/*.c vision/*/*.c referee/*.c referee/*/*.c))
WRAPPER := vision/opencv_c/opencv_c.cpp
MAIN := referee/commands/main.c
LIB_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(MAIN),$(SOURCES))) $(BUILD)/vision/opencv_c/opencv_c.o
TESTS := $(sort $(shell find tests -name '*_test.c' 2>/dev/null))
TEST_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(TESTS))
PROGRAM := $(if $(SANITIZE),$(BUILD)/ringside,ringside)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all demo test check accuracy bench samples deps check-deps install uninstall clean help

all: deps ## build the program
	@$(MAKE) --no-print-directory $(PROGRAM)

# Without this rule a fresh machine would fail on the first missing header with no word on what to do.
deps: ## install the Debian packages that are missing
	@missing=$$(dpkg-query -W -f='$${Status} $${Package}\n' $(PACKAGES) 2>/dev/null | awk '/^install ok/ {print $$4}' | sort > /tmp/ringside-have.$$$$; \
	  printf '%s\n' $(PACKAGES) | sort | comm -23 - /tmp/ringside-have.$$$$; rm -f /tmp/ringside-have.$$$$); \
	if [ -n "$$missing" ]; then echo "installing:" $$missing; \
	  sudo=$$( [ "$$(id -u)" = 0 ] || echo sudo ); \
	  $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing; fi

$(PROGRAM): $(BUILD)/referee/commands/main.o $(LIB_OBJECTS)
	$(CXX) $(SANITIZERS) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(ALL_CXXFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(LIB_OBJECTS)
	$(CXX) $(SANITIZERS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS_ALL)

test: deps ## all tests (SANITIZE=1: with AddressSanitizer and UBSan)
	@$(MAKE) --no-print-directory $(PROGRAM) run-tests

.PHONY: run-tests
run-tests: $(TEST_PROGRAMS)
	@[ -n "$(TESTS)" ] || { echo "no test found"; exit 1; }
	@failed=0; for t in $(TEST_PROGRAMS); do \
	  echo "== $$t"; RINGSIDE=./$(PROGRAM) $$t || { failed=$$((failed + 1)); echo "FAILED $$t"; }; done; \
	echo "$(words $(TESTS)) test programs, $$failed failed"; [ $$failed = 0 ]

clean: ## remove everything that was built
	rm -rf build ringside

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
