/* Fuzzing: what the targets share.
 *
 * A target is a file with LLVMFuzzerTestOneInput. Linked with libFuzzer (configure
 * --enable-fuzzers, make fuzz) it looks for inputs that break a promise; linked with
 * tests/fuzz/replay.c, under any compiler, it runs the inputs that it is given, and so
 * makes the corpus a regression test.
 *
 * Whatever the input, a target returns 0. A broken promise ends the process: by an
 * assertion, a sanitizer or fuzz_fail. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "isa/graph.h"

/* What libFuzzer calls, and what it gives to custom mutators (absent in replay). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
    __attribute__((weak));

/* A promise was broken: says which, and aborts. */
void fuzz_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The input as a source that lives in the arena. */
const struct lib_source *fuzz_source(struct lib_arena *arena, const char *name,
                                     const void *data, size_t size);

/* A folder for the files that inputs of a target name, kept from one process to the next; and
 * a file in it, whole or not there, as others may use it too. */
const char *fuzz_folder(const char *target);
void fuzz_put(const char *folder, const char *name, const char *text);

/* The first line of a text, which is taken from it; NULL: there is none. */
char *fuzz_line(char **text);

/* Checks that something failed if and only if errors were found, that their places are in
 * the text, and writes them; then frees them. */
void fuzz_diags(struct lib_diags *diags, bool failed);

/* Whether all errors say that a limit was reached. */
bool fuzz_is_limit(const struct lib_diags *diags);

/* Fails unless both texts are the same. */
void fuzz_same(const char *what, const struct lib_text *a, const struct lib_text *b);

/* Checks what holds for every legal graph: its assembly, and its image at stage IMAGE,
 * read back to the same; and draws it. */
void fuzz_graph(const struct isa_graph *graph);

/* Runs a legal graph of stage IMAGE under both treatments of deadness, on the interpreter,
 * in random order and on a machine, each up to a small limit; they must agree wherever
 * the graph determines how it ends. `compiled`: it comes from a source, and does. */
void fuzz_execute(const struct isa_graph *graph, bool compiled);

#endif
