/* Trace of Paje, for ViTE and pj_dump (PajeNG). A PE is a container of containers, one for each
 * firing at a time; firings are states, tokens links, and counters variables of the machine. A
 * cycle is a second. */
#include "traces/exports/exports_internal.h"

#include <inttypes.h>

/* ROW(number, name, fields): events of the format that are written. */
#define PAJE_EVENTS(ROW)                                                                 \
    ROW(0, PajeDefineContainerType, "Alias string|Type string|Name string")              \
    ROW(1, PajeDefineStateType, "Alias string|Type string|Name string")                  \
    ROW(2, PajeDefineVariableType, "Alias string|Type string|Name string|Color color")   \
    ROW(3, PajeDefineLinkType,                                                           \
        "Alias string|Type string|StartContainerType string|EndContainerType "           \
        "string|Name string")                                                            \
    ROW(4, PajeDefineEntityValue, "Alias string|Type string|Name string|Color color")    \
    ROW(5, PajeCreateContainer,                                                          \
        "Time date|Alias string|Type string|Container string|Name string")               \
    ROW(6, PajeDestroyContainer, "Time date|Type string|Name string")                    \
    ROW(7, PajePushState, "Time date|Type string|Container string|Value string")         \
    ROW(8, PajePopState, "Time date|Type string|Container string")                       \
    ROW(9, PajeSetVariable, "Time date|Type string|Container string|Value double")       \
    ROW(10, PajeStartLink,                                                               \
        "Time date|Type string|Container string|StartContainer string|Value "            \
        "string|Key string")                                                             \
    ROW(11, PajeEndLink,                                                                 \
        "Time date|Type string|Container string|EndContainer string|Value string|Key "   \
        "string")

enum paje_event {
#define ROW(number, name, fields) name = number,
    PAJE_EVENTS(ROW)
#undef ROW
};

struct paje {
    bool *is_named; /* nodes */
    bool has_end;   /* the container for arrows without a final firing exists */
};

static void define_event(struct lib_text *text, unsigned number, const char *name,
                         const char *fields)
{
    lib_text_printf(text, "%%EventDef %s %u\n%% ", name, number);
    for (; *fields; fields++)
        if (*fields == '|')
            lib_text_puts(text, "\n% ");
        else
            lib_text_add(text, fields, 1);
    lib_text_puts(text, "\n%EndEventDef\n");
}

static bool paje_start(struct traces_exporter *x)
{
    struct paje *p = x->own;
    struct lib_text *text = &x->text;
    export_timeline_start(x, x->request->place_count);
    p->is_named = lib_mem_new(x->request->graph->node_count);
#define ROW(number, name, fields) define_event(text, number, #name, fields);
    PAJE_EVENTS(ROW)
#undef ROW
    lib_text_printf(text, "%d M 0 machine\n%d P M %s\n%d L P lane\n",
                    PajeDefineContainerType, PajeDefineContainerType,
                    x->request->has_workers ? "worker" : "PE", PajeDefineContainerType);
    lib_text_printf(text, "%d F L firing\n%d T M L L token\n", PajeDefineStateType,
                    PajeDefineLinkType);
    for (int i = 0; i < EXPORT_COUNTER_COUNT; i++)
        lib_text_printf(text, "%d V%d M \"%s\" \"0.3 0.3 0.3\"\n", PajeDefineVariableType,
                        i, export_counter_names[i]);
    lib_text_printf(text, "%d %" PRIu64 " m M 0 machine\n", PajeCreateContainer, x->now);
    for (uint32_t i = 0; i < x->request->place_count; i++) {
        lib_text_printf(text, "%d %" PRIu64 " p%u P m \"", PajeCreateContainer, x->now,
                        i);
        export_add_place(x, i, text);
        lib_text_puts(text, "\"\n");
    }
    return true;
}

/* Adds line 0 of PE 3 as a container called "3.0". */
static uint64_t add_line(struct traces_exporter *x, uint32_t place, uint32_t lane)
{
    const size_t number = x->timeline.lines.count;
    lib_text_printf(&x->text, "%d %" PRIu64 " c%zu L p%u %u.%u\n", PajeCreateContainer,
                    x->now, number, place, place, lane);
    return number;
}

