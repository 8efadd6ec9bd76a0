# Draws doc/studies/fifo-lifo.svg from what doc/studies/fifo-lifo.sh prints, for fib(n) at latency 4: the
# peak of live tokens under both disciplines, and what lifo costs in cycles.
BEGIN {
    FS = ","
    colour[1] = "#1b6ca8"; colour[16] = "#2a9d5c"; colour[64] = "#d98200"; colour[256] = "#b5341f"
    pes[1] = 1; pes[2] = 16; pes[3] = 64; pes[4] = 256
    least = 20; most = 27
}
$1 ~ /^fib/ && $3 == 4 {
    n = $1
    gsub(/[^0-9]/, "", n)
    live[$2, $4, n] = $8
    cycles[$2, $4, n] = $5
}
function log10(x) { return log(x) / log(10) }
function x_of(n) { return left + (n - least) * width / (most - least) }
function y_of(v) { return top + height - (v - low) * height / (high - low) }
function text(x, y, anchor, class, words) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, words
}
function line(x1, y1, x2, y2, class) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, class
}
function frame(title,    n) {
    text(left, top - 16, "start", "title", title)
    for (n = least; n <= most; n++)
        text(x_of(n), top + height + 18, "middle", "tick", n)
    line(left, top + height, left + width, top + height, "axis")
    text(left + width / 2, top + height + 38, "middle", "label", "n, of fib(n)")
}
# A curve of one table.
function curve(p, discipline, is_cost,    n, v, path) {
    for (n = least; n <= most; n++) {
        v = is_cost ? 100 * (cycles[p, "lifo", n] / cycles[p, "fifo", n] - 1) \
                    : log10(live[p, discipline, n])
        path = path sprintf("%s%.1f,%.1f", n == least ? "M" : " L", x_of(n), y_of(v))
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", x_of(n), y_of(v), colour[p]
    }
    printf "<path d=\"%s\" stroke=\"%s\" class=\"curve\"%s/>\n", path, colour[p],
           discipline == "fifo" ? " stroke-dasharray=\"5 4\"" : ""
}
# Puts names beside the ends of curves, from the lowest up, no two closer than 14.
function names(y,    i, k, p, best, used, at, last) {
    last = 1000
    for (i = 1; i <= 4; i++) {
        best = 0
        for (k = 1; k <= 4; k++)
            if (!(k in used) && (best == 0 || y[pes[k]] > y[pes[best]]))
                best = k
        used[best] = 1
        p = pes[best]
        at = y[p] > last - 14 ? last - 14 : y[p]
        printf "<text x=\"%.1f\" y=\"%.1f\" style=\"fill: %s\">%d PE%s</text>\n",
               left + width + 9, at + 4, colour[p], p, p == 1 ? "" : "s"
        last = at
    }
}
END {
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"420\" viewBox=\"0 0 900 420\">"
    print "<title>Peak of live tokens and cost in cycles: LIFO against FIFO</title>"
    print "<style>text { font-family: Helvetica, Arial, sans-serif; font-size: 12px; fill: #333 } .title { font-size: 14px; font-weight: bold } .label { fill: #555 } .grid { stroke: #e4e4e4 } .axis { stroke: #666 } .curve { fill: none; stroke-width: 1.8 }</style>"
    print "<rect width=\"900\" height=\"420\" fill=\"white\"/>"

    left = 76; top = 52; width = 340; height = 300; low = 2; high = 6
    for (v = low; v <= high; v++) {
        line(left, y_of(v), left + width, y_of(v), "grid")
        text(left - 8, y_of(v) + 4, "end", "tick", v == 2 ? "100" : v == 3 ? "1 000" : v == 4 ? "10 000" : v == 5 ? "100 000" : "1 000 000")
    }
    frame("peak of live tokens")
    for (i = 1; i <= 4; i++) {
        curve(pes[i], "fifo", 0)
        curve(pes[i], "lifo", 0)
        at[pes[i]] = y_of(log10(live[pes[i], "lifo", most]))
    }
    names(at)
    text(left + width + 9, y_of(log10(live[1, "fifo", most])) + 2, "start", "name", "1 PE")
    text(left + width + 9, y_of(log10(live[16, "fifo", most])) + 6, "start", "name", "16, 64, 256 PEs")
    printf "<path d=\"M%d,%d h30\" stroke=\"#333\" class=\"curve\" stroke-dasharray=\"5 4\"/>\n", left + 14, top + 12
    text(left + 52, top + 16, "start", "tick", "fifo")
    printf "<path d=\"M%d,%d h30\" stroke=\"#333\" class=\"curve\"/>\n", left + 14, top + 30
    text(left + 52, top + 34, "start", "tick", "lifo")

    left = 592; width = 232; low = 0; high = 10
    for (v = low; v <= high; v += 2) {
        line(left, y_of(v), left + width, y_of(v), "grid")
        text(left - 8, y_of(v) + 4, "end", "tick", (v > 0 ? "+" : "") v " %")
    }
    frame("cycles that lifo takes more")
    for (i = 1; i <= 4; i++) {
        curve(pes[i], "lifo", 1)
        at[pes[i]] = y_of(100 * (cycles[pes[i], "lifo", most] / cycles[pes[i], "fifo", most] - 1))
    }
    names(at)
    print "</svg>"
}
