/* Used instead of otf2.c in builds without the library OTF2. */
#include "traces/exports/exports_internal.h"

const struct export_writer export_otf2 = {
    .format = {"otf2", false,
               "this program was built without OTF2: install the Debian package "
               "libopen-trace-format2-dev, and configure and build again"},
    .writes = EXPORT_FOLDER_BY_OTHERS,
};
