/* Files of events: what was told is read, event by event, of every kind, level, example and
 * machine; a window of it too; of what is damaged or cut off nothing wrong is. */
#include "sim/explain/causes.h"
#include "sim/replay/tracer.h"
#include "tests/random/draw.h"
#include "tests/unit/examples.h"
#include "traces/files/event_file.h"
#include "traces/window.h"

#include <inttypes.h>
#include <unistd.h>

enum { SEED = 20261122, MAX_CALLS = 3000, FLIPS = 1000 };

static const uint64_t plenty = UINT64_C(1) << 40; /* tokens */

static const struct traces_chunks_kind kind = {TRACES_FOUR("TEST"), 1, "a test", 0};
static struct lib_text what; /* is tried now, for messages */

/* A stream that is kept. */
struct kept {
    traces_event_vec events;
};

static void keep_events(void *context, const struct traces_event *events, size_t count)
{
    struct kept *kept = context;
    for (size_t i = 0; i < count; i++)
        *LIB_VEC_PUSH(&kept->events) = events[i];
}

static bool is_same(const struct traces_event *a, const struct traces_event *b)
{
    bool same = a->kind == b->kind && a->cycle == b->cycle;
    for (const struct traces_event_field *f = traces_event_table[a->kind].fields;
         same && f->text; f++)
        same = traces_event_get(a, f) == traces_event_get(b, f);
    return same;
}

static void check_same(const struct kept *expected, const struct kept *found)
{
    struct lib_text a = {0}, b = {0};
    for (size_t i = 0; i < expected->events.count && i < found->events.count; i++) {
        const struct traces_event *e = &expected->events.items[i];
        const struct traces_event *f = &found->events.items[i];
        if (is_same(e, f))
            continue;
        traces_event_write(e, &a);
        traces_event_write(f, &b);
        ck_abort_msg("%s: event %zu: %" PRIu64 " %s, found %" PRIu64 " %s",
                     lib_text_get(&what), i, e->cycle, lib_text_get(&a), f->cycle,
                     lib_text_get(&b));
    }
    ck_assert_msg(expected->events.count == found->events.count,
                  "%s: %zu events, found %zu", lib_text_get(&what),
                  expected->events.count, found->events.count);
}

/* --- blocks -------------------------------------------------------------------------------- */

/* A number that a field may have: small, near the others, or an extreme. */
static uint64_t draw_number(struct draw *draw, uint64_t most)
{
    switch (draw_below(draw, 4)) {
    case 0:
        return draw_below(draw, 2) ? most : 0;
    case 1:
        return draw_below(draw, 8) % (most + 1 ? most + 1 : most);
    default:
        return draw_below(draw, most);
    }
}

static void put_field(struct traces_event *e, const struct traces_event_field *f,
                      uint64_t value)
{
    char *at = (char *)e + f->offset;
    const uint32_t half = (uint32_t)value;
    const uint8_t byte = (uint8_t)value;
    memcpy(at,
           f->size == 8   ? (void *)&value
           : f->size == 4 ? (void *)&half
                          : (void *)&byte,
           f->size);
}

static const struct traces_event_bounds bounds = {
    .pes = 16, .places = UINT32_MAX, .ends = ISA_END_INTERRUPTED + 1};

/* Whether the field of an event may name nothing. */
static bool can_be_none(enum traces_event_kind of, const struct traces_event_field *f)
{
    switch (f->meaning) {
    case TRACES_MEANS_PE:
        return traces_event_table[of].level == TRACES_LEVEL_SUMMARY ||
               of == TRACES_EVENT_RELEASED || of == TRACES_EVENT_STALLED;
    case TRACES_MEANS_INSTR:
        return of == TRACES_EVENT_END;
    default:
        return f->meaning == TRACES_MEANS_SITE && of == TRACES_EVENT_PRESENT;
    }
}

