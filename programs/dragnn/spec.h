/* The master specification: components in their order, the channels of their features, and what
 * their networks are. Read from YAML; immutable. */
#ifndef PROGRAMS_DRAGNN_SPEC_H
#define PROGRAMS_DRAGNN_SPEC_H

#include "programs/dragnn/state.h"

/* Features that are extracted together. */
struct dragnn_channel {
    char *name;
    int count;
    struct dragnn_feature *features;
    int source; /* number of the component that a linked channel reads */
    const struct dragnn_translator *translator; /* NULL: a fixed channel */
    bool is_number; /* linked: fed as numbers of the component's own rows */
};

/* File whose text is a part of a network's program. */
struct dragnn_network_file {
    char *name;     /* without its folder */
    int first_line; /* number of its first line in the program, from 1 on */
};

struct dragnn_component_spec {
    char *name;
    const struct dragnn_system *system;
    int beam;  /* states, where the caller does not choose */
    int width; /* numbers in a hidden row */
    int fixed_count, linked_count;
    struct dragnn_channel *fixed, *linked;
    char *network;      /* text of the program; NULL: there is none */
    char *network_name; /* names of its files without folders: a+b */
    int file_count;
    struct dragnn_network_file *files; /* in the order in which they are joined */
};

/* An input of all networks: the grid point. */
struct dragnn_hyperparameter {
    char *name;
    bool is_int;
    int64_t integer;
    double real;
};

struct dragnn_spec {
    char *folder;  /* of the file: where the files that it names are */
    char *weights; /* folder in which `file("...")` of the networks looks */
    char *machine; /* preset or file of settings; NULL: the interpreter */
    struct dragnn_lexicon *lexicon;
    int count;
    struct dragnn_component_spec *components;
    int hyperparameter_count;
    struct dragnn_hyperparameter *hyperparameters;
};

#endif
