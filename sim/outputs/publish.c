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
                   size_t file, const struct traces_export *out)
{
    return file == CSV ? traces_export_csv(store, out)
           : file == JSON
               ? traces_export_json(store,
                                    publish->has_host ? TRACES_EXPORT_WITH_HOST
                                                      : TRACES_EXPORT_WITHOUT_HOST,
                                    out)
               : traces_export_detail(store, (enum traces_detail)(file - DETAILS), out);
}

static void put_piece(void *context, struct lib_text *text)
{
    sim_pieces_put(context, text);
}

static enum sim_status write_file(const struct sim_publish *publish,
                                  struct traces_database *store, size_t file,
                                  const struct sim_printer *printer)
{
    LIB_TEXT_OWN text = {0};
    struct sim_pieces pieces;
    const enum sim_status status = sim_pieces_open(&pieces, printer,
                                                   path_of(publish, file));
    if (status != SIM_DONE)
        return status;
    const struct traces_export out = {
        .text = &text, .put = put_piece, .context = &pieces};
    if (export(publish, store, file, &out)) {
        sim_pieces_put(&pieces, &text);
        return sim_pieces_close(&pieces);
    }
    sim_pieces_abandon(&pieces);
    return sim_status_of(store->fault);
}

enum sim_status sim_publish_write(const struct sim_publish *publish,
                                  struct traces_database *store,
                                  const struct sim_printer *printer)
{
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < FILES && status == SIM_DONE; i++)
        if (path_of(publish, i))
            status = write_file(publish, store, i, printer);
    if (publish->outputs && status == SIM_DONE)
        status = sim_make_all(printer, &(struct sim_made_from){.database = store->path},
                              publish->outputs);
    return status;
}