static uint64_t draw_field(struct draw *draw, const struct isa_graph *graph,
                           enum traces_event_kind of, const struct traces_event_field *f)
{
    if (can_be_none(of, f) && draw_below(draw, 8) == 0)
        return TRACES_NONE;
    switch (f->meaning) {
    case TRACES_MEANS_PE:
        return draw_below(draw, bounds.pes);
    case TRACES_MEANS_INSTR:
        return draw_below(draw, graph->node_count);
    case TRACES_MEANS_SITE:
        return draw_below(draw, graph->site_count);
    case TRACES_MEANS_OUTCOME:
        return draw_below(draw, TRACES_OUTCOME_COUNT);
    case TRACES_MEANS_HOLDER:
        return draw_below(draw, TRACES_HOLDER_COUNT);
    case TRACES_MEANS_PLACE:
        return draw_below(draw, TRACES_PLACE_COUNT);
    case TRACES_MEANS_END:
        return draw_below(draw, bounds.ends);
    case TRACES_MEANS_NUMBER:
        return draw_below(draw, bounds.places);
    case TRACES_MEANS_TAG:
    case TRACES_MEANS_PORT:
        return draw_number(draw, UINT32_MAX);
    default:
        return draw_number(draw, f->size == 8 ? UINT64_MAX : UINT32_MAX);
    }
}

static struct traces_event draw_event(struct draw *draw, const struct isa_graph *graph)
{
    struct traces_event e = {.kind = (uint8_t)draw_below(draw, TRACES_EVENT_COUNT)};
    e.cycle = draw_number(draw, UINT64_MAX);
    for (const struct traces_event_field *f = traces_event_table[e.kind].fields; f->text;
         f++)
        put_field(&e, f, draw_field(draw, graph, e.kind, f));
    return e;
}

/* Time does not go back; sometimes it goes far. */
static void in_order(struct draw *draw, struct kept *kept)
{
    uint64_t cycle = 0;
    for (size_t i = 0; i < kept->events.count; i++) {
        const uint64_t step = draw_below(draw,
                                         draw_below(draw, 50) ? 3 : UINT64_MAX / 40);
        cycle = step < UINT64_MAX - cycle ? cycle + step : UINT64_MAX;
        kept->events.items[i].cycle = cycle;
    }
}

static void decode(struct traces_event_decoder *decoder, const struct lib_text *bytes,
                   struct kept *kept)
{
    struct traces_event events[100];
    size_t count;
    traces_event_decoder_start(decoder, bytes);
    while ((count = traces_event_decoder_next(decoder, events, 100)))
        keep_events(kept, events, count);
}

START_TEST(every_kind_of_event_is_read_as_it_was_told)
{
    struct test_program p = test_example("matmul");
    struct traces_event_encoder *encoder = traces_event_encoder_new(p.graph);
    struct traces_event_decoder *decoder = traces_event_decoder_new(p.graph, &bounds);
    struct draw draw = {.seed = SEED};
    struct lib_text bytes = {0};
    lib_text_clear(&what);
    lib_text_puts(&what, "at random");
    for (size_t block = 0; block < 50; block++) {
        struct kept told = {0}, read = {0};
        for (size_t i = 0; i < (block % 10 ? 40 * block : 0); i++)
            *LIB_VEC_PUSH(&told.events) = draw_event(&draw, p.graph);
        in_order(&draw, &told);
        ck_assert_uint_eq(
            traces_event_encoder_add(encoder, told.events.items, told.events.count),
            told.events.count);
        traces_event_encoder_end(encoder, &bytes);
        decode(decoder, &bytes, &read);
        ck_assert(!traces_event_decoder_failed(decoder));
        check_same(&told, &read);
        /* Alone, too: it tells nothing by what blocks before it said. */
        struct traces_event_decoder *fresh = traces_event_decoder_new(p.graph, &bounds);
        read.events.count = 0;
        decode(fresh, &bytes, &read);
        check_same(&told, &read);
        traces_event_decoder_free(fresh);
        LIB_VEC_FREE(&told.events);
        LIB_VEC_FREE(&read.events);
    }
    lib_text_free(&bytes);
    traces_event_encoder_free(encoder);
    traces_event_decoder_free(decoder);
    test_program_free(&p);
}
END_TEST

static bool is_in_bounds(enum traces_event_kind of, const struct traces_event_field *f,
                         uint64_t value, const struct isa_graph *graph)
{
    if (value == TRACES_NONE && can_be_none(of, f))
        return true;
    switch (f->meaning) {
    case TRACES_MEANS_PE:
        return value < bounds.pes;
    case TRACES_MEANS_INSTR:
        return value < graph->node_count;
    case TRACES_MEANS_SITE:
        return value < graph->site_count;
    case TRACES_MEANS_OUTCOME:
        return value < TRACES_OUTCOME_COUNT;
    case TRACES_MEANS_HOLDER:
        return value < TRACES_HOLDER_COUNT;
    case TRACES_MEANS_PLACE:
        return value < TRACES_PLACE_COUNT;
    case TRACES_MEANS_END:
        return value < bounds.ends;
    default:
        return true;
    }
}

