/* State of a network of routers: packed, reset, freed, visited and checked. */
#include "machine/network/fabric_internal.h"

/* Packs a packet. When reading, allocates it and sets *packet. */
static void pack_packet(struct lib_pack *pack, const struct fabric_packing *with,
                        uint32_t *packet)
{
    struct machine_fabric *f = with->fabric;
    if (lib_pack_reads(pack)) {
        *packet = fabric_packet_new(f);
        memset(&f->packets[*packet], 0, sizeof *f->packets);
    }
    struct fabric_packet *p = &f->packets[*packet];
    with->token(pack, with->context, &p->token);
    LIB_PACK(pack, p->link, p->via, p->cls, p->channel);
    if (f->gives_marks)
        LIB_PACK(pack, p->mark);
    LIB_PACK(pack, f->sizes[*packet]);
    const struct machine_graph *g = f->graph;
    if (!lib_pack_expect(pack,
                         p->link < g->link_count && p->cls < g->channel_classes &&
                             machine_token_pe(&p->token) < g->pe_count &&
                             fabric_has_channel(f, p->channel) &&
                             (p->via == MACHINE_NO_VIA || p->via < g->router_count)))
        p->link = p->channel = 0;
    p->router = f->links[p->link].to;
}

void fabric_pack_list(struct lib_pack *pack, const struct fabric_packing *with,
                      struct fabric_list *list)
{
    struct machine_fabric *f = with->fabric;
    const uint64_t count = lib_pack_count(pack, list->count, 1);
    uint32_t packet = list->first;
    for (uint64_t i = 0; i < count && !pack->failed; i++) {
        pack_packet(pack, with, &packet);
        if (lib_pack_reads(pack))
            fabric_list_put(f, list, packet);
        else
            packet = f->packets[packet].next;
    }
}

static void pack_what(struct lib_pack *pack, const struct fabric_packing *with,
                      uint32_t *what)
{
    const struct machine_fabric *f = with->fabric;
    uint32_t credit = (*what & FABRIC_CREDIT) ? *what : 0;
    LIB_PACK(pack, credit);
    if (credit == 0)
        pack_packet(pack, with, what);
    else if (lib_pack_expect(pack, f->is_tight && fabric_is_channel(f, credit)))
        *what = credit;
    if (pack->failed)
        *what = 0;
}

static void pack_wave(struct lib_pack *pack, const struct fabric_packing *with,
                      struct fabric_wave *wave)
{
    LIB_PACK_EACH(pack, &wave->items, what, { pack_what(pack, with, what); });
    if (lib_pack_reads(pack))
        with->fabric->in_waves += wave->items.count;
}

LIB_STATE(const struct fabric_packing, fabric_link, FABRIC_LINK_FIELDS)

static void pack_links(struct lib_pack *pack, const struct fabric_packing *with)
{
    struct machine_fabric *f = with->fabric;
    for (uint32_t i = 0; i < f->graph->link_count && !pack->failed; i++) {
        fabric_link_fields_pack(pack, with, &f->links[i]);
        if (f->links[i].queue.count)
            fabric_set_add(&f->waiting, i);
    }
}

LIB_STATE(const struct fabric_packing, fabric_far, FABRIC_FAR_FIELDS)
LIB_STATE(const struct fabric_packing, fabric_wave, FABRIC_WAVE_FIELDS)
LIB_STATE(const struct fabric_packing, machine_fabric, MACHINE_FABRIC_FIELDS)

void machine_fabric_pack(struct lib_pack *pack, struct machine_fabric *f,
                         void (*pack_token)(struct lib_pack *pack, void *context,
                                            struct isa_token *t),
                         void *context)
{
    const struct fabric_packing with = {f, pack_token, context};
    machine_fabric_fields_pack(pack, &with, f);
}

void machine_fabric_reset(struct machine_fabric *f, uint64_t seed)
{
    const struct fabric_packing with = {.fabric = f};
    machine_fabric_fields_clear(&with, f);
    f->seen = (struct machine_fabric_seen){.counts_bits = f->seen.counts_bits};
    f->seed = seed;
    f->free_packet = FABRIC_NONE;
    for (uint32_t i = 0; i < f->graph->link_count; i++)
        fabric_link_fields_clear(&with, &f->links[i]);
    if (f->channels)
        fabric_channels_reset(f);
}

void machine_fabric_free(struct machine_fabric *f)
{
    const struct fabric_packing with = {.fabric = f};
    if (!f)
        return;
    if (f->channels)
        fabric_channels_free(f);
    machine_fabric_fields_free(&with, f);
    machine_graph_free(f->graph);
    lib_mem_free(f);
}

void fabric_list_each(const struct machine_fabric *f, const struct fabric_list *list,
                      enum machine_fabric_where where, uint32_t link,
                      machine_fabric_visit *visit, void *context)
{
    uint32_t packet = list->first;
    for (uint32_t i = 0; i < list->count; i++, packet = f->packets[packet].next)
        visit(context, where, link, &f->packets[packet].token);
}

static void visit_what(const struct machine_fabric *f, uint32_t what,
                       machine_fabric_visit *visit, void *context)
{
    if (what & FABRIC_CREDIT)
        return;
    const struct fabric_packet *p = &f->packets[what];
    visit(context,
          fabric_is_ejection(f, p->link) ? MACHINE_FABRIC_LEAVES : MACHINE_FABRIC_COMES,
          p->link, &p->token);
}

void machine_fabric_each(const struct machine_fabric *f, machine_fabric_visit *visit,
                         void *context)
{
    for (uint32_t i = 0; i < f->graph->link_count; i++)
        fabric_list_each(f, &f->links[i].queue, MACHINE_FABRIC_WAITS_BEFORE, i, visit,
                         context);
    if (f->is_tight)
        fabric_channels_each(f, visit, context);
    for (uint64_t i = 0; i <= f->wave_mask; i++)
        for (size_t k = 0; k < f->waves[i].items.count; k++)
            visit_what(f, f->waves[i].items.items[k], visit, context);
    for (size_t k = 0; k < f->far.count; k++)
        visit_what(f, f->far.items[k].what, visit, context);
}

static void count_one(void *context, enum machine_fabric_where where, uint32_t link,
                      const struct isa_token *t)
{
    uint64_t *count = context;
    (void)where, (void)link, (void)t;
    ++*count;
}

const char *machine_fabric_check(const struct machine_fabric *f)
{
    uint64_t count = 0, crossed = 0;
    machine_fabric_each(f, count_one, &count);
    for (uint32_t i = 0; i < f->graph->link_count; i++) {
        const struct fabric_link *link = &f->links[i];
        if (fabric_set_has(&f->waiting, i) != (link->queue.count > 0))
            return "a link is listed if tokens wait before it";
        crossed += i >= 2 * f->graph->pe_count ? link->stats.tokens : 0;
    }
    if (count != f->seen.count)
        return "tokens in the network are counted";
    if (crossed != f->hops)
        return "links that were crossed are counted";
    return f->is_tight ? fabric_channels_check(f) : NULL;
}
