/* Runs of programs on tensors whose results are known. */
#ifndef TESTS_UNIT_TENSOR_RUNS_H
#define TESTS_UNIT_TENSOR_RUNS_H

#include "isa/fire/interp.h"
#include "tests/unit/support.h"

/* Checks how a program ended, and its result. Returns the digest of its values. */
static inline uint64_t test_tensor_end(const struct isa_exec *exec, enum isa_end end,
                                       const char *program, const char *expected)
{
    struct lib_text found = {0};
    ck_assert_msg(end == ISA_END_COMPLETED, "%s", program);
    isa_exec_check_quiet(exec);
    isa_exec_write_result(exec, &found);
    ck_assert_msg(strcmp(lib_text_get(&found), expected) == 0,
                  "%s\nexpected %s\nfound    %s", program, expected,
                  lib_text_get(&found));
    lib_text_free(&found);
    return exec->counts.value_digest;
}

static inline uint64_t test_interpret_tensors(const struct isa_code *code,
                                              const char *program, const char *expected,
                                              bool digests)
{
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 30};
    struct isa_interp interp;
    isa_interp_run(&interp, code, &limits, digests, NULL);
    const uint64_t digest = test_tensor_end(&interp.exec, interp.end, program, expected);
    isa_interp_free(&interp);
    return digest;
}

#endif
