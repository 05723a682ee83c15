# tap.awk - reads what one test program printed (TAP) and shows what matters of it.
#
# Variables: name, code (the exit code) and seconds of the program; counts, the file for "passed failed
# skipped".

# The output of a test is what stands between the results before and after it: cmocka prints what a test says
# before its result, and why it failed after it.
function close_test()
{
    if (failing)
        shown = shown text "\n"
    failing = 0
    text = ""
}

function ending()
{
    if (code == 124 || code == 137)
        return "was stopped after " seconds " s"
    if (code > 128)
        return "was killed by signal " code - 128
    return "exited with " code
}

/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned = 1; next }

/^(not )?ok / {
    close_test()
    if (/# SKIP/) {
        skipped++
        shown = shown "    skipped: " $0 "\n"
    } else if (/^ok/)
        passed++
    else {
        failed++
        failing = 1
    }
    # Whatever was printed before this result belongs to this test.
    text = before "    " $0
    before = ""
    next
}

/^#/ && text != "" { text = text "\n    " $0; next }

{ before = before "    " $0 "\n" }

END {
    close_test()
    done = passed + failed + skipped
    if (!planned || done < plan || (code != 0 && failed == 0) || code >= 124) {
        shown = shown before sprintf("    %s %s after %d of %s tests\n", name, ending(), done,
                                         planned ? plan : "?")
        failed++
    }
    print passed + 0, failed + 0, skipped + 0 >counts
    printf "%s: %d passed, %d failed%s (%d s)\n%s", name, passed, failed,
           skipped ? ", " skipped " skipped" : "", seconds, shown
}
