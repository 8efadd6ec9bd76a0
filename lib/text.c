#include "lib/text.h"

#include "lib/memory.h"
#include "lib/shortest.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void lib_text_free(struct lib_text *text)
{
    lib_mem_free(text->bytes);
    *text = (struct lib_text){0};
}

void lib_text_clear(struct lib_text *text)
{
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

const char *lib_text_get(const struct lib_text *text)
{
    return text->bytes ? text->bytes : "";
}

void lib_text_reserve(struct lib_text *text, size_t more)
{
    size_t need = text->length + more + 1;
    if (need <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    text->bytes = lib_mem_resize(text->bytes, capacity);
    text->capacity = capacity;
}

void lib_text_add(struct lib_text *text, const char *bytes, size_t length)
{
    lib_text_reserve(text, length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void lib_text_puts(struct lib_text *text, const char *string)
{
    lib_text_add(text, string, strlen(string));
}

void lib_text_vprintf(struct lib_text *text, const char *format, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    lib_text_reserve(text, 0);
    size_t room = text->capacity - text->length;
    int length = vsnprintf(text->bytes + text->length, room, format, ap);
    if ((size_t)length >= room) {
        lib_text_reserve(text, (size_t)length);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    }
    text->length += (size_t)length;
    va_end(again);
}

void lib_text_printf(struct lib_text *text, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(text, format, ap);
    va_end(ap);
}

/* --- whole numbers ------------------------------------------------------------------- */

/* Writes the digits of a whole number before `end`. Returns the first. */
static char *write_digits(uint64_t number, char *end)
{
    do
        *--end = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

void lib_text_int(struct lib_text *text, int64_t value)
{
    char digits[24], *end = digits + sizeof digits;
    char *p = write_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, end);
    if (value < 0)
        *--p = '-';
    lib_text_add(text, p, (size_t)(end - p));
}

void lib_text_hex(struct lib_text *text, uint64_t value)
{
    char digits[16];
    for (int i = 16; i-- > 0; value >>= 4)
        digits[i] = "0123456789abcdef"[value & 15];
    lib_text_add(text, digits, sizeof digits);
}

void lib_text_count(struct lib_text *text, double count)
{
    const double exact = 1e15;
    if (count < exact)
        lib_text_printf(text, "%.0f", count);
    else if (isfinite(count))
        lib_text_printf(text, "about %.2g", count);
    else
        lib_text_puts(text, "endlessly many");
}

/* --- reals --------------------------------------------------------------------------- */

static void add_zeros(struct lib_text *text, int count)
{
    lib_text_add(text, "0000000000000000", (size_t)count);
}

/* Adds a finite number above 0. */
static void add_positive(struct lib_text *text, double value)
{
    struct lib_decimal d = lib_shortest(value);
    for (; d.digits % 10 == 0; d.exponent++)
        d.digits /= 10;
    char room[24], *end = room + sizeof room;
    const char *digits = write_digits(d.digits, end);
    const int count = (int)(end - digits);
    const int point = count + d.exponent; /* 0.d1d2d3... * 10^point */
    if (point > 16 || point <= -4) {
        lib_text_add(text, digits, 1);
        if (count > 1)
            lib_text_puts(text, ".");
        lib_text_add(text, digits + 1, (size_t)count - 1);
        lib_text_printf(text, "e%c%02d", point > 0 ? '+' : '-', abs(point - 1));
    } else if (point <= 0) {
        lib_text_puts(text, "0.");
        add_zeros(text, -point);
        lib_text_add(text, digits, (size_t)count);
    } else if (point >= count) {
        lib_text_add(text, digits, (size_t)count);
        add_zeros(text, point - count);
        lib_text_puts(text, ".0");
    } else {
        lib_text_add(text, digits, (size_t)point);
        lib_text_puts(text, ".");
        lib_text_add(text, digits + point, (size_t)(count - point));
    }
}

void lib_text_real(struct lib_text *text, double value)
{
    if (isnan(value)) {
        lib_text_puts(text, "nan");
        return;
    }
    if (signbit(value))
        lib_text_puts(text, "-");
    value = fabs(value);
    if (isinf(value) || value == 0)
        lib_text_puts(text, value == 0 ? "0.0" : "inf");
    else
        add_positive(text, value);
}

/* --- JSON strings --------------------------------------------------------------------- */

static int utf8_length(const unsigned char *p)
{
    int more = *p < 0x80                 ? 0
               : *p >= 0xc2 && *p < 0xe0 ? 1
               : *p >= 0xe0 && *p < 0xf0 ? 2
               : *p >= 0xf0 && *p < 0xf5 ? 3
                                         : -1;
    if (more < 0)
        return 0;
    for (int i = 1; i <= more; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
    bool too_large = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : more + 1;
}

void lib_text_json(struct lib_text *text, const char *string)
{
    lib_text_puts(text, "\"");
    for (const unsigned char *p = (const unsigned char *)string; *p;) {
        int length = utf8_length(p);
        if (*p == '"' || *p == '\\')
            lib_text_printf(text, "\\%c", *p);
        else if (*p == '\n')
            lib_text_puts(text, "\\n");
        else if (*p < 0x20)
            lib_text_printf(text, "\\u%04x", *p);
        else if (length == 0)
            lib_text_puts(text, "\xef\xbf\xbd");
        else
            lib_text_add(text, (const char *)p, (size_t)length);
        p += length ? length : 1;
    }
    lib_text_puts(text, "\"");
}

bool lib_text_is_line(const char *string)
{
    const unsigned char *p = (const unsigned char *)string;
    int length = 1;
    for (; *p && length > 0; p += length)
        length = *p < 0x20 || *p == 0x7f ? 0 : utf8_length(p);
    return length > 0;
}

/* Whether XML allows a character. Control characters, U+FFFE and U+FFFF are not allowed. */
static bool is_of_xml(const unsigned char *p, int length)
{
    if (length == 1)
        return *p >= 0x20 ? *p != 0x7f : *p == '\t' || *p == '\n';
    if (length == 2) /* C1 control characters are not allowed */
        return p[0] != 0xc2 || p[1] >= 0xa0;
    return !(length == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe);
}

size_t lib_text_shown(const char *bytes, size_t count)
{
    unsigned char four[4] = {0}; /* missing bytes are 0 */
    memcpy(four, bytes, count < 4 ? count : 4);
    const int length = count ? utf8_length(four) : 0;
    return length && is_of_xml(four, length) ? (size_t)length : 0;
}

void lib_text_html(struct lib_text *text, const char *bytes, size_t count)
{
    const char *p = bytes, *end = p + count;
    while (p < end) {
        const size_t length = lib_text_shown(p, (size_t)(end - p));
        if (*p == '<' || *p == '>')
            lib_text_puts(text, *p == '<' ? "&lt;" : "&gt;");
        else if (*p == '&')
            lib_text_puts(text, "&amp;");
        else if (*p == '"' || *p == '\'')
            lib_text_puts(text, *p == '"' ? "&quot;" : "&#39;");
        else if (length == 0)
            lib_text_puts(text, "\xef\xbf\xbd");
        else
            lib_text_add(text, p, length);
        p += length ? length : 1;
    }
}

/* --- nearest names --------------------------------------------------------------------- */

enum { NAME_MAX_LENGTH = 64 };

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns the number of edits (insert, delete, replace, swap of neighbours) that turn a into b.
 * Case does not matter. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    if (la >= NAME_MAX_LENGTH || lb >= NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
    size_t rows[3][NAME_MAX_LENGTH + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= lb; j++)
        last[j] = j;
    for (size_t i = 1; i <= la; i++) {
        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = last[j - 1] + !same(a[i - 1], b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
                           same(a[i - 2], b[j - 1]);
            if (swapped && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[lb];
}

static size_t common_prefix(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && same(a[length], b[length]))
        length++;
    return length;
}

const char *lib_text_nearest(const char *wrong, size_t count,
                             const char *(*name)(size_t i, const void *context),
                             const void *context)
{
    const char *best = NULL;
    size_t length = strlen(wrong);
    /* A name that needs more edits is not similar. */
    size_t best_distance = length == 1 ? 0 : length <= 3 ? 1 : length / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        const char *candidate = name(i, context);
        size_t other = strlen(candidate);
        if (other > length + best_distance || length > other + best_distance)
            continue;
        size_t d = edit_distance(wrong, candidate);
        if (d > best_distance || d >= other || (d > 1 && !same(*wrong, *candidate)))
            continue;
        if (best && d == best_distance &&
            common_prefix(wrong, candidate) <= common_prefix(wrong, best))
            continue;
        best = candidate;
        best_distance = d;
    }
    return best;
}

static const char *nth_piece(size_t i, const void *context)
{
    const char *p = context;
    while (i-- > 0)
        p += strlen(p) + 1;
    return p;
}

void lib_text_hint_choice(struct lib_text *text, const char *wrong, const char *choices)
{
    struct lib_text pieces = {0};
    size_t count = 1;
    lib_text_puts(&pieces, choices);
    for (char *p = pieces.bytes; (p = strchr(p, '|')) != NULL; count++)
        *p++ = '\0';
    const char *near = lib_text_nearest(wrong, count, nth_piece, pieces.bytes);
    if (near)
        lib_text_printf(text, "; did you mean `%s`?", near);
    lib_text_free(&pieces);
}

/* --- numbers from text ------------------------------------------------------------------ */

bool lib_text_to_int(const char *string, int64_t *value)
{
    const char *digits = *string == '-' || *string == '+' ? string + 1 : string;
    if (!isdigit((unsigned char)*digits))
        return false;
    char *end;
    errno = 0;
    long long v = strtoll(string, &end, 10);
    if (errno || *end)
        return false;
    *value = v;
    return true;
}

bool lib_text_to_real(const char *string, double *value)
{
    const char *body = *string == '-' || *string == '+' ? string + 1 : string;
    bool named = strcmp(body, "inf") == 0 || strcmp(body, "nan") == 0;
    if (!named && strspn(body, "0123456789.eE+-") != strlen(body))
        return false;
    if (!named && !isdigit((unsigned char)*body))
        return false;
    char *end;
    double v = strtod(string, &end);
    if (*end || (!named && isinf(v)))
        return false;
    *value = v;
    return true;
}

bool lib_text_to_bits(const char *string, int64_t *value)
{
    const unsigned base = strncmp(string, "0x", 2) == 0 ? 16 : 2;
    uint64_t bits = 0;
    if (!string[0] || !string[1] || !string[2] ||
        (base == 2 && strncmp(string, "0b", 2) != 0))
        return false;
    for (const char *p = string + 2; *p; p++) {
        const char c = *p;
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                               : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                      : base;
        if (digit >= base || bits > UINT64_MAX / base)
            return false;
        bits = bits * base + digit;
    }
    *value = (int64_t)bits;
    return true;
}

bool lib_text_to_whole(const char *string, uint64_t *value)
{
    uint64_t v = 0;
    for (const char *p = string; *p; p++)
        if (*p < '0' || *p > '9' || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
            return false;
    *value = v;
    return *string != '\0';
}

/* --- whole numbers that are written otherwise --------------------------------------------- */

/* Number with separators, fraction and exponent: value * 10 ^ point. */
struct spelled {
    uint64_t value;
    int64_t point;
    bool good;
};

static const char *read_digits(const char *p, struct spelled *s)
{
    for (bool after_digit = false; *p; p++) {
        if (isdigit((unsigned char)*p))
            s->good = s->good && !__builtin_mul_overflow(s->value, 10, &s->value) &&
                      !__builtin_add_overflow(s->value, (uint64_t)(*p - '0'), &s->value);
        else if (!after_digit || !strchr("_,' ", *p) || strspn(p + 1, "0123456789") < 3)
            break;
        after_digit = isdigit((unsigned char)*p);
    }
    return p;
}

static const char *read_spelled(const char *p, struct spelled *s)
{
    *s = (struct spelled){.good = isdigit((unsigned char)*p)};
    p = read_digits(p, s);
    if (*p == '.' && isdigit((unsigned char)p[1])) {
        const char *fraction = p + 1;
        p = read_digits(fraction, s);
        s->point = fraction - p;
    }
    if ((*p == 'e' || *p == 'E') && isdigit((unsigned char)p[1 + (p[1] == '+')])) {
        char *end;
        const long exponent = strtol(p + 1, &end, 10);
        s->point += exponent < 1000 ? exponent : 1000;
        p = end;
    }
    return p;
}

/* Returns the factor of a unit: 1000 for "k", "kB" and "kHz", 1024 for "Ki" and "KiB", up to "T"; 1
 * for "", 0 for an unknown unit. */
static uint64_t read_unit(const char *p)
{
    static const char prefixes[] = "kmgt";
    const char *found = *p ? strchr(prefixes, tolower((unsigned char)*p)) : NULL;
    uint64_t unit = 1;
    if (!*p || strcmp(p, "B") == 0 || strcmp(p, "Hz") == 0)
        return 1;
    if (!found)
        return 0;
    const bool is_binary = p[1] == 'i';
    const char *rest = p + 1 + is_binary;
    if (*rest && strcmp(rest, "B") != 0 && strcmp(rest, "b") != 0 &&
        (is_binary || strcasecmp(rest, "Hz") != 0))
        return 0;
    for (const char *at = prefixes; at <= found; at++)
        unit *= is_binary ? 1024 : 1000;
    return unit;
}

bool lib_text_whole_meant(const char *written, uint64_t *value)
{
    struct spelled s;
    char *end;
    if (written[0] == '0' && (written[1] == 'x' || written[1] == 'X')) {
        errno = 0;
        *value = strtoull(written + 2, &end, 16);
        return isxdigit((unsigned char)written[2]) && !*end && !errno;
    }
    const char *p = read_spelled(written + (*written == '+'), &s);
    p += *p == ' ';
    const uint64_t unit = read_unit(p);
    s.good = s.good && unit && !__builtin_mul_overflow(s.value, unit, &s.value);
    for (; s.good && s.point > 0 && s.value; s.point--)
        s.good = !__builtin_mul_overflow(s.value, 10, &s.value);
    for (; s.good && s.point < 0; s.point++, s.value /= 10)
        s.good = s.value % 10 == 0;
    *value = s.value;
    return s.good;
}

/* If the number may be of bytes, adds its value in binary units: "(`4GiB` is ...)". */
static void hint_binary(struct lib_text *text, const char *written)
{
    const size_t digits = strspn(written, "0123456789");
    const char *unit = written + digits;
    const bool is_bytes = *unit && unit[1] == 'B' && !unit[2];
    const bool is_large = (*unit == 'G' || *unit == 'T') && !unit[1];
    uint64_t meant;
    char binary[32];
    if (digits > 20 || (!is_bytes && !is_large))
        return;
    snprintf(binary, sizeof binary, "%.*s%ciB", (int)digits, written,
             toupper((unsigned char)*unit));
    if (lib_text_whole_meant(binary, &meant))
        lib_text_printf(text, " (`%s` is %" PRIu64 ")", binary, meant);
}

void lib_text_hint_whole(struct lib_text *text, const char *written, uint64_t least,
                         uint64_t most)
{
    uint64_t plain, meant;
    if (!lib_text_to_whole(written, &plain) && lib_text_whole_meant(written, &meant) &&
        meant >= least && meant <= most) {
        lib_text_printf(text, "; did you mean `%" PRIu64 "`?", meant);
        hint_binary(text, written);
    }
}
