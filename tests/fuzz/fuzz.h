/* Functions that the fuzz targets share.
 *
 * A target is a file with LLVMFuzzerTestOneInput. Linked with libFuzzer (configure
 * --enable-fuzzers, make fuzz) it looks for inputs that break an invariant; linked with
 * tests/fuzz/replay.c, under any compiler, it runs the inputs that it is given, and so makes the
 * corpus a regression test.
 *
 * Whatever the input, a target returns 0. A broken invariant ends the process: by an assertion,
 * a sanitizer or fuzz_fail. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "isa/graph.h"

/* Functions that libFuzzer calls, and one that it provides for custom mutators (absent in
 * replay). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
    __attribute__((weak));

/* Reports a broken invariant and aborts. */
void fuzz_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Returns the input as a source that lives in the arena. */
const struct lib_source *fuzz_source(struct lib_arena *arena, const char *name,
                                     const void *data, size_t size);

/* Returns a folder for files that inputs of a target name, which remains after the process; and
 * writes a file in it, atomically, as other processes may use it too. */
const char *fuzz_folder(const char *target);
void fuzz_put(const char *folder, const char *name, const char *text);

/* Removes the first line of a text and returns it, or NULL if none is left. */
char *fuzz_line(char **text);

/* Checks that `failed` holds if and only if there are errors, and that their positions are in
 * the text; writes and frees them. */
void fuzz_diags(struct lib_diags *diags, bool failed);

/* Whether all errors are reached limits. */
bool fuzz_is_limit(const struct lib_diags *diags);

/* Fails unless both texts are equal. */
void fuzz_same(const char *what, const struct lib_text *a, const struct lib_text *b);

/* Checks a legal graph: its assembly, and its image if of stage IMAGE, read back the same. Draws
 * it too. */
void fuzz_graph(const struct isa_graph *graph);

/* Runs a legal graph of stage IMAGE with both treatments of deadness on the interpreter, in
 * random order and on a machine, each up to a small limit. The ends must agree if the graph
 * determines them. `compiled`: it does, as it comes from a source. */
void fuzz_execute(const struct isa_graph *graph, bool compiled);

#endif
