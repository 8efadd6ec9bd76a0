/* Random programs with ports, each fed by a random host, through everything that can run them and
 * by the public interface alone (sim/hiaton.h). Of one program and one feeding,
 *
 *   - the result, and what the ports out deliver, are those of the program with array literals in
 *     place of its ports: by an evaluator of its own, by the interpreter, and on machines;
 *   - the interpreter and random machines, by both strategies, agree on result, firings, span and
 *     value digest, whenever the host feeds;
 *   - a machine gives the same statistics whether the host feeds step by step, gives all feeds with
 *     their cycles at the start, advances one cycle at a time, or saves and restores the run in
 *     the middle;
 *   - the recording of a session replays without its host. */
#include "lib/file.h"
#include "programs/syntax/parse.h"
#include "programs/types/infer.h"
#include "programs/types/resolve.h"
#include "sim/hiaton.h"
#include "tests/random/draw.h"
#include "tests/random/evaluate.h"
#include "tests/random/generate_ports.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STEPS_MAX = 200000,
    GIVEN_MAX = PORTS_MAX * (PORTS_LENGTH_MAX + 1),
    CYCLES_MAX = 4000,      /* of a run that is advanced one cycle at a time */
    GAP_MAX = 60,           /* cycles that a host lets pass */
    LIMIT_MEMORY = 1 << 30, /* a limit that is drawn is below */
};

/* Statistics that are compared where a machine runs twice. */
static const char *const keys[] = {"value_digest",
                                   "timing_digest",
                                   "cycles",
                                   "result_cycle",
                                   "firings",
                                   "dead_firings",
                                   "span",
                                   "calls",
                                   "loop_iterations",
                                   "tokens",
                                   "network_tokens",
                                   "network_bits",
                                   "feeds",
                                   "port_waits",
                                   "deferred_fetches",
                                   "element_requests",
                                   "mean_waiting",
                                   "queue_stalls",
                                   "tag_stalls",
                                   "bound_stalls",
                                   "peak_waiting",
                                   "peak_tags",
                                   "peak_live_tokens",
                                   "peak_structures",
                                   "peak_elements",
                                   "occupancy",
                                   "utilisation",
                                   "mean_link_wait",
                                   "memory_stalls",
                                   "batch_waits",
                                   "lock_stalls",
                                   "copy_stalls",
                                   "peak_tensor_bytes"};

enum { KEYS = sizeof keys / sizeof *keys };

/* The statistics that no schedule changes: the first places of `keys`, or by name. */
static const char *const independent[] = {"value_digest", "firings", "span", "calls"};

/* What a host gives: an element of a port, or its end. */
struct given {
    unsigned port, element;
    uint64_t cycle;
};

struct log {
    struct given items[GIVEN_MAX];
    unsigned count;
};

struct observed {
    enum hiaton_end end;
    struct lib_text
        text; /* the result, with the elements of ports out as further parts */
    struct hiaton_number numbers[KEYS];
    int has[KEYS];
};

struct trial {
    uint64_t seed;
    struct draw draw;
    struct ports_program p;
    struct hiaton_program *program;
    struct hiaton_machine *machine;
    struct lib_text settings, expected;
    bool fails, may_end; /* the program traps; the machine may be too small */
    bool has_port_capacity;
    bool may_refuse; /* its ports or its memories have a capacity */
    bool
        was_refused; /* a feed of the recorded run had no room when it was fed in its cycle */
    const char *strategy, *doing;
    struct lib_text why;
};

struct options {
    uint64_t number, first;
    unsigned machines;
    bool verbose;
};

static _Noreturn void stop(const char *message, const char *what)
{
    fprintf(stderr, "ports: %s%s\n", message, what);
    exit(2);
}

__attribute__((format(printf, 2, 3))) static bool found(struct trial *t,
                                                        const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (t->why.length == 0)
        lib_text_vprintf(&t->why, format, list);
    va_end(list);
    return false;
}

static void report(void *context, const struct hiaton_diagnostic *diagnostic)
{
    struct trial *t = context;
    if (diagnostic->severity == HIATON_ERROR)
        found(t, "%s", diagnostic->text);
}

