#!/bin/sh
# counts.sh - the test runner counts right whatever a test program does; printed as TAP.
set -u
folder=$(mktemp -d "${TMPDIR:-.}/counts.XXXXXX")
trap 'rm -rf "$folder"' EXIT
count=0 failed=0

# counts CLAIM EXPECTED COMMANDS...: run.sh, given a program for each of the commands, ends with what is
# expected.
counts()
{
    claim=$1 expected=$2
    shift 2
    rm -rf "$folder"/*
    number=0
    for commands; do
        number=$((number + 1))
        printf '#!/bin/sh\n%s\n' "$commands" >"$folder/program$number.sh"
        chmod +x "$folder/program$number.sh"
    done
    last=$(TEST_SECONDS=1 tests/run.sh "$folder/logs" "$folder"/program*.sh 2>&1 | tail -n 1)
    count=$((count + 1))
    if [ "$last" = "$expected" ]; then
        echo "ok $count - $claim"
    else
        echo "expected \"$expected\", got \"$last\""
        echo "not ok $count - $claim"
        failed=$((failed + 1))
    fi
}

echo 1..11
two='echo 1..2; echo ok 1 - a; echo ok 2 - b'
counts passes_add_up '4 passed, 0 failed' "$two" "$two"
counts a_failing_test_counts '1 passed, 1 failed' 'echo 1..2; echo ok 1 - a; echo not ok 2 - b; exit 1'
counts a_skipped_test_is_no_failure '1 passed, 0 failed, 1 skipped' \
    'echo 1..2; echo ok 1 - a; echo not ok 2 "# SKIP" b'
counts an_abort_is_one_failure_and_keeps_the_rest '1 passed, 1 failed' \
    'echo 1..3; echo ok 1 - a; kill -ABRT $$'
counts a_hang_is_one_failure '3 passed, 1 failed' "$two" 'echo 1..2; echo ok 1 - a; sleep 60'
counts a_program_that_stops_early_fails '1 passed, 1 failed' 'echo 1..2; echo ok 1 - a'
counts a_program_that_says_nothing_fails '0 passed, 1 failed' true
counts an_error_after_the_last_test_fails '2 passed, 1 failed' "$two; exit 23"
counts a_program_that_cannot_start_fails '0 passed, 1 failed' 'exec /nonexistent/program'
counts the_plan_may_come_last '1 passed, 0 failed' 'echo ok 1 - a; echo 1..1'
counts what_a_test_prints_is_no_result '1 passed, 0 failed' \
    'echo 1..1; echo " not ok 1"; echo okay; echo ok 1 - a'
exit $((failed > 0))
