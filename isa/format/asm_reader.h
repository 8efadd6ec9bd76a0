/* What a text of assembly has said so far. For isa/format/asm_read.c, which reads
 * declarations and owns all this, and isa/format/asm_node.c, which reads nodes. */
#ifndef ISA_FORMAT_ASM_READER_H
#define ISA_FORMAT_ASM_READER_H

#include "isa/check/check.h"
#include "isa/format/asm_lex.h"
#include "isa/graph.h"
#include "lib/memory.h"
#include "lib/name_table.h"

/* A label: of a node, defined or only used so far. */
struct isa_label {
    struct isa_slice name; /* without the % */
    uint32_t node;         /* meaningful once defined, if its line was right */
    uint32_t line;         /* where it is defined; 0: nowhere yet */
    bool broken;           /* its line has an error, or it was reported */
};

/* An arc as written: its source exists, its destination perhaps not yet. */
struct isa_end {
    uint32_t node, output; /* from */
    uint32_t label;        /* to; ISA_TO_RETURN for `return PORT` */
    uint32_t port;
    struct lib_pos pos;
};

/* An item of a node that is an operand. */
struct isa_item {
    struct isa_slice text; /* of an input what stands after the $ */
    enum isa_operand_kind kind;
    uint32_t index; /* of the input or the constant */
};

struct isa_reader {
    struct isa_lex lex;
    struct isa_graph *graph;
    struct lib_arena *arena; /* for what lives as long as the reading */
    struct lib_name_table *functions, *cells, *inputs, *labels;
    bool has_source;
    bool in_function; /* a line `in FUNCTION` was read */
    uint32_t function;
    bool full; /* a limit was reported: reading stops */
    LIB_VEC(struct isa_label) label_list;
    LIB_VEC(struct isa_end) ends;
    LIB_VEC(struct isa_place) places; /* of the nodes, in this text */
    LIB_VEC(struct isa_item) items;   /* of one node */
};

/* Reads "%label opcode ...", the cursor at the %. false: an error was reported. */
bool isa_asm_read_node(struct isa_reader *r);

/* Reads what follows "port" in a line (isa/format/asm_port.c). false: an error was reported. */
bool isa_asm_read_port(struct isa_reader *r);

/* Makes the arcs, when all lines have been read. Reports labels that are not defined. */
void isa_asm_connect(struct isa_reader *r);

/* The index of a thing that is named or numbered at the cursor; `what` is "a function",
 * "a cell" or "an input", of which there are `count`. */
bool isa_asm_read_reference(struct isa_reader *r, const struct lib_name_table *names,
                            uint32_t count, const char *what, uint32_t *index);

#endif
