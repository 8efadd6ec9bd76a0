#include "programs/dragnn/spec.h"

#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WIDTH = 1 << 20 }; /* max length of a hidden row */

struct reader {
    struct dragnn_spec *spec;
    struct dragnn_error *error;
    bool is_good;
};

/* --- nodes ------------------------------------------------------------------------------ */

/* Returns the first scalar in a node, for its position. */
static struct fy_node *first_scalar(struct fy_node *node)
{
    while (node && !fy_node_is_scalar(node))
        node = fy_node_is_mapping(node)
                   ? fy_node_pair_key(fy_node_mapping_get_by_index(node, 0))
                   : fy_node_sequence_get_by_index(node, 0);
    return node;
}

/* Reports the first fault; later ones are dropped. */
static void __attribute__((format(printf, 3, 4)))
fail(struct reader *r, struct fy_node *node, const char *format, ...)
{
    char text[400];
    va_list arguments;
    if (!r->is_good)
        return;
    r->is_good = false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct fy_node *scalar = first_scalar(node);
    struct fy_token *token = scalar ? fy_node_get_scalar_token(scalar) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    dragnn_fail_at(r->error, mark ? mark->line + 1 : 0, mark ? mark->column + 1 : 0, "%s",
                   text);
}

/* Returns a member of a mapping, or NULL, which is an error if the member is required. */
static struct fy_node *get_member(struct reader *r, struct fy_node *map, const char *key,
                                  bool is_needed)
{
    if (!map || !fy_node_is_mapping(map)) {
        fail(r, map, "expected a mapping with the key `%s`", key);
        return NULL;
    }
    struct fy_node *member = fy_node_mapping_lookup_by_string(map, key, FY_NT);
    if (!member && is_needed)
        fail(r, map, "missing key `%s`", key);
    return member;
}

/* Rejects keys that are not in the list, which ends with NULL. */
static void check_keys(struct reader *r, struct fy_node *map, const char *const *keys)
{
    struct fy_node_pair *pair;
    void *at = NULL;
    if (!map || !fy_node_is_mapping(map)) {
        fail(r, map, "expected a mapping with the key `%s`", keys[0]);
        return;
    }
    while ((pair = fy_node_mapping_iterate(map, &at))) {
        const char *key = fy_node_get_scalar0(fy_node_pair_key(pair));
        size_t i = 0;
        while (keys[i] && (!key || strcmp(keys[i], key) != 0))
            i++;
        if (!keys[i])
            fail(r, fy_node_pair_key(pair), "unknown key `%s`", key ? key : "?");
    }
}

static char *copy_scalar(struct reader *r, struct fy_node *node, const char *expected)
{
    const char *text = node && fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    if (node && (!text || !*text))
        fail(r, node, "expected %s", expected);
    return text ? dragnn_copy(text, strlen(text)) : NULL;
}

static int read_int(struct reader *r, struct fy_node *node, int low, int high,
                    int otherwise)
{
    if (!node)
        return otherwise;
    const char *text = fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    char *end = NULL;
    const long number = text && *text ? strtol(text, &end, 10) : 0;
    if (!end || *end || number < low || number > high) {
        fail(r, node, "expected an int from %d to %d; found `%s`", low, high,
             text ? text : "");
        return otherwise;
    }
    return (int)number;
}

static int count_items(struct reader *r, struct fy_node *list, const char *what)
{
    if (!list)
        return 0;
    if (!fy_node_is_sequence(list) || fy_node_sequence_item_count(list) < 1) {
        fail(r, list, "expected a list of %s", what);
        return 0;
    }
    return fy_node_sequence_item_count(list);
}

/* Returns the path of a file that the specification names. */
static char *make_path(const struct dragnn_spec *spec, const char *name)
{
    struct dragnn_text path = {NULL, 0, 0};
    if (*name != '/' && *spec->folder) {
        dragnn_text_add(&path, spec->folder, strlen(spec->folder));
        dragnn_text_add(&path, "/", 1);
    }
    dragnn_text_add(&path, name, strlen(name));
    return path.bytes;
}

/* --- components ------------------------------------------------------------------------- */

static const struct dragnn_system *find_system(struct reader *r, struct fy_node *node)
{
    char *name = copy_scalar(r, node, "the name of a transition system");
    const struct dragnn_system *found = NULL;
    for (size_t i = 0; name && dragnn_systems[i]; i++)
        if (strcmp(dragnn_systems[i]->name, name) == 0)
            found = dragnn_systems[i];
    if (name && !found)
        fail(r, node, "unknown system `%s`; `dragnn -l` lists all", name);
    free(name);
    return found;
}

