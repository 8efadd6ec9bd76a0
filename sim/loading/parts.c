#include "sim/loading/parts.h"

#include <string.h>

#include "isa/format/image.h"
#include "lib/file.h"
#include "lib/memory.h"

static const char first_line[] = "hiaton parts 1\n";

bool sim_parts_is(const struct lib_source *file)
{
    const size_t length = strlen("hiaton parts");
    return strncmp(file->bytes, first_line, length) == 0;
}

void sim_parts_begin(struct lib_text *index)
{
    lib_text_puts(index, first_line);
}

void sim_parts_write(const struct isa_graph *graph, uint32_t machine, const char *path,
                     struct lib_text *image, struct lib_text *index)
{
    const char *slash = strrchr(path, '/');
    isa_image_write_part(graph, machine, image);
    isa_digest_write(isa_digest_of(image->bytes, image->length), index);
    lib_text_printf(index, " %s.%u\n", slash ? slash + 1 : path, machine);
}

enum { DIGITS = 32 };

/* Reads the image in a line of the index. Returns NULL and adds a diagnostic if it has another
 * digest. */
static const struct lib_source *read_part(struct lib_arena *arena,
                                          const struct lib_source *index, uint32_t number,
                                          const char *line, size_t length,
                                          struct lib_diags *diags)
{
    const struct lib_pos pos = {number, 1, (uint32_t)length};
    const char *slash = strrchr(index->name, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - index->name) : 0;
    LIB_TEXT_OWN digest = {0};
    if (length < DIGITS + 2 || line[DIGITS] != ' ' || memchr(line, '/', length)) {
        lib_diag_error(diags, LIB_DIAG_SYNTAX, index, pos,
                       "expected the digest of an image, a blank, and its name");
        return NULL;
    }
    const char *path = lib_arena_printf(arena, "%.*s%.*s", (int)folder, index->name,
                                        (int)(length - DIGITS - 1), line + DIGITS + 1);
    const struct lib_source *part = lib_file_read_as(arena, path, "a part of the program",
                                                     diags);
    if (!part)
        return NULL;
    isa_digest_write(isa_digest_of(part->bytes, part->length), &digest);
    const bool same = memcmp(digest.bytes, line, DIGITS) == 0;
    if (!same)
        lib_diag_error(diags, LIB_DIAG_FILE, index, pos,
                       "%s is another image: its digest is %s", path, digest.bytes);
    return same ? part : NULL;
}

const struct lib_source *sim_parts_read(struct lib_arena *arena,
                                        const struct lib_source *index,
                                        struct lib_diags *diags)
{
    struct {
        const struct lib_source **items;
        size_t count, capacity;
    } parts = {0};
    struct isa_graph *graph = NULL;
    const size_t errors = diags->errors;
    if (strncmp(index->bytes, first_line, strlen(first_line)) != 0)
        lib_diag_error(diags, LIB_DIAG_SYNTAX, index, (struct lib_pos){1, 1, 1},
                       "expected `hiaton parts 1`");
    for (uint32_t line = 2; diags->errors == errors; line++) {
        size_t length;
        const char *text = lib_source_line(index, line, &length);
        if (!text || length == 0)
            break;
        const struct lib_source *part = read_part(arena, index, line, text, length,
                                                  diags);
        if (part)
            *LIB_VEC_PUSH(&parts) = part;
    }
    if (diags->errors == errors && parts.count == 0)
        lib_diag_error(diags, LIB_DIAG_SYNTAX, index, (struct lib_pos){2, 1, 1},
                       "expected an image for each machine");
    if (diags->errors == errors)
        graph = isa_image_read_parts(parts.items, (uint32_t)parts.count, diags);
    LIB_VEC_FREE(&parts);
    if (!graph)
        return NULL;
    LIB_TEXT_OWN image = {0};
    isa_image_write(graph, &image);
    struct lib_source *whole = LIB_ARENA_NEW(arena, struct lib_source);
    *whole = (struct lib_source){
        index->name, lib_arena_copy(arena, image.bytes, image.length), image.length};
    isa_graph_free(graph);
    return whole;
}
