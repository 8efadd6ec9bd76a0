#include "programs/types/data.h"

#include "isa/tensor/files/conllu.h"
#include "isa/tensor/files/csv.h"
#include "isa/tensor/files/npy.h"
#include "isa/tensor/files/trees.h"
#include "lib/file.h"
#include "programs/types/given.h"

#include <string.h>

/* Max number of tree nodes, and of words of sentences, that a program may read. */
enum { NODES_MAX = 1 << 24, WORDS_MAX = 1 << 24 };

static const char *path_of(const struct programs_ast *ast, struct lib_arena *arena,
                           const char *path)
{
    const char *slash = strrchr(ast->source->name, '/');
    if (*path == '/' || !slash)
        return lib_arena_copy(arena, path, strlen(path));
    return lib_arena_printf(arena, "%.*s/%s", (int)(slash - ast->source->name),
                            ast->source->name, path);
}

/* Whether a file has trees or sentences, which others may replace. */
static bool has_trees(const struct programs_data *data)
{
    return data->kind == PROGRAMS_DATA_TREES || data->kind == PROGRAMS_DATA_CONLLU;
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static struct isa_tensor *from_ints(struct isa_tensor_memory *memory, const int64_t *ints,
                                    size_t count)
{
    const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {(int64_t)count}};
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    for (size_t i = 0; i < count; i++)
        tensor->reals[i] = (double)ints[i];
    isa_tensor_seal(tensor, true);
    return tensor;
}

static bool read_trees(struct programs_ast *ast, struct programs_data *data,
                       const struct lib_source *source, struct lib_diags *diags)
{
    struct isa_trees trees;
    if (!isa_trees_read(&trees, ast->arena, source, NODES_MAX, diags))
        return false;
    const int64_t *const parts[] = {trees.left, trees.right, trees.word, trees.label};
    for (int i = 0; i < PROGRAMS_TREES_PARTS; i++)
        data->tensors[i] = from_ints(&ast->tensors, parts[i], trees.count);
    return true;
}

static bool read_conllu(struct programs_ast *ast, struct programs_data *data,
                        const struct lib_source *source, struct lib_diags *diags)
{
    struct isa_conllu read;
    const struct isa_conllu_options options = {
        .held = (uint64_t)data->held, .least = (uint64_t)data->least, .most = WORDS_MAX};
    if (!isa_conllu_read(&read, ast->arena, source, &options, diags))
        return false;
    const struct {
        const int64_t *numbers;
        size_t count;
    } parts[PROGRAMS_CONLLU_PARTS] = {
        {read.form, read.count},
        {read.tag, read.count},
        {read.head, read.count},
        {read.label, read.count},
        {read.first, read.sentence_count},
        {read.length, read.sentence_count},
        {read.transitions[ISA_ARC_HYBRID], 2 * read.count},
        {read.transitions[ISA_ARC_EAGER], 2 * read.count},
    };
    for (int i = 0; i < PROGRAMS_CONLLU_PARTS; i++)
        data->tensors[i] = from_ints(&ast->tensors, parts[i].numbers, parts[i].count);
    return true;
}

const struct lib_source *programs_known_find(const struct programs_known *known,
                                             const char *path)
{
    for (size_t i = 0; known && i < known->list.count; i++)
        if (strcmp(known->list.items[i].path, path) == 0)
            return known->list.items[i].source;
    return NULL;
}

static const struct lib_source *find_source(const struct programs_ast *ast,
                                            const struct programs_data *data,
                                            struct lib_arena *files, const char *trees,
                                            struct programs_known *known,
                                            struct lib_diags *diags)
{
    if (data->folder)
        known = NULL;
    const struct lib_source *source = programs_known_find(known, data->path);
    const bool is_replaced = has_trees(data) && trees;
    struct lib_diags own = {0};
    if (source)
        return source;
    source = lib_file_read_as(
        files,
        is_replaced    ? trees
        : data->folder ? lib_arena_printf(files, "%s/%s", data->folder, data->path)
                       : path_of(ast, files, data->path),
        "a file of the program", &own);
    if (!source)
        lib_diag_error(diags, LIB_DIAG_FILE, ast->source, data->pos, "%s",
                       own.count ? own.items[0].text : "cannot be read");
    lib_diags_free(&own);
    if (source && known)
        *LIB_VEC_PUSH(&known->list) = (struct programs_known_file){
            lib_arena_copy(files, data->path, strlen(data->path)), source};
    return source;
}

