/* Declarations shared by the groups of rules of the checker. */
#ifndef ISA_CHECK_RULES_H
#define ISA_CHECK_RULES_H

#include "isa/check/check.h"

#define ISA_CHECK_NONE UINT32_MAX

/* Source of a value: output list `output` of a node. */
struct isa_check_from {
    uint32_t node, output;
};

struct isa_check {
    const struct isa_graph *graph;
    const struct lib_source *source;
    struct lib_diags *diags;
    /* messages show positions in the assembly text (`places`), not in the program's source */
    bool in_text;
    const struct isa_place *places;

    /* Arcs that reach each operand, set by isa_check_arcs. At index first[i] + port, `arrivals` has
     * the number of arcs to operand `port` of node i, and `from` the source of the last one. */
    uint32_t *first, *arrivals;
    struct isa_check_from *from;

    /* For each function, the number of results, parameters and loop constants of all functions
     * before it. The last element is the total. */
    uint32_t *first_result, *first_param, *first_held;
};

/* Groups of rules. Each requires that the groups before it found no error. */
void isa_check_ranges(struct isa_check *c);
void isa_check_naming(struct isa_check *c);
void isa_check_nodes(struct isa_check *c);
void isa_check_arcs(struct isa_check *c);
void isa_check_results(struct isa_check *c);
void isa_check_calls(struct isa_check *c);
void isa_check_loops(struct isa_check *c);

/* Rules of ports: of their declarations (group `naming`), and of PORT nodes (group `nodes`). */
void isa_check_ports(struct isa_check *c);
void isa_check_arrays(struct isa_check *c);

/* Checks the rules that only graphs of stage PARTITIONED have: arcs between machines, channels.
 * isa_check checks the other rules on the undivided graph. */
void isa_check_parts(struct isa_check *c);

void isa_check_tracking(struct isa_check *c);

/* Adds an error about a node, which the message names first: "%7 add.int: TEXT". */
void isa_check_say(struct isa_check *c, enum lib_diag_code code, uint32_t node,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

void isa_check_warn(struct isa_check *c, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Name of a node or function in messages: "%7 add.int". */
struct isa_check_name {
    char text[80];
};

struct isa_check_name isa_check_name(const struct isa_check *c, uint32_t node);

/* Returns the position of a node in the text that messages show; line 0 if it has none. */
struct lib_pos isa_check_pos(const struct isa_check *c, uint32_t node);

/* Returns the name of a function for messages: "function 1 fact". */
struct isa_check_name isa_check_function(const struct isa_check *c, uint32_t function);

/* Adds an error about something other than a node, such as "site 3: TEXT". `pos` is a position in
 * the source of the program. */
void isa_check_say_of(struct isa_check *c, enum lib_diag_code code, struct lib_pos pos,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Format of function names in messages; cuts long ones. */
#define ISA_CHECK_NAME_FORMAT "%.60s"

#endif
