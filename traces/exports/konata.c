/* Log in the format Kanata 0004, which Konata draws. An instruction is a firing, from when its
 * first operand waits. Its stages are M (an operand waits for its partner), X (it fires) and Xh (it
 * only passes a hiaton on).
 *
 * Konata (docs/kanata-log-format.md and src/core/onikiri_parser.ts of shioyadan/Konata) draws
 * arrows from the end of a stage with an X in its name to the begin of such a stage. It ignores
 * `C=`, so time begins with `C`. It warns of, but draws, an arrow from a producer with a higher
 * number than its consumer. */
#include "traces/exports/exports_internal.h"

#include <inttypes.h>

struct konata {
    uint64_t written; /* cycle up to which `C` was written */
    uint64_t count;   /* number of instructions so far */
    uint64_t retired;
};

/* Advances the log to the current cycle. */
static void at_now(struct traces_exporter *x)
{
    struct konata *k = x->own;
    if (x->now != k->written)
        lib_text_printf(&x->text, "C\t%" PRIu64 "\n", x->now - k->written);
    k->written = x->now;
}

static bool konata_start(struct traces_exporter *x)
{
    lib_text_puts(&x->text, "Kanata\t0004\nC=\t0\n");
    return true;
}

static uint64_t begin_instruction(struct traces_exporter *x, const struct traces_event *e)
{
    struct konata *k = x->own;
    const struct traces_live_tag *tag = traces_live_tags_find(&x->scene.tags, e->tag);
    const uint64_t id = k->count++;
    at_now(x);
    lib_text_printf(&x->text, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\nL\t%" PRIu64 "\t0\t", id,
                    id, e->pe, id);
    export_add_place(x, e->pe, &x->text);
    lib_text_puts(&x->text, "  ");
    export_add_node(x->request->graph, e->instr, &x->text);
    lib_text_puts(&x->text, "\n");
    if (tag)
        lib_text_printf(&x->text, "L\t%" PRIu64 "\t1\tactivation %" PRIu64 "\n", id,
                        traces_live_tags_more(&x->scene.tags, tag)->serial);
    return id;
}

static void take_firing(struct traces_exporter *x, const struct traces_event *e)
{
    struct export_scene *s = &x->scene;
    const char *stage = e->kind == TRACES_EVENT_DEAD ? "Xh" : "X";
    uint64_t id = UINT64_MAX;
    for (size_t i = 0; i < s->consumed.count; i++)
        if (s->consumed.items[i].mark)
            id = s->consumed.items[i].mark - 1;
    if (id == UINT64_MAX)
        id = begin_instruction(x, e);
    at_now(x);
    for (size_t i = 0; i < s->consumed.count; i++)
        if (s->consumed.items[i].is_drawn)
            lib_text_printf(&x->text, "W\t%" PRIu64 "\t%" PRIu64 "\t0\n", id,
                            s->consumed.items[i].producer - 1);
    lib_text_printf(&x->text, "S\t%" PRIu64 "\t0\t%s\n", id, stage);
    if (s->producer)
        s->producer = id + 1;
    export_when(x, e->b, e->kind, e->pe, id);
}

static void konata_take(struct traces_exporter *x, const struct traces_event *e)
{
    if (export_is_firing(e)) {
        take_firing(x, e);
    } else if (x->scene.waits) {
        const uint64_t id = begin_instruction(x, e);
        lib_text_printf(&x->text, "S\t%" PRIu64 "\t0\tM\n", id);
        x->scene.waits->mark = id + 1;
    }
}

/* Flushes operands whose firing is not written. */
static void leave_out(struct traces_exporter *x, const struct traces_event *event)
{
    const struct konata *k = x->own;
    (void)event;
    for (size_t i = 0; i < x->scene.consumed.count; i++)
        if (x->scene.consumed.items[i].mark) {
            at_now(x);
            lib_text_printf(&x->text, "R\t%" PRIu64 "\t%" PRIu64 "\t1\n",
                            x->scene.consumed.items[i].mark - 1, k->retired);
        }
}

static void konata_due(struct traces_exporter *x, const struct export_due *due)
{
    struct konata *k = x->own;
    at_now(x);
    lib_text_printf(&x->text, "E\t%" PRIu64 "\t0\t%s\nR\t%" PRIu64 "\t%" PRIu64 "\t0\n",
                    due->value, due->kind == TRACES_EVENT_DEAD ? "Xh" : "X", due->value,
                    k->retired++);
}

/* Ends the instructions that never fired. */
static bool konata_finish(struct traces_exporter *x)
{
    struct konata *k = x->own;
    at_now(x);
    for (size_t i = 0; i < x->scene.tokens.count; i++) {
        const struct export_token *t = traces_live_tokens_get(&x->scene.tokens, i);
        if (t && t->mark)
            lib_text_printf(&x->text, "R\t%" PRIu64 "\t%" PRIu64 "\t1\n", t->mark - 1,
                            k->retired);
    }
    return true;
}

const struct export_writer export_konata = {
    .format = {"konata", true, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct konata),
    .start = konata_start,
    .take = konata_take,
    .leave_out = leave_out,
    .due = konata_due,
    .finish = konata_finish,
};