static struct hiaton_reporter reporter_of(struct trial *t)
{
    return (struct hiaton_reporter){sizeof(struct hiaton_reporter), report, t};
}

/* --- feeding -------------------------------------------------------------------------- */

static enum hiaton_status feed(struct trial *t, struct hiaton_session *session,
                               const struct given *g, uint64_t cycle)
{
    const struct ports_in *in = &t->p.in[g->port];
    struct hiaton_value parts[PORTS_PARTS_MAX];
    if (g->element == in->length)
        return hiaton_session_close(session, g->port, cycle);
    uint8_t flags[PORTS_PARTS_MAX];
    for (unsigned k = 0; k < in->part_count; k++) {
        const struct ports_value *v = &in->values[g->element][k];
        parts[k] = (struct hiaton_value){.size = sizeof parts[k],
                                         .data = (void *)(uintptr_t)&v->value,
                                         .bytes = sizeof v->value,
                                         .type = in->types[k] == ISA_INT ? HIATON_INT
                                                                         : HIATON_REAL};
        if (in->types[k] == ISA_BOOL) {
            flags[k] = (uint8_t)v->value;
            parts[k].type = HIATON_BOOL;
            parts[k].data = &flags[k];
            parts[k].bytes = 1;
        } else if (in->types[k] == ISA_TENSOR) {
            parts[k].rank = 1;
            parts[k].extents[0] = v->count;
            parts[k].data = (void *)(uintptr_t)v->reals;
            parts[k].bytes = v->count * sizeof *v->reals;
        }
    }
    return hiaton_session_feed(session, g->port, parts, in->part_count, cycle);
}

static enum hiaton_status advance_to(struct hiaton_session *session, uint64_t cycle)
{
    const struct hiaton_until until = {.size = sizeof until, .cycle = cycle};
    return hiaton_session_advance(session, &until);
}

/* There is no room for an element. It is tried again; or, if nothing goes on before it, the host
 * gives up and closes the port next. */
static void refused(const struct trial *t, const struct given *g, bool waits,
                    unsigned *next)
{
    *next = waits ? t->p.in[g->port].length : g->element;
}

/* A host that feeds as it likes: now, or in a later cycle; that lets time pass, or advances until
 * the run waits. Returns whether all went as it may; the run has ended then. */
static bool feed_live(struct trial *t, struct hiaton_session *session, struct log *log,
                      bool is_timed)
{
    unsigned next[PORTS_MAX] = {0}, open = t->p.in_count;
    uint64_t last[PORTS_MAX] = {0};
    const uint64_t patience = draw_below(&t->draw, 6);
    enum hiaton_status status = HIATON_OK;
    while (open > 0 && status != HIATON_ENDED) {
        const uint64_t now = hiaton_session_cycle(session);
        const uint64_t what = draw_below(&t->draw, 4 + patience);
        struct given g = {.port = (unsigned)draw_below(&t->draw, t->p.in_count)};
        if (what >= 3 && is_timed && draw_below(&t->draw, 2)) {
            status = advance_to(session, now + 1 + draw_below(&t->draw, GAP_MAX));
        } else if (what >= 3) {
            status = hiaton_session_advance(session, NULL);
        } else if (next[g.port] <= t->p.in[g.port].length) {
            const uint64_t before = last[g.port];
            g.element = next[g.port]++;
            g.cycle = now > last[g.port] ? now : last[g.port];
            if (is_timed && what == 2)
                g.cycle += draw_below(&t->draw, GAP_MAX);
            last[g.port] = g.cycle;
            const bool is_now = g.cycle == now, waits = status == HIATON_WAITING;
            status = feed(t, session, &g, !is_timed || is_now ? HIATON_NONE : g.cycle);
            if (status == HIATON_NO_ROOM && t->may_refuse) {
                refused(t, &g, waits, &next[g.port]);
                last[g.port] = before;
                status = HIATON_OK;
                continue;
            }
            if (status == HIATON_ENDED)
                break;
            if (status != HIATON_OK)
                return found(t, "a feed of port %s is not taken: %s",
                             t->p.in[g.port].name, hiaton_status_text(status));
            open -= g.element == t->p.in[g.port].length;
            log->items[log->count++] = g;
        }
        if (status < 0)
            return found(t, "advance: %s", hiaton_status_text(status));
    }
    while (status != HIATON_ENDED) {
        status = hiaton_session_advance(session, NULL);
        if (status == HIATON_WAITING)
            return found(t, "the run waits, and all ports are closed");
        if (status < 0)
            return found(t, "advance: %s", hiaton_status_text(status));
    }
    return true;
}

