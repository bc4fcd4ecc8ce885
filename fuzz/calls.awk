# SPDX-License-Identifier: MIT
# Reads public headers and writes a C file: for each function that makes
# arrays, a call whose arguments are drawn by fuzz_ops.c.  A function with a
# parameter of a kind that is not known here is left out, and counted.
# Portable awk.

BEGIN {
    draw["mlxc_array *"] = "draw_array(d)"
    draw["mlxc_arrays *"] = "draw_arrays(d)"
    draw["mlxc_array *const *"] = "draw_list(d)"
    draw["const int64_t *"] = "draw_lengths(d)"
    draw["const int *"] = "draw_axes(d)"
    draw["int "] = "draw_int(d)"
    draw["int64_t "] = "draw_int64(d)"
    draw["uint64_t "] = "(uint64_t)draw_int64(d)"
    draw["bool "] = "draw_bool(d)"
    draw["double "] = "draw_double(d)"
    draw["mlxc_dtype "] = "draw_dtype(d)"
    draw["mlxc_pad_mode "] = "(mlxc_pad_mode)draw_enum(d)"
    draw["mlxc_scatter_mode "] = "(mlxc_scatter_mode)draw_enum(d)"
    draw["const char *"] = "draw_text(d)"
    draw["mlxc_stream *"] = "NULL"
    result["mlxc_array **"] = "keep(d, "
    result["mlxc_arrays **"] = "keep_all(d, "
    print "/* Made from the public headers by calls.awk. */"
}

/^MLXC_API mlxc_status / { text = ""; reading = 1 }
reading { text = text " " $0 }
reading && /;/ { reading = 0; call(text) }

function call(text,    name, list, n, part, i, type, made, given, kept, out) {
    gsub(/[ \t]+/, " ", text)
    name = text
    sub(/^.*mlxc_status mlxc_/, "", name)
    sub(/\(.*/, "", name)
    list = text
    sub(/^[^(]*\(/, "", list)
    sub(/\).*/, "", list)
    n = split(list, part, /, */)
    for (i = 1; i <= n; i++) {
        type = part[i]
        sub(/[A-Za-z0-9_]+$/, "", type)
        if (type in result) {
            out = type
            sub(/\*$/, "", out)
            made = made "    " out "p" i " = NULL;\n"
            kept = kept "    " result[type] "p" i ", status);\n"
            given = given ", &p" i
        } else if (!(type in draw)) {
            return
        } else if (type == "int " && part[i - 1] ~ /const int|const \*/) {
            # the length of the list before it
            made = made "    int p" i " = draw_count(d);\n"
            given = given ", p" i
        } else {
            made = made "    " type "p" i " = " draw[type] ";\n"
            given = given ", p" i
        }
    }
    if (!kept)
        return
    print "static void call_" name "(struct draw *d)\n{"
    printf "%s", made
    print "    mlxc_status status = mlxc_" name "(" substr(given, 3) ");"
    printf "%s}\n\n", kept
    table = table "    { \"" name "\", call_" name " },\n"
}

END { printf "static const struct call calls[] = {\n%s};\n", table }
