#!/bin/sh
# run.sh - runs test programs side by side, each on its own and with a time limit, and counts what they claim.
#
#     tests/run.sh FOLDER PROGRAM...
#
# A program prints its results as TAP (cmocka does when asked).  What each one printed stays in
# FOLDER/NAME.log.  Shown are a line for each program and every failing test with its output; the last line is
# "N passed, N failed", with ", N skipped" where tests skipped themselves.  A program that crashes, hangs,
# exits with an error or stops before its last test counts as one more failure.  Exits with 1 when anything
# failed.
#
# TEST_SECONDS   the time limit of one program (300)
# TEST_JOBS      how many run at once (one a processor)
set -u

if [ "$1" = --one ]; then
    folder=$2 program=$3
    name=$(basename "$program" .sh)
    scratch=$folder/$name.tmp
    rm -rf "$scratch" && mkdir -p "$scratch"
    started=$(date +%s)
    TMPDIR=$scratch timeout -k 10 "${TEST_SECONDS:-300}" "$program" >"$folder/$name.log" 2>&1 </dev/null
    awk -v name="$name" -v code=$? -v seconds=$(($(date +%s) - started)) -v counts="$folder/$name.counts" \
        -f tests/tap.awk "$folder/$name.log" >"$folder/$name.shown"
    flock "$folder" cat "$folder/$name.shown"
    rm -rf "$scratch"
    exit 0
fi

folder=$1
shift
mkdir -p "$folder"
folder=$(realpath "$folder")
rm -f "$folder"/*.counts
export CMOCKA_MESSAGE_OUTPUT=tap LC_ALL=C
[ $# -eq 0 ] || printf '%s\0' "$@" | xargs -0 -n 1 -P "${TEST_JOBS:-$(nproc)}" "$0" --one "$folder"

programs=$#
set -- "$folder"/*.counts
[ -e "$1" ] || set --
awk -v lost=$((programs - $#)) '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        failed += lost
        printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
        exit failed > 0
    }' /dev/null "$@"
