/* The checker's inside: what its groups of rules (isa/check/) share. */
#ifndef ISA_CHECK_RULES_H
#define ISA_CHECK_RULES_H

#include "isa/check/check.h"

#define ISA_CHECK_NONE UINT32_MAX

/* Where a value comes from. */
struct isa_check_from {
    uint32_t node, output;
};

struct isa_check {
    const struct isa_graph *graph;
    const struct lib_source *source;
    struct lib_diags *diags;
    bool in_text; /* positions are those of `places`, not those in the graph */
    const struct isa_place *places;

    /* For operand `port` of node `i`, at [first[i] + port]: how many arcs reach it, and
     * the last of them. Made by the arcs group for those after it. */
    uint32_t *first, *arrivals;
    struct isa_check_from *from;

    /* Results, parameters and constants of all functions are numbered in a row; these say
     * where those of each function start, and after the last function how many there are. */
    uint32_t *first_result, *first_param, *first_held;
};

/* The groups. Each relies on those before it having found nothing. */
void isa_check_ranges(struct isa_check *c);
void isa_check_naming(struct isa_check *c);
void isa_check_nodes(struct isa_check *c);
void isa_check_arcs(struct isa_check *c);
void isa_check_results(struct isa_check *c);
void isa_check_calls(struct isa_check *c);
void isa_check_loops(struct isa_check *c);

/* Ports in the range of `ranges`; and PORTs, of which each array has one at most. */
void isa_check_ports(struct isa_check *c);
void isa_check_arrays(struct isa_check *c);

/* Of a graph that is divided among machines: all but what it is without them. */
void isa_check_parts(struct isa_check *c);

/* And how machines follow tags. */
void isa_check_tracking(struct isa_check *c);

/* Adds an error about a node: "%7 add.int: TEXT". */
void isa_check_say(struct isa_check *c, enum lib_diag_code code, uint32_t node,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds a warning about a node. */
void isa_check_warn(struct isa_check *c, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What messages call a node: "%7 add.int", the label as the text has it. */
struct isa_check_name {
    char text[80];
};

struct isa_check_name isa_check_name(const struct isa_check *c, uint32_t node);

/* What messages call a function: "function 1 fact". */
struct isa_check_name isa_check_function(const struct isa_check *c, uint32_t function);

/* Adds an error about what is no node: "site 3: TEXT"; `pos` is in the program. */
void isa_check_say_of(struct isa_check *c, enum lib_diag_code code, struct lib_pos pos,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The name of a function, cut where it is long, for messages. */
#define ISA_CHECK_NAME_FORMAT "%.60s"

#endif
