#include "isa/tensor/files/reader.h"

struct isa_tensor *isa_reader_new(struct isa_tensor_memory *memory,
                                  const struct lib_source *source, struct isa_shape found,
                                  const struct isa_shape *expected,
                                  struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    struct isa_shape shape = found;
    struct isa_tensor *tensor = NULL;
    if (expected &&
        (isa_element_is_real(expected->element) ||
         (expected->element == ISA_ELEMENT_INT && found.element == ISA_ELEMENT_BOOL)))
        shape.element = expected->element;
    if (expected && !isa_shape_agrees(&shape, expected)) {
        isa_shape_write(&text, &found);
        lib_text_puts(&text, " was found; expected ");
        isa_shape_write(&text, expected);
        lib_diag_error(diags, LIB_DIAG_TYPE, source, (struct lib_pos){0}, "%s",
                       text.bytes);
    } else if (!(tensor = isa_tensor_new(memory, &shape))) {
        isa_tensor_refusal(&text, memory, &shape);
        lib_diag_error(diags, LIB_DIAG_LIMIT, source, (struct lib_pos){0}, "%s",
                       text.bytes);
    }
    return tensor;
}
