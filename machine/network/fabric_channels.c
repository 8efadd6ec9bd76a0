/* Networks with finite buffers (doc/model/network.md). To move, a packet needs a credit, that is, a
 * place in the next buffer; the credit returns when the packet leaves the place. Within a cycle
 * routers are independent: packets and credits arrive in a later one. */
#include "machine/network/fabric_channels.h"

/* Sets the index of each link at its routers, and the max number of links into and out of a
 * router. */
static void place_links(struct machine_fabric *f, uint32_t *most_in, uint32_t *most_out)
{
    const struct machine_graph *g = f->graph;
    struct fabric_channels *c = f->channels;
    uint32_t words = 0;
    *most_in = *most_out = 1;
    for (uint32_t r = 0; r < g->router_count; r++) {
        const uint32_t ins = g->in_first[r + 1] - g->in_first[r];
        const uint32_t outs = g->out_first[r + 1] - g->out_first[r];
        for (uint32_t i = 0; i < ins; i++)
            c->place_in[g->in[g->in_first[r] + i]] = i;
        for (uint32_t i = 0; i < outs; i++)
            c->place_out[g->out[g->out_first[r] + i]] = i;
        c->words_first[r] = words;
        words += (ins * c->per_link + 63) / 64;
        *most_in = ins > *most_in ? ins : *most_in;
        *most_out = outs > *most_out ? outs : *most_out;
    }
    c->words_first[g->router_count] = words;
    c->occupied = lib_mem_new((words + 1) * sizeof *c->occupied);
}

static void make_scratch(struct fabric_channels *c, uint32_t most_in, uint32_t most_out)
{
    c->ports_left = lib_mem_new(most_in * sizeof *c->ports_left);
    c->best_in = lib_mem_new(most_in * sizeof *c->best_in);
    c->best_out = lib_mem_new(most_out * sizeof *c->best_out);
    c->asked = lib_mem_new(most_out * sizeof *c->asked);
    for (uint32_t i = 0; i < most_in; i++)
        c->best_in[i] = FABRIC_NONE;
    for (uint32_t i = 0; i < most_out; i++)
        c->best_out[i] = FABRIC_NONE;
}

static void fill_credits(struct fabric_channels *c)
{
    for (size_t i = 0; i < (size_t)c->links * c->per_link; i++)
        c->credits[i] = c->capacity;
}

void fabric_channels_make(struct machine_fabric *f, const struct machine_settings *s)
{
    const struct machine_graph *g = f->graph;
    const size_t links = g->link_count;
    struct fabric_channels *c = f->channels = lib_mem_new(sizeof *c);
    uint32_t most_in, most_out;
    c->links = g->link_count;
    c->per_link = (uint32_t)s->network_channels;
    c->speedup = (uint32_t)s->network_speedup;
    c->iterations = (uint32_t)s->network_iterations;
    c->capacity = (uint32_t)s->network_capacity;
    c->is_oldest = s->network_arbitration == MACHINE_OLDEST_FIRST;
    assert(c->per_link >= g->channel_classes);
    c->first = lib_mem_new((g->channel_classes + 1) * sizeof *c->first);
    for (uint32_t k = 0; k < g->channel_classes; k++)
        c->first[k + 1] = c->first[k] + c->per_link / g->channel_classes +
                          (k < c->per_link % g->channel_classes);
    c->buffers = lib_mem_new(links * c->per_link * sizeof *c->buffers);
    c->credits = lib_mem_new(links * c->per_link * sizeof *c->credits);
    fill_credits(c);
    c->credit_delay = lib_mem_new(links * sizeof *c->credit_delay);
    c->port_free = lib_mem_new(links * c->speedup * sizeof *c->port_free);
    c->place_in = lib_mem_new(links * sizeof *c->place_in);
    c->place_out = lib_mem_new(links * sizeof *c->place_out);
    c->grants_at = lib_mem_new(links * sizeof *c->grants_at);
    c->accepts_at = lib_mem_new(links * sizeof *c->accepts_at);
    c->channel_at = lib_mem_new(links * sizeof *c->channel_at);
    c->active = fabric_set_new(g->router_count);
    c->words_first = lib_mem_new((g->router_count + 1) * sizeof *c->words_first);
    for (uint32_t i = 0; i < links; i++)
        c->credit_delay[i] = (uint32_t)machine_fabric_credit_delay(s, g, i);
    place_links(f, &most_in, &most_out);
    make_scratch(c, most_in, most_out);
}

void fabric_take_place(struct machine_fabric *f, uint64_t now, uint64_t delay,
                       uint32_t packet, uint32_t channel)
{
    struct fabric_channels *c = f->channels;
    struct fabric_packet *p = &f->packets[packet];
    p->channel = (uint16_t)channel;
    c->credits[(size_t)p->link * c->per_link + channel]--;
    fabric_send(f, now, delay, packet);
}

