#include "sim/messages/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/guard.h"
#include "lib/invisible.h"
#include "lib/leftovers.h"
#include "lib/memory.h"
#include "sim/messages/stop.h"

bool sim_on_terminal(void)
{
    return isatty(STDERR_FILENO);
}

bool sim_in_colour(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_colour && *no_colour)
        return false;
    return sim_on_terminal() && terminal && strcmp(terminal, "dumb") != 0;
}

void sim_say(const struct sim_printer *printer, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    LIB_TEXT_OWN line = {0};
    lib_text_printf(&line, "%s: ", printer->command);
    lib_text_vprintf(&line, format, ap);
    lib_invisible_name(&line);
    lib_text_puts(&line, "\n");
    fputs(line.bytes, stderr);
    va_end(ap);
}

enum sim_status sim_interrupted(const struct sim_printer *printer)
{
    if (sim_stop)
        sim_say(printer, "interrupted");
    return SIM_INTERRUPTED;
}

void sim_point_to_help(const struct sim_printer *printer)
{
    fprintf(stderr, "Try `%s --help' for more information.\n", printer->command);
}

void sim_print_diagnostic(const char *printed, bool is_warning)
{
    const char *kind = is_warning ? ": warning: " : ": error: ";
    const char *found = sim_in_colour() ? strstr(printed, kind) : NULL;
    if (found) {
        int before = (int)(found + 2 - printed), length = (int)strlen(kind) - 3;
        fprintf(stderr, "%.*s\033[1;%dm%.*s\033[m%s", before, printed,
                is_warning ? 35 : 31, length, found + 2, found + 2 + length);
    } else {
        fputs(printed, stderr);
    }
}

static void print_about_file(const struct lib_diag *diag)
{
    struct lib_diag copy = *diag;
    struct lib_diags one = {.items = &copy, .count = 1};
    LIB_TEXT_OWN text = {0};
    lib_diags_write(&one, &text);
    sim_print_diagnostic(text.bytes, diag->warning);
}

enum sim_status sim_tell(const struct sim_printer *printer, struct lib_diags *diags)
{
    bool usage = false;
    for (size_t i = 0; i < diags->count; i++) {
        const struct lib_diag *d = &diags->items[i];
        if (d->warning && printer->quiet)
            continue;
        if (d->source)
            print_about_file(d);
        else
            sim_say(printer, "%s%s", d->warning ? "warning: " : "", d->text);
        usage |= !d->source && d->code == LIB_DIAG_USAGE;
    }
    LIB_TEXT_OWN dropped = {0};
    lib_diags_write_dropped(diags, !printer->quiet, &dropped);
    if (dropped.length)
        sim_say(printer, "%s", dropped.bytes);
    if (usage)
        sim_point_to_help(printer);
    enum sim_status status = diags->of_host  ? SIM_INTERNAL
                             : diags->errors ? SIM_USAGE
                                             : SIM_DONE;
    lib_diags_free(diags);
    return status;
}

enum sim_status sim_status_of(enum lib_fault fault)
{
    return fault == LIB_FAULT_NONE    ? SIM_DONE
           : fault == LIB_FAULT_INPUT ? SIM_USAGE
                                      : SIM_INTERNAL;
}

_Noreturn static void fail_output(int error)
{
    fprintf(stderr, "hiaton: cannot write standard output%s%s\n", error ? ": " : "",
            error ? strerror(error) : "");
    _exit(SIM_INTERNAL);
}

/* Appends bytes with `?` in place of control characters, as names of files, captions and labels may
 * have: a terminal would obey them. */
