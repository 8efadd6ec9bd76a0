#include "traces/exports/protobuf.h"

#include <string.h>

enum { VARINT = 0, FIXED = 1, BYTES = 2 };

enum { BITS = 7, MORE = 0x80, MAX_BYTES = 10 };

void protobuf_raw(struct lib_text *message, uint64_t value)
{
    char bytes[MAX_BYTES];
    size_t count = 0;
    for (; value >= MORE; value >>= BITS)
        bytes[count++] = (char)(value | MORE);
    bytes[count++] = (char)value;
    lib_text_add(message, bytes, count);
}

static void put_key(struct lib_text *message, uint32_t field, unsigned type)
{
    protobuf_raw(message, (uint64_t)field << 3 | type);
}

void protobuf_number(struct lib_text *message, uint32_t field, uint64_t value)
{
    put_key(message, field, VARINT);
    protobuf_raw(message, value);
}

void protobuf_fixed(struct lib_text *message, uint32_t field, uint64_t value)
{
    char bytes[sizeof value];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(value >> 8 * i);
    put_key(message, field, FIXED);
    lib_text_add(message, bytes, sizeof bytes);
}

static void put_bytes(struct lib_text *message, uint32_t field, const char *bytes,
                      size_t length)
{
    put_key(message, field, BYTES);
    protobuf_raw(message, length);
    lib_text_add(message, bytes, length);
}

void protobuf_string(struct lib_text *message, uint32_t field, const char *string)
{
    put_bytes(message, field, string, strlen(string));
}

void protobuf_message(struct lib_text *message, uint32_t field,
                      const struct lib_text *inner)
{
    put_bytes(message, field, lib_text_get(inner), inner->length);
}
