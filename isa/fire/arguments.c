#include "isa/fire/gcc.h"

#include "isa/fire/arguments.h"

#include "isa/fire/fire.h"
#include "isa/fire/interp.h"

#include <inttypes.h>

enum {
    /* Max tokens delivered until the arguments are known. The second number is per token of the
     * first run, so that the message takes no longer than the run. */
    MIN_TOKENS = 100000,
    TOKENS_PER_TOKEN = 2,
    MAX_TOKENS = 50000000,
    /* the same, if some tokens may be slow tensor instructions */
    MAX_TENSOR_TOKENS = 100000,
    MAX_MEMORY = 1 << 28, /* bytes that the second run may use */
    MAX_LEVELS = 4, /* max loops within one another, with the function around them */
    MAX_SHOWN = 8,  /* max arguments shown of an activation */
    TOKENS_BETWEEN_LOOKS = 4096 /* tokens between two checks of memory */
};

/* An activation whose arguments are wanted. */
struct wanted {
    uint64_t path; /* path of its tag */
    const struct isa_function *function;
    uint32_t count, found; /* number of arguments, and how many have arrived */
    struct lib_text texts[MAX_SHOWN];
};

struct search {
    struct isa_interp interp;
    struct wanted levels[MAX_LEVELS];
    uint32_t level_count, missing; /* arguments of all levels */
};

static void write_value(const struct isa_exec *exec, enum isa_type type, isa_value value,
                        struct lib_text *out)
{
    if (!isa_type_is_reference(type)) {
        isa_value_write(out, type, value);
        return;
    }
    const struct isa_structure *s = isa_structures_get(&exec->structures, value);
    if (s->is_tensor)
        lib_text_puts(out, "a tensor");
    else if (s->is_data)
        lib_text_puts(out, isa_structures_constructor(&exec->structures, value)->name);
    else if (s->is_open)
        lib_text_puts(out, "an array");
    else
        lib_text_printf(out, "an array of %" PRIu64 " element%s", (uint64_t)s->length,
                        s->length == 1 ? "" : "s");
}

static void keep_argument(struct search *search, struct wanted *w, uint32_t param,
                          isa_value value)
{
    if (param >= w->count || w->texts[param].length > 0)
        return;
    const char *const *names = w->function->names;
    if (names && names[param])
        lib_text_printf(&w->texts[param], "%s = ", names[param]);
    else
        lib_text_printf(&w->texts[param], "parameter %" PRIu32 " = ", param);
    write_value(&search->interp.exec, w->function->params[param], value,
                &w->texts[param]);
    w->found++;
    search->missing--;
}

/* Whether an instruction brings an argument to the activation of its tokens. */
static bool gives_argument(enum isa_op op)
{
    return op == ISA_OP_CALL || op == ISA_OP_ENTER || op == ISA_OP_NEXT ||
           op == ISA_OP_PARAM;
}

static void search_send(void *engine, const struct isa_instr *instr, isa_tag tag,
                        isa_value value, uint64_t depth, struct isa_code_list to,
                        unsigned how)
{
    struct search *search = engine;
    struct isa_interp *p = &search->interp;
    const uint32_t mark = how & ISA_SEND_DEAD ? ISA_TOKEN_DEAD : 0;
    for (uint32_t i = 0; i < to.count; i++) {
        const isa_code_dest dest = isa_exec_dest(&p->exec,
                                                 p->exec.code->dests[to.first + i], tag);
        *LIB_VEC_PUSH(&p->stack) = (struct isa_token){
            value, isa_token_key(dest | mark, tag), depth << ISA_OWNER_BITS};
    }
    if (mark || !(how & (ISA_SEND_ONLY | ISA_SEND_FIRST)) ||
        !gives_argument((enum isa_op)instr->op))
        return;
    const uint64_t path = isa_activations_get(&p->exec.tags, tag)->path;
    for (uint32_t i = 0; i < search->level_count; i++)
        if (search->levels[i].path == path)
            keep_argument(search, &search->levels[i], instr->index, value);
}

