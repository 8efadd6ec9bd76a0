#include "lib/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

/* Writes the comma, newline and key before an item. */
static void begin_item(struct lib_json *json, const char *key)
{
    if (json->depth == 0)
        return;
    bool on_line = json->levels[json->depth - 1].on_line;
    if (json->levels[json->depth - 1].started)
        lib_text_puts(json->out, on_line ? ", " : ",");
    json->levels[json->depth - 1].started = true;
    if (!on_line)
        lib_text_printf(json->out, "\n%*s", (int)json->depth * 2, "");
    if (key) {
        lib_text_json(json->out, key);
        lib_text_puts(json->out, ": ");
    }
}

void lib_json_open(struct lib_json *json, const char *key, char open)
{
    assert(json->depth < LIB_JSON_DEPTH);
    begin_item(json, key);
    lib_text_add(json->out, &open, 1);
    json->levels[json->depth].close = open == '{' ? '}' : ']';
    json->levels[json->depth].on_line = false;
    json->levels[json->depth].started = false;
    json->depth++;
}

void lib_json_open_line(struct lib_json *json, const char *key, char open)
{
    lib_json_open(json, key, open);
    json->levels[json->depth - 1].on_line = true;
}

void lib_json_close(struct lib_json *json)
{
    assert(json->depth > 0);
    json->depth--;
    bool empty = !json->levels[json->depth].started;
    if (!empty && !json->levels[json->depth].on_line)
        lib_text_printf(json->out, "\n%*s", (int)json->depth * 2, "");
    lib_text_add(json->out, &json->levels[json->depth].close, 1);
    if (json->depth == 0)
        lib_text_puts(json->out, "\n");
}

void lib_json_string(struct lib_json *json, const char *key, const char *value)
{
    begin_item(json, key);
    lib_text_json(json->out, value);
}

void lib_json_uint(struct lib_json *json, const char *key, uint64_t value)
{
    begin_item(json, key);
    lib_text_printf(json->out, "%" PRIu64, value);
}

void lib_json_int(struct lib_json *json, const char *key, int64_t value)
{
    begin_item(json, key);
    lib_text_printf(json->out, "%" PRId64, value);
}

void lib_json_real(struct lib_json *json, const char *key, double value)
{
    begin_item(json, key);
    if (isfinite(value))
        lib_text_real(json->out, value);
    else
        lib_text_puts(json->out, "null");
}

void lib_json_bool(struct lib_json *json, const char *key, bool value)
{
    begin_item(json, key);
    lib_text_puts(json->out, value ? "true" : "false");
}

void lib_json_null(struct lib_json *json, const char *key)
{
    begin_item(json, key);
    lib_text_puts(json->out, "null");
}

void lib_json_hex(struct lib_json *json, const char *key, uint64_t value)
{
    begin_item(json, key);
    lib_text_puts(json->out, "\"");
    lib_text_hex(json->out, value);
    lib_text_puts(json->out, "\"");
}
