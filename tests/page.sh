#!/bin/sh
# page.sh - pages of witnesses in a browser: no error on the console, what they claim of themselves, links
# that restore a game; printed as TAP.  Needs headless Chromium; skipped where there is none.
set -u
pages=$(mktemp -d "${TMPDIR:-.}/pages.XXXXXX")
pages=$(realpath "$pages")
trap 'rm -rf "$pages"' EXIT
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    echo 1..1
    echo "ok 1 - pages_work_in_a_browser # SKIP there is no Chromium here"
    exit 0
fi

WITNESS_PAGES=$pages "$BUILD/tests/test_page" >"$pages/made" 2>&1 || { cat "$pages/made"; exit 1; }

# visit PAGE#FRAGMENT: the document as it is after its script ran; what the console said is in $pages/console.
visit()
{
    HOME=$pages timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --no-first-run --disable-sync --disable-background-networking --disable-component-update \
        --user-data-dir="$pages/profile" --enable-logging=stderr \
        --dump-dom "file://$pages/$1" 2>"$pages/log"
    grep -E 'CONSOLE|Uncaught' "$pages/log" >"$pages/console"
}

# claim NAME: holds when its standard input is empty; what stands there are the offences.
claim()
{
    awk -v name="$1" 'NR <= 20 { print } END { print (NR ? "not " : "") "ok - " name }'
}

# Does the document that visit() printed hold this text?
holds() { grep -qF -- "$1" "$pages/document" || echo "expected: $1"; }

selftests()
{
    for page in "$pages"/*.html; do
        name=$(basename "$page" .html)
        visit "$name.html#selftest" | sed -n '/<pre id="selftest">/,/<\/pre>/p' |
            sed 's/<[^>]*>//g' >"$pages/claims"
        { grep -v '^ok ' "$pages/claims" | grep -vxE '1\.\.[0-9]+|'
          grep -qE '^1\.\.[0-9]+$' "$pages/claims" || echo 'the self-test did not finish'
          cat "$pages/console"; } | claim "page_${name}_keeps_what_it_claims_and_the_console_is_silent"
    done
}

links()
{
    visit 'two-clients.html#s=0.1' >"$pages/document"
    { holds 'data-state="broken"'; holds '>Broken: 2 admitted.<'; } |
        claim a_link|    { holds ; } |
        claim a_link_restores_a_game_that_was_won
    visit 'two-clients.html#s=0.0.0' >"$pages/document"
    { holds 'data-state="held"'; holds '>It held: 1 admitted.<'; } |
        claim a_link|    { holds ; } |
        claim a_link_restores_a_game_that_was_lost
    visit 'two-clients.html#s=9.9' >"$pages/document"
    holds 'data-state="open"' | claim what_no_schedule_can_be_is_none
    visit 'two-clients.html#play' >"$pages/document"
    holds '>par: 2 moves<' | claim a_new_game_says_par
    visit 'hostile.html' >"$pages/document"
    { grep -cF '<title>pwned' "$pages/document" | grep -v '^0$'
      grep -F '<img' "$pages/document"; cat "$pages/console"; } | claim hostile_text_stays_text
}

{ selftests; links; } |
    awk '/^(not )?ok / { sub(/ok/, "ok " ++n); failed += /^not/ }
         { print }
         END { print "1.." n; exit failed > 0 }'