/* --- what comes of a run -------------------------------------------------------------- */

static void write_taken(struct trial *t, const struct ports_out *out,
                        const struct hiaton_value *parts, struct lib_text *text)
{
    (void)t;
    lib_text_puts(text, out->part_count > 1 ? "(" : "");
    for (unsigned k = 0; k < out->part_count; k++) {
        isa_value word;
        memcpy(&word, parts[k].data, sizeof word);
        lib_text_puts(text, k ? ", " : "");
        isa_value_write(text, out->types[k], word);
    }
    lib_text_puts(text, out->part_count > 1 ? ")" : "");
}

/* Takes all elements of a port out. */
static bool take_element(struct trial *t, struct hiaton_session *session, unsigned number,
                         struct lib_text *text)
{
    const struct ports_out *out = &t->p.out[number];
    lib_text_puts(text, ", [");
    for (unsigned i = 0;; i++) {
        uint64_t data[PORTS_PARTS_MAX];
        struct hiaton_value parts[PORTS_PARTS_MAX];
        for (unsigned k = 0; k < PORTS_PARTS_MAX; k++)
            parts[k] = (struct hiaton_value){
                .size = sizeof parts[k], .data = &data[k], .bytes = sizeof data[k]};
        const enum hiaton_status status = hiaton_session_take(
            session, t->p.in_count + number, parts, out->part_count);
        if (status == HIATON_ENDED)
            break;
        if (status != HIATON_OK)
            return found(t, "port %s: element %u cannot be taken: %s", out->name, i,
                         hiaton_status_text(status));
        lib_text_puts(text, i ? ", " : "");
        write_taken(t, out, parts, text);
    }
    lib_text_puts(text, "]");
    return true;
}

static bool observe(struct trial *t, struct hiaton_session *session,
                    struct observed *seen)
{
    struct hiaton_ending ending = {.size = sizeof ending};
    hiaton_session_ending(session, &ending);
    *seen = (struct observed){.end = ending.end};
    for (unsigned i = 0; i < KEYS; i++) {
        seen->numbers[i].size = sizeof seen->numbers[i];
        seen->has[i] = hiaton_session_statistic(session, keys[i], &seen->numbers[i]) ==
                       HIATON_OK;
    }
    if (ending.end != HIATON_END_COMPLETED)
        return true;
    const size_t length = strlen(ending.result);
    lib_text_add(&seen->text, ending.result, length - 1);
    for (unsigned i = 0; i < t->p.out_count; i++)
        if (!take_element(t, session, i, &seen->text))
            return false;
    lib_text_puts(&seen->text, ")");
    return true;
}

/* Result and end, against those of the literal. */
static bool check_expected(struct trial *t, const struct observed *seen)
{
    if (t->may_refuse)
        return true; /* the host may have closed a port early */
    if (seen->end != HIATON_END_COMPLETED && seen->end != HIATON_END_TRAPPED &&
        t->may_end)
        return true;
    const enum hiaton_end end = t->fails ? HIATON_END_TRAPPED : HIATON_END_COMPLETED;
    if (seen->end != end)
        return found(t, "ended as %d, not %d", (int)seen->end, (int)end);
    if (!t->fails && strcmp(lib_text_get(&seen->text), lib_text_get(&t->expected)) != 0)
        return found(t, "gives %s, not %s", lib_text_get(&seen->text),
                     lib_text_get(&t->expected));
    return true;
}

static bool is_equal(const struct hiaton_number *a, const struct hiaton_number *b)
{
    return a->count == b->count && memcmp(&a->real, &b->real, sizeof a->real) == 0;
}

