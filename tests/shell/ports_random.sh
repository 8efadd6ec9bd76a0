#!/bin/sh
# Random programs with ports, fed by random hosts, through everything that can run them
# (tests/random/ports.c).
set -eu

ports=$BUILDDIR/tests/random/ports
number=1000
[ -z "${HIATON_QUICK-}" ] || number=200
[ "${HIATON_SANITIZERS-}" != yes ] || number=20
exec "$ports" --number "$number"