static bool read_one(struct programs_ast *ast, struct programs_data *data,
                     struct lib_arena *files, const char *trees,
                     struct programs_known *known, struct lib_diags *diags)
{
    static const struct isa_shape vector = {ISA_ELEMENT_REAL, 1, {ISA_UNKNOWN}};
    if (data->kind == PROGRAMS_DATA_GIVEN && !data->path)
        return programs_given_read(ast, data, NULL, diags);
    const struct lib_source *source = find_source(ast, data, files, trees, known, diags);
    if (!source)
        return false;
    if (data->kind == PROGRAMS_DATA_GIVEN)
        return programs_given_read(ast, data, source, diags);
    if (data->kind == PROGRAMS_DATA_TREES)
        return read_trees(ast, data, source, diags);
    if (data->kind == PROGRAMS_DATA_CONLLU)
        return read_conllu(ast, data, source, diags);
    if (ends_in(data->path, ".csv"))
        data->tensors[0] = isa_csv_read(&ast->tensors, source,
                                        data->is_vector ? &vector : NULL, true, diags);
    else
        data->tensors[0] = isa_npy_read(&ast->tensors, source, NULL, true, diags);
    return data->tensors[0] != NULL;
}

static void take_param(struct programs_ast *ast, const struct programs_equation *q,
                       const char *folder)
{
    struct programs_param *param = q->param;
    if (!param->data) {
        struct programs_data **list = LIB_ARENA_ARRAY(ast->arena, struct programs_data *,
                                                      ast->data_count + 1);
        for (size_t i = 0; i < ast->data_count; i++)
            list[i] = ast->data[i];
        ast->data = list;
        param->data = list[ast->data_count++] = LIB_ARENA_NEW(ast->arena,
                                                              struct programs_data);
    }
    *param->data = (struct programs_data){
        .path = lib_arena_printf(ast->arena, "%s.npy", q->names[0]->name),
        .folder = folder,
        .pos = q->names[0]->pos,
        .kind = PROGRAMS_DATA_FILE,
        .is_vector = param->rank == 1,
        .part_count = 1,
    };
    param->initialiser = PROGRAMS_INIT_FILE;
    param->argument_count = 0;
    q->value->operand_count = param->rank;
}

bool programs_data_take_params(struct programs_ast *ast, const char *folder,
                               struct lib_diags *diags)
{
    for (size_t i = 0; folder && i < ast->constant_count; i++)
        if (ast->constants[i]->param)
            take_param(ast, ast->constants[i], folder);
    if (!folder || ast->param_count)
        return true;
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "the program has no params, and so none to take from %s", folder);
    return false;
}

bool programs_data_read(struct programs_ast *ast, struct lib_arena *files,
                        const char *trees, struct programs_known *known,
                        struct lib_diags *diags)
{
    bool good = true;
    bool reads_trees = false;
    for (size_t i = 0; i < ast->data_count; i++)
        reads_trees |= has_trees(ast->data[i]);
    if (trees && !reads_trees) {
        lib_diag_plain(
            diags, LIB_DIAG_USAGE,
            "the program reads no trees or sentences, and so none in place of them");
        return false;
    }
    for (size_t i = 0; i < ast->data_count; i++) {
        if (files || !ast->data[i]->path) {
            good = read_one(ast, ast->data[i], files, trees, known, diags) && good;
            continue;
        }
        lib_diag_error(diags, LIB_DIAG_FILE, ast->source, ast->data[i]->pos,
                       "no files are read here");
        good = false;
    }
    return good;
}

void programs_data_free(struct programs_ast *ast)
{
    for (size_t i = 0; i < ast->data_count; i++)
        for (int k = 0; k < PROGRAMS_DATA_PARTS; k++)
            isa_tensor_free(&ast->tensors, ast->data[i]->tensors[k]);
    isa_tensor_memory_free(&ast->tensors);
}
