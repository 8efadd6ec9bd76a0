#include "machine/settings.h"

#include "machine/placement/policy.h"

#include <string.h>

static bool is_of(const struct lib_setting *setting, size_t offset)
{
    return setting->offset == offset;
}

/* (Too many PEs are rejected later, by machine_settings_fit.) */
static void follow_cluster(void *values, const struct lib_setting *setting)
{
    struct machine_settings *s = values;
    const uint64_t pes = s->cluster_nodes * s->cluster_pes;
    if (is_of(setting, offsetof(struct machine_settings, pe_count)))
        s->has_pe_count = true;
    else if ((is_of(setting, offsetof(struct machine_settings, cluster_nodes)) ||
              is_of(setting, offsetof(struct machine_settings, cluster_pes))) &&
             !s->has_pe_count && pes > 0 && pes <= MACHINE_MAX_PES)
        s->pe_count = pes;
}

/* The names of options are joined as "|first|second". */
const struct lib_setting machine_setting_table[] = {
#define ROW(...) LIB_SETTING_ROW(struct machine_settings, __VA_ARGS__),
#define NUMBER(key, field, unit_, standard_, least_, greatest_, help)                    \
    ROW(key, NUMBER, field, help, .unit = unit_, .standard = standard_, .least = least_, \
        .greatest = greatest_, .follow = follow_cluster)
#define UNIT_LATENCY(key, UNIT, standard, help)                                          \
    NUMBER(key, latency[ISA_UNIT_##UNIT], "cycles", standard, 1, 1000, help)
#define OF_UNIT(key, field, UNIT, unit_, standard, least_, greatest_, help)              \
    NUMBER(key, field[ISA_UNIT_##UNIT], unit_, standard, least_, greatest_, help)
#define OPTION(ENUMERATOR, name) "|" name
#define CHOICE(key, field, options, standard_, help)                                     \
    ROW(key, CHOICE, field, help, .choices = &(options)[1], .standard = standard_)
#define LIST(key, field, unit_, empty, least_, greatest_, most_, help)                   \
    ROW(key, LIST, field, help, .unit = unit_, .word = empty, .least = least_,           \
        .greatest = greatest_, .most = most_)
#define TEXT(key, field, standard_, most_, help)                                         \
    ROW(key, TEXT, field, help, .word = standard_, .most = most_)
#define PATH(key, field, empty, help) ROW(key, FILE, field, help, .word = empty)
#include "machine/settings.def"
#undef OPTION
#undef ROW
};

/* Checks that a list fits in struct lib_setting_list. */
#define LIST(key, field, unit, empty, least, greatest, most, help)                       \
    _Static_assert((most) <= LIB_SETTING_LIST_MAX && (greatest) <= UINT32_MAX, key);
#include "machine/settings.def"

const size_t machine_setting_count = sizeof machine_setting_table /
                                     sizeof machine_setting_table[0];

const struct lib_setting *machine_setting_find(const char *key)
{
    return lib_setting_find(machine_setting_table, machine_setting_count, key);
}

void machine_settings_default(struct machine_settings *settings)
{
    memset(settings, 0,
           sizeof *settings); /* also padding, so that equal settings are equal bytes */
    lib_settings_default(settings, machine_setting_table, machine_setting_count);
    settings->has_pe_count = false; /* pe.count was not set yet */
}

void machine_settings_scale(struct machine_settings *settings, uint64_t ticks)
{
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct lib_setting *row = &machine_setting_table[i];
        if (row->kind == LIB_SETTING_NUMBER && strcmp(row->unit, "cycles") == 0)
            *(uint64_t *)(void *)((char *)settings + row->offset) *= ticks;
    }
    struct machine_class_row own;
    for (size_t i = 0; machine_class_row_at(settings, i, &own); i++)
        if (own.row.kind == LIB_SETTING_NUMBER && strcmp(own.row.unit, "cycles") == 0)
            lib_setting_put(settings, &own.row,
                            lib_setting_get(settings, &own.row) * ticks);
}

/* Placement (machine/placement/policy.c) and faults without a seed of their own
 * (machine/nodes/faults.c) are random. */
bool machine_settings_are_random(const struct machine_settings *s)
{
    const bool has_faults = s->fault_loss || s->fault_duplicate || s->fault_delay ||
                            s->fault_reorder;
    return machine_policies_know_seed(s) || (has_faults && s->fault_seed == 0);
}

/* An executor places nothing, and with one PE there is no choice. */
bool machine_settings_draw(const struct machine_settings *settings)
{
    return machine_settings_are_random(settings) && settings->pe_count > 1 &&
           settings->executor_workers == 0;
}
