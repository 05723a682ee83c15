#!/bin/sh
# style.sh - the rules of the house as tests, printed as TAP: who may include whom, words that a folder may
# not use, how long lines, functions and files may grow, how headers begin, what lies at the top level.
set -u
export LC_ALL=C
build=${BUILD:-build}
code=$build/style               # a copy of all C without comments and quoted text

sources=$(find engine algos harness reports tests -name '*.[ch]' | sort)
headers=$(echo "$sources" | grep '\.h$')
programs=$(ls Makefile .ci/* tests/*.sh tests/*.awk)
texts=$(find engine algos harness reports scenarios tests .ci .gitignore Makefile README.md LICENSE -type f \
    ! -path '*/corpus/*' ! -path '*/data/*' ! -path '*/traces/*' | sort)

rm -rf "$code"
for file in $sources; do
    mkdir -p "$code/${file%/*}"
    awk -f tests/code.awk "$file" >"$code/$file"
done

# A claim holds when its standard input is empty; what stands there are the offences.
claim()
{
    awk -v name="$1" '
        NR <= 20 { print "  " $0 }
        END {
            if (NR > 20) print "  ... and " NR - 20 " more"
            print (NR ? "not " : "") "ok - " name
        }'
}

# From whose files to whose an #include may lead.
allowed='engine:engine algos:algos algos:engine reports:reports
         harness:harness harness:engine harness:algos harness:reports
         tests:tests tests:engine tests:algos tests:harness tests:reports'
# What does no I/O, reads no clock and allocates nothing.
pure='assert|inttypes|limits|stdalign|stdarg|stdbool|stddef|stdint|string|xxhash|Random123/.*'

includes()
{
    grep -n '^ *# *include *"' $sources | awk -v allowed="$allowed" '
        # The folder at the top to which "../x/y.h" in the file `from` leads.
        function target(from, path, part, depth, n, i)
        {
            sub(/[^\/]*$/, "", from)
            n = split(from path, part, "/")
            depth = 0
            for (i = 1; i <= n; i++)
                if (part[i] == "..") depth--
                else step[++depth] = part[i]
            return depth < 1 ? "outside" : step[1]
        }
        BEGIN { n = split(allowed, pair); for (i = 1; i <= n; i++) may[pair[i]] = 1 }
        {
            split($0, field, ":")
            split($0, quoted, "\"")
            folder = field[1]
            sub(/\/.*/, "", folder)
            if (!may[folder ":" target(field[1], quoted[2])]) print
        }' | claim includes_lead_only_where_the_house_allows
    grep -nE '^ *# *include *<' $(echo "$sources" | grep -E '^(engine|algos)/') /dev/null |
        grep -vE "<($pure)(\.h)?>" | claim engine_and_algos_include_nothing_that_does_io
}

# forbid NAME FOLDERS WORDS CALLS: in the code of the folders stands none of the words and no call of one of
# the calls (extended regular expressions).
forbid()
{
    (cd "$code" && grep -rnE "\b($3)\b|\b($4) *\(" $2 2>/dev/null) | claim "$1"
}

words()
{
    pure='engine algos'
    forbid engine_and_algos_allocate_nothing "$pure" '(m|c|re|aligned_)alloc' 'free|alloca|strn?dup'
    forbid engine_and_algos_do_no_io "$pure" '[a-z]*printf|FILE' 'f?puts|fopen|open|read|write'
    forbid engine_and_algos_read_no_clock "$pure" 'clock_gettime|gettimeofday' 'time|clock'
    forbid engine_and_algos_draw_nothing_unkeyed "$pure" 's?rand|s?random|rand_r|drand48' 'getrandom'
    # Models of real code compute as it does.
    forbid what_decides_uses_no_floating_point 'engine algos/limiters algos/protocols' \
        'float|double|[0-9]+\.[0-9]+' 'pow|sqrt|exp|log'
    forbid nothing_calls_what_cannot_be_called_safely . 'setlocale' \
        'gets|strcpy|strcat|v?sprintf|strtok|ato[ilf]'
    forbid no_shell_sees_what_a_user_typed 'engine algos harness reports' 'execlp?' 'system|popen'
    # Brackets keep these two from finding themselves.
    grep -nwE 'TOD[O]|FIXM[E]|XX[X]|HAC[K]' $texts | claim nothing_is_left_to_be_done
    grep -nE '(^|[^a-zA-Z0-9_.])/(wor[k]|tm[p]|roo[t]|hom[e])/' $texts |
        claim no_file_knows_a_path_of_one_machine
}

# at_most N SHARE OF: SHARE percent of the functions listed in OF, shortest first, have at most N lines.
at_most()
{
    awk -v most="$1" -v share="$2" '
        { length_of[NR] = $1; name[NR] = $2 ": " $3 " has " $1 " lines" }
        END {
            at = int((NR * share + 99) / 100)
            if (length_of[at] > most)
                for (; at <= NR; at++) print name[at]
        }' "$3"
}

shapes()
{
    awk 'length > 110 { print FILENAME ":" FNR ": " length " characters" }' $sources $programs |
        claim a_line_has_at_most_110_characters
    grep -n "$(printf '\t')" $sources | claim c_is_indented_with_spaces
    grep -nE '[[:blank:]]+$' $texts | claim no_line_ends_with_blanks
    for file in $texts; do
        [ -z "$(tail -c 1 "$file")" ] || echo "$file"
    done | claim every_text_ends_with_a_newline
    wc -l $sources | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines" }' |
        claim a_file_has_at_most_500_lines
    wc -l Makefile | awk '$1 > 150' | claim the_makefile_has_at_most_150_lines

    (cd "$code" && awk -f "$OLDPWD/tests/functions.awk" $sources) | sort -n >"$code/functions"
    at_most 70 100 "$code/functions" | claim a_function_has_at_most_70_lines
    at_most 30 90 "$code/functions" | claim nine_of_ten_functions_have_at_most_30_lines
    at_most 12 50 "$code/functions" | claim half_of_all_functions_have_at_most_12_lines
}

headers()
{
    for file in $headers; do
        head -n 1 "$file" | grep -q '^/\* ' || echo "$file"
    done | claim every_header_begins_by_saying_what_it_is
    # Two headers of one name (engine/design.h, harness/design.h) put the folder before it.
    for file in $headers; do
        folder=$(dirname "$file" | tr a-z/ A-Z_) name=$(basename "$file" .h | tr a-z- A-Z_)
        guard=$(sed -nE "s/^#ifndef (LIMITLAB_(${folder}_)?${name}_H)\$/\1/p" "$file")
        grep -qx "#define ${guard:-of no such name}" "$file" || echo "$file: expected LIMITLAB_${name}_H"
    done | claim every_header_has_the_include_guard_of_its_name
    grep -hE '^#ifndef LIMITLAB_[A-Z0-9_]*_H$' $headers | sort | uniq -d | claim no_two_headers_share_a_guard
    for file in $(echo "$headers" | grep -v '^tests/'); do
        ${CC:-cc} -std=gnu11 -fsyntax-only -x c "$file" 2>&1 | grep error | head -n 1
    done | claim every_header_compiles_by_itself
}

top_level()
{
    house='engine|algos|scenarios|harness|reports|tests|Makefile|README\.md|LICENSE'
    ls | grep -vxE "$house|build|${build%%/*}" |
        claim the_top_level_holds_the_house_and_nothing_else
}

{ includes; words; shapes; headers; top_level; } |
    awk '/^(not )?ok / { sub(/ok/, "ok " ++n); failed += /^not/ }
         { print }
         END { print "1.." n; exit failed > 0 }'
