#include "sim/experiment/trained.h"

void sim_trained_add_columns(struct traces_columns *columns)
{
#define ADD(key, type_, meaning_)                                                        \
    *LIB_VEC_PUSH(&columns->list) = (struct traces_column){                              \
        .name = "trained." #key,                                                         \
        .kind = TRACES_COLUMN_STATISTIC,                                                 \
        .type = type_,                                                                   \
        .unit = "",                                                                      \
        .meaning = meaning_,                                                             \
        .measure = sim_trained_measure(SIM_TRAINED_##key),                               \
    };
#define COUNT(key, meaning) ADD(key, TRACES_TYPE_INT, meaning)
#define NUMBER(key, meaning) ADD(key, TRACES_TYPE_REAL, meaning)
    SIM_TRAINED_NUMBERS(COUNT, NUMBER)
#undef NUMBER
#undef COUNT
#undef ADD
}
