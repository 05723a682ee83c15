#!/bin/sh
# fuzz.sh - runs the fuzz target by whose name it is called (NAME.sh runs NAME) for FUZZ_SECONDS; prints TAP.
#
# Seeds are in tests/fuzz/corpus/NAME without "fuzz_"; what the fuzzer finds of interest stays beside the
# program, and so does the input that broke it.
set -u
program=${0%.sh}
name=$(basename "$program")
seeds=tests/fuzz/corpus/${name#fuzz_}
[ -d "$seeds" ] || seeds=
mkdir -p "$program.corpus"

echo 1..1
if "$program" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
    -artifact_prefix="$program." "$program.corpus" $seeds >"$program.log" 2>&1; then
    echo "ok 1 - ${name}_survives_hostile_input: $(tail -n 1 "$program.log")"
else
    tail -n 60 "$program.log"
    echo "not ok 1 - ${name}_survives_hostile_input"
    exit 1
fi
