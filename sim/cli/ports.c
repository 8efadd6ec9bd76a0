#include "sim/cli/ports.h"

#include <errno.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/file.h"
#include "lib/guard.h"
#include "lib/invisible.h"
#include "sim/session/port_file.h"

static const struct lib_pos nowhere;

static bool is_regular(const char *path)
{
    struct stat about;
    return strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void unknown_port(const struct isa_graph *graph, const char *name,
                         struct lib_diags *diags)
{
    LIB_TEXT_OWN text = {0};
    for (uint32_t i = 0; i < graph->port_count; i++)
        lib_text_printf(&text, "%s`%s`", i ? ", " : "", graph->ports[i].name);
    lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                   "--port: unknown port `%s`; the program has %s", name,
                   text.length ? text.bytes : "no ports");
}

/* Returns the port that NAME=FILE names. Returns UINT32_MAX and adds a diagnostic if there is
 * none. */
static uint32_t find_port(struct sim_ports *p, const char *text, struct lib_diags *diags)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--port: expected NAME=FILE, found `%s`", text);
        return UINT32_MAX;
    }
    const char *name = lib_arena_copy(p->arena, text, (size_t)(equals - text));
    for (uint32_t i = 0; i < p->graph->port_count; i++) {
        if (strcmp(p->graph->ports[i].name, name) != 0)
            continue;
        if (p->ends[i].path)
            lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                           "--port: port `%s` is named twice", name);
        p->ends[i].path = equals + 1;
        return i;
    }
    unknown_port(p->graph, name, diags);
    return UINT32_MAX;
}

static void open_stream(struct sim_port_end *end, bool is_input, struct lib_diags *diags)
{
    const bool is_standard = strcmp(end->path, "-") == 0;
    struct stat about;
    if (is_input && !lib_file_claim_input(end->path, diags))
        return;
    if (is_standard || is_input)
        end->stream = !is_standard ? fopen(end->path, "re") : is_input ? stdin : stdout;
    else if (lib_atomic_file_open(&end->aside, end->path, diags))
        end->stream = end->aside.file;
    /* A folder can be opened, but not read. */
    const bool is_folder = end->stream && fstat(fileno(end->stream), &about) == 0 &&
                           S_ISDIR(about.st_mode);
    if (is_input && (!end->stream || is_folder))
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, nowhere, "cannot read %s: %s",
                       end->path, strerror(is_folder ? EISDIR : errno));
}

/* Declares the file of a port out, before a file of another port is read. */
static void declare_output(const struct isa_port *port, const char *path,
                           struct lib_diags *diags)
{
    LIB_TEXT_OWN option = {0}, why = {0};
    lib_text_printf(&option, "--port %s", port->name);
    if (!lib_guard_declare(lib_text_get(&option), path, &why))
        lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", lib_text_get(&why));
}

static void open_port(struct sim_ports *p, uint32_t number, struct lib_diags *diags)
{
    struct sim_port_end *end = &p->ends[number];
    const bool is_input = p->graph->ports[number].is_input;
    if (p->only_files && (!is_input || !is_regular(end->path))) {
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--port %s: expected %s, found %s%s", p->graph->ports[number].name,
                       is_input ? "a regular file, as the run is made again"
                                : "a port in",
                       is_input ? "" : "a port out", is_input ? end->path : "");
        return;
    }
    if (!is_input || !is_regular(end->path)) {
        p->has_pipes |= is_input;
        open_stream(end, is_input, diags);
        return;
    }
    const struct lib_source *source = lib_file_read_as(p->arena, end->path,
                                                       "what a port is fed", diags);
    if (source)
        sim_port_file_read(&p->feeds, p->graph, number, source, diags);
}

/* Whether what two ports write would be mixed, or what they read be shared. */
static bool share_file(const char *path, const char *other, bool are_inputs)
{
    struct stat a, b;
    if (are_inputs || lib_file_is_one_stream(path, other))
        return lib_file_is_one_stream(path, other);
    if (strcmp(path, other) == 0)
        return strcmp(path, "/dev/null") != 0;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Checks that no two ports read one pipe or write one file. */
static void check_shared(const struct sim_ports *p, struct lib_diags *diags)
{
    for (uint32_t i = 0; i < p->graph->port_count; i++)
        for (uint32_t k = 0; k < i && p->ends[i].path; k++) {
            const struct isa_port *one = &p->graph->ports[k], *two = &p->graph->ports[i];
            const char *path = p->ends[i].path;
            if (!p->ends[k].path || one->is_input != two->is_input ||
                !share_file(path, p->ends[k].path, two->is_input))
                continue;
            lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                           "--port: the ports `%s` and `%s` share %s; expected a file "
                           "for each",
                           one->name, two->name,
                           strcmp(path, "-") != 0 ? path
                           : two->is_input        ? "standard input"
                                                  : "standard output");
        }
}

