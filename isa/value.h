/* Values of tokens: 64 bits, whose type only the instruction knows. */
#ifndef ISA_VALUE_H
#define ISA_VALUE_H

#include "isa/type.h"
#include "lib/text.h"

#include <string.h>

typedef uint64_t isa_value;

/* Bits of the only NaN (doc/language.md, Types). */
#define ISA_NAN UINT64_C(0x7ff8000000000000)

static inline isa_value isa_value_of_int(int64_t i)
{
    return (isa_value)i;
}

static inline int64_t isa_value_int(isa_value v)
{
    return (int64_t)v;
}

static inline isa_value isa_value_of_real(double r)
{
    isa_value v;
    memcpy(&v, &r, sizeof v);
    return __builtin_expect(r != r, 0) ? ISA_NAN : v;
}

static inline double isa_value_real(isa_value v)
{
    double r;
    memcpy(&r, &v, sizeof r);
    return r;
}

/* Appends a value that is not a reference, as `hiaton run` prints it. isa_value_read reads it
 * back. */
void isa_value_write(struct lib_text *out, enum isa_type type, isa_value value);

/* Reads a value of `type`; an integer is also read as a real. Returns false if the string is not
 * such a value. References cannot be read. */
bool isa_value_read(const char *string, enum isa_type type, isa_value *value);

#endif
