# A manual page from its text. `@WORDS@' on a line of its own becomes what `hiaton WORDS' prints. `@OPTIONS
# COMMAND@' becomes the options of `hiaton COMMAND', as the tables of the program have them; of an option that
# is named below, up to `@END@', the text there stands in place of its line of help. HIATON is the program.

# Prints the lines of a command, in which options are entries.
function include(words, line, name, command, lines, copied) {
    command = ENVIRON["HIATON"] " " words
    while ((command | getline line) > 0) {
        lines++
        if (line ~ /^\*.*--/) {
            name = line
            sub(/.*\*--/, "", name)
            sub(/\*.*/, "", name)
            copied = name in text
            print line
            if (copied)
                printf "%s\n", text[name]
            delete text[name]
        } else if (!copied || line == "") {
            if (!copied)
                print line
            copied = copied && line != ""
        }
    }
    close(command)
    if (!lines)
        failed = wrong("`hiaton " words "' printed nothing")
    for (name in text)
        failed = wrong("`hiaton " words "' has no --" name)
}

function wrong(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    return 1
}

/^@OPTIONS .*@$/ {
    words = substr($0, 10, length($0) - 10) " --manual"
    name = ""
    while ((getline line) > 0 && line != "@END@") {
        if (line ~ /^--/)
            name = substr(line, 3)
        else
            text[name] = text[name] line "\n"
    }
    for (name in text)
        sub(/\n*$/, "\n", text[name])
    include(words)
    next
}
/^@.*@$/ {
    split("", text)
    include(substr($0, 2, length($0) - 2))
    next
}
{ print }
END { exit failed }
