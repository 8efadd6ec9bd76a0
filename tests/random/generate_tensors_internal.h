/* Shared by the files that generate programs on tensors: values with their texts. A function that
 * draws an equation appends its text, which may name t0, t1, ..., and returns false if what was
 * drawn does not fit. */
#ifndef TESTS_RANDOM_GENERATE_TENSORS_INTERNAL_H
#define TESTS_RANDOM_GENERATE_TENSORS_INTERNAL_H

#include "lib/arena.h"
#include "lib/text.h"
#include "tests/random/draw.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4096, EQUATIONS = 9 };

enum kind { REALS, INTS, BOOLS };

struct array {
    enum kind kind;
    int rank, extent[4], count;
    double *at;
};

struct trial {
    struct draw draw;
    struct lib_arena *arena;
    struct lib_text text;
    struct array made[EQUATIONS + 1]; /* values of t0, t1, ... */
    int count;
};

/* --- generate_tensors.c --- */

int trial_below(struct trial *t, int n);
struct array trial_new_array(struct trial *t, enum kind kind, int rank,
                             const int *extent);

/* Returns the array element at `index`; an axis of extent 1 has index 0 (broadcasting). */
double trial_broadcast_at(const struct array *a, int rank, const int *index);

/* Moves `index` to the next element. Returns false after the last one. */
bool trial_step(int rank, const int *extent, int *index);

double trial_clamp(double x);

/* Writes an array. `one`, unless NULL, is written instead of 1.0. */
void trial_write_array(const struct array *a, const char *one, struct lib_text *out);

/* --- generate_tensors_elements.c --- */

void trial_literal(struct trial *t, struct array *made);
const char *trial_small(const struct array *made);
bool trial_broadcast(const struct array *a, const struct array *b, int *rank,
                     int *extent);
bool trial_binary(struct trial *t, int x, int y, struct array *made);
bool trial_random(struct trial *t, int x, struct array *made);
bool trial_multiply(struct trial *t, int x, int y, struct array *made);
bool trial_unary(struct trial *t, int x, struct array *made);
bool trial_convert(struct trial *t, int x, struct array *made);
bool trial_choose(struct trial *t, int x, int y, struct array *made);
bool trial_reduce(struct trial *t, int x, struct array *made);

/* --- generate_tensors_rows.c --- */

bool trial_gather(struct trial *t, int x, struct array *made);
bool trial_change_rows(struct trial *t, int x, int y, struct array *made);
bool trial_transpose(struct trial *t, int x, struct array *made);
bool trial_around(struct trial *t, int x, struct array *made);
bool trial_along(struct trial *t, int x, struct array *made);

#endif
