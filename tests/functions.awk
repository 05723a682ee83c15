# functions.awk - reads blanked C (see code.awk) and prints "length file:line name" for every function.
#
# A function is a pair of braces outside all others that follows a closing parenthesis.  Its length counts
# from the first line of its heading to the closing brace.
FNR == 1 { depth = start = 0; before = "" }

/^[ \t]*#/ { continued = /\\$/; next }
continued { continued = /\\$/; next }

{
    line = $0
    while (match(line, /[{};]/)) {
        mark = substr(line, RSTART, 1)
        if (depth == 0)
            before = before substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + 1)
        if (mark == "{" && depth++ == 0)
            open_function()
        if (mark == "}" && --depth == 0 && named)
            print FNR - first + 1, place(), name
        if (depth == 0 && mark != "{")
            before = ""
    }
    if (depth == 0) {
        if (before == "" && line ~ /[^ \t]/)
            start = FNR
        before = before line " "
    }
}

function open_function()
{
    named = before ~ /\)[ \t]*$/
    first = before ~ /^[ \t]*$/ || !start ? FNR : start
    name = before
    sub(/[ \t]*\(.*/, "", name)
    sub(/.*[^A-Za-z0-9_]/, "", name)
    start = 0
}

function place() { return FILENAME ":" first }