static bool check_same(struct trial *t, const struct observed *a,
                       const struct observed *b)
{
    if (a->end != b->end)
        return found(t, "ended as %d, not %d", (int)b->end, (int)a->end);
    if (strcmp(lib_text_get(&a->text), lib_text_get(&b->text)) != 0)
        return found(t, "gives %s, not %s", lib_text_get(&b->text),
                     lib_text_get(&a->text));
    for (unsigned i = 0; i < KEYS; i++)
        if (a->has[i] != b->has[i] || !is_equal(&a->numbers[i], &b->numbers[i]))
            return found(t, "%s: %.17g (%" PRIx64 "), not %.17g (%" PRIx64 ")", keys[i],
                         b->numbers[i].real, b->numbers[i].count, a->numbers[i].real,
                         a->numbers[i].count);
    return true;
}

/* What no schedule changes, of runs that completed. */
static bool check_independent(struct trial *t, const struct observed *a,
                              const struct observed *b)
{
    if (a->end != HIATON_END_COMPLETED || b->end != HIATON_END_COMPLETED)
        return true;
    for (unsigned i = 0; i < KEYS; i++)
        for (unsigned j = 0; j < sizeof independent / sizeof *independent; j++)
            if (strcmp(keys[i], independent[j]) == 0 && a->has[i] && b->has[i] &&
                !is_equal(&a->numbers[i], &b->numbers[i]))
                return found(t, "%s: %.17g, and %.17g elsewhere", keys[i],
                             b->numbers[i].real, a->numbers[i].real);
    return true;
}

/* --- the same run in other ways ------------------------------------------------------- */

static struct hiaton_session *new_session(struct trial *t, bool untimed)
{
    const struct hiaton_reporter reporter = reporter_of(t);
    const struct hiaton_session_options options = {
        .size = sizeof options, .seed = t->seed, .untimed = untimed};
    return hiaton_session_new(t->program, t->machine, &options, &reporter);
}

static bool run_to_end(struct trial *t, struct hiaton_session *session)
{
    enum hiaton_status status = hiaton_session_advance(session, NULL);
    /* the live host let time pass until a limit ended its run */
    if (status == HIATON_WAITING && t->may_end)
        status = advance_to(session, UINT64_MAX / 2);
    return status == HIATON_ENDED ||
           found(t, "not ended, but: %s", hiaton_status_text(status));
}

/* All feeds at the start, each with its cycle. */
static bool give_all(struct trial *t, struct hiaton_session *session,
                     const struct log *log)
{
    for (unsigned i = 0; i < log->count; i++) {
        const enum hiaton_status status = feed(t, session, &log->items[i],
                                               log->items[i].cycle);
        if (status != HIATON_OK)
            return found(t, "feed %u is not taken: %s", i, hiaton_status_text(status));
    }
    return true;
}

static bool run_given(struct trial *t, struct hiaton_session *session,
                      const struct log *log, uint64_t cycles)
{
    (void)cycles;
    return give_all(t, session, log) && run_to_end(t, session);
}

/* One cycle at a time; each feed when its cycle has come. A feed that was given ahead, and then had
 * no room, ended the recorded run: in its cycle it is refused. */
static bool run_stepwise(struct trial *t, struct hiaton_session *session,
                         const struct log *log, uint64_t cycles)
{
    enum hiaton_status status = HIATON_OK;
    for (uint64_t now = 0; status != HIATON_ENDED; now++) {
        if (now > cycles + 2)
            return found(t, "not ended in cycle %" PRIu64, now);
        for (unsigned i = 0; i < log->count; i++) {
            if (log->items[i].cycle != now)
                continue;
            status = feed(t, session, &log->items[i], HIATON_NONE);
            t->was_refused = status == HIATON_NO_ROOM && t->may_refuse;
            if (t->was_refused)
                return true;
            if (status != HIATON_OK)
                return found(t, "feed %u is not taken in cycle %" PRIu64 ": %s", i, now,
                             hiaton_status_text(status));
        }
        status = advance_to(session, now + 1);
        if (status == HIATON_OK && hiaton_session_cycle(session) != now + 1)
            return found(t, "advanced to %" PRIu64 ", not %" PRIu64,
                         hiaton_session_cycle(session), now + 1);
        if (status != HIATON_OK && status != HIATON_ENDED)
            return found(t, "advanced to cycle %" PRIu64 ": %s", now + 1,
                         hiaton_status_text(status));
    }
    return true;
}

