/* Issue of pure instructions in the plain engine, if PEs differ. */
#define MACHINE_PLAIN_CLASSES 1
#include "machine/engine/plain_pure.c"
