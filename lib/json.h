/* A writer of JSON: objects and arrays, indented by two blanks, on a growing text.
 *
 * Every call takes the key of what it adds: NULL inside an array. The text is the
 * caller's; a writer owns nothing. Invariant: what is opened is closed, in reverse order,
 * by the function that opened it. */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include "lib/text.h"

enum { LIB_JSON_DEPTH = 8 };

struct lib_json {
    struct lib_text *out;
    unsigned depth;
    struct {
        char close;   /* '}' or ']' */
        bool on_line; /* its items stand on one line */
        bool started; /* holds an item already */
    } levels[LIB_JSON_DEPTH];
};

/* `open` is '{' or '['. Each item stands on a line of its own; or all stand on one line, as
 * in rows of a table. */
void lib_json_open(struct lib_json *json, const char *key, char open);
void lib_json_open_line(struct lib_json *json, const char *key, char open);
/* Closes the innermost; the outermost ends with a newline. */
void lib_json_close(struct lib_json *json);

void lib_json_string(struct lib_json *json, const char *key, const char *value);
void lib_json_uint(struct lib_json *json, const char *key, uint64_t value);
void lib_json_int(struct lib_json *json, const char *key, int64_t value);
void lib_json_real(struct lib_json *json, const char *key, double value); /* or null */
void lib_json_bool(struct lib_json *json, const char *key, bool value);
void lib_json_null(struct lib_json *json, const char *key);
void lib_json_hex(struct lib_json *json, const char *key, uint64_t value); /* 16 digits */

#endif
