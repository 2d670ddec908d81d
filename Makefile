# SPDX-License-Identifier: MIT
# ringside: `make help` lists the targets.
CC ?= cc
CXX ?= c++
PREFIX ?= /usr/local
# -O3 takes 8 to 14 % of -O2's time off a photograph and 4 % off a recording, to the same last digit of every number; allowing
# for no errno and no trapping arithmetic adds nothing to it. Under the sanitizers it only compiles longer; what those say needs
# lines and names of functions, without which of the rest it compiles a seventh faster.
OPTIMISATION := $(if $(SANITIZE)$(COVERAGE),-O2,-O3)
DEBUGGING := $(if $(SANITIZE),-g1,-g)
CFLAGS ?= $(OPTIMISATION) $(DEBUGGING)
CXXFLAGS ?= $(OPTIMISATION) $(DEBUGGING)

BUILD := build
ifeq ($(SANITIZE),1)
BUILD := build/sanitized
# gcc 12 takes the row of a matrix for the whole of it once the sanitizers have rewritten the code. A null pointer, the end of an
# object and a pointer that has run off AddressSanitizer sees when they are used; to look before each use as well takes a third longer.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-stringop-overflow
endif
ifeq ($(SANITIZE),thread)
BUILD := build/thread
SANITIZERS := -fsanitize=thread -fno-omit-frame-pointer
# Finding boards and pieces is arithmetic in one thread, on pictures that capture and tracking, which are looked at, also read: to
# look at each of its loads takes several minutes of a test.
$(addprefix $(BUILD)/vision/,board/%.o pieces/%.o): private SANITIZERS := -fno-omit-frame-pointer
export TSAN_OPTIONS := suppressions=$(CURDIR)/tests/tsan.supp halt_on_error=1 exitcode=66
endif
# Every command of a line, and every way out of it, is counted. Nothing is inlined, so that what is written once counts once.
ifeq ($(COVERAGE),1)
BUILD := build/coverage
SANITIZERS := --coverage -fno-inline
# child.h asks for it, but weakly, which takes nothing out of a library.
LDFLAGS += -Wl,-u,__gcov_dump
endif

ifeq ($(SANITIZE),fuzz)
BUILD := build/fuzz
CC := clang
CXX := clang++
OPTIMISATION := -O1
# What there is to warn of, gcc has said.
SANITIZERS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -w
# Which number a pixel was compared with guides nobody, and takes half the time.
$(addprefix $(BUILD)/vision/,board/%.o pieces/%.o track/%.o): private SANITIZERS += -fno-sanitize-coverage=trace-cmp
endif

# Debian packages: what `make deps` installs when it is missing. README.md gives the reason for each.
PACKAGES := gcc g++ make pkg-config libopencv-core-dev libopencv-imgproc-dev libopencv-calib3d-dev \
	libturbojpeg0-dev libpng-dev libv4l-dev libavformat-dev libavcodec-dev libavutil-dev libswscale-dev \
	libjansson-dev libarchive-dev libsqlite3-dev libmicrohttpd-dev libqrencode-dev libfreetype-dev fonts-dejavu-core \
	libespeak-ng-dev libasound2-dev libcmocka-dev
# What the pages are looked at with; its driver comes from npm, into build/pages.
PAGES_PACKAGES := chromium-headless-shell nodejs $(if $(shell command -v npm),,npm)
PAGES_MODULES := playwright-core@1.65.1 axe-core@4.14.1
# A machine with a camera, emulated.
CAMERA_PACKAGES := qemu-system-x86 busybox-static kmod v4l-utils
MEMCHECK_PACKAGES := valgrind
CHECK_PACKAGES := clang-format cppcheck universal-ctags clang libclang-rt-14-dev locales

LIBRARIES := libturbojpeg libpng libv4l2 libavformat libavcodec libavutil libswscale jansson libarchive sqlite3 libmicrohttpd libqrencode \
	freetype2 espeak-ng alsa

# The OpenCV modules are named one by one: opencv4.pc would link all of them.
LDLIBS_ALL = -lopencv_calib3d -lopencv_imgproc -lopencv_core \
	$(shell pkg-config --libs $(LIBRARIES)) -lstdc++ -lpthread -lm
INCLUDES = -I. $(shell pkg-config --cflags $(LIBRARIES))
WARN := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wundef -Wvla -Wconversion
CWARN := $(WARN) -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum
# clang misses the rest of a row that says by its first field that it is the last.
CWARN += $(if $(findstring clang,$(CC)),-Wno-missing-field-initializers)
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $(CWARN) $(CFLAGS) $(SANITIZERS)
ALL_CXXFLAGS = -std=c++17 $(WARN) $(CXXFLAGS) $(SANITIZERS) -isystem /usr/include/opencv4

