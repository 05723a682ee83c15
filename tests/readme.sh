#!/bin/sh
# readme.sh - every command in README.md and in that of the lessons works as it stands there; as TAP.
#
# Commands are the lines of their ```sh blocks, in order, in one scratch folder that looks like the
# repository, with the build under test first in PATH.  A line that ends in "# exits N" must exit with N,
# every other with 0.  Left out is what would install packages, fetch something, or run these tests again.
set -u
readmes='README.md scenarios/lessons/README.md'
folder=$(mktemp -d "${TMPDIR:-.}/readme.XXXXXX")
folder=$(realpath "$folder")
trap 'rm -rf "$folder"' EXIT

# Each command on one line as "file:line, tab, command": continued lines joined.
commands()
{
    awk '
        FNR == 1 { inside = 0 }
        /^```/ { inside = !inside && /^```sh$/; next }
        inside && (held != "" || !/^ *(#|$)/) {
            if (held == "") first = FILENAME ":" FNR
            sub(/^\$ /, "")
            held = held $0
            if (sub(/\\$/, "", held)) next
            print first "\t" held
            held = ""
        }' $readmes
}

commands >"$folder/commands"
echo "1..$(grep -c . "$folder/commands")"
mkdir "$folder/here"
ln -s "$PWD"/* "$PWD/.ci" "$folder/here"
rm -f "$folder/here/build"
mkdir -p "$folder/here/$(dirname "$BUILD")"
ln -s "$(realpath "$BUILD")" "$folder/here/$BUILD"
[ -e "$folder/here/build/limitlab" ] || ln -s "$LIMITLAB" "$folder/here/build/limitlab"
cd "$folder/here" || exit 1
PATH=$(dirname "$LIMITLAB"):$PATH
# A make of its own, with the same variables.
MAKEFLAGS=$(echo "${MAKEFLAGS:-}" | sed 's/ -j[0-9]*//; s/ --jobserver[^ ]*//')
export PATH MAKEFLAGS

count=0 failed=0
tab=$(printf '\t')
while IFS=$tab read -r line command; do
    count=$((count + 1))
    case $command in
    *'make test'* | *.ci/run* | *'make asan'* | *'make fuzz'* | *'make bench'* | *'make install'* | \
        *'make tidy'* | *apt-get* | *'git clone'* | 'cd '*)
        echo "ok $count - $line: $command # SKIP"
        continue ;;
    esac
    expected=$(printf '%s\n' "$command" | sed -n 's/.*# exits \([0-9]*\)$/\1/p')
    timeout 120 sh -c "$command" >"$folder/output" 2>&1 </dev/null
    code=$?
    if [ $code -eq "${expected:-0}" ]; then
        echo "ok $count - $line: $command"
    else
        tail -n 20 "$folder/output"
        echo "not ok $count - $line: $command (exited with $code, not ${expected:-0})"
        failed=$((failed + 1))
    fi
done <"$folder/commands"
exit $((failed > 0))
