/* State of the reader of assembly. isa/format/asm_read.c reads declarations and owns the state,
 * asm_node.c reads nodes, asm_port.c ports. */
#ifndef ISA_FORMAT_ASM_READER_H
#define ISA_FORMAT_ASM_READER_H

#include "isa/check/check.h"
#include "isa/format/asm_lex.h"
#include "isa/graph.h"
#include "lib/memory.h"
#include "lib/name_table.h"

/* Label of a node that was defined, or only used so far. */
struct isa_label {
    struct lib_slice name; /* name without the % */
    uint32_t node;         /* index of the node, once it was read without error */
    uint32_t line;         /* line of the definition; 0 if not defined yet */
    /* its definition has an error, or an error about it was reported */
    bool broken;
};

/* An arc. Its source was read; its destination may be defined later. */
struct isa_end {
    uint32_t node, output; /* source of the arc */
    uint32_t label;        /* label of the destination; ISA_TO_RETURN for `return PORT` */
    uint32_t port;
    struct lib_pos pos;
};

/* An operand of a node, as text. */
struct isa_item {
    struct lib_slice text; /* text of the operand; for an input without the $ */
    enum isa_operand_kind kind;
    uint32_t index; /* index of the input or the constant */
};

struct isa_reader {
    struct lib_cursor lex;
    struct isa_graph *graph;
    struct lib_arena *arena; /* memory that is freed after reading */
    struct lib_name_table *functions, *cells, *inputs, *labels;
    bool has_source;
    bool in_function; /* a line `in FUNCTION` was read */
    uint32_t function;
    bool full; /* an exceeded limit was reported: reading stops */
    LIB_VEC(struct isa_label) label_list;
    LIB_VEC(struct isa_end) ends;
    LIB_VEC(struct isa_place) places; /* places of the nodes in this text */
    LIB_VEC(struct isa_item) items;   /* operands of the current node */
};

/* Reads "%label opcode ...", with the cursor at the %. Returns false if it reported an error. */
bool isa_asm_read_node(struct isa_reader *r);

/* Reads the rest of a line that begins with "port" (isa/format/asm_port.c). Returns false if it
 * reported an error. */
bool isa_asm_read_port(struct isa_reader *r);

/* Makes the arcs, after all lines were read. Reports labels that are not defined. */
void isa_asm_connect(struct isa_reader *r);

/* Reads the name or number of `what`, which is "a function", "a cell" or "an input", and finds its
 * index, which is below `count`. Returns false if it reported an error. */
bool isa_asm_read_reference(struct isa_reader *r, const struct lib_name_table *names,
                            uint32_t count, const char *what, uint32_t *index);

#endif