/* Nothing that is decoded is out of its bounds. */
static bool are_in_bounds(const struct kept *kept, const struct isa_graph *graph)
{
    for (size_t i = 0; i < kept->events.count; i++) {
        const struct traces_event *e = &kept->events.items[i];
        if (e->kind >= TRACES_EVENT_COUNT)
            return false;
        for (const struct traces_event_field *f = traces_event_table[e->kind].fields;
             f->text; f++)
            if (!is_in_bounds(e->kind, f, traces_event_get(e, f), graph))
                return false;
    }
    return true;
}

START_TEST(bytes_that_are_no_block_are_refused)
{
    struct test_program p = test_example("matmul");
    struct traces_event_encoder *encoder = traces_event_encoder_new(p.graph);
    struct traces_event_decoder *decoder = traces_event_decoder_new(p.graph, &bounds);
    struct draw draw = {.seed = SEED};
    struct lib_text bytes = {0};
    size_t failed = 0;
    for (size_t i = 0; i < 300; i++) {
        const struct traces_event e = draw_event(&draw, p.graph);
        traces_event_encoder_add(encoder, &e, 1);
    }
    traces_event_encoder_end(encoder, &bytes);
    for (size_t i = 0; i < bytes.length; i++) {
        struct kept read = {0};
        const struct lib_text part = {bytes.bytes, i, i};
        decode(decoder, &part, &read);
        ck_assert_msg(traces_event_decoder_failed(decoder), "%zu of %zu bytes", i,
                      bytes.length);
        LIB_VEC_FREE(&read.events);
    }
    for (size_t i = 0; i < 20000; i++) {
        struct kept read = {0};
        const size_t at = draw_below(&draw, bytes.length);
        const char old = bytes.bytes[at];
        bytes.bytes[at] ^= (char)(1 << draw_below(&draw, 8));
        decode(decoder, &bytes, &read);
        failed += traces_event_decoder_failed(decoder);
        ck_assert(are_in_bounds(&read, p.graph));
        bytes.bytes[at] = old;
        LIB_VEC_FREE(&read.events);
    }
    ck_assert_uint_gt(failed, 1000);
    lib_text_free(&bytes);
    traces_event_encoder_free(encoder);
    traces_event_decoder_free(decoder);
    test_program_free(&p);
}
END_TEST

/* --- runs ------------------------------------------------------------------------------------ */

static const char *path_of_test(void)
{
    static char path[64];
    snprintf(path, sizeof path, "event_file-%d.tmp", (int)getpid());
    return path;
}

/* Tells a run to sinks; from a cycle on. */
static void run(const struct isa_code *code, const struct machine_settings *s,
                uint64_t seed, uint64_t from, uint64_t to,
                const struct traces_event_sink *sinks, size_t count)
{
    struct machine *m = machine_new(code, s, seed);
    bool goes_on = true;
    while (from && goes_on && machine_next(m) < from)
        goes_on = machine_advance_to(m, from, plenty);
    machine_listen_from(m, from, sinks, count);
    while (goes_on && machine_next(m) < to)
        goes_on = machine_advance_to(m, to, plenty);
    machine_observe_end(m);
    machine_free(m);
}

static void read_file(struct traces_chunks *file, const struct isa_graph *graph,
                      const struct machine_settings *s,
                      const struct traces_event_bounds *b, uint64_t from, uint64_t to,
                      enum traces_level level, struct kept *kept)
{
    const struct traces_event_read read = {.graph = graph,
                                           .bounds = *b,
                                           .from = from,
                                           .has_queues = level == TRACES_LEVEL_QUEUES};
    struct lib_diags diags = {0};
    struct traces_window window;
    traces_window_start(&window, from, to, ISA_END_INTERRUPTED,
                        (struct traces_event_sink){level, keep_events, kept});
    window.present.is_lifo = s->queue_discipline == MACHINE_LIFO;
    ck_assert_msg(
        traces_event_file_read(file, &read, traces_window_sink(&window), &diags), "%s",
        lib_text_get(&what));
    ck_assert(!window.is_wrong);
    traces_window_free(&window);
}