SOURCES := $(sort $(wildcard calibration/*.c vision/*.c vision/*/*.c referee/*.c referee/*/*.c))
WRAPPER := vision/opencv_c/opencv_c.cpp
MAIN := referee/commands/main.c
LIB_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(MAIN),$(SOURCES))) $(BUILD)/vision/opencv_c/opencv_c.o \
	$(BUILD)/referee/announce/web_pages.o
TESTS := $(sort $(shell find tests -name '*_test.c' 2>/dev/null))
# Under ThreadSanitizer those in which a thread of ours runs: capture, live tracking and recording themselves, and every command
# that reads a camera through them; those that decode footage, which FFmpeg does in threads of its own; the voice, the letters, and the pages.
THREADED := calibration/interrupt vision/source/capture vision/source/footage vision/source/remux vision/source/clip vision/source/recorder \
	vision/source/stream vision/source/webcam vision/track/live_tracking vision/typeface referee/announce/clip_maker referee/announce/movie referee/announce/replay referee/announce/voice \
	referee/announce/web referee/announce/web_abuse \
	referee/commands/calibrate_lens referee/commands/calibrate_board referee/commands/review
ifeq ($(SANITIZE),thread)
TESTS := $(THREADED:%=tests/%_test.c)
endif
TEST_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(TESTS))
# What a test does itself takes less than to optimise it.
$(TEST_PROGRAMS:%=%.o): private OPTIMISATION := -O1
# Long command lines only with V=1.
Q := $(if $(V),,@)
PROGRAM := $(if $(SANITIZE)$(COVERAGE),$(BUILD)/ringside,ringside)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all program packages demo demo-files test test-busy test-pages pages-deps pictures test-camera camera-deps coverage coverage-report memcheck memcheck-deps same check analyze accuracy weights damage bench bench-pages soak fuzz torture samples deps \
	check-deps install uninstall clean help

# Beside the user's own -j, as many compilers as there are processors.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
SUBMAKE = $(MAKE) --no-print-directory $(PARALLEL)
# Tests that watch a game wait for its clock: twice as many at once leave no processor idle meanwhile.
WAITING_SUBMAKE = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell expr 2 \* $$(nproc)))

# What somebody installs on his machine he decides himself; what shows and tests the program gets what it needs.
all: packages ## build the program; packages that are missing are named, not installed
	@+$(SUBMAKE) $(PROGRAM)
program: deps
	@+$(SUBMAKE) $(PROGRAM)

# Without these rules a fresh machine would fail on the first missing header with no word on what to do. This ends the recipe well
# where nothing is missing, and else leaves what is in $missing.
FIND_MISSING = command -v dpkg-query >/dev/null || { echo "not a Debian system; needed are: $(NEEDED)"; exit 0; }; \
	have=" $$(dpkg-query -W -f='$${db:Status-Abbrev}=$${Package}\n' $(NEEDED) 2>/dev/null | sed -n 's/^ii *=//p' | tr '\n' ' ')"; \
	missing=; for p in $(NEEDED); do case "$$have" in *" $$p "*) ;; *) missing="$$missing $$p" ;; esac; done; \
	[ -z "$$missing" ] && exit 0; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo
packages deps: NEEDED = $(PACKAGES)
check-deps: NEEDED = $(CHECK_PACKAGES)
pages-deps: NEEDED = $(PAGES_PACKAGES)
camera-deps: NEEDED = $(CAMERA_PACKAGES)
memcheck-deps: NEEDED = $(MEMCHECK_PACKAGES)
packages:
	@$(FIND_MISSING); \
	echo "missing:$$missing"; \
	echo "'make deps' installs what is missing, or by hand: $${sudo:+$$sudo }apt-get install --no-install-recommends$$missing"; exit 1
deps: ## install the Debian packages that are missing
check-deps: ## install the packages that `make check` needs
deps check-deps pages-deps camera-deps memcheck-deps:
	@$(FIND_MISSING); \
	echo "installing:$$missing"; \
	$$sudo apt-get update -qq && \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null || \
	  { echo "could not install:$$missing; do it by hand, then call make again"; exit 1; }

$(PROGRAM): $(BUILD)/referee/commands/main.o $(LIB_OBJECTS)
	@echo "  LINK $@"
	$(Q)$(CXX) $(SANITIZERS) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

# A bundle says which commit it was made by.
COMMIT := $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
$(BUILD)/referee/commands/version.o: CFLAGS += $(if $(COMMIT),-DRINGSIDE_COMMIT='"$(COMMIT)"')
$(BUILD)/referee/commands/version.o: $(BUILD)/commit
$(BUILD)/commit: always
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@

