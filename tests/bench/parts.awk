# Of a run under callgrind: what the parts of a token's way cost (tests/bench/bench.sh --parts).
#
#   awk -v tokens=N -f parts.awk parts.tbl CALLGRIND-FILE
#
# callgrind writes whole names, and counts caches and branches (--compress-strings=no --compress-pos=no
# --cache-sim=yes --branch-sim=yes). A line counts for the part of the function in whose source it stands, also
# where that is inlined; else for that of its file; else for that of the function that runs: so small
# helpers, which all parts share, count for who calls them. Prints numbers per token, in the order of
# the table's first words: instructions in all, by part, of the rest; branches predicted wrong;
# accesses that miss the first cache.

# Learns in which function each line of a source stands: it begins in the first column, and ends with `}' there.
function learn(file, line, text, number, name) {
    known[file] = 1
    while ((getline line < file) > 0) {
        number++
        if (line ~ /^}/)
            name = ""
        else if (line ~ /^[A-Za-z_].*\(/ && line !~ /;$/) {
            text = line
            while (sub(/__attribute__\(\([^()]*(\([^()]*\))?\)\)/, "", text))
                ;
            if (match(text, /[A-Za-z_0-9]+\(/))
                name = substr(text, RSTART, RLENGTH - 1)
        }
        stands[file, number] = name
    }
    close(file)
}

# The part of a name: as it is in the table, or by the longest beginning there that ends with `*'
function part(name, length_) {
    if (!(name in found)) {
        found[name] = name in table ? table[name] : ""
        for (length_ = length(name); found[name] == "" && length_ > 0; length_--)
            if ((substr(name, 1, length_) "*") in table)
                found[name] = table[substr(name, 1, length_) "*"]
    }
    return found[name]
}

NR == FNR {
    if (!/^#/ && NF > 1) {
        if (!($1 in order_of))
            order[order_of[$1] = ++parts] = $1
        for (i = 2; i <= NF; i++)
            table[$i] = $1
    }
    next
}
/^f[lie]=/ {
    file = substr($0, 4)
    room = file
    sub(/.*\.\.\//, "", room)
    next
}
/^fn=/ {
    symbol = substr($0, 4)
    sub(/[.\x27].*/, "", symbol)
    next
}
/^calls=/ {
    getline
    next
}
/^[0-9]/ {
    if (!(file in known))
        learn(file)
    p = part(stands[file, $1])
    if (p == "")
        p = part(room)
    if (p == "")
        p = part("in:" symbol)
    sum[p] += $2
    total += $2
    missed += $6 + $7
    mispredicted += $12 + $14
}
END {
    printf "%.0f", total / tokens
    for (i = 1; i <= parts; i++)
        printf " %.0f", sum[order[i]] / tokens
    printf " %.0f %.2f %.2f\n", sum[""] / tokens, mispredicted / tokens, missed / tokens
}
