# Checks the identities of a page over many runs: awk -f identities.awk PAGE FACTS
#
# PAGE is doc/metrics.md. The rows of the table under "Identities" are: where it holds; what,
# as one or more expressions in backquotes with commas between them; words. An expression is
# two sums with =, <=, >=, < or > between them. A sum adds, subtracts, multiplies and divides:
#
#   cycles                 a statistic of the run; also a text, or a list of numbers
#   sum(pe.busy)           of the rows of all PEs
#   sum(series.firings)    of a column of the series; max: its greatest; last: its last row
#   sum(profile.actual)    of a profile
#   interp.calls           of `hiaton interp --json`, run on the same image and inputs
#   ideal.profile.ideal    of the machine `ideal`
#   sum(parts.firings)     of the parts that tile the run; max: their greatest
#
# FACTS has lines of these kinds:
#
#   @program NAME          forget what is known of interp and ideal
#   @as interp|ideal       what follows is known under that name
#   @run SCOPES NAME       what follows is of a run; SCOPES as where the page says, with commas
#   KEY VALUE              texts in quotes, lists in brackets; null: it has no meaning
#   @end                   of the run: all that holds there is checked
#
# A line that is not understood is a failure, as is an expression that nothing was checked by.

BEGIN {
    count = split("everywhere PEs executors static expanding suppress every_cycle part tiles crossbar routers own_routers wide_links " \
                  "ideal,_suppress ideal,_propagate", name, " ")
    for (i = 1; i <= count; i++) {
        gsub("_", " ", name[i])
        is_scope[name[i]] = 1
    }
    rules = failures = checks = 0
}

function fail(text) {
    if (++failures <= 20)
        print "FAILED: " text
}

function trimmed(text) {
    gsub(/^ +| +$/, "", text)
    return text
}

# --- expressions ----------------------------------------------------------------------

# What is left of the one that is read is `rest`; `wrong` says what is not right about it. Where
# `dry`, nothing is looked up. `missing`: it has no meaning in this run.
function take(pattern) {
    if (!match(rest, "^ *(" pattern ")"))
        return ""
    taken = trimmed(substr(rest, 1, RLENGTH))
    rest = substr(rest, RLENGTH + 1)
    return taken
}

function look_up(key) {
    if (dry)
        return 1
    if (!(key in fact) && !(key in base)) {
        wrong = "nothing is called " key
        return 0
    }
    value = key in fact ? fact[key] : base[key]
    if (value == "null")
        missing = 1
    return value
}

function factor(    text) {
    if ((text = take("[0-9]+")) != "")
        return text
    if ((text = take("(sum|max|last)[(][a-z_.]+[)]")) != "")
        return look_up(text)
    if ((text = take("[a-z_]+([.][a-z_]+)*")) != "")
        return look_up(text)
    wrong = "cannot read `" rest "'"
    return 0
}

function product(    value, operator, other) {
    value = factor()
    while (wrong == "" && (operator = take("[*/]")) != "") {
        other = factor()
        if (operator == "/" && !dry && other + 0 == 0)
            missing = 1
        else
            value = operator == "*" ? value * other : value / (other + (other == 0))
    }
    return value
}

function sum(    value, operator, other) {
    value = product()
    while (wrong == "" && (operator = take("[+-]")) != "") {
        other = product()
        value = operator == "+" ? value + other : value - other
    }
    return value
}

function holds(a, b, relation,    texts) {
    texts = a ~ /^["[]/ || b ~ /^["[]/
    if (relation == "=")
        return texts ? a "" == b "" : a + 0 == b + 0
    if (texts)
        wrong = "texts have no order"
    if (relation == "<=")
        return a + 0 <= b + 0
    if (relation == ">=")
        return a + 0 >= b + 0
    return relation == "<" ? a + 0 < b + 0 : a + 0 > b + 0
}

# Whether an expression holds; or, where it is dry, is one.
function check(text,    a, b, relation, good) {
    rest = text
    wrong = ""
    missing = 0
    a = sum()
    relation = take("<=|>=|=|<|>")
    if (wrong == "" && relation == "")
        wrong = "no relation"
    if (wrong == "")
        b = sum()
    if (wrong == "" && trimmed(rest) != "")
        wrong = "cannot read `" rest "'"
    if (dry || wrong != "" || missing)
        return wrong == ""
    good = holds(a, b, relation)
    if (!good)
        wrong = substr(a, 1, 60) " and " substr(b, 1, 60)
    return good
}

# --- the page -------------------------------------------------------------------------

function read_row(    cell, where, i, n, part) {
    if (split($0, cell, "|") != 5) {
        fail("not a row of three cells: " $0)
        return
    }
    where = trimmed(cell[2])
    if (where == "where" || where ~ /^-+$/)
        return
    if (!(where in is_scope))
        fail("there is no such place: " where)
    if (trimmed(cell[3]) !~ /^`[^`]+`(, `[^`]+`)*$/) {
        fail("no expressions: " $0)
        return
    }
    n = split(trimmed(cell[3]), part, /`(, `)?/)
    for (i = 2; i < n; i++) {
        dry = 1
        if (!check(part[i]))
            fail("`" part[i] "`: " wrong)
        dry = 0
        scope_of[++rules] = where
        rule[rules] = part[i]
        checked[rules] = 0
    }
}

FNR == 1 { file++ }
file == 1 && /^## / { inside = $0 == "## Identities" }
file == 1 && inside && /^\|/ { read_row() }
file == 1 && inside && /^ *([-*+]|[0-9]+[.]) / { fail("an identity beside the table: " $0) }
file == 1 { next }

# --- runs -----------------------------------------------------------------------------

function forget(    key) {
    for (key in fact)
        delete fact[key]
}

$1 == "@program" {
    for (key in base)
        delete base[key]
    next
}
$1 == "@as" { prefix = $2 "."; next }
$1 == "@run" {
    forget()
    prefix = ""
    run = substr($0, 2)
    scopes = "," $2 ","
    next
}
$1 == "@end" {
    runs++
    for (i = 1; i <= rules; i++) {
        wanted = scope_of[i]
        gsub(", ", "-", wanted)
        gsub(" ", "-", wanted)
        if (!index(scopes, "," wanted ","))
            continue
        if (!check(rule[i]))
            fail("`" rule[i] "`: " wrong ", in " run)
        if (!missing) {
            checked[i]++
            checks++
        }
    }
    next
}
{
    value = $0
    sub(/^[^ ]+ /, "", value)
    if (prefix == "")
        fact[$1] = value
    else
        base[prefix $1] = value
}

END {
    for (i = 1; i <= rules; i++)
        if (checked[i] == 0)
            fail("nothing was checked by `" rule[i] "`")
    if (rules == 0)
        fail("no identities")
    print rules " identities, " runs + 0 " runs: " checks " checks, " failures " failed"
    exit failures > 0
}