/* Checks that input ports have a file, if they need one. */
static void check_ports(const struct sim_ports *p, bool is_recorded,
                        struct lib_diags *diags)
{
    for (uint32_t i = 0; i < p->graph->port_count; i++) {
        const struct isa_port *port = &p->graph->ports[i];
        if (port->is_input && !is_recorded && !p->ends[i].path)
            lib_diag_error(
                diags, LIB_DIAG_USAGE, NULL, nowhere,
                "the program has a port in, `%s`: --port %s=FILE says what it is fed",
                port->name, port->name);
        if (port->is_input && is_recorded && p->ends[i].path)
            lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                           "--port %s: the recording says what it is fed", port->name);
    }
}

bool sim_ports_open(struct sim_ports *p, const struct sim_options *options,
                    const struct isa_graph *graph, enum sim_ports_feeder feeder,
                    struct lib_diags *diags)
{
    const size_t errors = diags->errors;
    *p = (struct sim_ports){.graph = graph,
                            .arena = lib_arena_new(),
                            .only_files = feeder == SIM_PORTS_FILES};
    p->feeds.arena = p->arena;
    p->ends = lib_mem_new((graph->port_count + 1) * sizeof *p->ends);
    for (size_t i = 0; i < options->ports.count; i++)
        find_port(p, options->ports.items[i], diags);
    check_ports(p, feeder == SIM_PORTS_RECORDED, diags);
    check_shared(p, diags);
    for (uint32_t i = 0; i < graph->port_count && diags->errors == errors; i++)
        if (p->ends[i].path && !graph->ports[i].is_input)
            declare_output(&graph->ports[i], p->ends[i].path, diags);
    for (uint32_t i = 0; i < graph->port_count && diags->errors == errors; i++)
        if (p->ends[i].path)
            open_port(p, i, diags);
    if (p->has_pipes && options->window)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--window: a run whose ports are fed by a pipe has no part that "
                       "is known before");
    sim_feeds_sort(&p->feeds);
    return diags->errors == errors;
}

/* Reports that elements of an output port cannot be written to standard output. Empties the buffer,
 * so that the check at exit (sim_guard_output) does not report it again. */
static void fail_standard_output(struct lib_diags *diags)
{
    lib_diag_plain(diags, LIB_DIAG_HOST, "cannot write standard output: %s",
                   strerror(errno));
    __fpurge(stdout);
    clearerr(stdout);
}

/* Passes what was written to an output port's file on to the system. Returns false if it cannot be
 * written: if a file cannot, sim_ports_close reports that. */
static bool flush_end(struct sim_port_end *end, struct lib_diags *diags)
{
    if (!end->stream)
        return true;
    errno = 0;
    const bool good = fflush(end->stream) == 0 && !ferror(end->stream);
    if (!good && end->stream == stdout)
        fail_standard_output(diags);
    else if (!good && end->aside.error == 0)
        end->aside.error = errno ? errno : EIO;
    return good;
}

bool sim_ports_take(struct sim_ports *p, struct sim_simulation *simulation,
                    struct lib_diags *diags)
{
    bool good = true;
    const struct isa_exec *exec = sim_simulation_exec(simulation);
    for (uint32_t i = 0; i < p->graph->port_count; i++) {
        const struct isa_port *port = &p->graph->ports[i];
        struct sim_port_end *end = &p->ends[i];
        isa_value *values = lib_mem_new((port->part_count + 1) * sizeof *values);
        while (!port->is_input && sim_simulation_take(simulation, i, values, true)) {
            lib_text_clear(&end->line);
            sim_port_element_write(exec, port, values, &end->line);
            if (end->stream)
                fprintf(end->stream, "%s\n", lib_text_get(&end->line));
            else
                lib_text_printf(&p->taken, "%s: %s\n", port->name,
                                lib_text_get(&end->line));
        }
        good &= port->is_input || flush_end(end, diags);
        lib_mem_free(values);
    }
    return good;
}

/* Returns a source in which the line of a pipe has its number: empty lines stand for those before.
 * Used for messages only. */
static const struct lib_source *source_of_line(const struct sim_ports *p,
                                               const struct sim_port_end *end)
{
    LIB_TEXT_OWN text = {0};
    for (uint32_t i = 1; i < end->lines; i++)
        lib_text_puts(&text, "\n");
    lib_text_add(&text, lib_text_get(&end->line), end->line.length);
    struct lib_source *source = LIB_ARENA_NEW(p->arena, struct lib_source);
    *source = (struct lib_source){
        .name = strcmp(end->path, "-") == 0 ? "<stdin>" : end->path,
        .bytes = lib_arena_copy(p->arena, lib_text_get(&text), text.length),
        .length = text.length};
    return source;
}

