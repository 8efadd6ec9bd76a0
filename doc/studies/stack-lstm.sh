#!/bin/sh
# The measurements of doc/studies/stack-lstm.md: its figure, and the numbers of its tables.
#
#   doc/studies/stack-lstm.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder stack-lstm.results of the current one, so that a second time
# nothing is run again. HIATON is the program to run, build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
keep stack-lstm
sweep stack-lstm "$@"
tables stack-lstm
