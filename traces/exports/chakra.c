/* Execution trace of Chakra (MLCommons). A node is a firing, which depends on the firings that sent
 * its operands. Numbers are those of schema/protobuf/et_def.proto of mlcommons/chakra (MIT). A file
 * has messages, each after its length: first one about the whole trace, then the nodes. A cycle is
 * a microsecond, the unit of the format. */
#include "traces/exports/exports_internal.h"
#include "traces/exports/protobuf.h"

enum { METADATA_VERSION = 1, METADATA_ATTRIBUTE = 2 };

enum {
    NODE_ID = 1,
    NODE_NAME = 2,
    NODE_TYPE = 3,
    NODE_DATA = 5,
    NODE_START = 6,
    NODE_DURATION = 7,
    NODE_ATTRIBUTE = 10,
};

enum { COMPUTES = 4 };

enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_UINT64 = 13,
    ATTRIBUTE_BOOL = 27,
    ATTRIBUTE_STRING = 29
};

struct chakra {
    struct lib_text message, part, name;
};

static void put_message(struct traces_exporter *x)
{
    struct chakra *c = x->own;
    protobuf_raw(&x->text, c->message.length);
    lib_text_add(&x->text, lib_text_get(&c->message), c->message.length);
    lib_text_clear(&c->message);
}

static void put_number(struct chakra *c, const char *name, uint32_t type, uint64_t value)
{
    lib_text_clear(&c->part);
    protobuf_string(&c->part, ATTRIBUTE_NAME, name);
    protobuf_number(&c->part, type, value);
    protobuf_message(&c->message, NODE_ATTRIBUTE, &c->part);
}

static bool chakra_start(struct traces_exporter *x)
{
    struct chakra *c = x->own;
    const char *source = x->request->graph->source;
    protobuf_string(&c->message, METADATA_VERSION, "0.0.4");
    protobuf_string(&c->part, ATTRIBUTE_NAME, "source");
    protobuf_string(&c->part, ATTRIBUTE_STRING, source ? source : "");
    protobuf_message(&c->message, METADATA_ATTRIBUTE, &c->part);
    put_message(x);
    return true;
}

/* Writes each sender once, even if it sent several operands: Chakra's feeder
 * (src/feeder/et_feeder.cpp) removes one dependence when the sender is done, and would wait for a
 * second one forever. */
static void put_dependences(struct chakra *c, const struct export_scene *s)
{
    lib_text_clear(&c->part);
    for (size_t i = 0; i < s->consumed.count; i++) {
        const uint64_t producer = s->consumed.items[i].producer;
        size_t before = 0;
        while (s->consumed.items[before].producer != producer)
            before++;
        if (producer && before == i)
            protobuf_raw(&c->part, producer);
    }
    if (c->part.length)
        protobuf_message(&c->message, NODE_DATA, &c->part); /* packed */
}

static void chakra_take(struct traces_exporter *x, const struct traces_event *e)
{
    struct chakra *c = x->own;
    const struct export_scene *s = &x->scene;
    if (!export_is_firing(e))
        return;
    const struct traces_live_tag *tag = traces_live_tags_find(&s->tags, e->tag);
    lib_text_clear(&c->name);
    export_add_node(x->request->graph, e->instr, &c->name);
    protobuf_number(&c->message, NODE_ID, s->firings);
    protobuf_string(&c->message, NODE_NAME, lib_text_get(&c->name));
    protobuf_number(&c->message, NODE_TYPE, COMPUTES);
    put_dependences(c, s);
    protobuf_number(&c->message, NODE_START, e->cycle);
    protobuf_number(&c->message, NODE_DURATION, e->b - e->cycle);
    put_number(c, "is_cpu_op", ATTRIBUTE_BOOL, 1);
    put_number(c, x->request->has_workers ? "worker" : "pe", ATTRIBUTE_UINT64, e->pe);
    put_number(c, "node", ATTRIBUTE_UINT64, e->instr);
    if (tag)
        put_number(c, "activation", ATTRIBUTE_UINT64,
                   traces_live_tags_more(&s->tags, tag)->serial);
    if (e->kind == TRACES_EVENT_DEAD)
        put_number(c, "hiaton", ATTRIBUTE_BOOL, 1);
    put_message(x);
}

static void free_chakra(struct traces_exporter *x)
{
    struct chakra *c = x->own;
    LIB_TEXT_FREE(&c->message, &c->part, &c->name);
}

const struct export_writer export_chakra = {
    .format = {"chakra", false, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct chakra),
    .start = chakra_start,
    .take = chakra_take,
    .free = free_chakra,
};
