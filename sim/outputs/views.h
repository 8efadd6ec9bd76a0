/* Which tables and figures are to be made: those of the experiment whose text is in a
 * database, or one that options of the command line describe. Options are made a text of
 * the same form, so that both are read and checked by the same code. */
#ifndef SIM_OUTPUTS_VIEWS_H
#define SIM_OUTPUTS_VIEWS_H

#include "analysis/view/cube.h"

/* What was given of the options that describe one table or figure, in the order of
 * sim_view_options, and of --experiment and --detail. */
enum {
#define COMMON(ID, ...) SIM_VIEW_##ID,
#define TABLE COMMON
#define FIGURE COMMON
#define OPTION COMMON
#include "analysis/view/outputs.def"
    SIM_VIEW_OPTIONS,
};
struct sim_view_choice {
    const char *values[SIM_VIEW_OPTIONS]; /* NULL: not given; borrowed */
    const char *experiment; /* the file whose tables and figures are made, or NULL */
    bool is_detailed;       /* rows of `detail` are wanted */
    enum traces_detail detail;
};
extern const struct lib_field sim_view_options[];

bool sim_view_is_given(const struct sim_view_choice *choice);

/* Reads what the experiment of a database asks for, or what sim_edited_take put there. Texts
 * live in the frame's arena. Give back with analysis_view_specs_free. false after an
 * error. */
bool sim_views_of_frame(struct traces_reader *frame, struct analysis_view_specs *outputs,
                        struct lib_diags *diags);

enum sim_view_kind { SIM_VIEW_TABLE = 1, SIM_VIEW_FIGURE = 2 };

/* The same of options, which describe one table or one figure. */
bool sim_views_of_choice(struct traces_reader *frame,
                         const struct sim_view_choice *choice, enum sim_view_kind kind,
                         struct analysis_view_specs *outputs, struct lib_diags *diags);

/* A figure seen as a table: lists live in the arena. */
struct analysis_table_spec sim_view_figure_as_table(const struct analysis_figure *figure,
                                                    struct lib_arena *arena);

#endif
