/* Draws graphs with the program dot of Graphviz. */
#ifndef SIM_OUTPUTS_GRAPHVIZ_H
#define SIM_OUTPUTS_GRAPHVIZ_H

#include "lib/diag.h"

/* Formats of drawings. SIM_DRAWING_WEB is SVG with letters as text, which can be searched and read
 * aloud. */
enum sim_drawing {
    SIM_DRAWING_SVG,
    SIM_DRAWING_PDF,
    SIM_DRAWING_PNG,
    SIM_DRAWING_WEB,
};

/* Appends a drawing of a graph in the language DOT. So that labels fit their boxes with any fonts,
 * letters are outlines in SIM_DRAWING_SVG, and PDF embeds its fonts. On failure adds a diagnostic,
 * and nothing to `out`. */
enum lib_fault sim_graphviz_draw(const struct lib_text *dot, enum sim_drawing form,
                                 struct lib_text *out, struct lib_diags *diags);

#endif
