# code.awk - C as the style test reads it: without comments and quoted text; every line keeps its number.
{
    line = $0
    code = ""
    while (line != "") {
        if (in_comment) {
            end = index(line, "*/")
            in_comment = !end
            line = end ? substr(line, end + 2) : ""
            continue
        }
        if (!match(line, /\/\*|\/\/|"(\\.|[^"\\])*"|'(\\.|[^'\\])+'/)) {
            code = code line
            break
        }
        token = substr(line, RSTART, RLENGTH)
        code = code substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (token == "/*")
            in_comment = 1
        else if (token == "//")
            line = ""
        else
            code = code substr(token, 1, 1) substr(token, 1, 1)
    }
    print code
}