static void add_tame(struct lib_text *out, const char *bytes, size_t length)
{
    for (size_t i = 0, size; i < length; i += size) {
        const unsigned char c = (unsigned char)bytes[i],
                            next = i + 1 < length ? (unsigned char)bytes[i + 1] : 0;
        const bool is_long = c == 0xc2 && next >= 0x80 &&
                             next <= 0x9f; /* U+0080 to U+009F */
        const bool is_short = (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
        size = is_long ? 2 : 1;
        lib_text_add(out, is_long || is_short ? "?" : bytes + i, 1);
    }
}

/* Writes to standard output. The check at exit cannot know the reason of a failure. */
static void put_output(const void *bytes, size_t length)
{
    LIB_TEXT_OWN tame = {0};
    if (isatty(STDOUT_FILENO)) {
        add_tame(&tame, bytes, length);
        bytes = lib_text_get(&tame);
        length = tame.length;
    }
    if (fwrite(bytes, 1, length, stdout) != length)
        fail_output(errno);
}

enum sim_status sim_put(const struct sim_printer *printer, const char *path,
                        const struct lib_text *text)
{
    if (!path || strcmp(path, "-") == 0) {
        put_output(lib_text_get(text), text->length);
        return SIM_DONE;
    }
    struct lib_diags diags = {0};
    lib_file_write(path, lib_text_get(text), text->length, &diags);
    return sim_tell(printer, &diags);
}

enum sim_status sim_pieces_open(struct sim_pieces *p, const struct sim_printer *printer,
                                const char *path)
{
    struct lib_diags diags = {0};
    *p = (struct sim_pieces){.printer = printer,
                             .is_file = path && strcmp(path, "-") != 0};
    if (!p->is_file || lib_atomic_file_open(&p->aside, path, &diags))
        return SIM_DONE;
    lib_atomic_file_abandon(&p->aside);
    return sim_tell(printer, &diags);
}

void sim_pieces_add(struct sim_pieces *p, const void *bytes, size_t length)
{
    if (p->is_file)
        lib_atomic_file_put(&p->aside, bytes, length);
    else
        put_output(bytes, length);
}

void sim_pieces_put(struct sim_pieces *p, struct lib_text *text)
{
    sim_pieces_add(p, lib_text_get(text), text->length);
    lib_text_clear(text);
}

enum sim_status sim_pieces_close(struct sim_pieces *p)
{
    struct lib_diags diags = {0};
    if (p->is_file)
        lib_atomic_file_finish(&p->aside, &diags);
    return sim_tell(p->printer, &diags);
}

void sim_pieces_abandon(struct sim_pieces *p)
{
    if (p->is_file)
        lib_atomic_file_abandon(&p->aside);
}

enum sim_status sim_check_writable(const struct sim_printer *printer, const char *path)
{
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (there && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
    } else if (there && !S_ISREG(st.st_mode)) {
        if (access(path, W_OK) == 0)
            return SIM_DONE;
    } else {
        /* A file is renamed from PATH.part, so its folder must be writable. */
        const char *slash = strrchr(path, '/');
        LIB_TEXT_OWN folder = {0};
        if (slash)
            lib_text_add(&folder, path, (size_t)(slash - path) + 1);
        else
            lib_text_puts(&folder, ".");
        bool writable = access(folder.bytes, W_OK | X_OK) == 0;
        if (writable)
            return SIM_DONE;
    }
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text, "cannot write %s: %s", path, strerror(errno));
    if (errno == ENOENT)
        lib_file_hint(&text, path, false);
    sim_say(printer, "%s", text.bytes);
    return SIM_USAGE;
}

/* Opens closed standard files. Otherwise a file opened later would get their number, and messages
 * with it. */
static void hold_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* Opened for the wrong direction, so that its use fails as before. */
        int held = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (held != fd)
            return;
    }
}

static void close_output(void)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) != 0)
        failed = true;
    if (failed)
        fail_output(errno);
}

static void end_without_memory(void *context, size_t bytes)
{
    (void)context;
    if (bytes)
        fprintf(stderr,
                "hiaton: error: the host has no more memory (%zu bytes asked for)\n",
                bytes);
    else
        fputs("hiaton: error: the host has no more memory\n", stderr);
    lib_leftovers_remove();
    exit(SIM_INTERNAL);
}

void sim_guard_output(void)
{
    lib_mem_set_process_handler((struct lib_mem_handler){end_without_memory, NULL});
    hold_standard_files();
    lib_guard_start();
    signal(SIGXFSZ, SIG_IGN); /* too large a file is an error like a full disk */
    atexit(close_output);
}
