/* Graphviz, the program dot: draws a graph. */
#ifndef SIM_OUTPUTS_GRAPHVIZ_H
#define SIM_OUTPUTS_GRAPHVIZ_H

#include "lib/diag.h"

/* WEB: SVG with letters as text, for pages: they can be found and read aloud. */
enum sim_drawing {
    SIM_DRAWING_SVG,
    SIM_DRAWING_PDF,
    SIM_DRAWING_PNG,
    SIM_DRAWING_WEB,
};

/* Adds the drawing of what is DOT. Letters are outlines in SVG, and embedded in PDF: so labels
 * stay in the middle of their boxes whatever fonts the reader has. Every fault has a
 * diagnostic; then nothing is added. */
enum lib_fault sim_graphviz_draw(const struct lib_text *dot, enum sim_drawing form,
                                 struct lib_text *out, struct lib_diags *diags);

#endif
