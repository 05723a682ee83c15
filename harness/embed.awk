# embed.awk - files as C: what a page of limitlab carries along, made at build time so that it never goes stale.
#
#     awk -f harness/embed.awk harness/page.css harness/page.js algos/*/*.c >embedded_text.h
#
# A .css or .js file becomes an array of its lines.  Of the others, each coordination becomes a row of
# program_texts: its name, the file, and the lines of its step function.

function quoted(text,    out, c, i)
{
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        out = out (index("\\\"?", c) ? "\\" c : c)
    }
    return "\"" out "\","
}

function open_array(name)
{
    if (array != "") print "    NULL\n};"
    array = name
    if (name != "") print "static const char *const " name "[] = {"
}

BEGIN { print "/* Made by harness/embed.awk. */" }

FNR == 1 {
    extension = FILENAME
    sub(/.*\./, "", extension)
    open_array(extension == "css" ? "style_lines" : extension == "js" ? "script_lines" : "")
    inside = 0
}

array != "" { print "    " quoted($0); next }

# A step function, by its name: within its file where it is static.
/^(static )?void [a-z_]+\(struct world \*world, struct call \*call, struct message \*in\)$/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.* /, "", name)
    function_name = (/^static/ ? FILENAME " " : "") name
    inside = 1
}
inside { body[function_name] = body[function_name] "        " quoted($0) "\n" }
/^}/   { inside = 0 }
/^(static )?const struct coordination [a-z_]+ = \{/ { coordination = "" }
/^    \.name = "/ && coordination == "" { split($0, part, "\""); coordination = part[2] }
/\.step = [a-z_]+/ && coordination != "" {
    match($0, /\.step = [a-z_]+/)
    step[coordination] = substr($0, RSTART + 8, RLENGTH - 8)
    file[coordination] = FILENAME
    order[++rows] = coordination
}

END {
    open_array("")
    print "static const struct program_text program_texts[] = {"
    for (i = 1; i <= rows; i++) {
        name = order[i]
        text = body[file[name] " " step[name]]
        if (text == "") text = body[step[name]]
        printf "    { \"%s\", \"%s\", (const char *const[]){\n%s        NULL } },\n", name, file[name], text
    }
    print "    { NULL, NULL, NULL }\n};"
}
