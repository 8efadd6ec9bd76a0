#include "analysis/view/choice.h"

#include <string.h>

struct at {
    const struct traces_reader *frame;
    size_t run;
};

static struct traces_cell cell_at(const struct traces_column *column, const void *context)
{
    const struct at *at = context;
    return traces_reader_cell(at->frame, at->run, column);
}

enum analysis_choice analysis_choose(const struct traces_reader *frame, size_t run,
                                     const struct analysis_condition *where)
{
    const struct at at = {frame, run};
    if (!analysis_condition_holds(where, cell_at, &at))
        return ANALYSIS_CHOICE_OTHER;
    struct traces_cell status = traces_reader_cell(frame, run,
                                                   traces_reader_column(frame, "status"));
    bool completed = status.type == TRACES_CELL_TEXT &&
                     strcmp(status.text, "completed") == 0;
    return completed ? ANALYSIS_CHOICE_SHOWN : ANALYSIS_CHOICE_FAILED;
}
