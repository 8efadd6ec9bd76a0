#include "analysis/classes.h"

/* Sums over the PEs of a class. */
struct sums {
    uint64_t pes, firings, dead, busy, turns, slots;
    bool is_unlimited;
};

static void add_pe(struct sums *s, const struct traces_stats *stats, size_t pe)
{
    const struct traces_pe_stats *of = &stats->pe[pe];
    s->pes++;
    s->firings += of->firings;
    s->dead += of->dead_firings;
    s->busy += of->busy;
    s->turns += of->turns;
    s->slots += stats->pe_units[pe] * stats->cycles;
    s->is_unlimited |= stats->pe_units[pe] == 0;
}

static void add_row(struct lib_table *t, const char *name, const struct sums *s)
{
    const double slots = s->is_unlimited ? 0 : (double)s->slots;
    lib_table_word(t, name);
    lib_table_count(t, s->pes);
    lib_table_count(t, s->firings);
    lib_table_count(t, s->dead);
    lib_table_count(t, s->busy);
    lib_table_count(t, s->turns);
    lib_table_real(t, lib_ratio((double)s->busy, slots));
    lib_table_real(t, lib_ratio((double)s->turns, slots));
}

void analysis_classes_findings(const struct traces_machine *m,
                               const struct traces_stats *stats, struct lib_findings *f)
{
    struct sums sums[TRACES_MAX_CLASSES + 1] = {{0}};
    for (uint32_t pe = 0; pe < stats->pe_count; pe++) {
        const struct traces_pe_class *class = traces_machine_class(m, pe);
        add_pe(&sums[class ? class - m->classes : m->class_count], stats, pe);
    }
    struct lib_table *t = lib_findings_table(f, "classes", "each class of PEs");
    LIB_TABLE_COLUMNS(t, "class", "pes", "firings", "dead_firings", "busy", "turns",
                      "utilisation", "occupancy");
    for (uint32_t i = 0; i < m->class_count; i++)
        add_row(t, m->classes[i].name, &sums[i]);
    if (sums[m->class_count].pes)
        add_row(t, f->for_people ? "(none)" : NULL, &sums[m->class_count]);
}
