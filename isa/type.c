#include "isa/type.h"

#include <string.h>

/* A name in 1 to 15 brackets. */
#define IN_1(name) "[" name "]"
#define IN_2(name) "[" IN_1(name) "]"
#define IN_3(name) "[" IN_2(name) "]"
#define IN_4(name) "[" IN_3(name) "]"
#define IN_5(name) "[" IN_4(name) "]"
#define IN_6(name) "[" IN_5(name) "]"
#define IN_7(name) "[" IN_6(name) "]"
#define IN_8(name) "[" IN_7(name) "]"
#define IN_9(name) "[" IN_8(name) "]"
#define IN_10(name) "[" IN_9(name) "]"
#define IN_11(name) "[" IN_10(name) "]"
#define IN_12(name) "[" IN_11(name) "]"
#define IN_13(name) "[" IN_12(name) "]"
#define IN_14(name) "[" IN_13(name) "]"
#define IN_15(name) "[" IN_14(name) "]"

#define OF_EACH_RANK(mark, name)                                                         \
    {                                                                                    \
        mark name, mark IN_1(name), mark IN_2(name), mark IN_3(name), mark IN_4(name),   \
            mark IN_5(name), mark IN_6(name), mark IN_7(name), mark IN_8(name),          \
            mark IN_9(name), mark IN_10(name), mark IN_11(name), mark IN_12(name),       \
            mark IN_13(name), mark IN_14(name), mark IN_15(name)                         \
    }
#define OF_EACH_KIND(name)                                                               \
    {                                                                                    \
        OF_EACH_RANK("", name), OF_EACH_RANK("&", name)                                  \
    }

static const char *const names[ISA_LEAF_COUNT][2][ISA_MAX_RANK + 1] = {
    OF_EACH_KIND("int"), OF_EACH_KIND("real"), OF_EACH_KIND("bool"),
    OF_EACH_KIND("tensor"), OF_EACH_KIND("data")};

const char *isa_type_name(enum isa_type type)
{
    return names[isa_type_leaf(type)][isa_type_is_address(type)][isa_type_rank(type)];
}

bool isa_type_find(const char *name, enum isa_type *type)
{
    for (unsigned i = 0; i < ISA_TYPE_LIMIT; i++)
        if (isa_type_is_good(i) && strcmp(name, isa_type_name((enum isa_type)i)) == 0) {
            *type = (enum isa_type)i;
            return true;
        }
    return false;
}