static void read_features(struct reader *r, struct fy_node *list,
                          struct dragnn_channel *channel,
                          const struct dragnn_system *system, bool is_linked)
{
    channel->count = count_items(r, list, "features");
    channel->features = dragnn_new((size_t)channel->count * sizeof *channel->features);
    for (int i = 0; r->is_good && i < channel->count; i++) {
        struct fy_node *node = fy_node_sequence_get_by_index(list, i);
        struct dragnn_error error = {.line = 0};
        char *text = copy_scalar(r, node, "a feature");
        if (r->is_good &&
            !dragnn_feature_read(&channel->features[i], system, text, is_linked, &error))
            fail(r, node, "%s", error.text);
        free(text);
    }
}

/* Reads what a linked channel feeds: `row`, the default, or `number`. */
static void read_form(struct reader *r, struct fy_node *node,
                      struct dragnn_channel *channel)
{
    const char *text = node && fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    channel->is_number = text && strcmp(text, "number") == 0;
    if (node && !channel->is_number && (!text || strcmp(text, "row") != 0))
        fail(r, node, "expected `row` or `number`");
}

/* Reads where a linked channel leads: to an earlier component, or to its own. */
static void read_link(struct reader *r, struct fy_node *node,
                      struct dragnn_channel *channel, int component)
{
    struct fy_node *source = get_member(r, node, "source", true);
    struct fy_node *translator = get_member(r, node, "translator", true);
    char *source_name = copy_scalar(r, source, "the name of a component");
    char *name = copy_scalar(r, translator, "the name of a translator");
    channel->source = DRAGNN_NONE;
    read_form(r, get_member(r, node, "as", false), channel);
    for (int i = 0; r->is_good && i <= component; i++)
        if (strcmp(r->spec->components[i].name, source_name) == 0)
            channel->source = i;
    if (r->is_good && channel->source == DRAGNN_NONE)
        fail(r, source, "expected this component or one before it; found `%s`",
             source_name);
    if (r->is_good && channel->is_number && channel->source != component)
        fail(r, source, "numbers of rows are those of this component; found `%s`",
             source_name);
    if (r->is_good) {
        const struct dragnn_system *system = r->spec->components[channel->source].system;
        channel->translator = dragnn_translator_find(system, name);
        if (!channel->translator)
            fail(r, translator, "unknown translator `%s` of system %s", name,
                 system->name);
    }
    free(source_name);
    free(name);
}

static struct dragnn_channel *read_channels(struct reader *r, struct fy_node *list,
                                            int component, bool is_linked, int *count)
{
    static const char *const fixed_keys[] = {"name", "features", NULL};
    static const char *const linked_keys[] = {"name",       "features", "source",
                                              "translator", "as",       NULL};
    const int items = count_items(r, list, "channels");
    struct dragnn_channel *channels = dragnn_new((size_t)items * sizeof *channels);
    *count = items;
    for (int i = 0; r->is_good && i < items; i++) {
        struct fy_node *node = fy_node_sequence_get_by_index(list, i);
        check_keys(r, node, is_linked ? linked_keys : fixed_keys);
        channels[i].name = copy_scalar(r, get_member(r, node, "name", true), "a name");
        if (r->is_good && is_linked)
            read_link(r, node, &channels[i], component);
        if (r->is_good)
            read_features(r, get_member(r, node, "features", true), &channels[i],
                          r->spec->components[component].system, is_linked);
    }
    return channels;
}

/* Adds the name of a file, whose text follows in a program. */
static void add_file(struct dragnn_component_spec *component, const char *name,
                     const struct dragnn_text *program)
{
    int line = 1;
    for (size_t i = 0; i < program->length; i++)
        line += program->bytes[i] == '\n';
    component->files[component->file_count++] = (struct dragnn_network_file){
        .name = dragnn_copy(name, strlen(name)), .first_line = line};
}