/* Saved in the middle, and gone on with in a session that was never fed. */
static bool run_saved(struct trial *t, struct hiaton_session **session,
                      const struct log *log, uint64_t cycles)
{
    const void *bytes;
    size_t length;
    if (!give_all(t, *session, log))
        return false;
    if (advance_to(*session, 1 + draw_below(&t->draw, cycles ? cycles : 1)) ==
        HIATON_ENDED)
        return true;
    if (hiaton_session_save(*session, &bytes, &length) != HIATON_OK)
        return found(t, "it cannot be saved");
    struct hiaton_session *other = new_session(t, false);
    const bool good = other && hiaton_session_restore(other, bytes, length) == HIATON_OK;
    hiaton_session_free(*session);
    *session = other;
    return good ? run_to_end(t, other) : found(t, "it cannot be restored");
}

enum way { GIVEN, STEPWISE, SAVED };

static bool check_way(struct trial *t, enum way way, const struct log *log,
                      const struct observed *live, uint64_t cycles)
{
    static const char *const names[] = {"all feeds given at the start",
                                        "one cycle at a time", "saved and restored"};
    struct observed seen = {0};
    struct hiaton_session *session = new_session(t, false);
    t->doing = names[way];
    t->was_refused = false;
    if (way == STEPWISE && cycles > CYCLES_MAX) {
        hiaton_session_free(session);
        return true;
    }
    bool good = way == GIVEN      ? run_given(t, session, log, cycles)
                : way == STEPWISE ? run_stepwise(t, session, log, cycles)
                                  : run_saved(t, &session, log, cycles);
    if (good && t->was_refused)
        good = live->end == HIATON_END_LIMIT ||
               found(t, "a feed that the recorded run took has no room");
    else
        good = good && observe(t, session, &seen) && check_same(t, live, &seen);
    lib_text_free(&seen.text);
    hiaton_session_free(session);
    return good;
}

/* --- recordings ----------------------------------------------------------------------- */

static int write_file(void *context, const void *bytes, size_t length)
{
    return fwrite(bytes, 1, length, context) != length;
}

static bool check_replay(struct trial *t, const char *path)
{
    const struct hiaton_reporter reporter = reporter_of(t);
    struct hiaton_replay replay = {.size = sizeof replay};
    t->doing = "replay";
    struct hiaton_recording *recording = hiaton_recording_open(path, &reporter);
    if (!recording)
        return found(t, "the recording cannot be read");
    const enum hiaton_status status = hiaton_recording_replay(recording, NULL, &replay,
                                                              &reporter);
    const bool good = status == HIATON_OK ||
                      found(t, "%s: %s", hiaton_status_text(status),
                            replay.text ? replay.text : "");
    hiaton_recording_free(recording);
    return good;
}

/* --- a machine ------------------------------------------------------------------------ */

