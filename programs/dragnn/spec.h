/* The master specification, read from YAML: components in their order, the channels of their
 * features, and their networks. Immutable. */
#ifndef PROGRAMS_DRAGNN_SPEC_H
#define PROGRAMS_DRAGNN_SPEC_H

#include "programs/dragnn/state.h"

/* Features that are extracted together. */
struct dragnn_channel {
    char *name;
    int count;
    struct dragnn_feature *features;
    int source; /* if the channel is linked: index of the component that it reads */
    /* Linked channel: finds the step to read. Fixed channel: NULL. */
    const struct dragnn_translator *translator;
    /* Linked channel: the network gets the indices of earlier rows instead of the rows. */
    bool is_number;
};

/* File whose text is a part of a network's program. */
struct dragnn_network_file {
    char *name;     /* file name without folder */
    int first_line; /* line of the program, from 1, at which the file begins */
};

struct dragnn_component_spec {
    char *name;
    const struct dragnn_system *system;
    int beam;  /* size of the beam, unless the caller chooses one */
    int width; /* length of the hidden row that the network computes for links to read */
    int fixed_count, linked_count;
    struct dragnn_channel *fixed, *linked;
    char *network;      /* text of the network's program, or NULL */
    char *network_name; /* names of the program's files, without folders, as a+b */
    int file_count;
    struct dragnn_network_file *files;
};

/* An item of `hyperparameters` in the specification: the value of an input of the networks. */
struct dragnn_hyperparameter {
    char *name;
    bool is_int;
    int64_t integer;
    double real;
};

struct dragnn_spec {
    char *folder;  /* folder of the specification, to which its paths are relative */
    char *weights; /* folder for `file("...")` in the networks' programs */
    char *machine; /* preset or file of settings; NULL: the interpreter */
    struct dragnn_lexicon *lexicon;
    int count;
    struct dragnn_component_spec *components;
    int hyperparameter_count;
    struct dragnn_hyperparameter *hyperparameters;
};

#endif
