/* Fuzz target: tables of energies. What is accepted has numbers that are none less than 0, each
 * with a source; it reads back from what is described of it; and of any counts it makes an energy
 * that is their sum. */
#include "tests/fuzz/fuzz.h"

#include "analysis/energy.h"

#include <math.h>
#include <string.h>

static void check_entries(const struct analysis_energy *table)
{
    bool any = false;
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++) {
        const struct analysis_energy_entry *entry = &table->entries[e];
        if (!isfinite(entry->pj) || entry->pj < 0)
            fuzz_fail("%s has %g pJ", analysis_energy_key(e), entry->pj);
        if (entry->pj > 0 && !entry->source)
            fuzz_fail("%s has no source", analysis_energy_key(e));
        any |= entry->source != NULL;
    }
    if (!any)
        fuzz_fail("a table without numbers was accepted");
}

/* "energy.hop=3" becomes "hop: 3"; of nothing but zeros nothing is described. */
static void make_yaml(const struct lib_text *described, struct lib_text *yaml)
{
    lib_text_puts(yaml, described->length ? "source: fuzz\n" : "source: fuzz\nhop: 0\n");
    for (const char *p = lib_text_get(described); *p;) {
        const size_t key = strcspn(p, "="), line = strcspn(p, "\n");
        const char *name = p + strlen("energy.");
        lib_text_add(yaml, name, key - strlen("energy."));
        lib_text_puts(yaml, ": ");
        lib_text_add(yaml, p + key + 1, line - key);
        p += line + 1;
    }
}

static void check_described(const struct analysis_energy *table, struct lib_arena *arena)
{
    struct lib_text described = {0}, yaml = {0}, again = {0};
    struct analysis_energy copy;
    struct lib_diags diags = {0};
    analysis_energy_describe(table, &described);
    make_yaml(&described, &yaml);
    if (!analysis_energy_read(&copy, "again", arena,
                              fuzz_source(arena, "again.yaml", yaml.bytes, yaml.length),
                              &diags))
        fuzz_fail("what is described of a table is refused:\n%s", yaml.bytes);
    analysis_energy_describe(&copy, &again);
    fuzz_same("a table", &described, &again);
    lib_text_free(&described);
    lib_text_free(&yaml);
    lib_text_free(&again);
}

static void check_derived(const struct analysis_energy *table)
{
    struct traces_stats stats = {.cycles = 7, .counts_work = true, .hops = 3};
    double sum = 0;
    for (unsigned unit = 0; unit < ISA_UNIT_COUNT; unit++)
        stats.unit_firings[unit] = unit;
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++)
        sum += table->entries[e].pj * (double)analysis_energy_count(e, &stats);
    analysis_energy_derive(table, &stats);
    if (stats.energy != sum || !(stats.energy_delay >= stats.energy))
        fuzz_fail("energy %g, of parts %g; energy-delay %g", stats.energy, sum,
                  stats.energy_delay);
    stats.counts_work = false;
    analysis_energy_derive(table, &stats);
    if (!isnan(stats.energy))
        fuzz_fail("an energy of what was not counted");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct analysis_energy table;
    const bool good = analysis_energy_read(
        &table, "fuzz", arena, fuzz_source(arena, "fuzz.yaml", data, size), &diags);
    fuzz_diags(&diags, !good);
    if (good) {
        check_entries(&table);
        check_described(&table, arena);
        check_derived(&table);
    }
    lib_arena_free(arena);
    return 0;
}
