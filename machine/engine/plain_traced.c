/* The fast engine where what happens is told (machine/events.h). */
#define MACHINE_PLAIN_EMITS 1
#include "machine/engine/plain.c"