static uint64_t begin_firing(struct traces_exporter *x, uint32_t line,
                             const struct traces_event *e)
{
    struct paje *p = x->own;
    if (!p->is_named[e->instr]) {
        lib_text_printf(&x->text, "%d n%u F \"", PajeDefineEntityValue, e->instr);
        export_add_node(x->request->graph, e->instr, &x->text);
        lib_text_puts(&x->text, "\" \"0.4 0.6 0.8\"\n");
        p->is_named[e->instr] = true;
    }
    lib_text_printf(&x->text, "%d %" PRIu64 " F c%u n%u\n", PajePushState, x->now, line,
                    e->instr);
    return 0;
}

static void end_firing(struct traces_exporter *x, uint32_t line, uint64_t value)
{
    (void)value;
    lib_text_printf(&x->text, "%d %" PRIu64 " F c%u\n", PajePopState, x->now, line);
}

/* Draws an arrow from the end of a firing to the begin of another one. */
static void send_token(struct traces_exporter *x, const struct traces_event *e)
{
    if (x->scene.just_sent->is_drawn)
        export_when(x, e->a, EXPORT_OTHER, x->timeline.last, x->scene.just_sent->number);
}

static void begin_arrow(struct traces_exporter *x, const struct export_due *due)
{
    lib_text_printf(&x->text, "%d %" PRIu64 " T m c%u token %" PRIu64 "\n", PajeStartLink,
                    x->now, due->place, due->value);
}

static void end_arrow(struct traces_exporter *x, uint32_t line,
                      const struct export_token *token)
{
    lib_text_printf(&x->text, "%d %" PRIu64 " T m c%u token %" PRIu64 "\n", PajeEndLink,
                    x->now, line, token->number);
}

/* Ends an arrow of a token that no visible firing consumes, in a container for such arrows. */
static void end_nowhere(struct traces_exporter *x, const struct export_token *token)
{
    struct paje *p = x->own;
    if (!p->has_end)
        lib_text_printf(&x->text,
                        "%d %" PRIu64 " q P m \"no firing\"\n%d %" PRIu64
                        " e L q \"no firing\"\n",
                        PajeCreateContainer, x->now, PajeCreateContainer, x->now);
    p->has_end = true;
    lib_text_printf(&x->text, "%d %" PRIu64 " T m e token %" PRIu64 "\n", PajeEndLink,
                    x->now, token->number);
}

static void end_absorbed(struct traces_exporter *x, const struct traces_event *e)
{
    (void)e;
    if (x->scene.absorbed.number && x->scene.absorbed.is_drawn)
        end_nowhere(x, &x->scene.absorbed);
}

static void leave_out(struct traces_exporter *x, const struct traces_event *event)
{
    for (size_t i = 0; i < x->scene.consumed.count; i++)
        if (x->scene.consumed.items[i].is_drawn)
            end_nowhere(x, &x->scene.consumed.items[i]);
    end_absorbed(x, event);
}

static void put_counters(struct traces_exporter *x)
{
    for (int i = 0; i < EXPORT_COUNTER_COUNT; i++)
        if (x->scene.changed[i])
            lib_text_printf(&x->text, "%d %" PRIu64 " V%d m %" PRId64 "\n",
                            PajeSetVariable, x->now, i, x->scene.counts[i]);
}

static bool paje_finish(struct traces_exporter *x)
{
    for (size_t i = 0; i < x->scene.tokens.count; i++) {
        const struct export_token *token = traces_live_tokens_get(&x->scene.tokens, i);
        if (token && token->is_drawn)
            end_nowhere(x, token);
    }
    lib_text_printf(&x->text, "%d %" PRIu64 " M m\n", PajeDestroyContainer, x->now);
    return true;
}

static void free_paje(struct traces_exporter *x)
{
    lib_mem_free(((struct paje *)x->own)->is_named);
}

const struct export_writer export_paje = {
    .format = {"paje", true, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct paje),
    .start = paje_start,
    .take = end_absorbed,
    .add_line = add_line,
    .begin = begin_firing,
    .end = end_firing,
    .send = send_token,
    .receive = end_arrow,
    .leave_out = leave_out,
    .due = begin_arrow,
    .advance = put_counters,
    .finish = paje_finish,
    .free = free_paje,
};
