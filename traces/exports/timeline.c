#include "traces/exports/exports_internal.h"

#include "lib/heap.h"

struct export_group {
    LIB_VEC(uint32_t) free;  /* free lanes, a heap */
    LIB_VEC(uint32_t) lines; /* line of each lane */
};

static bool is_lower(const uint32_t *a, const uint32_t *b)
{
    return *a < *b;
}

void export_timeline_start(struct traces_exporter *x, size_t group_count)
{
    x->timeline.groups = lib_mem_new((group_count + 1) * sizeof *x->timeline.groups);
    x->timeline.group_count = (uint32_t)group_count;
}

void export_timeline_free(struct export_timeline *t)
{
    for (uint32_t i = 0; i < t->group_count; i++)
        LIB_VEC_FREE(&t->groups[i].free, &t->groups[i].lines);
    LIB_VEC_FREE(&t->lines);
    lib_mem_free(t->groups);
}

uint32_t export_line_add(struct traces_exporter *x, uint32_t group, uint32_t lane)
{
    const uint64_t id = x->writer->add_line(x, group, lane);
    *LIB_VEC_PUSH(&x->timeline.lines) = (struct export_line){group, lane, id};
    return (uint32_t)x->timeline.lines.count - 1;
}

uint32_t export_line_take(struct traces_exporter *x, uint32_t number)
{
    struct export_group *group = &x->timeline.groups[number];
    uint32_t lane = (uint32_t)group->lines.count;
    if (group->free.count > 0) {
        LIB_HEAP_TAKE(&group->free, &lane, is_lower);
        return group->lines.items[lane];
    }
    const uint32_t line = export_line_add(x, number, lane);
    return *LIB_VEC_PUSH(&group->lines) = line;
}

void export_line_give(struct traces_exporter *x, uint32_t number)
{
    const struct export_line *line = &x->timeline.lines.items[number];
    LIB_HEAP_PUT(&x->timeline.groups[line->group].free, &line->lane, is_lower);
}

void export_timeline_take(struct traces_exporter *x, const struct traces_event *e)
{
    const struct export_writer *format = x->writer;
    struct export_scene *s = &x->scene;
    if (!export_is_firing(e)) {
        (s->just_sent ? format->send : format->take)(x, e);
        return;
    }
    const uint32_t line = x->timeline.last = export_line_take(x, e->pe);
    const uint64_t value = format->begin(x, line, e);
    for (size_t i = 0; format->receive && i < s->consumed.count; i++)
        if (s->consumed.items[i].is_drawn)
            format->receive(x, line, &s->consumed.items[i]);
    export_when(x, e->b, EXPORT_ENDS, line, value);
}

void export_timeline_due(struct traces_exporter *x, const struct export_due *due)
{
    if (due->kind == EXPORT_ENDS && x->writer->ends_last) {
        export_when(x, x->now, EXPORT_ENDS_LAST, due->place, due->value);
        return;
    }
    if (x->writer->end)
        x->writer->end(x, due->place, due->value);
    export_line_give(x, due->place);
}
