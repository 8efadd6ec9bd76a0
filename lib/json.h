/* Writer of JSON, indented by two spaces.
 *
 * Each function adds one value with its key; `key` is NULL inside an array. The caller closes each
 * object and array that it opens. */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include "lib/text.h"

enum { LIB_JSON_DEPTH = 8 };

struct lib_json {
    struct lib_text *out;
    unsigned depth;
    struct {
        char close;   /* '}' or ']', which ends the object or array */
        bool on_line; /* all items of the object or array are on one line */
        bool started; /* an item was written, so a comma precedes the next */
    } levels[LIB_JSON_DEPTH];
};

/* Open an object ('{') or array ('['). lib_json_open puts each item on its own line,
 * lib_json_open_line all on one line. */
void lib_json_open(struct lib_json *json, const char *key, char open);
void lib_json_open_line(struct lib_json *json, const char *key, char open);

/* Closes the innermost open object or array. Adds a newline after the outermost one. */
void lib_json_close(struct lib_json *json);

void lib_json_string(struct lib_json *json, const char *key, const char *value);
void lib_json_uint(struct lib_json *json, const char *key, uint64_t value);
void lib_json_int(struct lib_json *json, const char *key, int64_t value);
/* Adds a real with the fewest digits that read back as the same value; null if it is not finite. */
void lib_json_real(struct lib_json *json, const char *key, double value);
void lib_json_bool(struct lib_json *json, const char *key, bool value);
void lib_json_null(struct lib_json *json, const char *key);
void lib_json_hex(struct lib_json *json, const char *key, uint64_t value);

#endif