/* A window of a file is what a run tells that is heard from there on. */
static void check_window(struct traces_chunks *file, const struct isa_code *code,
                         const struct machine_settings *s, uint64_t seed, uint64_t from,
                         uint64_t to, enum traces_level level)
{
    const struct traces_event_bounds b = {UINT32_MAX, UINT32_MAX,
                                          ISA_END_INTERRUPTED + 1};
    struct kept told = {0}, read = {0};
    const struct traces_event_sink sink = {level, keep_events, &told};
    const size_t length = what.length;
    lib_text_printf(&what, ", cycles %" PRIu64 " to %" PRIu64, from, to);
    run(code, s, seed, from, to, &sink, 1);
    read_file(file, code->graph, s, &b, from, to, level, &read);
    struct traces_event *end = &told.events.items[told.events.count - 1];
    if (end->how == ISA_END_INTERRUPTED) /* which says how far the machine was */
        end->cycle = end->a = to;
    check_same(&told, &read);
    what.length = length;
    what.bytes[length] = '\0';
    LIB_VEC_FREE(&told.events);
    LIB_VEC_FREE(&read.events);
}

static uint64_t drawn;

static void check_run(const struct isa_code *code, const struct machine_settings *s,
                      struct draw *draw)
{
    const enum traces_level level = (enum traces_level)draw_below(draw,
                                                                  TRACES_LEVEL_COUNT);
    struct lib_diags diags = {0};
    struct kept told = {0}, read = {0};
    struct traces_chunks_writer *chunks = traces_chunks_create(path_of_test(), &kind,
                                                               &diags);
    ck_assert(chunks != NULL);
    struct traces_event_writer *writer = traces_event_writer_new(chunks, code->graph);
    const struct traces_event_sink sinks[] = {{level, keep_events, &told},
                                              traces_event_writer_sink(writer, level)};
    run(code, s, draw->seed, 0, UINT64_MAX, sinks, 2);
    traces_event_writer_end(writer, true);
    ck_assert(traces_chunks_finish(chunks, &diags));
    struct traces_chunks *file = traces_chunks_open(path_of_test(), &kind, &diags);
    const struct traces_event_bounds b = {
        .pes = (uint32_t)(s->executor_workers ? s->executor_workers : s->pe_count),
        .places = UINT32_MAX,
        .ends = ISA_END_INTERRUPTED + 1};
    read_file(file, code->graph, s, &b, 0, UINT64_MAX, level, &read);
    check_same(&told, &read);
    const uint64_t last = told.events.items[told.events.count - 1].cycle;
    const uint64_t from = draw_below(draw, last + 2);
    check_window(file, code, s, draw->seed, from, from + 1 + draw_below(draw, last + 2),
                 level);
    traces_chunks_close(file);
    LIB_VEC_FREE(&told.events);
    LIB_VEC_FREE(&read.events);
    unlink(path_of_test());
}

static void draw_and_check(const struct test_row *row, struct test_program *p)
{
    if (row->calls > MAX_CALLS)
        return;
    struct isa_code *code[2];
    for (int propagate = 0; propagate < 2; propagate++)
        code[propagate] = isa_code_make(p->graph, p->inputs, propagate);
    for (uint64_t i = 0; i < (test_is_quick() ? 2 : 3); i++) {
        struct draw draw = {.seed = SEED + drawn++};
        struct machine_settings s;
        struct lib_text settings = {0};
        if (i % 2)
            draw_executor(&draw, &s);
        else
            draw_settings(&draw, &s);
        draw_write(&s, &settings);
        lib_text_clear(&what);
        lib_text_printf(&what, "%s, seed %" PRIu64 ", %s", row->program, draw.seed,
                        lib_text_get(&settings));
        lib_text_free(&settings);
        check_run(code[s.deadness == MACHINE_PROPAGATE], &s, &draw);
    }
    isa_code_free(code[0]);
    isa_code_free(code[1]);
}

START_TEST(a_file_is_what_was_told)
{
    drawn = 0;
    test_each_example_at(ISA_STAGE_IMAGE, draw_and_check);
    test_each_example_at(ISA_STAGE_EXPANDING, draw_and_check);
}
END_TEST

/* --- places --------------------------------------------------------------------------- */

struct a_place {
    struct traces_event_place place;
    size_t before; /* so many events */
};

