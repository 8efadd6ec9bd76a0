#include "programs/dragnn/state.h"

const struct dragnn_system *const dragnn_systems[] = {
    &dragnn_tagger,
    &dragnn_arc_hybrid,
    NULL,
};
