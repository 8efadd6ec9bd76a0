/* A writer of JSON: objects and arrays, indented by two blanks, on a growing text.
 *
 * Every call takes the key of what it adds: NULL inside an array. The text is the
 * caller's; a writer owns nothing. Invariant: what is opened is closed, in reverse order,
 * by the function that opened it. */
#ifndef SIM_JSON_H
#define SIM_JSON_H

#include "lib/text.h"

enum { SIM_JSON_DEPTH = 8 };

struct sim_json {
    struct lib_text *out;
    unsigned depth;
    struct {
        char close;   /* '}' or ']' */
        bool on_line; /* its items stand on one line */
        bool started; /* holds an item already */
    } levels[SIM_JSON_DEPTH];
};

/* `open` is '{' or '['. `on_line`: all its items on one line, as in rows of a table. */
void sim_json_open(struct sim_json *json, const char *key, char open, bool on_line);
/* Closes the innermost; the outermost ends with a newline. */
void sim_json_close(struct sim_json *json);

void sim_json_string(struct sim_json *json, const char *key, const char *value);
void sim_json_uint(struct sim_json *json, const char *key, uint64_t value);
void sim_json_int(struct sim_json *json, const char *key, int64_t value);
void sim_json_real(struct sim_json *json, const char *key, double value); /* or null */
void sim_json_bool(struct sim_json *json, const char *key, bool value);
void sim_json_null(struct sim_json *json, const char *key);
void sim_json_hex(struct sim_json *json, const char *key, uint64_t value); /* 16 digits */

#endif