/* From each place where a reader stood it goes on as it did: at ends of blocks, and within them. */
static void check_places(struct traces_chunks *file, const struct isa_graph *graph,
                         const struct kept *told, struct draw *draw)
{
    const struct traces_event_bounds b = {UINT32_MAX, UINT32_MAX,
                                          ISA_END_INTERRUPTED + 1};
    struct traces_event_reader *reader = traces_event_reader_new(file, graph, &b);
    LIB_VEC(struct a_place) places = {0};
    struct lib_diags diags = {0};
    const struct traces_event *events;
    size_t read = 0, count;
    *LIB_VEC_PUSH(&places) = (struct a_place){traces_event_reader_place(reader), 0};
    while ((events = traces_event_reader_next(reader, &count, &diags)) && count) {
        const size_t back = draw_below(draw, 3) ? 0 : draw_below(draw, count);
        for (size_t i = 0; i < count - back; i++)
            ck_assert(is_same(&events[i], &told->events.items[read + i]));
        traces_event_reader_unread(reader, back);
        read += count - back;
        *LIB_VEC_PUSH(&places) = (struct a_place){traces_event_reader_place(reader),
                                                  read};
    }
    ck_assert(events && read == told->events.count);
    for (size_t i = 0; i < 200; i++) {
        const struct a_place *p = &places.items[draw_below(draw, places.count)];
        ck_assert(traces_event_reader_go_to(reader, p->place, &diags));
        events = traces_event_reader_next(reader, &count, &diags);
        ck_assert(events && (count > 0) == (p->before < told->events.count));
        for (size_t k = 0; k < count; k++)
            ck_assert(is_same(&events[k], &told->events.items[p->before + k]));
    }
    LIB_VEC_FREE(&places);
    traces_event_reader_free(reader);
}

/* --- long ones ------------------------------------------------------------------------ */

START_TEST(a_long_file_is_read_from_within)
{
    struct test_program p = test_example("fib");
    test_set_inputs(&p, "n=22");
    struct isa_code *code = isa_code_make(p.graph, p.inputs, false);
    struct lib_diags diags = {0};
    struct machine_settings s;
    machine_settings_default(&s);
    struct traces_chunks_writer *chunks = traces_chunks_create(path_of_test(), &kind,
                                                               &diags);
    struct traces_event_writer *writer = traces_event_writer_new(chunks, code->graph);
    struct kept told = {0};
    struct draw draw = {.seed = SEED};
    const struct traces_event_sink sinks[] = {
        {TRACES_LEVEL_ALL, keep_events, &told},
        traces_event_writer_sink(writer, TRACES_LEVEL_ALL)};
    run(code, &s, 0, 0, UINT64_MAX, sinks, 2);
    traces_event_writer_end(writer, true);
    ck_assert(traces_chunks_finish(chunks, &diags));
    struct traces_chunks *file = traces_chunks_open(path_of_test(), &kind, &diags);
    check_places(file, code->graph, &told, &draw);
    LIB_VEC_FREE(&told.events);
    size_t live = traces_chunks_find(file, 0, TRACES_EVENTS_LIVE);
    ck_assert_uint_lt(live, traces_chunks_count(file));
    const uint64_t cycle = traces_chunks_get(file, live)->to;
    lib_text_clear(&what);
    lib_text_puts(&what, "fib n=22");
    for (uint64_t from = cycle - 1; from < cycle + 4; from++)
        check_window(file, code, &s, 0, from, from + 40, TRACES_LEVEL_ALL);
    traces_chunks_close(file);
    unlink(path_of_test());
    isa_code_free(code);
    test_program_free(&p);
}
END_TEST

/* --- damage --------------------------------------------------------------------------- */

/* A file of events of a small run, as bytes; and what it says. */
static struct lib_text make_file(struct kept *told)
{
    struct sim_session session;
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    const char *program = lib_arena_printf(arena, "%s/programs/examples/histogram.df",
                                           test_source_directory());
    const struct sim_session_request request = {.program = program,
                                                .strategy = ISA_STAGE_COUNT};
    ck_assert(sim_session_open(&session, &request, &diags));
    const struct sim_recorded_events all = {.level = TRACES_LEVEL_QUEUES,
                                            .to = UINT64_MAX};
    struct sim_tracer *tracer = sim_tracer_new(path_of_test(), &all, &session, &diags);
    ck_assert(tracer != NULL);
    const struct traces_event_sink sinks[] = {sim_tracer_sink(tracer),
                                              {TRACES_LEVEL_QUEUES, keep_events, told}};
    struct sim_simulation_config config = sim_session_config(&session);
    struct sim_ending ending;
    config.sinks = sinks;
    config.sink_count = 2;
    ck_assert(sim_simulate(&config, &ending, &diags));
    sim_ending_free(&ending);
    ck_assert(sim_tracer_finish(tracer, &diags));
    sim_session_close(&session);
    struct lib_text bytes = {0};
    const struct lib_source *file = lib_file_read(arena, path_of_test(), &diags);
    lib_text_add(&bytes, file->bytes, file->length);
    lib_arena_free(arena);
    return bytes;
}

