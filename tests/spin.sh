#!/bin/sh
# spin.sh - what the model checker Spin says of a small world (spin.pml).
#
#     tests/spin.sh get-then-set|cas|incr CLIENTS REQUESTS LIMIT
#
# prints "states N most N over yes|no seconds S".  Without Spin, or when its verifier cannot be compiled, it
# says so and exits with 77.
set -u
case $1 in
get-then-set) rule=1 ;;
cas) rule=2 ;;
incr) rule=3 ;;
*) echo "spin.sh: $1 is no protocol; expected get-then-set, cas or incr" >&2; exit 64 ;;
esac
command -v spin >/dev/null || { echo "spin is not installed (Debian package spin)" >&2; exit 77; }

folder=$(mktemp -d "${TMPDIR:-.}/spin.XXXXXX")
folder=$(realpath "$folder")
trap 'rm -rf "$folder"' EXIT
model=$(realpath "$(dirname "$0")/spin.pml")
cd "$folder" || exit 77
spin -DRULE=$rule -DCLIENTS="$2" -DREQUESTS="$3" -DLIMIT="$4" -a "$model" >log 2>&1 &&
    ${CC:-cc} -O2 -w -DSAFETY -DNOREDUCE -DMEMLIM=4096 -o pan pan.c >>log 2>&1 ||
    { cat log >&2; exit 77; }
./pan -c0 -m100000 | awk '
    /^most /                { most = $2 }
    /errors: /              { over = $NF > 0 ? "yes" : "no" }
    / states, stored/       { states = $1 }
    /elapsed time/          { seconds = $4 }
    END { print "states", states, "most", most + 0, "over", over, "seconds", seconds + 0 }'
