#include "sim/outputs/publish.h"

#include <string.h>

#include "sim/outputs/make_outputs.h"

error_t sim_publish_parse(int key, char *text, const struct argp_state *state,
                          struct sim_publish *publish)
{
    if (text && !*text)
        sim_options_wrong(state->name, "the name of a file is empty");
    if (text && strcmp(text, "-") == 0)
        sim_options_wrong(state->name, "results are written to files, which need a name");
    switch (key) {
    case SIM_KEY_OUTPUTS:
        publish->outputs = text;
        return 0;
    case SIM_KEY_CSV:
        publish->csv = text;
        return 0;
    case SIM_KEY_JSON_FILE:
        publish->json = text;
        return 0;
    case SIM_KEY_SERIES_FILE:
        publish->series = text;
        return 0;
    case SIM_KEY_HOST:
        publish->host = TRACES_EXPORT_WITH_HOST;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

enum sim_status sim_publish_check(const struct sim_publish *publish,
                                  const struct sim_voice *voice)
{
    const char *const paths[] = {publish->csv, publish->json, publish->series};
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < 3 && status == SIM_DONE; i++)
        if (paths[i])
            status = sim_check_writable(voice, paths[i]);
    if (publish->outputs && status == SIM_DONE)
        status = sim_make_folder(voice, publish->outputs);
    return status;
}

static bool export(const struct sim_publish *publish, struct traces_database *store,
                   size_t i, struct lib_text *text)
{
    return i == 0   ? traces_export_csv(store, text)
           : i == 1 ? traces_export_json(store, publish->host, text)
                    : traces_export_series(store, text);
}

enum sim_status sim_publish_write(const struct sim_publish *publish,
                                  struct traces_database *store,
                                  const struct sim_voice *voice)
{
    const char *const paths[] = {publish->csv, publish->json, publish->series};
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < 3 && status == SIM_DONE; i++) {
        struct lib_text text = {0};
        if (paths[i])
            status = export(publish, store, i, &text) ? sim_put(voice, paths[i], &text)
                                                      : sim_status_of(store->fault);
        lib_text_free(&text);
    }
    if (publish->outputs && status == SIM_DONE)
        status = sim_make_all(voice, &(struct sim_made_from){.database = store->path},
                              publish->outputs);
    return status;
}
