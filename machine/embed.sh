#!/bin/sh
# embed.sh FILE.yaml...: prints a C file that holds the presets' texts, sorted by name,
# so that the program finds them without being installed.
set -eu
LC_ALL=C
export LC_ALL

tab=$(printf '\t')

echo '#include "machine/presets.h"'
echo
echo 'const struct machine_preset_text machine_preset_texts[] = {'
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