static uint32_t max_tokens(const struct isa_exec *exec)
{
    if (exec->code->has_tensors)
        return MAX_TENSOR_TOKENS;
    const uint64_t tokens = exec->counts.tokens;
    return tokens > (MAX_TOKENS - MIN_TOKENS) / TOKENS_PER_TOKEN
               ? MAX_TOKENS
               : MIN_TOKENS + TOKENS_PER_TOKEN * (uint32_t)tokens;
}

/* Delivers tokens until the arguments have arrived. Continues after a trap, as arguments may be
 * slower than the trapped instruction. */
static void run_search(struct search *search, uint32_t max)
{
    struct isa_interp *p = &search->interp;
    struct isa_exec *x = &p->exec;
    struct isa_firing firing;
    const struct isa_fire_to to = {&x->counts, &firing, search_send, search, false};
    for (uint32_t n = 0; n < max && p->stack.count && search->missing; n++) {
        struct isa_token t = p->stack.items[--p->stack.count];
        (void)isa_fire_any(x, &t, false, to);
        if (x->out_of_memory)
            return;
        while (isa_loop_constant_wake(x, &t))
            *LIB_VEC_PUSH(&p->stack) = t;
        if (n % TOKENS_BETWEEN_LOOKS == 0 && isa_interp_state_bytes(p) > MAX_MEMORY)
            return;
    }
}

/* Computes the path of a tag, as engines that measure nothing do not keep it. */
static uint64_t path_of(const struct isa_exec *exec, isa_tag tag)
{
    LIB_VEC(isa_tag) labels = {0};
    for (; tag != ISA_TAG_ROOT; tag = isa_activations_get(&exec->tags, tag)->parent)
        *LIB_VEC_PUSH(&labels) = tag;
    uint64_t path = ISA_ROOT_PATH;
    while (labels.count > 0) {
        struct isa_activation *a = isa_activations_get(&exec->tags,
                                                       labels.items[--labels.count]);
        path = isa_tag_path(path, a->site);
        if (exec->tags.shapes[a->function].is_loop)
            path = isa_tag_iteration_path(path, isa_iteration_number(a));
    }
    LIB_VEC_FREE(&labels);
    return path;
}

/* Adds the activation to those wanted, and for a loop those around it, up to that of a function. */
static void want_levels(struct search *search, const struct isa_exec *exec, isa_tag tag)
{
    const struct isa_graph *graph = exec->code->graph;
    while (search->level_count < MAX_LEVELS && tag != ISA_TAG_ROOT) {
        const struct isa_activation *a = isa_activations_get(&exec->tags, tag);
        const struct isa_function *f = &graph->functions[a->function];
        const uint32_t count = f->param_count < MAX_SHOWN ? f->param_count : MAX_SHOWN;
        search->levels[search->level_count++] = (struct wanted){
            .path = path_of(exec, tag), .function = f, .count = count};
        search->missing += count;
        if (!f->is_loop)
            break;
        tag = a->parent;
    }
}

void isa_arguments_write(const struct isa_exec *exec, isa_tag tag, struct lib_text *out)
{
    struct search search = {0};
    const char *between = "";
    want_levels(&search, exec, tag);
    if (search.missing == 0)
        return;
    const struct isa_interp_limits limits = {.memory = MAX_MEMORY};
    isa_interp_start(&search.interp, exec->code, &limits, false);
    if (search.interp.end == ISA_END_COMPLETED)
        run_search(&search, max_tokens(exec));
    for (uint32_t i = 0; i < search.level_count; i++)
        for (uint32_t k = 0; k < search.levels[i].count; k++) {
            struct lib_text *text = &search.levels[i].texts[k];
            if (text->length)
                lib_text_printf(out, "%s%s", between, text->bytes);
            between = text->length ? ", " : between;
            lib_text_free(text);
        }
    isa_interp_free(&search.interp);
}