static void read_network(struct reader *r, struct fy_node *list,
                         struct dragnn_component_spec *component)
{
    struct dragnn_text text = {NULL, 0, 0}, names = {NULL, 0, 0};
    const int count = count_items(r, list, "files");
    component->files = dragnn_new((size_t)count * sizeof *component->files);
    for (int i = 0; r->is_good && i < count; i++) {
        struct fy_node *node = fy_node_sequence_get_by_index(list, i);
        struct dragnn_error error = {.line = 0};
        char *name = copy_scalar(r, node, "the name of a file");
        char *path = name ? make_path(r->spec, name) : NULL;
        const char *slash = path ? strrchr(path, '/') : NULL,
                   *base = slash ? slash + 1 : path;
        if (path)
            add_file(component, base, &text);
        if (path && !dragnn_text_read(&text, path, &error))
            fail(r, node, "%s", error.text);
        if (path) {
            dragnn_text_add(&text, "\n", i + 1 < count);
            dragnn_text_add(&names, "+", i > 0);
            dragnn_text_add(&names, base, strlen(base));
        }
        free(name);
        free(path);
    }
    component->network = text.bytes;
    component->network_name = names.bytes;
}

/* Reads the length of a hidden row: an int, or the name of a hyperparameter. */
static int read_width(struct reader *r, struct fy_node *node)
{
    const char *text = node && fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    for (int i = 0; text && i < r->spec->hyperparameter_count; i++) {
        const struct dragnn_hyperparameter *h = &r->spec->hyperparameters[i];
        if (strcmp(h->name, text) == 0 && h->is_int && h->integer > 0 &&
            h->integer <= MAX_WIDTH)
            return (int)h->integer;
    }
    return read_int(r, node, 1, MAX_WIDTH, 1);
}

static void read_component(struct reader *r, struct fy_node *node, int number)
{
    static const char *const keys[] = {"name",    "system", "beam",   "hidden",
                                       "network", "fixed",  "linked", NULL};
    struct dragnn_component_spec *component = &r->spec->components[number];
    check_keys(r, node, keys);
    if (!r->is_good)
        return;
    struct fy_node *name = get_member(r, node, "name", true);
    component->name = copy_scalar(r, name, "a name");
    component->system = find_system(r, get_member(r, node, "system", true));
    for (int i = 0; r->is_good && i < number; i++)
        if (strcmp(r->spec->components[i].name, component->name) == 0)
            fail(r, name, "duplicate component `%s`", component->name);
    if (!r->is_good)
        return;
    component->beam = read_int(r, get_member(r, node, "beam", false), 1, 1024, 1);
    component->width = read_width(r, get_member(r, node, "hidden", false));
    component->fixed = read_channels(r, get_member(r, node, "fixed", false), number,
                                     false, &component->fixed_count);
    component->linked = read_channels(r, get_member(r, node, "linked", false), number,
                                      true, &component->linked_count);
    read_network(r, get_member(r, node, "network", false), component);
}

/* --- the specification ------------------------------------------------------------------ */

static void read_hyperparameters(struct reader *r, struct fy_node *map)
{
    struct fy_node_pair *pair;
    void *at = NULL;
    if (!map)
        return;
    if (!fy_node_is_mapping(map)) {
        fail(r, map, "expected a mapping of names to numbers");
        return;
    }
    const int count = fy_node_mapping_item_count(map);
    r->spec->hyperparameters = dragnn_new((size_t)count *
                                          sizeof *r->spec->hyperparameters);
    while (r->is_good && (pair = fy_node_mapping_iterate(map, &at))) {
        struct dragnn_hyperparameter *h =
            &r->spec->hyperparameters[r->spec->hyperparameter_count];
        char *end, *text = copy_scalar(r, fy_node_pair_value(pair), "a number");
        h->name = copy_scalar(r, fy_node_pair_key(pair), "a name");
        r->spec->hyperparameter_count += h->name != NULL;
        if (r->is_good) {
            h->is_int = !text[strcspn(text, ".eE")];
            h->integer = h->is_int ? strtoll(text, &end, 10) : 0;
            h->real = strtod(text, h->is_int ? NULL : &end);
            if (*end)
                fail(r, fy_node_pair_value(pair), "expected a number; found `%s`", text);
        }
        free(text);
    }
}

