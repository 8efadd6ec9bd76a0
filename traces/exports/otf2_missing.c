/* In place of otf2.c, where the library was not there when this program was built. */
#include "traces/exports/exports_internal.h"

const struct export_writer export_otf2 = {
    .format = {"otf2", false,
               "this program was built without OTF2: install the Debian package "
               "libopen-trace-format2-dev, and configure and build again"},
    .writes = EXPORT_FOLDER_BY_OTHERS,
};