static void draw_machine(struct trial *t, unsigned number)
{
    struct machine_settings s;
    const struct hiaton_reporter reporter = reporter_of(t);
    draw_settings(&t->draw, &s);
    if (number % 2 == 0)
        draw_unlimited(&s);
    else if (draw_below(&t->draw, 4) == 0)
        draw_executor(&t->draw, &s);
    draw_tensor_units(&t->draw, &s);
    s.cluster_termination = MACHINE_TERMINATION_OMNISCIENT;
    s.fault_loss = s.fault_duplicate = 0;
    s.fault_list = "none";
    if (number % 2)
        draw_limits(&t->draw, &s);
    s.port_capacity = draw_below(&t->draw, 8) ? 0 : 1 + draw_below(&t->draw, 3);
    t->has_port_capacity = s.port_capacity > 0;
    t->may_refuse = s.port_capacity || s.memory_capacity;
    t->may_end = draw_may_fill(&s) || draw_may_exhaust(&s) || s.limit_cycles ||
                 s.limit_depth || s.limit_tokens || s.limit_memory < LIMIT_MEMORY;
    lib_text_clear(&t->settings);
    draw_write(&s, &t->settings);
    t->machine = hiaton_machine_new(NULL, &reporter);
    char *words = strdup(lib_text_get(&t->settings));
    for (char *save, *word = strtok_r(words, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        if (hiaton_machine_set(t->machine, word, value, &reporter) != HIATON_OK)
            stop("no such setting: ", word);
    }
    free(words);
}

static bool run_live(struct trial *t, struct log *log, struct observed *live,
                     const char *path)
{
    struct hiaton_session *session = new_session(t, false);
    FILE *file = path ? fopen(path, "wb") : NULL;
    const struct hiaton_record_options record = {
        .size = sizeof record,
        .write = write_file,
        .context = file,
        .interval = 1 + draw_below(&t->draw, 300),
        .checkpoint = draw_below(&t->draw, 2) ? 0 : 1 + draw_below(&t->draw, 500)};
    t->doing = "a live host";
    bool good = session != NULL &&
                (!file || hiaton_session_record(session, &record) == HIATON_OK ||
                 found(t, "it cannot be recorded")) &&
                feed_live(t, session, log, true) && observe(t, session, live);
    hiaton_session_free(session);
    if (file)
        fclose(file);
    return good;
}

static bool check_machine(struct trial *t, unsigned number, struct observed *reference)
{
    struct log log = {.count = 0};
    struct observed live = {0};
    char path[] = "/tmp/hiaton-ports-XXXXXX";
    const int file = mkstemp(path);
    draw_machine(t, number);
    if (file >= 0)
        close(file);
    bool good = run_live(t, &log, &live, path) && check_expected(t, &live) &&
                (t->may_refuse || check_independent(t, reference, &live));
    const uint64_t cycles = live.numbers[2].count;
    for (int way = GIVEN; way <= SAVED && good; way++)
        if (!t->has_port_capacity || way == STEPWISE)
            good = check_way(t, (enum way)way, &log, &live, cycles);
    good = good && check_replay(t, path);
    unlink(path);
    hiaton_machine_free(t->machine);
    t->machine = NULL;
    if (reference->end != HIATON_END_COMPLETED && !t->may_refuse) {
        lib_text_free(&reference->text);
        *reference = live;
    } else {
        lib_text_free(&live.text);
    }
    return good;
}

/* --- a program ------------------------------------------------------------------------ */

static struct hiaton_program *read_program(struct trial *t, const char *text)
{
    const struct hiaton_reporter reporter = reporter_of(t);
    const struct hiaton_program_options options = {.size = sizeof options,
                                                   .strategy = t->strategy};
    return hiaton_program_read(text, strlen(text), &options, &reporter);
}

/* By the interpreter, and, if `fed`, with a host. */
static bool check_interpreter(struct trial *t, struct observed *seen, bool fed)
{
    struct log log = {.count = 0};
    const unsigned outs = t->p.out_count;
    struct hiaton_session *session = new_session(t, true);
    t->doing = fed ? "interpreter" : "interpreter, of the literal";
    bool good = session != NULL &&
                (fed ? feed_live(t, session, &log, false) : run_to_end(t, session));
    t->p.out_count = fed ? outs : 0;
    good = good && observe(t, session, seen);
    t->p.out_count = outs;
    hiaton_session_free(session);
    return good;
}

/* The value of the literal: by the evaluator, which knows no tensors, or else by the
 * interpreter. */
static bool find_expected(struct trial *t)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const struct lib_source source = {"literal.df", lib_text_get(&t->p.literal),
                                      t->p.literal.length};
    struct observed seen = {0};
    struct evaluate_outcome outcome = {.end = EVALUATE_COMPLETED};
    t->doing = "the literal";
    t->program = read_program(t, source.bytes);
    bool good = t->program && check_interpreter(t, &seen, false);
    hiaton_program_free(t->program);
    if (good && !t->p.has_tensors) {
        struct programs_ast *ast = programs_parse(arena, &source, &diags);
        if (!ast || !programs_resolve(ast, &diags) || !programs_infer(ast, &diags))
            stop("no literal: ", source.bytes);
        evaluate(ast, STEPS_MAX, EVALUATE_MISTAKE_NONE, 0, &outcome);
        t->fails = outcome.end == EVALUATE_FAILED;
        if (t->fails != (seen.end == HIATON_END_TRAPPED) ||
            (!t->fails &&
             strcmp(lib_text_get(&outcome.result), lib_text_get(&seen.text))))
            good = found(t, "interpreter %s, evaluator %s", lib_text_get(&seen.text),
                         lib_text_get(&outcome.result));
    }
    t->fails = seen.end == HIATON_END_TRAPPED;
    lib_text_puts(&t->expected, lib_text_get(&seen.text));
    lib_text_free(&outcome.result);
    lib_text_free(&seen.text);
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return good;
}

