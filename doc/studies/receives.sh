#!/bin/sh
# The table of "Two ways to receive" in distributed.md: a line for each program, number of machines and way.
#
#   doc/studies/receives.sh
#
# HIATON is the program to run, build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'result = f(8)\nf(n) = if n == 0 then 1 else f(n - 1) + f(n - 1)\n' > "$work/tree.df"
cat > "$work/loop.df" <<'END'
result = loop i = 0, s = 0 while i < 200 do i + 1, s + i * i % 7 return s
END

# One number of the JSON object of a run.
value() {
    sed -n "s/^  \"$2\": \\([0-9]*\\),\$/\\1/p" "$1"
}

echo '| program | machines | `partition.receive` | cycles | values and hiatons | decisions | releases | tokens | peak_waiting | peak_tags |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for program in fib tak tree loop; do
    case $program in
    fib) run="$examples/fib.df n=12" ;;
    tak) run="$examples/tak.df x=8 y=5 z=3" ;;
    *) run="$work/$program.df" ;;
    esac
    for machines in 2 4 8; do
        for way in match scheduled; do
            # shellcheck disable=SC2086
            "$hiaton" run $run -s pe.count=16 -s network.topology=crossbar -s network.latency=20 \
                -s deadness=propagate -s partition.by=random -s partition.machines=$machines \
                -s partition.receive=$way --json > "$work/json"
            echo "| $program | $machines | \`$way\` | $(value "$work/json" cycles)" \
                "| $(($(value "$work/json" sends) + $(value "$work/json" dead_sends)))" \
                "| $(value "$work/json" tag_sends) | $(value "$work/json" releases)" \
                "| $(value "$work/json" tokens) | $(value "$work/json" peak_waiting)" \
                "| $(value "$work/json" peak_tags) |"
        done
    done
done
