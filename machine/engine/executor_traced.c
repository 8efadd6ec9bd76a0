/* Executors with events (machine/events.h). */
#define MACHINE_EXECUTOR_TELLS true
#define MACHINE_EXECUTOR_DIVIDED(m) ((m)->machine_of != NULL)
#include "machine/engine/executor_run.h"

const struct machine_executor_run machine_executor_traced = MACHINE_EXECUTOR_RUN;