static uint64_t *word_of(const struct machine_fabric *f, uint32_t link, uint32_t channel,
                         uint64_t *bit)
{
    const struct fabric_channels *c = f->channels;
    const uint32_t local = c->place_in[link] * c->per_link + channel;
    *bit = UINT64_C(1) << (local % 64);
    return &c->occupied[c->words_first[f->graph->links[link].to] + local / 64];
}

static bool has_buffer(const struct machine_fabric *f, uint32_t link, uint32_t channel)
{
    uint64_t bit;
    const uint64_t *word = word_of(f, link, channel, &bit);
    return *word & bit;
}

static void list_buffer(const struct machine_fabric *f, uint32_t link, uint32_t channel)
{
    uint64_t bit, *word = word_of(f, link, channel, &bit);
    *word |= bit;
}

static void put_into_buffer(struct machine_fabric *f, uint32_t packet)
{
    struct fabric_channels *c = f->channels;
    const struct fabric_packet *p = &f->packets[packet];
    fabric_list_put(f, &c->buffers[(size_t)p->link * c->per_link + p->channel], packet);
    c->waiting++;
    list_buffer(f, p->link, p->channel);
    fabric_set_add(&c->active, f->graph->links[p->link].to);
}

uint32_t fabric_take_from_buffer(struct machine_fabric *f, uint32_t link,
                                 uint32_t channel)
{
    struct fabric_channels *c = f->channels;
    struct fabric_list *buffer = &c->buffers[(size_t)link * c->per_link + channel];
    const uint32_t packet = fabric_list_take(f, buffer);
    uint64_t bit = 0, *word = word_of(f, link, channel, &bit);
    c->waiting--;
    if (buffer->count == 0)
        *word &= ~bit;
    return packet;
}

static void arrive(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, uint32_t what)
{
    if (what & FABRIC_CREDIT) {
        f->channels->credits[what & ~FABRIC_CREDIT]++;
        return;
    }
    struct fabric_packet *p = &f->packets[what];
    if (fabric_is_ejection(f, p->link)) {
        fabric_deliver(f, what);
        return;
    }
    f->sizes[what].since = now;
    put_into_buffer(f, what);
    if (outside->entered)
        outside->entered(outside->context, MACHINE_FABRIC_BUFFER, p->link, &p->token);
}

/* Handles arrivals of this cycle, and credits of cycles that were skipped for lack of packets. */
static void arrive_all(struct machine_fabric *f,
                       const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t what;
    while (fabric_take_far(f, now, &what))
        arrive(f, outside, now, what);
    const uint64_t gone = now - f->stepped;
    uint64_t cycle = now - (gone < f->wave_mask ? gone : f->wave_mask);
    for (f->stepped = now; f->in_waves > 0 && cycle <= now; cycle++) {
        struct fabric_wave *wave = &f->waves[cycle & f->wave_mask];
        for (size_t i = 0; i < wave->items.count; i++)
            arrive(f, outside, now, wave->items.items[i]);
        f->in_waves -= wave->items.count;
        wave->items.count = 0;
    }
}

/* Sends the oldest packet of an injection, in any channel, if the injection is free. */
static void inject(struct machine_fabric *f, const struct machine_fabric_outside *outside,
                   uint64_t now, uint32_t at)
{
    struct fabric_link *link = &f->links[at];
    uint64_t sum;
    if (link->free > now)
        return;
    const uint32_t channel = fabric_most_credits(f->channels, at, 0,
                                                 f->channels->per_link, &sum);
    if (channel == FABRIC_NONE) {
        f->seen.held_back = true;
        if (outside->blocked)
            outside->blocked(outside->context, at, 0,
                             &f->packets[link->queue.first].token);
        return;
    }
    const uint32_t packet = fabric_list_take(f, &link->queue);
    struct fabric_packet *p = &f->packets[packet];
    link->stats.waits += now;
    fabric_set_remove_if(&f->waiting, at, link->queue.count == 0);
    const uint64_t delay = fabric_pass(f, at, packet, now);
    f->seen.moved = true;
    if (outside->passes)
        outside->passes(outside->context, at, channel, 0, &p->token, link->free);
    if (outside->left)
        outside->left(outside->context, MACHINE_FABRIC_QUEUE, at, &p->token, link->free);
    fabric_take_place(f, now, delay, packet, channel);
}

void fabric_channels_step(struct machine_fabric *f,
                          const struct machine_fabric_outside *outside, uint64_t now)
{
    uint32_t at;
    arrive_all(f, outside, now);
    FABRIC_SET_EACH(&f->waiting, at)
    {
        inject(f, outside, now, at);
    }
    FABRIC_SET_EACH(&f->channels->active, at)
    {
        fabric_switch_serve(f, outside, now, at);
    }
}

bool fabric_channels_wait(const struct machine_fabric *f)
{
    return f->channels->waiting > 0;
}

bool fabric_has_channel(const struct machine_fabric *f, uint16_t channel)
{
    return f->is_tight ? channel < f->channels->per_link : channel == 0;
}

