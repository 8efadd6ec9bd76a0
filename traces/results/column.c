#include "traces/results/column.h"

#include <string.h>

#include "lib/text.h"

void traces_columns_free(struct traces_columns *columns)
{
    LIB_VEC_FREE(&columns->list);
}

const struct traces_column *traces_columns_find(const struct traces_columns *columns,
                                                const char *name)
{
    for (size_t i = 0; i < columns->list.count; i++)
        if (strcmp(columns->list.items[i].name, name) == 0)
            return &columns->list.items[i];
    return NULL;
}

struct among {
    const struct traces_columns *columns;
    unsigned kinds;
};

static const char *name_of(size_t i, const void *context)
{
    const struct among *among = context;
    const struct traces_column *c = &among->columns->list.items[i];
    bool wanted = among->kinds & 1u << c->kind;
    return wanted ? c->name : "";
}

const char *traces_columns_nearest(const struct traces_columns *columns,
                                   const char *wrong, unsigned kinds)
{
    const struct among among = {columns, kinds};
    const char *name = lib_text_nearest(wrong, columns->list.count, name_of, &among);
    return name && *name ? name : NULL;
}

const char *traces_column_kind_name(enum traces_column_kind kind)
{
    static const char *const names[TRACES_COLUMN_KIND_COUNT] = {
        "label", "setting", "input", "outcome", "statistic", "digest"};
    return names[kind];
}

const char *traces_column_type_name(enum traces_column_type type)
{
    static const char *const names[TRACES_TYPE_COUNT] = {"int", "real", "bool", "text",
                                                         "any"};
    return names[type];
}
