#include "analysis/classes.h"

uint32_t analysis_classes_count(const struct traces_machine *m)
{
    uint64_t inside = 0;
    for (uint32_t i = 0; i < m->range_count; i++)
        inside += m->ranges[i].last - m->ranges[i].first + 1;
    return m->class_count + (m->class_count && inside < m->pe_count);
}

uint32_t analysis_class_of(const struct traces_machine *m, uint32_t pe)
{
    const struct traces_pe_class *class = traces_machine_class(m, pe);
    return class ? (uint32_t)(class - m->classes) : m->class_count;
}

void analysis_class_name(const struct traces_machine *m, uint32_t row,
                         const struct lib_findings *f, struct lib_table *t)
{
    lib_table_word(t, row < m->class_count ? m->classes[row].name
                      : f->for_people      ? "(none)"
                                           : NULL);
}

void analysis_class_add(const struct traces_machine *m, uint32_t pe,
                        const struct traces_pe_stats *of,
                        struct analysis_class_sums *sums)
{
    struct analysis_class_sums *s = &sums[analysis_class_of(m, pe)];
    const struct traces_pe_class *class = traces_machine_pe(m, pe);
    s->pes++;
    s->firings += of->firings;
    s->dead += of->dead_firings;
    s->busy += of->busy;
    s->turns += of->turns;
    s->units += class->units;
    s->taken += class->turns;
}

void analysis_class_use(const struct traces_machine *m,
                        const struct analysis_class_sums *s, uint64_t cycles,
                        struct lib_table *t)
{
    const double units = (double)s->units * (double)cycles;
    const double taken = (double)s->taken * (double)cycles;
    lib_table_count(t, s->busy);
    lib_table_count(t, s->turns);
    lib_table_real(t, lib_ratio((double)s->busy, units));
    lib_table_real(t, lib_ratio((double)(m->has_workers ? s->busy : s->turns), taken));
}

void analysis_classes_table(const struct traces_machine *m,
                            const struct analysis_class_sums *sums, uint64_t cycles,
                            struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "classes", m->has_workers ? "each class of workers" : "each class of PEs");
    LIB_TABLE_COLUMNS(t, "class", "pes", "firings", "dead_firings", "busy", "turns",
                      "utilisation", "occupancy");
    for (uint32_t i = 0; i < analysis_classes_count(m); i++) {
        analysis_class_name(m, i, f, t);
        lib_table_count(t, sums[i].pes);
        lib_table_count(t, sums[i].firings);
        lib_table_count(t, sums[i].dead);
        analysis_class_use(m, &sums[i], cycles, t);
    }
}

void analysis_classes_findings(const struct traces_machine *m,
                               const struct traces_stats *stats, struct lib_findings *f)
{
    struct analysis_class_sums sums[TRACES_MAX_CLASSES + 1] = {{0}};
    for (uint32_t pe = 0; pe < stats->pe_count; pe++)
        analysis_class_add(m, pe, &stats->pe[pe], sums);
    analysis_classes_table(m, sums, stats->cycles, f);
}
