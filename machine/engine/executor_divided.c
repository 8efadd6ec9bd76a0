/* Executors of a divided program, without events. */
#define MACHINE_EXECUTOR_TELLS false
#define MACHINE_EXECUTOR_DIVIDED(m) ((void)(m), true)
#include "machine/engine/executor_run.h"

const struct machine_executor_run machine_executor_divided = MACHINE_EXECUTOR_RUN;