/* --- causes --------------------------------------------------------------------------- */

static bool count_look(const struct sim_simulation *simulation, void *context)
{
    (void)simulation;
    ++*(uint64_t *)context;
    return true;
}

/* Whoever watches is asked once for some thousand events: causes read a file twice, however many
 * places they go back to. */
START_TEST(causes_read_a_file_twice)
{
    const struct analysis_causes_walker nobody = {0};
    struct analysis_causes_wish wish = {.interval = 100, .most_places = SIZE_MAX};
    struct analysis_causes_run found;
    struct lib_diags diags = {0};
    struct sim_source source;
    struct kept told = {0};
    uint64_t looks = 0;
    struct lib_text bytes = make_file(&told);
    ck_assert(sim_source_open(&source, path_of_test(), &diags));
    struct sim_simulation_config config = sim_session_config(&source.recording.session);
    config.watch = (struct sim_watch){.look = count_look, .context = &looks};
    ck_assert(sim_causes_run(&config, &source, &wish, &nobody, &found, &diags));
    ck_assert_uint_gt(found.places, 20);
    ck_assert_uint_lt(looks, 4 * (found.places + told.events.count / 2048) + 16);
    sim_source_close(&source);
    unlink(path_of_test());
    lib_text_free(&bytes);
    LIB_VEC_FREE(&told.events);
}
END_TEST

/* What is read of bytes that are not those that were written is the beginning of what was told, and
 * something is said. */
static void check_damaged(const struct lib_text *bytes, size_t length,
                          const struct kept *told)
{
    struct lib_diags diags = {0};
    struct sim_source source;
    struct kept read = {0};
    const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, keep_events, &read};
    ck_assert(lib_file_write(path_of_test(), bytes->bytes, length, &diags));
    if (sim_source_open(&source, path_of_test(), &diags)) {
        sim_source_read(&source, (struct sim_source_window){0, UINT64_MAX}, &sink, 1,
                        NULL, &diags);
        if (read.events.count &&
            read.events.items[read.events.count - 1].kind == TRACES_EVENT_END &&
            diags.count)
            read.events.count--; /* it may be made up */
        bool same = read.events.count <= told->events.count;
        for (size_t i = 0; same && i < read.events.count; i++)
            same = is_same(&read.events.items[i], &told->events.items[i]);
        ck_assert(same);
    }
    ck_assert_msg(diags.count > 0, "nothing is said of %zu bytes", length);
    sim_source_close(&source);
    lib_diags_free(&diags);
    LIB_VEC_FREE(&read.events);
}

START_TEST(damage_is_said)
{
    struct kept told = {0};
    struct lib_text bytes = make_file(&told);
    struct draw draw = {.seed = SEED};
    const size_t step = test_is_quick() ? 97 : 7;
    for (size_t length = 0; length < bytes.length; length += step)
        check_damaged(&bytes, length, &told);
    check_damaged(&bytes, bytes.length - 1, &told);
    for (size_t i = 0; i < FLIPS; i++) {
        const size_t at = draw_below(&draw, bytes.length);
        const char old = bytes.bytes[at];
        bytes.bytes[at] ^= (char)(1 << draw_below(&draw, 8));
        check_damaged(&bytes, bytes.length, &told);
        bytes.bytes[at] = old;
    }
    unlink(path_of_test());
    lib_text_free(&bytes);
    LIB_VEC_FREE(&told.events);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("event_file");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, every_kind_of_event_is_read_as_it_was_told);
    tcase_add_test(tcase, bytes_that_are_no_block_are_refused);
    tcase_add_test(tcase, a_file_is_what_was_told);
    tcase_add_test(tcase, a_long_file_is_read_from_within);
    tcase_add_test(tcase, causes_read_a_file_twice);
    tcase_add_test(tcase, damage_is_said);
    return test_main("event_file", tcase);
}