bool fabric_is_channel(const struct machine_fabric *f, uint32_t credit)
{
    return (credit & ~FABRIC_CREDIT) / f->channels->per_link < f->graph->link_count;
}

/* Counts and lists the packets in buffers, after they were read. */
static void list_buffers(struct lib_pack *pack, struct machine_fabric *f)
{
    struct fabric_channels *c = f->channels;
    for (size_t i = 0; i < (size_t)c->links * c->per_link && !pack->failed; i++) {
        const uint32_t link = (uint32_t)(i / c->per_link);
        if (c->buffers[i].count == 0 ||
            !lib_pack_expect(pack, !fabric_is_ejection(f, link)))
            continue;
        c->waiting += c->buffers[i].count;
        list_buffer(f, link, (uint32_t)(i % c->per_link));
        fabric_set_add(&c->active, f->graph->links[link].to);
    }
}

LIB_STATE(const struct fabric_packing, fabric_channels, FABRIC_CHANNELS_FIELDS)

void fabric_channels_pack(struct lib_pack *pack, const struct fabric_packing *with)
{
    fabric_channels_fields_pack(pack, with, with->fabric->channels);
}

void fabric_channels_reset(struct machine_fabric *f)
{
    struct fabric_channels *c = f->channels;
    const struct fabric_packing with = {.fabric = f};
    for (size_t i = 0; i < c->requests.count; i++)
        c->asked[c->place_out[c->requests.items[i].link]] = 0;
    fabric_channels_fields_clear(&with, c);
    fill_credits(c);
    memset(c->occupied, 0, c->words_first[f->graph->router_count] * sizeof *c->occupied);
}

void fabric_channels_free(struct machine_fabric *f)
{
    const struct fabric_packing with = {.fabric = f};
    fabric_channels_fields_free(&with, f->channels);
    lib_mem_free(f->channels);
}

/* Returns the list of a link whose first packet is the oldest, or NULL if all are empty. */
static struct fabric_list *oldest_of(const struct machine_fabric *f,
                                     struct fabric_list *lists)
{
    struct fabric_list *oldest = NULL;
    for (uint32_t v = 0; v < f->channels->per_link; v++) {
        struct fabric_list *list = &lists[v];
        if (list->count &&
            (!oldest || f->sizes[list->first].since < f->sizes[oldest->first].since))
            oldest = list;
    }
    return oldest;
}

/* Visits the packets of each link in order of arrival, over all virtual channels, as events do. */
void fabric_channels_each(const struct machine_fabric *f, machine_fabric_visit *visit,
                          void *context)
{
    const struct fabric_channels *c = f->channels;
    struct fabric_list *rest = lib_mem_new(c->per_link * sizeof *rest);
    for (uint32_t i = 0; i < f->graph->link_count; i++) {
        struct fabric_list *next;
        memcpy(rest, &c->buffers[(size_t)i * c->per_link], c->per_link * sizeof *rest);
        while ((next = oldest_of(f, rest)) != NULL) {
            const struct fabric_packet *p = &f->packets[next->first];
            visit(context, MACHINE_FABRIC_WAITS_BEHIND, i, &p->token);
            next->first = p->next;
            next->count--;
        }
    }
    lib_mem_free(rest);
}

/* Counts the place in a buffer that a packet occupies or a credit frees. */
static void count_what(const struct machine_fabric *f, uint32_t what, uint64_t *taken)
{
    const struct fabric_channels *c = f->channels;
    if (what & FABRIC_CREDIT) {
        taken[what & ~FABRIC_CREDIT]++;
        return;
    }
    const struct fabric_packet *p = &f->packets[what];
    if (!fabric_is_ejection(f, p->link))
        taken[(size_t)p->link * c->per_link + p->channel]++;
}

const char *fabric_channels_check(const struct machine_fabric *f)
{
    const struct fabric_channels *c = f->channels;
    const size_t count = (size_t)f->graph->link_count * c->per_link;
    uint64_t *taken = lib_mem_new(count * sizeof *taken), waiting = 0;
    const char *wrong = NULL;
    for (uint64_t i = 0; i <= f->wave_mask; i++)
        for (size_t k = 0; k < f->waves[i].items.count; k++)
            count_what(f, f->waves[i].items.items[k], taken);
    for (size_t k = 0; k < f->far.count; k++)
        count_what(f, f->far.items[k].what, taken);
    for (size_t i = 0; i < count; i++) {
        const uint32_t link = (uint32_t)(i / c->per_link);
        const bool is_listed = !fabric_is_ejection(f, link) &&
                               has_buffer(f, link, (uint32_t)(i % c->per_link));
        if (taken[i] + c->buffers[i].count + c->credits[i] != c->capacity)
            wrong =
                "credits, tokens behind a link and what is on its way are its capacity";
        if (is_listed != (c->buffers[i].count > 0))
            wrong = "a buffer is listed if tokens wait in it";
        waiting += c->buffers[i].count;
    }
    if (waiting != c->waiting)
        wrong = "tokens in buffers are counted";
    lib_mem_free(taken);
    return wrong;
}
