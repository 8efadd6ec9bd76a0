/* Programs with ports, run by the interpreter and fed by tests. */
#ifndef TESTS_UNIT_FED_H
#define TESTS_UNIT_FED_H

#include "isa/fire/interp.h"
#include "isa/format/asm.h"
#include "tests/unit/support.h"

static const struct isa_interp_limits fed_limits = {.memory = 1 << 24};

struct fed {
    struct isa_graph *graph;
    struct isa_code *code;
    struct isa_interp interp;
};

static inline void fed_start(struct fed *f, const char *text)
{
    f->graph = test_compile(text, ISA_STAGE_IMAGE);
    f->code = isa_code_make(f->graph, NULL, false);
    isa_interp_start(&f->interp, f->code, &fed_limits, true);
}

static inline void fed_read(struct fed *f, const char *text)
{
    const struct lib_source source = {"test", text, strlen(text)};
    struct lib_diags diags = {0};
    f->graph = isa_asm_read(&source, &diags);
    ck_assert_ptr_nonnull(f->graph);
    f->code = isa_code_make(f->graph, NULL, false);
    isa_interp_start(&f->interp, f->code, &fed_limits, true);
}

static inline enum isa_end fed_go_on(struct fed *f)
{
    while (isa_interp_advance(&f->interp, 1000))
        ;
    return f->interp.end;
}

static inline void fed_end(struct fed *f)
{
    isa_interp_free(&f->interp);
    isa_code_free(f->code);
    isa_graph_free(f->graph);
}

static inline enum isa_feed fed_int(struct fed *f, uint32_t port, int64_t value)
{
    const struct isa_port_value fed = {.value = isa_value_of_int(value)};
    return isa_interp_feed(&f->interp, port, &fed);
}

#endif
