/* Makes tables and figures from results: single ones, or all of an experiment. */
#ifndef SIM_OUTPUTS_MAKE_OUTPUTS_H
#define SIM_OUTPUTS_MAKE_OUTPUTS_H

#include "lib/findings.h"
#include "sim/messages/messages.h"
#include "sim/outputs/views.h"

/* Appends a table of loaded results to `out`. Reports which runs are left out. Returns SIM_USAGE
 * and reports an error if the table cannot be shown (sim_make_cube). */
enum sim_status sim_make_table(const struct sim_printer *printer,
                               struct traces_reader *frame,
                               const struct analysis_table_spec *table, enum lib_form as,
                               struct lib_text *out);

/* Makes a figure: NAME.gp, NAME.dat, NAME.pdf and NAME.svg in the folder `to`; or only the picture
 * `to`, if it is not a folder and ends with .pdf, .svg or .png. */
enum sim_status sim_make_figure(const struct sim_printer *printer,
                                struct traces_reader *frame,
                                const struct analysis_figure *figure, const char *to);

/* Makes all figures of an experiment in the folder `to`, or as pictures: `to` itself for a single
 * figure, else, for example, pic-NAME.png for pic.png. */
enum sim_status sim_make_figures(const struct sim_printer *printer,
                                 struct traces_reader *frame,
                                 const struct analysis_view_specs *outputs,
                                 const char *to);

/* Whether `to` names a picture, not a folder. */
bool sim_make_is_picture(const char *to);

/* Makes the content of a table or figure from results. Reports which runs are left out. Returns
 * false and reports an error if there is nothing to show, if the table is too large, or if a mean
 * over a parameter would be shown (analysis_cube_hides). In either case free `cube` with
 * analysis_cube_free. */
bool sim_make_cube(const struct sim_printer *printer, struct traces_reader *frame,
                   const struct analysis_view *view, struct analysis_cube *cube);

/* Source of results, and of the tables and figures to make. */
struct sim_made_from {
    const char *database;
    /* Experiment file whose tables and figures are made; or the name of an experiment in the
     * database. NULL: the newest experiment in the database. */
    const char *experiment;
    /* Whether an edited experiment file beside the database is used if `experiment` is NULL. */
    bool may_be_edited;
};

/* Makes all tables (NAME.csv, NAME.tex) and figures of an experiment in `folder`, which is made if
 * necessary. */
enum sim_status sim_make_all(const struct sim_printer *printer,
                             const struct sim_made_from *from, const char *folder);

/* Returns false and adds a diagnostic if a table or figure in `folder` would overwrite an input of
 * the command, or another output. */
bool sim_make_may_write(const struct analysis_view_specs *outputs, const char *folder,
                        struct lib_diags *diags);

/* Requests the columns that tables and figures need, then reads the runs. Warns if the experiment
 * labels a value that no run has. Returns false if reading fails. */
bool sim_make_load(const struct sim_printer *printer, struct traces_reader *frame,
                   const struct analysis_view_specs *outputs);

/* Reports the errors in `diags`. Returns the exit status of a command: the status of the errors, or
 * `status` if there are none. */
enum sim_status sim_make_tell(const struct sim_printer *printer,
                              const struct traces_reader *frame, struct lib_diags *diags,
                              enum sim_status status);

enum sim_status sim_make_folder(const struct sim_printer *printer, const char *folder);

#endif
