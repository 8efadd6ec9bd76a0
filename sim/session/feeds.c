#include "sim/session/feeds.h"

void sim_feeds_free(struct sim_feeds *feeds)
{
    LIB_VEC_FREE(&feeds->all);
}

bool sim_feeds_fit(const struct sim_feeds *feeds, const struct machine_feed *feed)
{
    for (size_t i = feeds->all.count; i-- > 0;) {
        const struct machine_feed *f = &feeds->all.items[i];
        if (f->port == feed->port)
            return f->parts && f->cycle <= feed->cycle;
    }
    return true;
}
