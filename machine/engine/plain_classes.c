/* Issue of instructions that are not pure, in the plain engine, if PEs differ. */
#define MACHINE_PLAIN_CLASSES 1
#include "machine/engine/plain.c"