# Changes when the flags that all objects have do, so that no object of older ones is linked.
$(BUILD)/flags: always
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CFLAGS) $(CXX) $(ALL_CXXFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS) $(CXX) $(ALL_CXXFLAGS)' > $@
.PHONY: always

# The pages and the words of the voice are part of the program, the pages also as most browsers want them: compressed.
PAGES := $(sort $(wildcard referee/announce/pages/*))
LINES := $(sort $(wildcard referee/announce/lines/*))
$(BUILD)/web_pages.c: $(PAGES) $(LINES) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "referee/announce/web_pages.h"'; n=0; \
	array() { n=$$((n + 1)); echo "static const unsigned char page_$$n[] = {"; \
	  od -An -v -t u1 | sed 's/  */,/g; s/^,//; s/$$/,/'; echo "};"; }; \
	for p in $(PAGES) $(LINES); do array <$$p; done; \
	for p in $(PAGES); do gzip -9n <$$p >$@.gz || exit 1; array <$@.gz; done; n=0; \
	table() { echo "const struct web_page $$1[] = {"; shift; \
	  for p in "$$@"; do n=$$((n + 1)); echo "{ \"$${p##*/}\", page_$$n, sizeof page_$$n },"; done; echo "{ 0 } };"; }; \
	table web_pages $(PAGES); table voice_line_files $(LINES); table web_pages_packed $(PAGES); } > $@; rm -f $@.gz
$(BUILD)/referee/announce/web_pages.o: $(BUILD)/web_pages.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(INCLUDES) -c -o $@ $<

$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX  $<"
	$(Q)$(CXX) $(ALL_CXXFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

# Of the two linkers of Debian's binutils this one takes half the time, for each of more than a hundred programs; of an archive a
# test gets what it calls, which takes a quarter of the time for all.
TEST_LINKER := $(if $(shell command -v ld.gold),-fuse-ld=gold)
TEST_LIBRARY := $(BUILD)/tests/product.a
$(TEST_LIBRARY): $(LIB_OBJECTS)
	@mkdir -p $(@D)
	@echo "  AR   $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(TEST_LIBRARY)
	@echo "  LINK $@"
	$(Q)$(CXX) $(SANITIZERS) $(TEST_LINKER) $(LDFLAGS) -o $@ $(filter-out $(TEST_LIBRARY),$^) $(TEST_LIBRARY) -lcmocka $(LDLIBS_ALL)

# Targets of a search, as one program for libFuzzer and as tests. Some stand between our code and FFmpeg's, or a camera's, and one
# runs the program's main.
FUZZ_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %_main.c %_test.c,$(sort $(wildcard tests/fuzz/*.c)))) \
	$(BUILD)/tests/fuzz/ringside_main.o
comma := ,
WRAPPED_FOREIGN := $(addprefix -Wl$(comma)--wrap=,av_read_frame avcodec_receive_frame avcodec_send_packet \
	avformat_find_stream_info open)
$(BUILD)/tests/fuzz/ringside_main.o: $(MAIN) $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC   $< as a function"
	$(Q)$(CC) $(ALL_CFLAGS) $(INCLUDES) -Wno-missing-prototypes -Dmain=ringside_main -MMD -MP -c -o $@ $<
$(BUILD)/tests/fuzz/fuzz_test: $(FUZZ_OBJECTS)
$(BUILD)/tests/fuzz/fuzz_test: LDFLAGS += $(WRAPPED_FOREIGN)
$(BUILD)/fuzzer: $(FUZZ_OBJECTS) $(BUILD)/tests/fuzz/fuzz_main.o $(LIB_OBJECTS)
	@echo "  LINK $@"
	$(Q)$(CXX) $(SANITIZERS) -fsanitize=fuzzer $(LDFLAGS) $(WRAPPED_FOREIGN) -o $@ $^ $(LDLIBS_ALL)
# They refuse what our code asks of memory (tests/refused_memory.h).
$(addprefix $(BUILD)/tests/,calibration/grow_test calibration/json_memory_test $(addprefix vision/,board/target_find_test source/recording_memory_test typeface_test)): LDFLAGS += $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc)
$(BUILD)/tests/vision/source/recording_memory_test: LDFLAGS += -Wl,--wrap=scandir
# A file system that can do less.
$(BUILD)/tests/calibration/atomic_file_test: LDFLAGS += -Wl,--wrap=renameat2,--wrap=link
# And what FFmpeg reads for it.
$(BUILD)/tests/referee/commands/cameras_test: LDFLAGS += -Wl,--wrap=source_next
$(BUILD)/tests/vision/source/remux_test: LDFLAGS += -Wl,--wrap=av_read_frame,--wrap=to_bgr_convert
$(BUILD)/tests/vision/board/oblique_test: $(addprefix $(BUILD)/tests/accuracy/,calibration.o score.o)
DAMAGE_OBJECTS := $(addprefix $(BUILD)/tests/accuracy/,damage.o damaged_copy.o score.o)
$(BUILD)/tests/damage_test: $(DAMAGE_OBJECTS)
ALTERED := $(addprefix $(BUILD)/,tests/accuracy/altered.o samples/scene/noise.o)
$(BUILD)/tests/accuracy/score_test: $(BUILD)/tests/accuracy/score.o
$(BUILD)/tests/samples_test: $(addprefix $(BUILD)/tests/accuracy/,calibration.o clip_copy.o clips.o score.o shots.o) $(ALTERED)

$(BUILD)/tests/vision/pieces/discs_test: $(ALTERED)
$(addprefix $(BUILD)/tests/vision/,denoise_test pieces/marble_test pieces/texture_test track/change_patches_test): $(BUILD)/samples/scene/noise.o
$(BUILD)/tests/vision/pieces/marbles_rendered_test: $(addprefix $(BUILD)/tests/accuracy/,calibration.o score.o) $(ALTERED)
$(BUILD)/tests/labelled_test: $(addprefix $(BUILD)/tests/accuracy/,calibration.o labelled.o score.o) $(ALTERED)

SCENE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out samples/scene/main.c,$(sort $(wildcard samples/scene/*.c))))
$(BUILD)/tests/nothing_test: $(addprefix $(BUILD)/tests/accuracy/,calibration.o nothing.o score.o) $(SCENE_OBJECTS)
$(BUILD)/tests/scene_test: $(SCENE_OBJECTS)

$(BUILD)/accuracy: $(addprefix $(BUILD)/tests/accuracy/,accuracy.o calibration.o clip_copy.o clips.o games.o labelled.o nothing.o score.o shots.o) $(ALTERED) $(LIB_OBJECTS)
$(BUILD)/bench: $(BUILD)/tests/accuracy/bench.o $(LIB_OBJECTS)
$(BUILD)/live_bench: $(addprefix $(BUILD)/tests/accuracy/,live_bench.o live_pace.o live_pipeline.o mjpeg_game.o) $(SCENE_OBJECTS) $(LIB_OBJECTS)
$(BUILD)/page_bench: $(addprefix $(BUILD)/tests/accuracy/,page_bench.o hall.o live_pace.o live_pipeline.o mjpeg_game.o) $(SCENE_OBJECTS) $(LIB_OBJECTS)
$(BUILD)/fold: $(BUILD)/tests/accuracy/fold.o $(LIB_OBJECTS)
$(BUILD)/weights: $(addprefix $(BUILD)/tests/accuracy/,score.o weights.o) $(ALTERED) $(LIB_OBJECTS)
$(BUILD)/scene: $(BUILD)/samples/scene/main.o $(SCENE_OBJECTS) $(LIB_OBJECTS)
$(BUILD)/lens: $(BUILD)/tests/accuracy/lens.o $(LIB_OBJECTS)
HARDSHIP := $(BUILD)/tests/accuracy/hardship.o
$(BUILD)/hard_pictures: $(BUILD)/tests/accuracy/hard_pictures.o $(HARDSHIP) $(SCENE_OBJECTS) $(LIB_OBJECTS)
$(BUILD)/robustness: $(addprefix $(BUILD)/tests/accuracy/,robustness.o score.o) $(HARDSHIP) $(LIB_OBJECTS)
$(BUILD)/damage: $(BUILD)/tests/accuracy/damage_table.o $(DAMAGE_OBJECTS) $(LIB_OBJECTS)
$(addprefix $(BUILD)/,accuracy bench damage fold hard_pictures lens live_bench page_bench robustness scene torture weights):
	@echo "  LINK $@"
	$(Q)$(CXX) $(SANITIZERS) $(LDFLAGS) -o $@ $^ $(LDLIBS_ALL)

# What the sample game shows, in files and live: on a terminal until somebody ends it, else for as long as shows the close call.
DEMO := $(BUILD)/demo
demo: demo-files ## a sample game with a close call to confirm, live on pages; before it a video and a picture in build/demo
	@echo; echo "The same games as if a camera saw them now, on pages for a browser:"; echo
	@if [ -t 0 ] && [ -z "$$CI" ]; then ./$(PROGRAM) watch --camera demo --open; \
	else ./$(PROGRAM) watch --camera demo --for 25 || [ $$? = 1 ]; fi # 1: a busy machine has found no board by then

demo-files: program ## referee a sample game: calls on the terminal, an annotated video and picture in build/demo
	@mkdir -p $(DEMO)
	@echo; echo "Two short games of Crokinole, from a recording and what the judge said meanwhile:"; echo
	@./$(PROGRAM) review --game crokinole --no-book --video --out $(DEMO) --match samples/clips/crokinole_match.match.json \
	  --inputs samples/clips/crokinole_match.inputs.jsonl samples/clips/crokinole_match.mp4
	@echo; echo "A board, from a photograph:"; echo
	@./$(PROGRAM) look --game crokinole --out $(DEMO) samples/pictures/crokinole_02.jpg
	@echo; echo "Look at:"; ls $(DEMO)/*.mp4 $(DEMO)/*.png | sed 's/^/  /'
	@echo "The observations, which './$(PROGRAM) judge' reads again: $(DEMO)/crokinole_match.ringside.jsonl"

# Pictures without a board: ten of each family, made once.
NOTHING := build/nothing
$(NOTHING)/made: $(wildcard samples/scene/*.[ch]) | program
	@+$(SUBMAKE) $(BUILD)/scene
	@mkdir -p $(@D)
	@echo "making 200 pictures without a board in $(@D): five minutes, this once"
	@$(BUILD)/scene nothing $(@D) 200 && touch $@

# The pictures of the robustness curves, made once.
HARD := build/hard
$(HARD)/made: $(wildcard samples/scene/*.[ch] tests/accuracy/hard*.[ch]) | program
	@+$(SUBMAKE) $(BUILD)/hard_pictures
	@mkdir -p $(@D)
	@echo "making 172 pictures from easy to hopeless in $(@D): some minutes, this once"
	@$(BUILD)/hard_pictures $(@D) && touch $@

# DATA=folder: another folder of pictures with truth beside them.
DATA ?= samples/pictures samples/clips $(NOTHING)
accuracy: program $(if $(findstring $(NOTHING),$(DATA)),$(NOTHING)/made $(HARD)/made) ## how well the samples are read, as a table (DATA=FOLDER: other pictures with truth)
	@+$(SUBMAKE) $(BUILD)/accuracy $(BUILD)/lens $(BUILD)/robustness $(BUILD)/weights
	@$(BUILD)/accuracy ./$(PROGRAM) $(DATA)
	@$(BUILD)/weights curves $(firstword $(DATA))
	@$(if $(findstring $(NOTHING),$(DATA)),$(BUILD)/lens)
	@$(if $(findstring $(NOTHING),$(DATA)),$(BUILD)/robustness ./$(PROGRAM) $(HARD))

# What the weights in use were fitted to beside labelled pictures that are not ours to keep. Fitted to boards with rounded, polished discs
# they tell no more of those that are left out.
WEIGHED := $(BUILD)/weighed
$(WEIGHED)/made: | program
	@+$(SUBMAKE) $(BUILD)/scene
	@mkdir -p $(@D)
	@echo "making 130 pictures of boards in $(@D): half an hour, this once"
	@$(BUILD)/scene boards $(@D) 130 1 plain && touch $@

weights: program $(WEIGHED)/made ## fit the weights by which discs are told to the samples and boards by chance (DATA=FOLDERS: and to those)
	@+$(SUBMAKE) $(BUILD)/weights
	@$(BUILD)/weights fit $(WEIGHED) samples/pictures $(filter-out samples/% $(NOTHING),$(DATA))

# SEED=: other damage than usual; COPIES=: of each clip.
damage: program ## what is said of 50 damaged copies of each of three clips, as a table (SEED=, COPIES=: others; EVERY=1: each)
	@+$(SUBMAKE) $(BUILD)/damage
	@$(BUILD)/damage ./$(PROGRAM) $(or $(COPIES),50) $(or $(SEED),1) samples/clips/crokinole_a.json \
	  samples/clips/crokinole_knock.json samples/clips/marbles_a.json

# JSON=1: what a camera's frames take, and nothing else. TIME=: so many seconds by the clock, which wants an idle machine.
BENCHED := build/benched
bench: program ## how long the steps take, from the bytes of a camera to a judged frame (JSON=1; TIME=10 seconds by the clock)
	@+$(SUBMAKE) $(BUILD)/live_bench $(BUILD)/bench $(BUILD)/fold
	@mkdir -p $(BENCHED)
ifneq ($(JSON),)
	@$(BUILD)/live_bench --json $(BENCHED) $(or $(TIME),10)
else
	@$(BUILD)/live_bench $(BENCHED) $(or $(TIME),10)
	@$(BUILD)/fold
	@$(BUILD)/bench ./$(PROGRAM) samples/clips/crokinole_a.mp4 samples/pictures/crokinole_02.jpg \
	  samples/pictures/crokinole_10.jpg samples/pictures/rings_02.jpg samples/pictures/marbles_01.jpg
endif

# CHECK=1: fails where a figure that is asked for is missed. TIME: seconds of each of eight turns.
bench-pages: program ## how soon the score is on the pages and a call is heard, and what 500 viewers cost (JSON=1; CHECK=1; TIME=15 seconds a turn)
	@+$(SUBMAKE) $(BUILD)/page_bench
	@mkdir -p $(BENCHED)
	@$(BUILD)/page_bench $(if $(JSON),--json,$(if $(CHECK),--check)) $(BENCHED) $(or $(TIME),15)

soak: program ## an hour of a camera's play four times as fast: does memory grow? (TIME=3600 seconds of play)
	@+$(SUBMAKE) $(BUILD)/live_bench
	@mkdir -p $(BENCHED)
	@$(BUILD)/live_bench --soak $(BENCHED) $(or $(TIME),3600)

# Everything compiled a second time, by clang, so that what a search reaches guides it; OpenCV and FFmpeg are as they are.
fuzz: deps check-deps ## search for what does harm, TIME=60 seconds a target (TARGETS="log fold ...": only those; SEED=n: again)
	@+$(SUBMAKE) SANITIZE=fuzz build/fuzz/fuzzer
	@SEED=$(SEED) sh tests/fuzz/run.sh build/fuzz/fuzzer $(or $(TIME),60) $(TARGETS)

# What is loaded into the program, and what runs it.
$(BUILD)/torture_fail.so: tests/torture/fail.c tests/torture/fault.h $(BUILD)/flags
	@echo "  LINK $@"
	$(Q)$(CC) $(filter-out $(SANITIZERS),$(ALL_CFLAGS)) -I. -shared -fPIC -o $@ $< -ldl
$(BUILD)/torture: $(addprefix $(BUILD)/tests/torture/,folder.o inputs.o run.o torture.o) $(LIB_OBJECTS)

# N: how many points of each kind, fewer where a run is slow; 0: all, which takes hours.
N ?= 6
torture: deps ## let memory, files, disk and threads fail in turn (N=0: at every call, hours; ONLY="USE FAULT n": one; SANITIZE=1)
	@+$(SUBMAKE) $(PROGRAM) $(BUILD)/torture $(BUILD)/torture_fail.so
	@$(BUILD)/torture ./$(PROGRAM) $(BUILD)/torture_fail.so $(N) $(ONLY)

samples: deps ## make the pictures and clips of samples/ again (a quarter of an hour)
	@+$(SUBMAKE) $(BUILD)/scene
	@mkdir -p samples/pictures samples/clips
	$(BUILD)/scene pictures samples/pictures
	$(BUILD)/scene clips samples/clips

test: deps ## all tests (SANITIZE=1: with AddressSanitizer and UBSan; SANITIZE=thread: those with threads, ThreadSanitizer)
	@+$(SUBMAKE) $(PROGRAM) $(TEST_PROGRAMS)
	@+$(WAITING_SUBMAKE) --keep-going run-tests

# Per cent of lines, and of branches taken at least once, by the tests and where memory is refused. That the counting itself dies
# of the latter is no fault of ours: `make torture` says what is. A test that fails fails this too, but what was come to is told:
# counting takes time, and a build that is slow is a test of its own.
DEMANDS := calibration 95 85,vision 90 75,referee 95 85
coverage: deps ## what the tests come to, line by line, against what is demanded; what they do not, with the reason
	@find build/coverage -name '*.gcda' -delete 2>/dev/null; true
	@+$(SUBMAKE) COVERAGE=1 build/coverage/ringside $(TESTS:%.c=build/coverage/%)
	@+passed=0; $(SUBMAKE) COVERAGE=1 --keep-going run-tests || passed=1; \
	$(SUBMAKE) COVERAGE=1 torture ONLY="all own-memory" >build/coverage/torture.told 2>&1; \
	$(SUBMAKE) -s coverage-report && exit $$passed

# Of the last run.
coverage-report:
	@gcov --stdout --branch-probabilities --branch-counts --relative-only --source-prefix $(CURDIR) \
	  $$(find $(addprefix build/coverage/,calibration vision referee) -name '*.gcno') 2>/dev/null | \
	  awk -v REASONS=tests/coverage.reasons -v DEMANDS='$(DEMANDS)' -f tests/coverage.awk

# A look at the whole board takes valgrind a quarter of a minute, so that a shorter watch ends behind the first frame.
memcheck: program memcheck-deps ## watch at its demo under valgrind: what is read was written, what was taken is given back (TIME=60 seconds)
	@valgrind -q --error-exitcode=1 --leak-check=full --show-leak-kinds=definite,indirect,possible \
	  --errors-for-leak-kinds=definite,indirect,possible --num-callers=25 --suppressions=tests/memcheck.supp \
	  ./$(PROGRAM) watch --camera demo --for $(or $(TIME),60) --no-book </dev/null

# The program again, compiled by clang and under the sanitizers. What is ours is IEEE arithmetic in the order it is written in,
# and the libraries are the same: every build must come to the same last digit.
same: deps check-deps ## the same bytes from every build, on any number of processors, in any language and place
	@+$(SUBMAKE) $(PROGRAM)
	@+$(SUBMAKE) SANITIZE=1 build/sanitized/ringside
	@+$(SUBMAKE) CC=clang CXX=clang++ BUILD=build/clang PROGRAM=build/clang/ringside build/clang/ringside
	@LOCALES=build/locales sh tests/same.sh samples ./$(PROGRAM) build/sanitized/ringside build/clang/ringside
	@sh tests/same_test.sh

# No test may hang on how fast the machine is, or its disk.
DISK_MS ?= 100
$(BUILD)/slow_disk.so: tests/slow_disk.c $(BUILD)/flags
	@echo "  LINK $@"
	$(Q)$(CC) $(filter-out $(SANITIZERS),$(ALL_CFLAGS)) -shared -fPIC -o $@ $<
test-busy: deps ## the tests while two endless loops a processor and a disk that takes DISK_MS keep it busy (SANITIZE as for test)
	@+$(SUBMAKE) $(BUILD)/slow_disk.so
	@loops=; trap 'kill $$loops' EXIT; trap 'exit 1' INT TERM; \
	for i in $$(seq $$((2 * $$(nproc)))); do sh -c 'while :; do :; done' & loops="$$loops $$!"; done; \
	DISK_MS=$(DISK_MS) BESIDE=$(CURDIR)/$(BUILD)/slow_disk.so $(SUBMAKE) test

# Debian's kernel with its own test driver, under emulation: with one plane a picture and with several. MACHINE: a program that
# runs a command where an USB webcam is that shows a film (--device uvc --feed FILM --virtual-time ... -- COMMAND): a whole game is played too.
test-camera: deps ## watch at a real V4L2 device, in an emulated machine (skipped where there can be none; PLANES=1: one way only)
	@+$(SUBMAKE) $(PROGRAM)
	@$(SUBMAKE) camera-deps >/dev/null 2>&1 || { echo "skipped: there is no $(CAMERA_PACKAGES) to be had"; exit 0; }; \
	for planes in $(or $(PLANES),1 2); do echo "vivid, multiplanar=$$planes"; \
	  CAMERA=multiplanar=$$planes sh tests/v4l2/machine.sh build/v4l2 1500 sh tests/v4l2/vivid.sh $(CURDIR)/$(PROGRAM) || exit 1; done; \
	[ -z "$(MACHINE)" ] || sh tests/v4l2/webcam.sh $(MACHINE) ./$(PROGRAM)

# Screenshots of every page at every width are left in build/pages.
PAGE_RUNS := $(patsubst %,run-%,$(sort $(wildcard tests/web/*.test.mjs)))
test-pages: deps pages-deps ## the pages in a real browser: score, close call, a piece moved, keyboard, every screen
	@+$(SUBMAKE) $(PROGRAM)
	@mkdir -p build/pages
	@ls build/pages/node_modules/playwright-core >/dev/null 2>&1 || \
	  npm install --silent --no-audit --no-fund --no-save --prefix build/pages $(PAGES_MODULES)
	@+$(SUBMAKE) --keep-going $(PAGE_RUNS)

.PHONY: $(PAGE_RUNS)
$(PAGE_RUNS): run-%:
	@told=build/pages/$(*F).told; rc=0; \
	RINGSIDE=./$(PROGRAM) PAGES_MODULES=$(CURDIR)/build/pages PAGES_OUT=build/pages node --test $* >$$told 2>&1 || rc=$$?; \
	cat $$told; exit $$rc

pictures: test-pages ## make the README's pictures of the pages again, by the tests of the pages
	@for p in board judge setup overlay report; do cp build/pages/readme-$$p.png samples/page_$$p.png || exit 1; done
	@ls -l samples/page_*.png

# Each one's output stays together, and what it took is told, by the clock and in user's and system's time of a processor.
TEST_RUNS := $(TEST_PROGRAMS:%=run-%)
.PHONY: run-tests $(TEST_RUNS)
$(TEST_RUNS): run-%: %
	@started=$$(date +%s); RINGSIDE=./$(PROGRAM) XDG_DATA_HOME=$(CURDIR)/$(BUILD)/data $(BESIDE:%=ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=%) $< > $<.out 2>&1; rc=$$?; times >$<.told; \
	cpu=$$(sed -n 2p $<.told); \
	{ echo "== $< ($$(($$(date +%s) - started)) s, of a processor $$cpu)"; cat $<.out; [ $$rc = 0 ] || echo "FAILED $<"; } > $<.told; \
	cat $<.told; exit $$rc

run-tests: $(TEST_RUNS)
	@[ -n "$(TESTS)" ] || { echo "no test found"; exit 1; }
	@echo "$(words $(TESTS)) test programs, all passed"

CODE := $(sort $(shell find calibration vision referee tests samples -name '*.[ch]' -o -name '*.cpp' 2>/dev/null))
HEADERS := $(filter-out tests/%,$(filter %.h,$(CODE))) # those of the tests want cmocka before them
HOW = $(CC) $(ALL_CFLAGS) $(INCLUDES)
PURE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard referee/rules/*.c referee/games/*.c)))

# What cppcheck takes for a fault and is none: a value that a loop surely replaces.
CPPCHECK_SUPPRESS := --suppress=missingIncludeSystem --suppress=invalidFunctionArg:vision/board/edges.c

check: deps check-deps ## format, structure of the house, pure rules, cppcheck, both compilers' analyzers, headers that compile alone and together
	@+$(SUBMAKE) --keep-going check-format check-structure check-faults check-headers analyze

.PHONY: check-format check-structure check-faults check-headers
check-format:
	@clang-format --dry-run -Werror $(CODE) && echo "format: $(words $(CODE)) files as clang-format writes them"

check-structure: $(PURE_OBJECTS)
	@sh tests/structure.sh . $(PURE_OBJECTS)
	@CC='$(CC)' sh tests/structure_test.sh
	@MAKE_PROGRAM='$(firstword $(MAKE))' sh tests/make_test.sh

check-faults:
	@cppcheck -q --std=c11 --language=c --enable=warning,performance,portability --error-exitcode=1 -I. \
	  $(CPPCHECK_SUPPRESS) $(filter %.c,$(CODE)) && echo "cppcheck: no fault"

# What one file cannot tell of the others is in known.h; what is no fault all the same, in known.txt and known_gcc.txt. gcc looks
# along a path after it has optimised: there it says a third less that is none.
ANALYZED = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $(INCLUDES) -include tests/analysis/known.h \
	-- $(filter-out calibration/fail.c,$(SOURCES))
# NODES: how many states of a function clang looks at, on which its time depends. Three times as many, its own number, say the same.
NODES ?= 75000
analyze: ## clang's and gcc's analyzers over the product: faults on paths that no test takes (NODES=225000: clang looks further)
	@sh tests/analysis/analyze.sh tests/analysis/known.txt 6 clang --analyze --analyzer-output text \
	  -Xclang -analyzer-config -Xclang max-nodes=$(NODES) $(ANALYZED)
	@LC_ALL=C sh tests/analysis/analyze.sh tests/analysis/known_gcc.txt 1 gcc -fanalyzer -O2 -fdiagnostics-plain-output \
	  -fdiagnostics-path-format=none -S -o /dev/null $(ANALYZED)

check-headers:
	@HOW='$(HOW)' sh tests/headers.sh alone $(HEADERS)
	@HOW='$(HOW)' sh tests/headers.sh together $(filter-out samples/%,$(HEADERS))
	@HOW='$(HOW)' sh tests/compiler_test.sh

# The sample game, for `ringside watch --camera demo`.
SHARED := $(addprefix samples/clips/crokinole_match.,mp4 match.json)
install: all ## install the program, its man page and a sample game (PREFIX, DESTDIR)
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/ringside
	install -D -m 644 referee/commands/ringside.1 $(DESTDIR)$(PREFIX)/share/man/man1/ringside.1
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/ringside $(SHARED)

uninstall: ## remove what was installed
	rm -f $(DESTDIR)$(PREFIX)/bin/ringside $(DESTDIR)$(PREFIX)/share/man/man1/ringside.1 \
	  $(addprefix $(DESTDIR)$(PREFIX)/share/ringside/,$(notdir $(SHARED)))
	[ ! -d $(DESTDIR)$(PREFIX)/share/ringside ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$(PREFIX)/share/ringside

clean: ## remove everything that was built
	rm -rf build ringside

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
