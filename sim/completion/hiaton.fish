# fish completion for hiaton: asks the program, `hiaton --complete WORD...`.

function __hiaton_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command $words[1] --complete $words[2..-1] "$current" 2>/dev/null)
    set -l kind (string split ' ' -- $lines[1])
    for line in $lines[2..-1]
        echo $line
    end
    set -l prefix (string match -r -- '^-[^=]*=' "$current")
    set -l path (string replace -r -- '^-[^=]*=' '' "$current")
    switch $kind[1]
        case :folders
            printf '%s\n' "$prefix"(__fish_complete_directories "$path")
        case :files=
            set prefix (string match -r -- '^.*=' "$current")
            set path (string replace -r -- '^.*=' '' "$current")
            printf '%s\n' "$prefix"(__fish_complete_path "$path")
        case :files :unknown
            # Of an ending only such files, and folders.
            set -l ending '[^/]*'
            test "$kind[1]" = :files; and set -q kind[2]; and set ending "[^/]*\\.$kind[2]"
            printf '%s\n' "$prefix"(__fish_complete_path "$path" | string match -r -- "^(?:[^\t]*/)?(?:$ending)?(?:\t.*)?\$")
    end
end

complete -c hiaton -f -a '(__hiaton_complete)'