static void read_lexicon(struct reader *r, struct fy_node *node)
{
    static const char *const keys[] = {"file", "held", "least", NULL};
    struct dragnn_error error = {.line = 0};
    check_keys(r, node, keys);
    struct fy_node *file = get_member(r, node, "file", true);
    char *name = r->is_good ? copy_scalar(r, file, "the name of a file") : NULL;
    const int held = read_int(r, r->is_good ? get_member(r, node, "held", false) : NULL,
                              0, 1000000000, 0);
    const int least = read_int(r, r->is_good ? get_member(r, node, "least", false) : NULL,
                               1, 1000000000, 1);
    if (name && r->is_good) {
        char *path = make_path(r->spec, name);
        r->spec->lexicon = dragnn_lexicon_read(path, held, least, &error);
        if (!r->spec->lexicon && error.line)
            fail(r, file, "%s:%d:%d: %s", path, error.line, error.column, error.text);
        else if (!r->spec->lexicon)
            fail(r, file, "%s", error.text);
        free(path);
    }
    free(name);
}

static void read_spec(struct reader *r, struct fy_node *root)
{
    static const char *const keys[] = {"lexicon", "machine",    "hyperparameters",
                                       "weights", "components", NULL};
    check_keys(r, root, keys);
    if (!r->is_good)
        return;
    struct fy_node *list = get_member(r, root, "components", true);
    struct fy_node *weights = get_member(r, root, "weights", false);
    read_lexicon(r, get_member(r, root, "lexicon", true));
    read_hyperparameters(r, get_member(r, root, "hyperparameters", false));
    r->spec->machine = copy_scalar(r, get_member(r, root, "machine", false), "a machine");
    char *folder = copy_scalar(r, weights, "a folder");
    r->spec->weights = make_path(r->spec, folder ? folder : ".");
    free(folder);
    const int count = r->is_good ? count_items(r, list, "components") : 0;
    r->spec->components = dragnn_new((size_t)count * sizeof *r->spec->components);
    for (int i = 0; r->is_good && i < count; i++) {
        r->spec->count = i + 1;
        read_component(r, fy_node_sequence_get_by_index(list, i), i);
    }
}

/* Copies the first error of libfyaml. */
static void copy_yaml_error(struct fy_diag *diag, struct dragnn_error *error)
{
    void *at = NULL;
    const struct fy_diag_error *found = fy_diag_errors_iterate(diag, &at);
    if (found)
        dragnn_fail_at(error, found->line, found->column, "%s", found->msg);
    else
        dragnn_fail(error, "the file is not YAML");
}

struct dragnn_spec *dragnn_spec_read(const char *path, struct dragnn_error *error)
{
    struct dragnn_text text = {NULL, 0, 0};
    const char *slash = strrchr(path, '/');
    struct dragnn_spec *spec = dragnn_new(sizeof *spec);
    struct reader r = {spec, error, true};
    spec->folder = dragnn_copy(path, slash ? (size_t)(slash - path) : 0);
    if (!dragnn_text_read(&text, path, error)) {
        free(text.bytes);
        dragnn_spec_free(spec);
        return NULL;
    }
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&diag_config);
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET, .diag = diag};
    struct fy_document *document = fy_document_build_from_string(&config, text.bytes,
                                                                 text.length);
    if (document) {
        read_spec(&r, fy_document_root(document));
    } else {
        copy_yaml_error(diag, error);
        r.is_good = false;
    }
    fy_document_destroy(document);
    fy_diag_destroy(diag);
    free(text.bytes);
    if (!r.is_good) {
        dragnn_spec_free(spec);
        return NULL;
    }
    return spec;
}

const char *dragnn_spec_component(const struct dragnn_spec *spec, int number)
{
    return number >= 0 && number < spec->count ? spec->components[number].name : NULL;
}

static void free_channels(struct dragnn_channel *channels, int count)
{
    for (int i = 0; channels && i < count; i++) {
        free(channels[i].name);
        free(channels[i].features);
    }
    free(channels);
}

void dragnn_spec_free(struct dragnn_spec *spec)
{
    if (!spec)
        return;
    for (int i = 0; i < spec->count; i++) {
        struct dragnn_component_spec *component = &spec->components[i];
        free_channels(component->fixed, component->fixed_count);
        free_channels(component->linked, component->linked_count);
        free(component->name);
        free(component->network);
        free(component->network_name);
        for (int k = 0; k < component->file_count; k++)
            free(component->files[k].name);
        free(component->files);
    }
    for (int i = 0; i < spec->hyperparameter_count; i++)
        free(spec->hyperparameters[i].name);
    dragnn_lexicon_free(spec->lexicon);
    free(spec->hyperparameters);
    free(spec->components);
    free(spec->folder);
    free(spec->weights);
    free(spec->machine);
    free(spec);
}
