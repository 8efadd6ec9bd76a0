/* "Why": what passes an injection, or a link out of a finite buffer. */
#include "tests/oracle/routers.h"
#include "tests/oracle/why.h"

/* The last of all that a token needs. */
struct last {
    uint64_t time, before;
    bool is_pressure;
};

/* "Of equal times it is the token, and then what stands first in the table." */
static void needs(struct last *last, struct stamp what, uint64_t comes, bool is_pressure)
{
    if (what.place != NOWHERE && comes > last->time)
        *last = (struct last){comes, what.place, is_pressure};
}

static uint64_t put_place(struct oracle *o, const struct token *t, unsigned link,
                          const struct last *last)
{
    const unsigned pes = (unsigned)o->s->pe_count;
    const uint64_t place = oracle_why_place(o, ORACLE_PORTS, t->instr,
                                            link < 2 * pes ? link % pes : NONE);
    place_at(o, place)->link = link;
    if (last->before == NOWHERE)
        oracle_why_by_token(o, place, t, "port");
    else
        oracle_why_by_resource(o, place, last->before,
                               last->is_pressure ? "back_pressure" : "port");
    if (last->is_pressure)
        place_at(o, place)->others = o->now - last->time;
    oracle_why_serve(o, &o->why->links[link], place);
    return place;
}

void oracle_why_injects(struct oracle *o, struct token *t, unsigned link)
{
    const struct link *l = &o->routers->links.items[link];
    struct last last = {t->since, NOWHERE, false};
    needs(&last, o->why->links[link].last, l->free, false);
    needs(&last, l->credited[0], l->credited[0].time, true);
    t->place = put_place(o, t, link, &last);
    t->way = PORT;
}

void oracle_why_leaves(struct oracle *o, struct token *t, unsigned from, unsigned to,
                       unsigned cls)
{
    const unsigned pes = (unsigned)o->s->pe_count;
    struct link *in = &o->routers->links.items[from];
    const struct link *out = &o->routers->links.items[to];
    struct last last = {t->since, NOWHERE, false};
    unsigned port = 0, used = 0;
    needs(&last, in->left[t->channel], in->left[t->channel].time + 1, false);
    needs(&last, o->why->links[to].last, out->free, false);
    for (unsigned i = 1; i < o->s->network_speedup; i++)
        if (in->ports[i] < in->ports[port])
            port = i;
    needs(&last, in->users[port], in->ports[port], false);
    if (oracle_routers_ejects(o, to))
        needs(&last, o->why->rooms[to - pes].given,
              o->why->rooms[to - pes].given.time + 1, true);
    else
        needs(&last, out->credited[cls], out->credited[cls].time, true);
    t->place = put_place(o, t, to, &last);
    t->way = PORT;
    in->left[t->channel] = now(o, t->place);
    while (in->ports[used] > o->now)
        used++;
    in->users[used] = now(o, t->place);
}

/* A credit comes for a class of a link that had none. */
void oracle_why_credit(struct oracle *o, unsigned link, unsigned cls, uint64_t place,
                       uint64_t cycle)
{
    const uint64_t time = oracle_wrong(o, CREDITED) ? place_at(o, place)->time : cycle;
    o->routers->links.items[link].credited[cls] = (struct stamp){place, time};
}

void oracle_why_no_room(struct oracle *o, unsigned pe)
{
    o->why->rooms[pe].lacked = o->now + 1;
}

void oracle_why_gives_room(struct oracle *o, unsigned pe, uint64_t place)
{
    struct room *room = &o->why->rooms[pe];
    if (room->lacked == o->now + 1)
        room->given = now(o, place);
}
