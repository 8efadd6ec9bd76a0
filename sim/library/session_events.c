/* Listeners of a session: converts events of the simulator to those of hiaton.h. */
#include "sim/library/library_internal.h"

#include <string.h>

#include "traces/filter.h"

struct sim_library_ear {
    struct lib_arena *arena; /* has its strings */
    const struct hiaton_session *session;
    struct hiaton_listener listener;
    bool wants[TRACES_EVENT_COUNT];
    struct traces_filter filter;
    bool has_filter;
    /* sink after the filter; sink before the filter */
    struct traces_event_sink sink, outer;
};

static const char *word_of(const struct traces_event_field *field, uint64_t value)
{
    switch (field->meaning) {
    case TRACES_MEANS_OUTCOME:
        return traces_outcome_table[value].text;
    case TRACES_MEANS_HOLDER:
        return traces_holder_table[value].text;
    case TRACES_MEANS_PLACE:
        return traces_place_table[value].text;
    case TRACES_MEANS_END:
        return sim_end_name((enum isa_end)value);
    default:
        return NULL;
    }
}

static void pass_event(const struct sim_library_ear *ear,
                       const struct traces_event *event)
{
    const struct traces_event_row *row = &traces_event_table[event->kind];
    struct hiaton_event_field fields[TRACES_EVENT_MAX_FIELDS];
    size_t count = 0;
    for (const struct traces_event_field *f = row->fields; f->text; f++) {
        const uint64_t value = traces_event_get(event, f);
        const bool is_none = f->size == sizeof event->tag && value == TRACES_NONE;
        fields[count++] = (struct hiaton_event_field){f->text, word_of(f, value),
                                                      is_none ? HIATON_NONE : value};
    }
    const struct hiaton_event own = {sizeof own, row->text, event->cycle, fields, count};
    sim_library_go_out(ear->session);
    ear->listener.hear(ear->listener.context, &own);
    sim_library_come_back();
}

static void ear_consume(void *context, const struct traces_event *events, size_t count)
{
    const struct sim_library_ear *ear = context;
    for (size_t i = 0; i < count; i++)
        if (ear->wants[events[i].kind])
            pass_event(ear, &events[i]);
}

static const char *keep_text(struct lib_arena *arena, const char *text)
{
    return text ? lib_arena_copy(arena, text, strlen(text)) : NULL;
}

/* Reads names of events, separated by commas. Returns false and adds an error if one is unknown. */
static bool read_kinds(struct sim_library_ear *ear, const char *kinds,
                       struct lib_diags *diags)
{
    for (size_t i = 0; i < TRACES_EVENT_COUNT; i++)
        ear->wants[i] = !kinds;
    while (kinds && *kinds) {
        const size_t length = strcspn(kinds, ",");
        size_t i = 0;
        while (i < TRACES_EVENT_COUNT &&
               (strlen(traces_event_table[i].text) != length ||
                memcmp(traces_event_table[i].text, kinds, length) != 0))
            i++;
        if (i == TRACES_EVENT_COUNT) {
            lib_diag_plain(diags, LIB_DIAG_NAME, "unknown event `%.*s`", (int)length,
                           kinds);
            return false;
        }
        ear->wants[i] = true;
        kinds += length + (kinds[length] == ',');
    }
    return true;
}

static bool read_level(struct sim_library_ear *ear, struct lib_diags *diags)
{
    const char *level = ear->listener.level;
    ear->sink.level = level ? traces_level_find(level) : TRACES_LEVEL_ALL;
    if (ear->sink.level != TRACES_LEVEL_COUNT)
        return true;
    lib_diag_plain(diags, LIB_DIAG_NAME,
                   "unknown level `%s`; expected `summary`, `firings`, `all` or `queues`",
                   level);
    return false;
}

static bool read_filter(struct sim_library_ear *ear, const struct isa_graph *graph,
                        struct lib_diags *diags)
{
    const struct hiaton_listener *l = &ear->listener;
    const struct traces_filter_texts texts = {
        .pe = keep_text(ear->arena, l->pe),
        .function = keep_text(ear->arena, l->function),
        .line = keep_text(ear->arena, l->line),
        .below = keep_text(ear->arena, l->below),
    };
    if (!traces_filter_is_any(&texts))
        return true;
    ear->has_filter = true;
    return traces_filter_start(&ear->filter, graph, &texts, ear->sink, diags);
}

enum hiaton_status hiaton_session_listen(struct hiaton_session *s,
                                         const struct hiaton_listener *listener)
{
    struct lib_diags diags = {0};
    struct hiaton_listener own;
    if (!s || !sim_library_has_size(listener))
        return HIATON_MISUSE;
    SIM_TAKE(own, listener);
    if (!own.hear)
        return HIATON_MISUSE;
    if (s->has_begun || s->ear || s->engine == SIM_ENGINE_INTERPRETER) {
        sim_library_complain(&s->reporter, LIB_DIAG_USAGE,
                             s->ear         ? "somebody listens to the session already"
                             : s->has_begun ? "the run has begun: nobody can listen"
                                            : "an untimed run has no events");
        return HIATON_MISUSE;
    }
    struct sim_library_ear *ear = lib_mem_new(sizeof *ear);
    ear->arena = lib_arena_new();
    ear->session = s;
    ear->listener = own;
    ear->sink = (struct traces_event_sink){.take = ear_consume, .context = ear};
    const bool good = read_level(ear, &diags) &&
                      read_kinds(ear, ear->listener.kinds, &diags) &&
                      read_filter(ear, s->session.program.graph, &diags);
    sim_library_report(&s->reporter, &diags);
    if (!good) {
        sim_library_ear_free(ear);
        return HIATON_REJECTED;
    }
    ear->outer = ear->has_filter ? traces_filter_sink(&ear->filter) : ear->sink;
    sim_library_cool(s);
    s->ear = ear;
    return HIATON_OK;
}

const struct traces_event_sink *sim_library_ear_sink(const struct sim_library_ear *ear)
{
    return &ear->outer;
}

void sim_library_ear_free(struct sim_library_ear *ear)
{
    if (!ear)
        return;
    if (ear->has_filter)
        traces_filter_free(&ear->filter);
    lib_arena_free(ear->arena);
    lib_mem_free(ear);
}
