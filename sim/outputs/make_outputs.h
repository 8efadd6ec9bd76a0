/* Makes tables and figures from results: one at a time, or all outputs of an experiment. */
#ifndef SIM_OUTPUTS_MAKE_OUTPUTS_H
#define SIM_OUTPUTS_MAKE_OUTPUTS_H

#include "lib/findings.h"
#include "sim/messages/messages.h"
#include "sim/outputs/views.h"

/* Makes a table of a loaded frame, and adds it to a text. Reports the runs that were left out.
 * Returns SIM_USAGE, after a message, if there is nothing to show. */
enum sim_status sim_make_table(const struct sim_voice *voice, struct traces_reader *frame,
                               const struct analysis_table_spec *table, enum lib_form as,
                               struct lib_text *out);

/* Makes a figure in a folder: NAME.gp, NAME.dat, NAME.pdf and NAME.svg. Or makes one picture, where
 * `to` ends with .pdf, .svg or .png and is no folder. */
enum sim_status sim_make_figure(const struct sim_voice *voice,
                                struct traces_reader *frame,
                                const struct analysis_figure *figure, const char *to);

/* Makes all figures of an experiment in a folder, or a picture of each: `to` itself of a single
 * one, else pic-NAME.png for pic.png. */
enum sim_status sim_make_figures(const struct sim_voice *voice,
                                 struct traces_reader *frame,
                                 const struct analysis_view_specs *outputs,
                                 const char *to);

/* Returns true if figures are pictures with such a path, not files in a folder. */
bool sim_make_is_picture(const char *to);

/* Makes the cube of a view. Returns false, after a message, if there is nothing to show. Reports
 * the runs that were left out. Free the cube with analysis_cube_free in either case. */
bool sim_make_cube(const struct sim_voice *voice, struct traces_reader *frame,
                   const struct analysis_view *view, struct analysis_cube *cube);

/* The source of results and outputs. */
struct sim_made_from {
    const char *database;
    const char *experiment; /* experiment with the outputs, or NULL */
    /* If NULL: use the experiment beside the database, not only its copy. */
    bool may_be_edited;
};

/* Makes all outputs of the experiment in a folder, which is made if necessary. Tables are NAME.csv
 * and NAME.tex. */
enum sim_status sim_make_all(const struct sim_voice *voice,
                             const struct sim_made_from *from, const char *folder);

/* Requests the columns that all outputs need, then reads the runs. Warns about labels of values
 * that no run has. */
bool sim_make_load(const struct sim_voice *voice, struct traces_reader *frame,
                   const struct analysis_view_specs *outputs);

/* Reports the errors of reading. Returns the status of a command that otherwise ends with
 * `status`. */
enum sim_status sim_make_tell(const struct sim_voice *voice,
                              const struct traces_reader *frame, struct lib_diags *diags,
                              enum sim_status status);

/* Makes a folder, unless it exists. */
enum sim_status sim_make_folder(const struct sim_voice *voice, const char *folder);

#endif
