/* Issue of pure instructions in the plain engine with events. */
#define MACHINE_PLAIN_EMITS 1
#include "machine/engine/plain_pure.c"