static bool check_strategy(struct trial *t, const struct options *o, const char *strategy)
{
    struct observed seen = {0};
    t->strategy = strategy;
    lib_text_clear(&t->expected);
    if (!find_expected(t))
        return false;
    t->doing = "compile";
    t->program = read_program(t, lib_text_get(&t->p.text));
    bool good = t->program && check_interpreter(t, &seen, true) &&
                check_expected(t, &seen);
    for (unsigned i = 0; i < o->machines && good; i++)
        good = check_machine(t, i, &seen);
    lib_text_free(&seen.text);
    hiaton_program_free(t->program);
    return good;
}

static bool check_seed(const struct options *o, uint64_t seed)
{
    struct trial t = {.seed = seed, .draw = {.seed = seed}};
    generate_ports(seed, &t.p);
    const bool good = check_strategy(&t, o, "static") &&
                      check_strategy(&t, o, "expanding");
    if (!good)
        printf("seed %" PRIu64
               ", strategy %s, %s: %s\nsettings: %s\n%s\n-- the literal:\n%s",
               seed, t.strategy, t.doing, lib_text_get(&t.why), lib_text_get(&t.settings),
               lib_text_get(&t.p.text), lib_text_get(&t.p.literal));
    lib_text_free(&t.p.text);
    lib_text_free(&t.p.literal);
    lib_text_free(&t.settings);
    lib_text_free(&t.expected);
    lib_text_free(&t.why);
    return good;
}

/* --- options -------------------------------------------------------------------------- */

static const char usage[] =
    "usage: ports [OPTION]...\n"
    "Random programs with ports through everything that can run them, fed by random "
    "hosts.\n"
    "  --number N    so many random programs (200)\n"
    "  --seed N      the seed of the first (1)\n"
    "  --machines N  so many machines for each, by each strategy (2)\n"
    "  --show N      print the program of seed N, and with array literals, and nothing "
    "else\n"
    "exit status: 0 all agree; 1 something is wrong; 2 bad usage\n";

static uint64_t number_of(const char *text)
{
    int64_t value;
    if (!lib_text_to_int(text, &value) || value < 0)
        stop("not a number: ", text);
    return (uint64_t)value;
}

static _Noreturn void print_program(uint64_t seed)
{
    struct ports_program p;
    generate_ports(seed, &p);
    printf("%s-- the literal:\n%s", lib_text_get(&p.text), lib_text_get(&p.literal));
    lib_text_free(&p.text);
    lib_text_free(&p.literal);
    exit(0);
}

int main(int argc, char **argv)
{
    enum { NUMBER = 1, SEED, MACHINES, SHOW, HELP };
    static const struct option long_options[] = {
        {"number", required_argument, NULL, NUMBER},
        {"seed", required_argument, NULL, SEED},
        {"machines", required_argument, NULL, MACHINES},
        {"show", required_argument, NULL, SHOW},
        {"help", no_argument, NULL, HELP},
        {0}};
    struct options o = {.number = 200, .first = 1, .machines = 2};
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) >= 0;)
        switch (option) {
        case NUMBER:
            o.number = number_of(optarg);
            break;
        case SEED:
            o.first = number_of(optarg);
            break;
        case MACHINES:
            o.machines = (unsigned)number_of(optarg);
            break;
        case SHOW:
            print_program(number_of(optarg));
        case HELP:
            printf("%s", usage);
            return 0;
        default:
            return 2;
        }
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < o.number; i++)
        wrong += !check_seed(&o, o.first + i);
    printf("%" PRIu64 " programs with ports, %" PRIu64 " wrong\n", o.number, wrong);
    return wrong != 0;
}
