#include "programs/syntax/pragma.h"

#include "lib/text.h"
#include "programs/syntax/ast.h"

#include <string.h>

/* A word of a pragma. */
struct piece {
    struct lib_pos pos;
    const char *text;
    size_t length; /* 0: end of the pragma */
};

struct reader {
    struct lib_arena *arena;
    const char *at, *end;
    struct lib_pos pos; /* of `at` */
    struct programs_mistake *mistake;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_class_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '-';
}

static void skip_byte(struct reader *r)
{
    r->at++;
    r->pos.column++;
}

static struct piece next_piece(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        skip_byte(r);
    struct piece w = {.pos = r->pos, .text = r->at};
    while (r->at < r->end && !is_blank(*r->at))
        skip_byte(r);
    w.length = (size_t)(r->at - w.text);
    w.pos.span = w.length ? (uint32_t)w.length : 1;
    return w;
}

/* Sets the mistake. False, for the caller to return. */
#define fail(r, at, ...)                                                                 \
    (*(r)->mistake = (struct programs_mistake){at, lib_arena_printf((r)->arena,          \
                                                                    __VA_ARGS__)},       \
     false)

static const struct {
    const char *text;
    uint32_t least, most; /* of its number */
    const char *number, *range;
} pragmas[] = {
    [PROGRAMS_PRAGMA_BOUND] = {"bound", 1, PROGRAMS_BOUND_MAX, "how many iterations",
                               "a bound"},
    [PROGRAMS_PRAGMA_MACHINE] = {"machine", 0, ISA_MAX_MACHINES - 1,
                                 "the number of a machine", "the number of a machine"},
    [PROGRAMS_PRAGMA_ON] = {.text = "on"},
};

static bool find_kind(struct reader *r, const struct piece *name,
                      enum programs_pragma_kind *kind)
{
    static const char known[] = "a loop is bounded by `--# bound N`, an equation or a "
                                "line placed by `--# machine N`, and an equation by "
                                "`--# on CLASS`";
    for (*kind = 0; *kind < PROGRAMS_PRAGMA_COUNT; (*kind)++)
        if (name->length == strlen(pragmas[*kind].text) &&
            memcmp(name->text, pragmas[*kind].text, name->length) == 0)
            return true;
    const int shown = (int)(name->length < 40 ? name->length : 40);
    return name->length
               ? fail(r, name->pos, "unknown pragma `%.*s`; %s", shown, name->text, known)
               : fail(r, name->pos, "a pragma without a word; %s", known);
}

static bool read_number(struct reader *r, const struct piece *number,
                        struct programs_pragma *pragma)
{
    int64_t read = 0;
    bool is_number = number->length > 0 && number->length < 40;
    for (size_t i = 0; i < number->length; i++)
        is_number = is_number && is_digit(number->text[i]);
    if (!is_number)
        return fail(r, number->pos, "expected %s, as an int literal",
                    pragmas[pragma->kind].number);
    if (!lib_text_to_int(lib_arena_copy(r->arena, number->text, number->length), &read) ||
        read < pragmas[pragma->kind].least || read > pragmas[pragma->kind].most)
        return fail(r, number->pos, "%s is from %u to %u", pragmas[pragma->kind].range,
                    (unsigned)pragmas[pragma->kind].least,
                    (unsigned)pragmas[pragma->kind].most);
    pragma->number = (uint32_t)read;
    return true;
}

static bool read_class(struct reader *r, const struct piece *name,
                       struct programs_pragma *pragma)
{
    bool is_name = name->length > 0 && name->length <= ISA_MAX_CLASS_NAME;
    for (size_t i = 0; i < name->length; i++)
        is_name = is_name && is_class_part(name->text[i]);
    if (!is_name)
        return fail(r, name->pos,
                    "expected the name of a class of PEs: up to %d letters, digits, `_` "
                    "and `-`",
                    ISA_MAX_CLASS_NAME);
    pragma->class = lib_arena_copy(r->arena, name->text, name->length);
    return true;
}

bool programs_pragma_read(struct lib_arena *arena, const char *at, const char *end,
                          struct lib_pos pos, struct programs_pragma *pragma,
                          struct programs_mistake *mistake)
{
    const uint32_t opening = 3; /* bytes of `--#` */
    pos.column += opening;
    struct reader r = {arena, at + opening, end, pos, mistake};
    *pragma = (struct programs_pragma){0};
    const struct piece name = next_piece(&r), value = next_piece(&r),
                       rest = next_piece(&r);
    if (!find_kind(&r, &name, &pragma->kind) ||
        !(pragma->kind == PROGRAMS_PRAGMA_ON ? read_class(&r, &value, pragma)
                                             : read_number(&r, &value, pragma)))
        return false;
    return rest.length == 0 ||
           fail(&r, rest.pos, "expected the end of the line after this pragma");
}
