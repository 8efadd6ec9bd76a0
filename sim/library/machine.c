#include "sim/library/library_internal.h"

#include <string.h>

#include "sim/loading/setup_words.h"

struct hiaton_machine *sim_library_hold_machine(struct hiaton_machine *machine)
{
    atomic_fetch_add(&machine->holders, 1);
    atomic_store(&machine->is_used, true);
    return machine;
}

struct hiaton_machine *hiaton_machine_new(const char *name,
                                          const struct hiaton_reporter *reporter)
{
    struct lib_diags diags = {0};
    struct hiaton_machine *machine = lib_mem_new(sizeof *machine);
    atomic_init(&machine->holders, 1);
    machine->arena = lib_arena_new();
    machine->files.arena = machine->arena;
    const char *own = name ? lib_arena_printf(machine->arena, "%s", name) : NULL;
    const struct lib_world host = lib_world_enter();
    const bool good = sim_setup_load_with(&machine->setup, &machine->files, own, NULL, 0,
                                          &diags);
    lib_world_leave(&host);
    sim_library_report(reporter, &diags);
    if (good)
        return machine;
    hiaton_machine_free(machine);
    return NULL;
}

static void name_no_option(struct lib_diags *diags)
{
    static const char option[] = "--set: ";
    for (size_t i = 0; i < diags->count; i++) {
        char *text = diags->items[i].text;
        if (strncmp(text, option, sizeof option - 1) == 0)
            memmove(text, text + sizeof option - 1, strlen(text) - sizeof option + 2);
    }
}

enum hiaton_status hiaton_machine_set(struct hiaton_machine *machine, const char *key,
                                      const char *value,
                                      const struct hiaton_reporter *reporter)
{
    if (!machine || !key || !value)
        return HIATON_MISUSE;
    if (atomic_load(&machine->is_used)) {
        sim_library_complain(reporter, LIB_DIAG_USAGE,
                             "%s: the machine is in use, and does not change any more",
                             key);
        return HIATON_MISUSE;
    }
    struct lib_diags diags = {0};
    LIB_TEXT_OWN why = {0};
    const char *set = lib_arena_printf(machine->arena, "%s=%s", key, value), *own;
    const size_t errors = diags.errors;
    const struct lib_world host = lib_world_enter();
    const struct lib_setting *setting = sim_setup_find(machine->arena, set, &own, &diags);
    if (setting && !sim_setting_set(&machine->setup.settings, setting, own, "",
                                    &machine->files, &why)) {
        sim_setup_hint_several(setting, own, &why);
        lib_diag_plain(&diags, LIB_DIAG_USAGE, "--set: %s", lib_text_get(&why));
    }
    lib_world_leave(&host);
    const bool good = diags.errors == errors;
    name_no_option(&diags);
    sim_library_report(reporter, &diags);
    return good ? HIATON_OK : sim_setting_is_known(key) ? HIATON_REJECTED : HIATON_ABSENT;
}

size_t hiaton_machine_get(const struct hiaton_machine *machine, const char *key,
                          char *text, size_t capacity)
{
    LIB_TEXT_OWN value = {0};
    if (!machine || !key)
        return 0;
    struct lib_setting made;
    const struct lib_setting *setting = sim_setting_find(key);
    LIB_WORLD_OWN();
    if (machine_class_make_row(key, &made, NULL))
        setting = &made;
    if (setting)
        lib_setting_write(&machine->setup.settings, setting, &value);
    const size_t length = value.length;
    if (capacity) {
        const size_t kept = length < capacity ? length : capacity - 1;
        memcpy(text, lib_text_get(&value), kept);
        text[kept] = '\0';
    }
    return length;
}

void hiaton_machine_free(struct hiaton_machine *machine)
{
    if (!machine || atomic_fetch_sub(&machine->holders, 1) > 1)
        return;
    sim_setting_files_free(&machine->files);
    lib_arena_free(machine->arena);
    lib_mem_free(machine);
}
