/* The issues of pure instructions in the fast engine where what happens is told. */
#define MACHINE_PLAIN_EMITS 1
#include "machine/engine/plain_pure.c"
