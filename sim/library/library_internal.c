#include "sim/library/library_internal.h"

#include <stdarg.h>
#include <string.h>

#include "config.h"
#include "lib/memory.h"

const char *hiaton_version(void)
{
    return PACKAGE_VERSION;
}

const char *hiaton_status_text(enum hiaton_status status)
{
    switch (status) {
    case HIATON_OK:
        return "done";
    case HIATON_ENDED:
        return "the run is over";
    case HIATON_CANCELLED:
        return "the call was cancelled";
    case HIATON_DIFFERS:
        return "the runs differ";
    case HIATON_WAITING:
        return "it waits for the host";
    case HIATON_MISUSE:
        return "hiaton.h forbids this call";
    case HIATON_REJECTED:
        return "a program, setting, value or file is wrong";
    case HIATON_ABSENT:
        return "nothing has this name or number";
    case HIATON_NO_ROOM:
        return "the caller's memory is too small";
    case HIATON_FAILED:
        return "the host could not do it";
    }
    return "no status of hiaton.h";
}

void hiaton_on_exhaustion(void (*handler)(void *context, size_t bytes), void *context)
{
    lib_mem_set_handler((struct lib_mem_handler){handler, context});
}

/* A size that ends within a member counts to the words before, so that no pointer is cut. */
static size_t size_of(const void *theirs, size_t own_size)
{
    size_t size;
    memcpy(&size, theirs, sizeof size);
    size -= size % sizeof size;
    return size < own_size ? size : own_size;
}

bool sim_library_has_size(const void *theirs)
{
    return theirs && size_of(theirs, SIZE_MAX) >= sizeof(size_t);
}

void sim_library_take(void *own, size_t own_size, const void *theirs)
{
    memset(own, 0, own_size);
    if (theirs)
        memcpy(own, theirs, size_of(theirs, own_size));
}

void sim_library_give(void *theirs, const void *own, size_t own_size)
{
    const size_t size = size_of(theirs, own_size);
    if (size > sizeof size)
        memcpy((char *)theirs + sizeof size, (const char *)own + sizeof size,
               size - sizeof size);
}

static_assert((int)HIATON_CODE_HOST == (int)LIB_DIAG_HOST, "one list of codes");

void sim_library_report_one(const struct hiaton_reporter *reporter,
                            const struct lib_diag *d, uint32_t node)
{
    struct lib_diag copy = *d;
    struct lib_diags one = {.items = &copy, .count = 1};
    LIB_TEXT_OWN printed = {0};
    struct hiaton_reporter own;
    SIM_TAKE(own, reporter);
    if (!own.report)
        return;
    lib_diags_write(&one, &printed);
    const bool has_place = d->source && d->pos.line;
    const struct hiaton_diagnostic diagnostic = {
        .size = sizeof diagnostic,
        .severity = d->warning ? HIATON_WARNING : HIATON_ERROR,
        .code = (enum hiaton_code)d->code,
        .file = d->source ? d->source->name : NULL,
        .line = has_place ? d->pos.line : 0,
        .column = has_place ? d->pos.column : 0,
        .end_line = has_place ? d->pos.line : 0,
        .end_column = has_place ? d->pos.column + d->pos.span : 0,
        .text = d->text,
        .printed = lib_text_get(&printed),
        .node = node,
    };
    own.report(own.context, &diagnostic);
}

void sim_library_report_dropped(const struct hiaton_reporter *reporter,
                                const struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    lib_diags_write_dropped(diags, true, &text);
    if (text.length)
        sim_library_report_one(reporter,
                               &(struct lib_diag){.code = LIB_DIAG_LIMIT,
                                                  .warning = !diags->dropped,
                                                  .text = text.bytes},
                               HIATON_NO_NODE);
}

void sim_library_report(const struct hiaton_reporter *reporter, struct lib_diags *diags)
{
    for (size_t i = 0; i < diags->count; i++)
        sim_library_report_one(reporter, &diags->items[i], HIATON_NO_NODE);
    sim_library_report_dropped(reporter, diags);
    lib_diags_free(diags);
}

void sim_library_complain(const struct hiaton_reporter *reporter, enum lib_diag_code code,
                          const char *format, ...)
{
    struct lib_diags diags = {0};
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(&diags, code, NULL, (struct lib_pos){0}, format, ap);
    va_end(ap);
    sim_library_report(reporter, &diags);
}
