/* Signals over time, in the format Value Change Dump of IEEE 1364. Each PE has the number of
 * instructions that fired in a cycle, of those in its units, and the node that fired last; counters
 * are signals, too. A cycle is a nanosecond. A signal is an `integer`, which viewers show in
 * decimal; if it is longer than 32 bits, vcd2lxt2 and vcd2vzt lose all values. */
#include "traces/exports/exports_internal.h"

#include <inttypes.h>

struct signal {
    int64_t value, shown;
    bool is_changed;
};

/* Signals of a PE, numbered after the counters. */
enum { FIRED, BUSY, NODE, QUEUE, SIGNALS };

static const char *const signal_names[SIGNALS] = {"fired", "busy", "node", "queue"};

struct vcd {
    struct signal *signals;
    LIB_VEC(uint32_t) changed;
    uint32_t of_place; /* QUEUE only at the level of queues */
    uint64_t written;  /* time written last */
};

enum due { LEAVES_UNIT, FIRED_ENDS };

static void put_name(struct lib_text *text, uint32_t number)
{
    enum { FIRST = '!', COUNT = '~' - '!' + 1 };
    do {
        const char letter = (char)(FIRST + number % COUNT);
        lib_text_add(text, &letter, 1);
        number /= COUNT;
    } while (number > 0);
}

static void put_value(struct lib_text *text, uint32_t number, int64_t value)
{
    char bits[32];
    size_t at = sizeof bits;
    uint32_t rest = (uint32_t)value;
    do {
        bits[--at] = (char)('0' + (rest & 1));
        rest >>= 1;
    } while (rest > 0);
    lib_text_puts(text, "b");
    lib_text_add(text, bits + at, sizeof bits - at);
    lib_text_puts(text, " ");
    put_name(text, number);
    lib_text_puts(text, "\n");
}

static void declare_signal(struct lib_text *text, uint32_t number, const char *name)
{
    lib_text_puts(text, "$var integer 32 ");
    put_name(text, number);
    lib_text_puts(text, " ");
    for (const char *p = name; *p; p++)
        lib_text_add(text, *p == ' ' ? "_" : p, 1);
    lib_text_puts(text, " $end\n");
}

static uint32_t number_of(const struct vcd *v, uint32_t place, uint32_t which)
{
    return EXPORT_COUNTER_COUNT + place * v->of_place + which;
}

static void set_signal(struct vcd *v, uint32_t number, int64_t value)
{
    struct signal *signal = &v->signals[number];
    signal->value = value;
    if (!signal->is_changed)
        *LIB_VEC_PUSH(&v->changed) = number;
    signal->is_changed = true;
}

static void add_to_signal(struct vcd *v, uint32_t place, uint32_t which, int64_t more)
{
    const uint32_t number = number_of(v, place, which);
    set_signal(v, number, v->signals[number].value + more);
}

static bool vcd_start(struct traces_exporter *x)
{
    struct vcd *v = x->own;
    const uint32_t places = x->request->place_count;
    v->of_place = x->request->level >= TRACES_LEVEL_QUEUES && !x->request->has_workers
                      ? SIGNALS
                      : QUEUE;
    const uint32_t count = number_of(v, places, 0);
    v->signals = lib_mem_new(count * sizeof *v->signals);
    v->written = x->now;
    lib_text_puts(&x->text, "$timescale 1 ns $end\n$scope module machine $end\n");
    for (uint32_t i = 0; i < EXPORT_COUNTER_COUNT; i++)
        declare_signal(&x->text, i, export_counter_names[i]);
    for (uint32_t place = 0; place < places; place++) {
        lib_text_printf(&x->text, "$scope module %s%u $end\n",
                        x->request->has_workers ? "worker" : "pe", place);
        for (uint32_t i = 0; i < v->of_place; i++)
            declare_signal(&x->text, number_of(v, place, i), signal_names[i]);
        lib_text_puts(&x->text, "$upscope $end\n");
    }
    lib_text_printf(&x->text,
                    "$upscope $end\n$enddefinitions $end\n#%" PRIu64 "\n$dumpvars\n",
                    x->now);
    for (uint32_t i = 0; i < count; i++)
        put_value(&x->text, i, 0);
    lib_text_puts(&x->text, "$end\n");
    return true;
}

static void take_firing(struct traces_exporter *x, const struct traces_event *e)
{
    struct vcd *v = x->own;
    if (v->signals[number_of(v, e->pe, FIRED)].value == 0)
        export_when(x, e->cycle + 1, FIRED_ENDS, e->pe, 0);
    add_to_signal(v, e->pe, FIRED, 1);
    add_to_signal(v, e->pe, BUSY, 1);
    set_signal(v, number_of(v, e->pe, NODE), e->instr);
    export_when(x, e->b, LEAVES_UNIT, e->pe, 0);
}

static void vcd_take(struct traces_exporter *x, const struct traces_event *e)
{
    struct vcd *v = x->own;
    const bool is_input = e->how == TRACES_PLACE_INPUT && v->of_place > QUEUE &&
                          e->to < x->request->place_count;
    if (export_is_firing(e))
        take_firing(x, e);
    else if (e->kind == TRACES_EVENT_ENTERED && is_input)
        add_to_signal(v, e->to, QUEUE, 1);
    else if (e->kind == TRACES_EVENT_LEFT && is_input)
        add_to_signal(v, e->to, QUEUE, -1);
}

static void vcd_due(struct traces_exporter *x, const struct export_due *due)
{
    struct vcd *v = x->own;
    if (due->kind == FIRED_ENDS)
        set_signal(v, number_of(v, due->place, FIRED), 0);
    else
        add_to_signal(v, due->place, BUSY, -1);
}

static void put_changes(struct traces_exporter *x)
{
    struct vcd *v = x->own;
    for (uint32_t i = 0; i < EXPORT_COUNTER_COUNT; i++)
        if (x->scene.changed[i])
            set_signal(v, i, x->scene.counts[i]);
    for (size_t i = 0; i < v->changed.count; i++) {
        struct signal *signal = &v->signals[v->changed.items[i]];
        signal->is_changed = false;
        if (signal->value == signal->shown)
            continue;
        if (v->written != x->now)
            lib_text_printf(&x->text, "#%" PRIu64 "\n", x->now);
        v->written = x->now;
        put_value(&x->text, v->changed.items[i], signal->value);
        signal->shown = signal->value;
    }
    v->changed.count = 0;
}

static void free_vcd(struct traces_exporter *x)
{
    struct vcd *v = x->own;
    LIB_VEC_FREE(&v->changed);
    lib_mem_free(v->signals);
}

const struct export_writer export_vcd = {
    .format = {"vcd", false, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct vcd),
    .start = vcd_start,
    .take = vcd_take,
    .due = vcd_due,
    .advance = put_changes,
    .free = free_vcd,
};
