#include "sim/outputs/publish.h"

#include <string.h>

#include "sim/outputs/make_outputs.h"

/* Files with all results, then files with details. */
enum { CSV, JSON, DETAILS, FILES = DETAILS + TRACES_DETAIL_COUNT };

static const char *path_of(const struct sim_publish *publish, size_t file)
{
    return file == CSV    ? publish->csv
           : file == JSON ? publish->json
                          : publish->details[file - DETAILS];
}

enum sim_status sim_publish_check(const struct sim_publish *publish,
                                  const struct sim_printer *printer)
{
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < FILES && status == SIM_DONE; i++)
        if (path_of(publish, i))
            status = sim_check_writable(printer, path_of(publish, i));
    if (publish->outputs && status == SIM_DONE)
        status = sim_make_folder(printer, publish->outputs);
    return status;
}

static bool export(const struct sim_publish *publish, struct traces_database *store,
                   size_t file, struct lib_text *text)
{
    return file == CSV ? traces_export_csv(store, text)
           : file == JSON
               ? traces_export_json(store,
                                    publish->has_host ? TRACES_EXPORT_WITH_HOST
                                                      : TRACES_EXPORT_WITHOUT_HOST,
                                    text)
               : traces_export_detail(store, (enum traces_detail)(file - DETAILS), text);
}

enum sim_status sim_publish_write(const struct sim_publish *publish,
                                  struct traces_database *store,
                                  const struct sim_printer *printer)
{
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < FILES && status == SIM_DONE; i++) {
        LIB_TEXT_OWN text = {0};
        if (path_of(publish, i))
            status = export(publish, store, i, &text)
                         ? sim_put(printer, path_of(publish, i), &text)
                         : sim_status_of(store->fault);
    }
    if (publish->outputs && status == SIM_DONE)
        status = sim_make_all(printer, &(struct sim_made_from){.database = store->path},
                              publish->outputs);
    return status;
}