/* Reads the text of the next line of a pipe into `end->line`. Returns false at the end, and
 * where it cannot be read (see ferror). */
static bool read_text(struct sim_port_end *end)
{
    int c;
    lib_text_clear(&end->line);
    while ((c = getc(end->stream)) != EOF && c != '\n') {
        const char byte = (char)c;
        lib_text_add(&end->line, &byte, 1);
    }
    end->lines++;
    return !(c == EOF && ferror(end->stream)) && (c != EOF || end->line.length > 0);
}

/* Reads the next line of a pipe that is not empty. Closes the port at its end. */
static bool read_line(struct sim_ports *p, uint32_t number, struct sim_port_line *line,
                      struct lib_diags *diags)
{
    struct sim_port_end *end = &p->ends[number];
    *line = (struct sim_port_line){.what = SIM_PORT_LINE_END};
    do {
        if (!read_text(end)) {
            if (!ferror(end->stream))
                return true;
            lib_diag_plain(diags, LIB_DIAG_FILE, "cannot read %s: %s", end->path,
                           strerror(errno));
            return false;
        }
        struct lib_diags unplaced = {0};
        const struct lib_source source = {"", lib_text_get(&end->line), end->line.length};
        const char *at = end->lines == 1 ? lib_source_start(&source) : source.bytes;
        const bool good = sim_port_line_read(p->graph, number, &source, at, 1, p->arena,
                                             line, &unplaced);
        lib_diags_free(&unplaced);
        if (!good) {
            const struct lib_source *placed = source_of_line(p, end);
            return sim_port_line_read(p->graph, number, placed,
                                      placed->bytes + placed->length -
                                          (end->line.length - (at - source.bytes)),
                                      end->lines, p->arena, line, diags);
        }
    } while (line->what == SIM_PORT_LINE_NOTHING);
    return true;
}

static void give(const struct sim_ports_run *run, const struct machine_feed *feed)
{
    if (run->recorder)
        sim_recorder_feed(run->recorder, feed);
    if (run->tracer)
        sim_tracer_feed(run->tracer, feed);
    sim_simulation_feed(run->simulation, feed->port, feed->parts, feed->cycle);
}

static bool feed_port(struct sim_ports *p, uint32_t number,
                      const struct sim_ports_run *run, struct lib_diags *diags)
{
    struct sim_port_end *end = &p->ends[number];
    struct sim_port_line line;
    const bool is_timed = sim_simulation_config(run->simulation)->engine ==
                          SIM_ENGINE_MACHINE;
    const uint64_t now = is_timed ? sim_simulation_now(run->simulation) : 0;
    if (!read_line(p, number, &line, diags))
        return false;
    if (is_timed && line.has_cycle && line.cycle < now) {
        lib_diag_error(diags, LIB_DIAG_MEANING, source_of_line(p, end),
                       (struct lib_pos){end->lines, 1, 1},
                       "port `%s`: expected a cycle from %llu on, found %llu",
                       p->graph->ports[number].name, (unsigned long long)now,
                       (unsigned long long)line.cycle);
        return false;
    }
    const struct machine_feed feed = {.cycle = line.has_cycle && is_timed ? line.cycle
                                                                          : now,
                                      .port = number,
                                      .parts = line.parts};
    end->is_closed = line.what == SIM_PORT_LINE_END;
    give(run, &feed);
    return true;
}

bool sim_ports_feed(struct sim_ports *p, const struct sim_ports_run *run,
                    struct lib_diags *diags)
{
    const struct isa_exec *exec = sim_simulation_exec(run->simulation);
    for (uint32_t i = 0; i < p->graph->port_count; i++)
        if (p->graph->ports[i].is_input && p->ends[i].stream && !p->ends[i].is_closed &&
            isa_port_is_waiting(exec, i))
            return feed_port(p, i, run, diags);
    return false;
}

bool sim_ports_close(struct sim_ports *p, struct lib_diags *diags)
{
    bool good = true;
    for (uint32_t i = 0; p->ends && i < p->graph->port_count; i++) {
        struct sim_port_end *end = &p->ends[i];
        if (end->aside.file)
            good &= lib_atomic_file_finish(&end->aside, diags);
        else
            lib_atomic_file_abandon(&end->aside);
        if (end->stream && p->graph->ports[i].is_input && end->stream != stdin)
            fclose(end->stream);
        lib_text_free(&end->line);
    }
    lib_mem_free(p->ends);
    lib_text_free(&p->taken);
    sim_feeds_free(&p->feeds);
    if (p->arena)
        lib_arena_free(p->arena);
    *p = (struct sim_ports){0};
    return good;
}
