/* State of the reader of assembly, shared by isa/format/asm_read.c (declarations), asm_node.c
 * (nodes), asm_port.c (ports) and asm_data.c (constructors). */
#ifndef ISA_FORMAT_ASM_READER_H
#define ISA_FORMAT_ASM_READER_H

#include "isa/check/check.h"
#include "isa/format/asm_lex.h"
#include "isa/graph.h"
#include "lib/memory.h"
#include "lib/name_table.h"

/* Label of a node in the text. The node may not be defined yet. */
struct isa_label {
    struct lib_slice name; /* name without the % */
    uint32_t node; /* index of the node, once its definition was read without error */
    uint32_t line; /* line of the node's definition; 0 if not defined yet */
    /* an error about the node was reported, or its definition has one */
    bool broken;
};

/* An arc whose source was read. The destination may be defined later in the text. */
struct isa_end {
    uint32_t node, output; /* source of the arc */
    /* label of the destination (index into `label_list`); ISA_TO_RETURN for `return PORT` */
    uint32_t label;
    uint32_t port;
    struct lib_pos pos;
};

/* An operand of the node that is being read, as text. */
struct isa_item {
    struct lib_slice text; /* text of the operand; for an input, without the leading $ */
    enum isa_operand_kind kind;
    uint32_t index; /* index of the input or of the loop constant */
};

struct isa_reader {
    struct lib_cursor lex;
    struct isa_graph *graph;
    struct lib_arena *arena; /* memory that is freed after reading */
    struct lib_name_table *functions, *cells, *inputs, *labels, *constructors;
    bool has_source;
    bool in_function; /* a line `in FUNCTION` was read: nodes may follow */
    /* a declaration has an error or is missing, which was reported: errors that may follow from
     * that are not reported */
    bool lacks_declaration;
    uint32_t function;
    bool full; /* reading stops: an error was reported that a limit is exceeded */
    LIB_VEC(struct isa_label) label_list;
    LIB_VEC(struct isa_end) ends;
    LIB_VEC(struct isa_place) places; /* position of each node in the text */
    LIB_VEC(struct isa_item) items;   /* operands of the node that is being read */
};

/* Reads "%label opcode ..." from the % on. Returns false after reporting an error. */
bool isa_asm_read_node(struct isa_reader *r);

/* Reads the rest of a line that begins with "port" (isa/format/asm_port.c). Returns false after
 * reporting an error. */
bool isa_asm_read_port(struct isa_reader *r);

/* Read a type, and the optional number of a declaration, which must be `next`. Return false after
 * reporting an error. */
bool isa_asm_read_type(struct isa_reader *r, enum isa_type *type);
bool isa_asm_read_index(struct isa_reader *r, uint32_t next);

/* Reads the rest of a line that begins with "constructor" (isa/format/asm_data.c). Returns false
 * after reporting an error. */
bool isa_asm_read_constructor(struct isa_reader *r);

/* Reads a field, as "Node.1" or "3.1", and sets *index to its number among the fields of all
 * constructors. Returns false after reporting an error. */
bool isa_asm_read_field(struct isa_reader *r, uint32_t *index);

/* Finds the constructor that a literal of type data names, or whose number it is. Returns false if
 * there is none. */
bool isa_asm_find_constructor(const struct isa_reader *r, const char *text,
                              uint32_t *constructor);

/* Adds all arcs to the graph, after all lines were read. Reports undefined labels. */
void isa_asm_connect(struct isa_reader *r);

/* Reads a name in `names`, or an index below `count`, and sets *index. `what` says in messages what
 * is expected, such as "a function" or "an input". Returns false after reporting an error. */
bool isa_asm_read_reference(struct isa_reader *r, const struct lib_name_table *names,
                            uint32_t count, const char *what, uint32_t *index);

#endif
