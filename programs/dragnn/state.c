#include "programs/dragnn/state.h"

#include <stdlib.h>
#include <string.h>

/* --- states ----------------------------------------------------------------------------- */

/* Sets the pointers into the block, after the structure. */
static void set_pointers(struct dragnn_state *state, size_t slot_count)
{
    state->slots = (int *)(state + 1);
    state->actions = state->slots + slot_count;
    state->cells = state->actions + slot_count;
}

struct dragnn_state *dragnn_state_new(const struct dragnn_system *system,
                                      const struct dragnn_sentence *sentence)
{
    const size_t length = (size_t)sentence->length;
    const size_t slots = (size_t)system->steps_per_token * length;
    const size_t cells = (size_t)system->cells_per_token * length;
    const size_t size = sizeof(struct dragnn_state) + (2 * slots + cells) * sizeof(int);
    struct dragnn_state *state = dragnn_new(size);
    state->sentence = sentence;
    state->size = size;
    set_pointers(state, slots);
    system->begin(state);
    return state;
}

struct dragnn_state *dragnn_state_clone(const struct dragnn_state *state)
{
    struct dragnn_state *clone = dragnn_new(state->size);
    memcpy(clone, state, state->size);
    set_pointers(clone, (size_t)(state->actions - state->slots));
    return clone;
}

void dragnn_state_free(struct dragnn_state *state)
{
    free(state);
}

void dragnn_state_advance(struct dragnn_state *state, const struct dragnn_system *system,
                          int action, int slot)
{
    state->slots[state->steps] = slot;
    state->actions[state->steps] = action;
    system->perform(state, action);
    state->steps++;
}

/* --- universal names -------------------------------------------------------------------- */

/* input(1): the token after the next one. */
static int find_input(const struct dragnn_state *state, int offset)
{
    const int64_t token = (int64_t)state->next + offset;
    return token >= 0 && token < state->sentence->length ? (int)token : DRAGNN_NONE;
}

/* constant(0): the number itself, for translators that do not take tokens. */
static int find_constant(const struct dragnn_state *state, int offset)
{
    (void)state;
    return offset;
}

static const struct dragnn_place places[] = {
    {"input", find_input}, {"constant", find_constant}, {NULL, NULL}};

/* Returns the number of the form; for no token, one more than the max. */
static int64_t get_word(const struct dragnn_state *state, int token,
                        const struct dragnn_lexicon *lexicon)
{
    return token == DRAGNN_NONE ? dragnn_lexicon_words(lexicon) + 1
                                : state->sentence->tokens[token].word;
}

/* Returns the predicted tag; for no token or none predicted, the number of tags. */
static int64_t get_tag(const struct dragnn_state *state, int token,
                       const struct dragnn_lexicon *lexicon)
{
    const int tag = token == DRAGNN_NONE ? DRAGNN_UNKNOWN
                                         : state->sentence->tokens[token].tag;
    return tag == DRAGNN_UNKNOWN ? dragnn_lexicon_tags(lexicon) : tag;
}

static const struct dragnn_attribute attributes[] = {
    {"word", get_word}, {"tag", get_tag}, {NULL, NULL}};

/* identity(N): step N. */
static int translate_identity(const struct dragnn_state *state, int value)
{
    (void)state;
    return value;
}

/* history(N): N steps before the last one. */
static int translate_history(const struct dragnn_state *state, int value)
{
    return state->steps - 1 - value;
}

static const struct dragnn_translator translators[] = {
    {"identity", translate_identity}, {"history", translate_history}, {NULL, NULL}};

/* --- reading ---------------------------------------------------------------------------- */

static const struct dragnn_place *find_place(const struct dragnn_place *list,
                                             const char *name)
{
    for (; list && list->name; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

static const struct dragnn_attribute *find_attribute(const struct dragnn_attribute *list,
                                                     const char *name)
{
    for (; list && list->name; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

bool dragnn_feature_read(struct dragnn_feature *feature,
                         const struct dragnn_system *system, const char *text,
                         bool is_linked, struct dragnn_error *error)
{
    char name[64];
    const size_t length = strcspn(text, "(");
    const char *number = text + length + 1;
    char *end;
    if (!text[length] || length >= sizeof name)
        return dragnn_fail(error, "expected a feature such as `%s`; found `%s`",
                           is_linked ? "input(0)" : "input(0).word", text);
    memcpy(name, text, length);
    name[length] = '\0';
    const struct dragnn_place *place = find_place(places, name);
    if (!place)
        place = find_place(system->places, name);
    if (!place)
        return dragnn_fail(error, "unknown place `%s` in `%s` of system %s", name, text,
                           system->name);
    const long offset = strtol(number, &end, 10);
    if (end == number || *end != ')' || offset < -1000000 || offset > 1000000)
        return dragnn_fail(
            error, "expected a number from -1000000 to 1000000 and `)` in `%s`", text);
    *feature = (struct dragnn_feature){place->find, (int)offset, NULL};
    end++;
    if (is_linked)
        return !*end ||
               dragnn_fail(error, "a linked feature has no attribute; found `%s`", text);
    if (*end != '.')
        return dragnn_fail(error, "expected an attribute, such as `.word`, in `%s`",
                           text);
    const struct dragnn_attribute *attribute = find_attribute(attributes, end + 1);
    if (!attribute)
        attribute = find_attribute(system->attributes, end + 1);
    if (!attribute)
        return dragnn_fail(error, "unknown attribute `%s` in `%s` of system %s", end + 1,
                           text, system->name);
    feature->get = attribute->get;
    return true;
}

static const struct dragnn_translator *
find_translator(const struct dragnn_translator *list, const char *name)
{
    for (; list && list->name; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

const struct dragnn_translator *dragnn_translator_find(const struct dragnn_system *system,
                                                       const char *name)
{
    const struct dragnn_translator *found = find_translator(translators, name);
    return found ? found : find_translator(system->translators, name);
}
