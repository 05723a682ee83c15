#!/bin/sh
# determinism.sh - the same scenario and seed give the same results to the byte; printed as TAP.
#
# Every scenario, and stress.yaml, which has everything that can go wrong, is run by the build under test
# (LIMITLAB), twice: the second time in another place, time zone and language, with another memory layout.
# Then by every other build in VARIANTS: other compilers, other optimisation, sanitizers.  What all of them
# print as JSON must be the same bytes; the digests in it cover every single decision.
set -u
limitlab=$LIMITLAB
folder=$(mktemp -d "${TMPDIR:-.}/determinism.XXXXXX")
trap 'rm -rf "$folder"' EXIT
count=0 failed=0

result()
{
    count=$((count + 1))
    [ "$1" = ok ] || failed=$((failed + 1))
    echo "$1 $count - $2"
}

# run OUT PROGRAM SCENARIO: what the program finds goes to OUT.json (of a small world, whether its claims,
# which have exact counts, come true).
run()
{
    command=compare options='--json --quiet'
    grep -q '^mode: explore' "$3" && command=check options=--quiet
    "$2" $command "$3" $options >"$1.json" 2>"$1.stderr"
    code=$?
    [ $code -eq 0 ] || { echo "$2 $command $3 exited with $code:"; head -n 20 "$1.stderr"; return 1; }
}

# same NAME: what NAME wrote is what "first" wrote, and is not nothing.
same()
{
    [ -s "$folder/first.json" ] || { echo "no results"; return 1; }
    cmp "$folder/first.json" "$folder/$1.json"
}

for scenario in scenarios/*.yaml scenarios/lessons/*.yaml scenarios/systems/*.yaml tests/stress.yaml; do
    [ -e "$scenario" ] || continue
    scenario=$PWD/$scenario
    name=$(basename "$scenario" .yaml)
    if ! run "$folder/first" "$limitlab" "$scenario"; then
        result 'not ok' "$name: runs"
        continue
    fi
    if (cd "$folder" && PADDING=$(printf '%3333s' x) TZ=Asia/Kathmandu LC_ALL=C.UTF-8 MALLOC_PERTURB_=165 &&
        export PADDING TZ LC_ALL MALLOC_PERTURB_ && run again "$limitlab" "$scenario") && same again; then
        result ok "$name: twice the same"
    else
        result 'not ok' "$name: twice the same"
    fi
    for variant in ${VARIANTS:-}; do
        if run "$folder/variant" "$PWD/$variant" "$scenario" && same variant; then
            result ok "$name: the same from $(basename "$variant")"
        else
            result 'not ok' "$name: the same from $(basename "$variant")"
        fi
    done
done

[ $count -gt 0 ] || result 'not ok' 'there are scenarios'
echo "1..$count"
exit $((failed > 0))
