/* The plain engine with events (machine/events.h). */
#define MACHINE_PLAIN_EMITS 1
#include "machine/engine/plain.c"
