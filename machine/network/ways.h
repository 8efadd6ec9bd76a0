/* Finds the ways of deterministic routing in any network: for each router and goal one port, such
 * that tokens cannot wait for each other in a circle, and that the fullest link of uniform traffic
 * carries little. doc/model/network.md, "Shapes", defines the ways.
 *
 * The ways of a goal form a tree, and each link on the way of a router to a goal carries the PEs of
 * the router times those of the goal. There are four kinds:
 *
 *     by dimensions   in a product of networks (a mesh, a torus, a hypercube, however its routers
 *                     are numbered), by one factor after the other
 *     shortest        if no links wait for each other in a circle
 *     up, then down   over links to routers that are earlier in an order, then over others to later
 *                     ones (after Schroeder et al., Autonet, IEEE JSAC 9(8), 1991)
 *     in a box        in a network that contains a product and has some more links, with these
 *                     links or without them
 */
#ifndef MACHINE_NETWORK_WAYS_H
#define MACHINE_NETWORK_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_WAYS_NOWHERE UINT16_MAX

/* A network; all arrays belong to the caller. Each router reaches each other one. */
struct machine_ways_net {
    uint32_t routers;
    const uint32_t *first; /* links of router r: first[r] ... first[r + 1] - 1 */
    const uint32_t *to;    /* router at the end of each link */
    const uint32_t *pes;   /* PEs at each router */
    const uint16_t *far;   /* distance in links: far[from * routers + to] */

    uint32_t goals;
    const uint32_t *goal_at;  /* router of each goal */
    const uint32_t *goal_pes; /* PEs that each goal stands for */
    uint32_t pe_count;
};

/* Sets next[goal * routers + r] to the port of router r towards a goal: a number from 0 on within
 * its links. Returns false if every way that was tried has a circle; the ways are then the shortest
 * ones. */
bool machine_ways_find(const struct machine_ways_net *net, uint16_t *next);

/* Factors of a network that is a product: a router has a coordinate in each factor, and each link
 * changes one coordinate, for all values of the others. */
struct machine_product {
    uint32_t factors;
    struct machine_factor {
        uint32_t size;   /* number of coordinates */
        uint32_t *at;    /* coordinate of each router */
        uint32_t *first; /* links between coordinates, as in struct machine_ways_net */
        uint32_t *to;
        uint16_t *next; /* port of coordinate x towards y: next[y * size + x] */
        uint16_t *far;  /* length of that way: far[y * size + x] */
    } * factor;
};

/* Finds the factors of a network and the ways in each of them. Returns false if the network is not
 * a product. Free the product in any case. */
bool machine_product_find(const struct machine_ways_net *net,
                          struct machine_product *product);
void machine_product_free(struct machine_product *product);

/* Sets only[r] to the next router on the way from r to `goal` by one factor after the other, and
 * far[r] to the length of that way. */
void machine_product_ways(const struct machine_product *product, uint32_t routers,
                          uint32_t goal, uint32_t *only, uint16_t *far);

enum { MACHINE_BOX_MAX_DIMS = 16, MACHINE_BOX_NO_DIM = 255 };

/* A box that a network contains: a product of lines, rings and full networks. */
struct machine_box {
    uint32_t dims;
    uint16_t *at;  /* coordinates of router r: at[r * dims] ... */
    uint8_t *dim;  /* dimension that each link changes, or MACHINE_BOX_NO_DIM: several */
    bool *is_side; /* the link joins neighbours of the box */
};

/* Finds a box that has all routers, and not all links, of a network: that with the most links
 * within the limits of the search. Returns false if there is none. Free the box in any case. */
bool machine_box_find(const struct machine_ways_net *net, struct machine_box *box);
void machine_box_free(struct machine_box *box);

/* Sets the distances from a router. `queue` has room for all routers. Returns the number of routers
 * that are reached, including `from`. */
uint32_t machine_ways_search(uint32_t routers, const uint32_t *first, const uint32_t *to,
                             uint32_t from, uint16_t *far, uint32_t *queue);

#endif
