#include "programs/dragnn/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *check_block(void *block, size_t bytes)
{
    if (!block && bytes > 0) {
        fprintf(stderr, "dragnn: no memory for %zu bytes\n", bytes);
        exit(3);
    }
    return block;
}

void *dragnn_new(size_t bytes)
{
    return check_block(calloc(1, bytes + 1), bytes + 1);
}

void *dragnn_resize(void *block, size_t bytes)
{
    return check_block(realloc(block, bytes + 1), bytes + 1);
}

char *dragnn_copy(const char *text, size_t length)
{
    char *copy = dragnn_new(length + 1);
    memcpy(copy, text, length);
    return copy;
}

static bool fill_error(struct dragnn_error *error, int line, int column,
                       const char *format, va_list arguments)
{
    if (error) {
        error->line = line;
        error->column = column;
        vsnprintf(error->text, sizeof error->text, format, arguments);
    }
    return false;
}

bool dragnn_fail(struct dragnn_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, 0, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool dragnn_fail_at(struct dragnn_error *error, int line, int column, const char *format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, line, column, format, arguments);
    va_end(arguments);
    return false;
}

void dragnn_text_add(struct dragnn_text *text, const char *bytes, size_t length)
{
    if (text->length + length + 1 > text->capacity) {
        text->capacity = 2 * (text->length + length) + 64;
        text->bytes = dragnn_resize(text->bytes, text->capacity);
    }
    if (length > 0)
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

bool dragnn_text_read(struct dragnn_text *text, const char *path,
                      struct dragnn_error *error)
{
    char piece[65536];
    size_t length;
    FILE *file = fopen(path, "rb");
    if (!file)
        return dragnn_fail(error, "cannot open %s: %s", path, strerror(errno));
    dragnn_text_add(text, "", 0);
    while ((length = fread(piece, 1, sizeof piece, file)) > 0)
        dragnn_text_add(text, piece, length);
    const bool is_good = !ferror(file);
    if (!is_good)
        dragnn_fail(error, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    return is_good;
}
