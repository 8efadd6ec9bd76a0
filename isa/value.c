#include "isa/value.h"

#include <inttypes.h>

void isa_value_write(struct lib_text *out, enum isa_type type, isa_value value)
{
    switch (type) {
    case ISA_REAL:
        lib_text_real(out, isa_value_real(value));
        break;
    case ISA_BOOL:
        lib_text_puts(out, value ? "true" : "false");
        break;
    default:
        lib_text_printf(out, "%" PRId64, isa_value_int(value));
    }
}

bool isa_value_read(const char *string, enum isa_type type, isa_value *value)
{
    int64_t i;
    double r;
    switch (type) {
    case ISA_INT:
        if (!lib_text_to_int(string, &i) && !lib_text_to_bits(string, &i))
            return false;
        *value = isa_value_of_int(i);
        return true;
    case ISA_REAL:
        if (!lib_text_to_real(string, &r))
            return false;
        *value = isa_value_of_real(r);
        return true;
    case ISA_BOOL:
        *value = strcmp(string, "true") == 0;
        return *value || strcmp(string, "false") == 0;
    default:
        return false;
    }
}
