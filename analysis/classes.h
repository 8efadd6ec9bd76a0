/* Results by class of PEs: the classes of a machine as rows of tables. PEs in no class are a row of
 * their own, the last. */
#ifndef ANALYSIS_CLASSES_H
#define ANALYSIS_CLASSES_H

#include "lib/findings.h"
#include "traces/machine.h"
#include "traces/stats.h"

/* Returns the number of rows: 0 if PEs are alike. */
uint32_t analysis_classes_count(const struct traces_machine *machine);

/* Returns the row of a PE. */
uint32_t analysis_class_of(const struct traces_machine *machine, uint32_t pe);

/* Adds the name of a row as a cell. */
void analysis_class_name(const struct traces_machine *machine, uint32_t row,
                         const struct lib_findings *findings, struct lib_table *table);

/* Counts of the PEs of a class. */
struct analysis_class_sums {
    uint64_t pes, firings, dead, busy, turns;
    /* Issue slots of its PEs; tokens that they take per cycle; 0: unlimited. */
    uint64_t units, taken;
};

/* Adds a PE with the counts of `of` to the sums of its class; `sums` has an element per row. */
void analysis_class_add(const struct traces_machine *machine, uint32_t pe,
                        const struct traces_pe_stats *of,
                        struct analysis_class_sums *sums);

/* Adds four cells: busy, turns, and their ratios in `cycles` cycles, utilisation and occupancy. */
void analysis_class_use(const struct traces_machine *machine,
                        const struct analysis_class_sums *sums, uint64_t cycles,
                        struct lib_table *table);

/* Adds a table `classes`: counts of each row, and their ratios in `cycles` cycles. */
void analysis_classes_table(const struct traces_machine *machine,
                            const struct analysis_class_sums *sums, uint64_t cycles,
                            struct lib_findings *findings);

/* Adds this table for a run with the statistics `stats`. */
void analysis_classes_findings(const struct traces_machine *machine,
                               const struct traces_stats *stats, struct lib_findings *f);

#endif
