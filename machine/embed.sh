#!/bin/sh
# embed.sh HEADER TYPE NAME FILE...: prints a C file that holds the texts of files, sorted by
# name, as the array NAME of `struct TYPE`, which the header declares: so the program finds them
# without being installed.
set -eu
LC_ALL=C
export LC_ALL

tab=$(printf '\t')

echo "#include \"$1\""
echo
echo "const struct $2 $3[] = {"
shift 3
for file in "$@"; do
    name=${file##*/}
    printf '%s\t%s\n' "${name%.yaml}" "$file"
done | sort | while IFS=$tab read -r name file; do
    # The leading empty string keeps an empty preset valid C.
    printf '    { "%s", ""\n' "$name"
    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/        "&\\n"/' "$file"
    echo '    },'
done
echo '    { 0, 0 }'
echo '};'
