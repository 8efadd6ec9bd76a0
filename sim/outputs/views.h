/* Reads which tables and figures to make: those of the experiment in a database, or one that the
 * command line describes. Options are turned into text of an experiment file, so that the same code
 * reads and checks both. */
#ifndef SIM_OUTPUTS_VIEWS_H
#define SIM_OUTPUTS_VIEWS_H

#include "analysis/view/cube.h"

enum {
#define COMMON(ID, ...) SIM_VIEW_##ID,
#define TABLE COMMON
#define FIGURE COMMON
#define OPTION COMMON
#include "analysis/view/outputs.def"
    SIM_VIEW_OPTIONS,
};

/* Values of the options that describe one table or figure, in the order of sim_view_options; and of
 * the options --experiment and --detail. */
struct sim_view_choice {
    const char *values[SIM_VIEW_OPTIONS]; /* borrowed; NULL: option not given */
    /* Value of --experiment: a file, or the name of an experiment in the database, whose tables and
     * figures are made; NULL: option not given. */
    const char *experiment;
    /* Show rows of `detail`, such as one per PE, instead of one row per run. */
    bool is_detailed;
    enum traces_detail detail;
};
extern const struct lib_field sim_view_options[];

bool sim_view_is_given(const struct sim_view_choice *choice);

/* Reads the tables and figures of the experiment in a database, or those that sim_edited_take has
 * set. Strings live in the frame's arena. Returns false and adds a diagnostic on errors. Free with
 * analysis_view_specs_free. */
bool sim_views_of_frame(struct traces_reader *frame, struct analysis_view_specs *outputs,
                        struct lib_diags *diags);

enum sim_view_kind { SIM_VIEW_TABLE = 1, SIM_VIEW_FIGURE = 2 };

/* Variant of sim_views_of_frame for one table or figure that options describe. Adds an error for an
 * option that does not apply to this kind of view. */
bool sim_views_of_choice(struct traces_reader *frame,
                         const struct sim_view_choice *choice, enum sim_view_kind kind,
                         struct analysis_view_specs *outputs, struct lib_diags *diags);

/* Converts a figure to a table with the same content. Lists live in `arena`. */
struct analysis_table_spec sim_view_figure_as_table(const struct analysis_figure *figure,
                                                    struct lib_arena *arena);

#endif
