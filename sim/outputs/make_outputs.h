/* Tables and figures made of results: one at a time, or all that an experiment names. */
#ifndef SIM_OUTPUTS_MAKE_OUTPUTS_H
#define SIM_OUTPUTS_MAKE_OUTPUTS_H

#include "sim/messages/messages.h"
#include "sim/outputs/views.h"

enum sim_table_as { SIM_AS_TEXT, SIM_AS_CSV, SIM_AS_LATEX };

/* Makes a table of a frame that is loaded, and adds it to a text. What was left out is
 * said. SIM_USAGE: there is nothing to show, which is said too. */
enum sim_status sim_make_table(const struct sim_voice *voice, struct traces_reader *frame,
                               const struct analysis_table_spec *table,
                               enum sim_table_as as, struct lib_text *out);

/* Makes a figure in a folder: NAME.gp, NAME.dat, NAME.pdf and NAME.svg. */
enum sim_status sim_make_figure(const struct sim_voice *voice,
                                struct traces_reader *frame,
                                const struct analysis_figure *figure, const char *folder);

/* Makes every figure that is named. */
enum sim_status sim_make_figures(const struct sim_voice *voice,
                                 struct traces_reader *frame,
                                 const struct analysis_view_specs *outputs,
                                 const char *folder);

/* Makes the cube of a view, which is not empty; else says why there is nothing to show.
 * Says what was left out. The cube is given back with analysis_cube_free in either case. */
bool sim_make_cube(const struct sim_voice *voice, struct traces_reader *frame,
                   const struct analysis_view *view, struct analysis_cube *cube);

/* What is made of which results. */
struct sim_made_from {
    const char *database;
    const char *experiment; /* whose tables and figures, or NULL: */
    bool may_be_edited; /* the one beside the database, or those that it keeps alone */
};

/* Makes all outputs that the experiment names, in a folder, which is made if it is not there:
 * tables as NAME.csv and NAME.tex. */
enum sim_status sim_make_all(const struct sim_voice *voice,
                             const struct sim_made_from *from, const char *folder);

/* Says which columns all of them need, then reads the runs. Warns of labels of values that no
 * run has. */
bool sim_make_load(const struct sim_voice *voice, struct traces_reader *frame,
                   const struct analysis_view_specs *outputs);

/* Tells the errors of reading. The status of a command that otherwise ends with `status`. */
enum sim_status sim_make_tell(const struct sim_voice *voice,
                              const struct traces_reader *frame, struct lib_diags *diags,
                              enum sim_status status);

/* Makes a folder, unless it is there. */
enum sim_status sim_make_folder(const struct sim_voice *voice, const char *folder);

#endif
