#include "machine/simgrid/platform.h"

#include "lib/memory.h"
#include "lib/pack.h"
#include "machine/simgrid/library.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct lib_pos nowhere;

/* --- what SimGrid is given -------------------------------------------------------------------- */

/* The plain model of links, without SimGrid's corrections for TCP. Dates are in seconds, of
 * which a cycle is a small part. */
static const char *const standard[][2] = {
    {"network/model", "CM02"},   {"network/optim", "Lazy"},
    {"network/TCP-gamma", "0"},  {"network/crosstraffic", "0"},
    {"surf/precision", "1e-13"},
};

void machine_platform_config(const struct lib_source *source,
                             const char *config[MACHINE_PLATFORM_CONFIG])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
        if (strstr(source->bytes, standard[i][0]))
            continue;
        config[count++] = standard[i][0];
        config[count++] = standard[i][1];
    }
    config[count] = NULL;
}

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

int machine_platform_file(const struct lib_source *source,
                          char path[MACHINE_PLATFORM_PATH])
{
    const int file = memfd_create("platform", MFD_CLOEXEC);
    if (file < 0 || !write_all(file, source->bytes, source->length)) {
        if (file >= 0)
            close(file);
        return -1;
    }
    snprintf(path, MACHINE_PLATFORM_PATH, "/proc/self/fd/%d", file);
    return file;
}

/* --- the process that asks SimGrid ------------------------------------------------------------ */

enum { NOT_READ = 3 };

static const struct machine_simgrid *asked;

/* Ends the process, after writing SimGrid's line in the file. */
static _Noreturn void end_at_line(void)
{
    char text[32];
    const int length = snprintf(text, sizeof text, "\nat line %d\n", asked->line());
    write_all(STDERR_FILENO, text, (size_t)length);
    _exit(NOT_READ);
}

static void has_ended(int signal)
{
    (void)signal;
    end_at_line();
}

static void pack_name(struct lib_pack *pack, const char *name)
{
    uint64_t length = strlen(name);
    LIB_PACK(pack, length);
    lib_pack_bytes(pack, (char *)name, length);
}

static void describe_ways(struct lib_pack *pack, uint32_t nodes)
{
    uint32_t most = 64, *links = lib_mem_new(most * sizeof *links);
    for (uint32_t from = 0; from < nodes; from++)
        for (uint32_t to = 0; to < nodes; to++) {
            uint32_t count = from == to ? 0 : asked->route(from, to, links, most);
            if (count > most) {
                most = 2 * count;
                links = lib_mem_resize(links, most * sizeof *links);
                count = asked->route(from, to, links, most);
            }
            LIB_PACK(pack, count);
            lib_pack_bytes(pack, links, count * sizeof *links);
        }
    lib_mem_free(links);
}

static void describe(struct lib_pack *pack, uint32_t nodes)
{
    uint32_t hosts = asked->host_count(), links = asked->link_count();
    LIB_PACK(pack, hosts, links);
    for (uint32_t i = 0; i < hosts; i++)
        pack_name(pack, asked->host_name(i));
    for (uint32_t i = 0; i < links; i++) {
        struct machine_simgrid_link link;
        asked->link(i, &link);
        pack_name(pack, link.name);
        LIB_PACK(pack, link.bandwidth, link.latency);
        lib_pack_bool(pack, &link.is_shared);
    }
    describe_ways(pack, nodes < hosts ? nodes : hosts);
}

/* Reads the platform in a forked process: SimGrid prints to `said`; properties go to `known`. */
static _Noreturn void ask(const struct machine_simgrid *simgrid, const char *path,
                          const char *const *config, uint32_t nodes, int said, int known)
{
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS};
    struct lib_text bytes = {0};
    struct lib_pack pack = lib_pack_writer(&bytes);
    const int nothing = open("/dev/null", O_WRONLY);
    asked = simgrid;
    dup2(nothing, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], has_ended);
    const char *wrong = asked->load(path, config);
    if (wrong) {
        write_all(STDERR_FILENO, wrong, strlen(wrong));
        end_at_line();
    }
    describe(&pack, nodes);
    _exit(write_all(known, lib_text_get(&bytes), bytes.length) ? 0 : NOT_READ);
}

/* --- what it says ----------------------------------------------------------------------------- */

/* Returns the number after the last `mark`, or 0. */
static uint32_t number_behind(const char *text, const char *mark)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, mark)); at++)
        last = at + strlen(mark);
    return last ? (uint32_t)strtoul(last, NULL, 10) : 0;
}

/* Reports an error in SimGrid's words: the first line and the list after it, without positions
 * and paths. */
static void tell(const struct machine_file *file, const char *path,
                 struct lib_text *words, struct lib_diags *diags)
{
    static const char before_state[] = "): ";
    lib_text_add(words, "", 1);
    char *said = words->bytes;
    uint32_t line = number_behind(said, "\nat line ");
    char *text = said, *end = strchr(said, '\n'), *place = strstr(said, path);
    if (end && end > said &&
        end[-1] == ':') { /* a list follows, up to the next empty line */
        for (char *at = end;
             *at && strncmp(at, "\n\n", 2) != 0 && strncmp(at, "\nat line ", 9) != 0;
             at = end) {
            *at = ' ';
            end = strchr(at, '\n');
            end = end ? end : at + strlen(at);
        }
    }
    if (end)
        *end = '\0';
    if (place && strstr(said, "Parse error at ") == said) { /* ... PATH:LINE: TEXT */
        line = (uint32_t)strtoul(place + strlen(path) + 1, &text, 10);
        text += strspn(text, ": ");
        if (strncmp(text, "Invalid XML (", 13) == 0 && strstr(text, before_state))
            text = strstr(text, before_state) + strlen(before_state);
    }
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == '.' || text[length - 1] == ' '))
        length--;
    size_t width = 0;
    const char *bytes = line ? lib_source_line(&file->source, line, &width) : NULL;
    const size_t column = bytes ? strspn(bytes, " \t") + 1 : 1;
    const struct lib_pos pos = {line, (uint32_t)column, 1};
    lib_diag_error(diags, LIB_DIAG_SYNTAX, &file->source, line ? pos : nowhere,
                   "SimGrid cannot read this platform: %.*s",
                   length ? (int)length : INT_MAX,
                   length ? text : "it ended without a word");
}

static const char *unpack_name(struct lib_pack *pack, struct lib_arena *arena)
{
    uint64_t length = 0;
    LIB_PACK(pack, length);
    if (!lib_pack_expect(pack, length <= pack->length - pack->at))
        return "";
    char *name = lib_arena_alloc(arena, length + 1);
    lib_pack_bytes(pack, name, length);
    name[length] = '\0';
    return name;
}

static void unpack_ways(struct lib_pack *pack, struct machine_platform *p)
{
    const uint64_t pairs = (uint64_t)p->node_count * p->node_count;
    uint64_t room = 0;
    p->first = lib_mem_new((pairs + 1) * sizeof *p->first);
    for (uint64_t i = 0; i < pairs && !pack->failed; i++) {
        uint32_t count = 0;
        LIB_PACK(pack, count);
        p->first[i + 1] = p->first[i] + count;
        if (p->first[i + 1] > room) {
            room = 2 * p->first[i + 1];
            p->ways = lib_mem_resize(p->ways, room * sizeof *p->ways);
        }
        if (count)
            lib_pack_bytes(pack, &p->ways[p->first[i]], count * sizeof *p->ways);
    }
}

static struct machine_platform *unpack(const struct lib_text *bytes, uint32_t nodes)
{
    struct machine_platform *p = lib_mem_new(sizeof *p);
    p->arena = lib_arena_new();
    struct lib_pack pack = lib_pack_reader(lib_text_get(bytes), bytes->length);
    LIB_PACK(&pack, p->host_count);
    LIB_PACK(&pack, p->link_count);
    p->hosts = lib_mem_new((p->host_count + 1) * sizeof *p->hosts);
    p->links = lib_mem_new((p->link_count + 1) * sizeof *p->links);
    for (uint32_t i = 0; i < p->host_count; i++)
        p->hosts[i] = unpack_name(&pack, p->arena);
    for (uint32_t i = 0; i < p->link_count; i++) {
        struct machine_platform_link *link = &p->links[i];
        link->name = unpack_name(&pack, p->arena);
        LIB_PACK(&pack, link->bandwidth);
        LIB_PACK(&pack, link->latency);
        lib_pack_bool(&pack, &link->is_shared);
    }
    p->node_count = nodes < p->host_count ? nodes : p->host_count;
    unpack_ways(&pack, p);
    return p;
}

/* --- what a machine wants of it --------------------------------------------------------------- */

static bool is_way(const struct machine_platform *p, uint32_t from, uint32_t to,
                   const struct lib_source *source, struct lib_diags *diags)
{
    const struct machine_platform_way way = machine_platform_way(p, from, to);
    if (way.count == 0) {
        lib_diag_error(diags, LIB_DIAG_MEANING, source, nowhere,
                       "there is no way from host `%s` to host `%s`", p->hosts[from],
                       p->hosts[to]);
        return false;
    }
    for (uint32_t i = 0; i < way.count; i++) {
        const struct machine_platform_link *link = &p->links[way.links[i]];
        if (link->bandwidth > 0)
            continue;
        lib_diag_error(diags, LIB_DIAG_MEANING, source, nowhere,
                       "link `%s` has no bandwidth", link->name);
        return false;
    }
    return true;
}

static bool is_usable(const struct machine_platform *p, uint32_t nodes,
                      const struct lib_source *source, struct lib_diags *diags)
{
    if (p->host_count < nodes) {
        lib_diag_error(diags, LIB_DIAG_MEANING, source, nowhere,
                       "the machine has %" PRIu32 " nodes, and the platform %" PRIu32
                       " hosts",
                       nodes, p->host_count);
        return false;
    }
    for (uint32_t from = 0; from < nodes; from++)
        for (uint32_t to = 0; to < nodes; to++)
            if (from != to && !is_way(p, from, to, source, diags))
                return false;
    return true;
}

void machine_platform_free(struct machine_platform *p)
{
    if (!p)
        return;
    lib_arena_free(p->arena);
    LIB_MEM_FREE(p->hosts, p->links, p->first, p->ways, p);
}

/* --- all of it -------------------------------------------------------------------------------- */

static void read_all(int file, struct lib_text *text)
{
    char block[65536];
    ssize_t length;
    while ((length = read(file, block, sizeof block)) != 0) {
        if (length > 0)
            lib_text_add(text, block, (size_t)length);
        else if (errno != EINTR)
            break;
    }
}

/* Runs the forked process. It may print much, so to a file; its results go through a pipe.
 * Returns false if the host has no process or file. */
static bool run(const struct machine_simgrid *simgrid, const struct machine_file *file,
                uint32_t nodes, struct lib_text *said, struct lib_text *known,
                char path[MACHINE_PLATFORM_PATH], int *status)
{
    const char *config[MACHINE_PLATFORM_CONFIG];
    int ends[2], platform = machine_platform_file(&file->source, path);
    const int words = memfd_create("said", MFD_CLOEXEC);
    if (platform < 0 || words < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    machine_platform_config(&file->source, config);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        ask(simgrid, path, config, nodes, words, ends[1]);
    close(ends[1]);
    if (child > 0)
        read_all(ends[0], known);
    while (child > 0 && waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
    lseek(words, 0, SEEK_SET);
    read_all(words, said);
    close(ends[0]);
    close(words);
    close(platform);
    return child > 0;
}

static struct machine_platform *read_by(const struct machine_simgrid *simgrid,
                                        const struct machine_file *file, uint32_t nodes,
                                        struct lib_diags *diags)
{
    struct machine_platform *p = NULL;
    LIB_TEXT_OWN said = {0}, known = {0};
    char path[MACHINE_PLATFORM_PATH];
    int status = 0;
    if (!run(simgrid, file, nodes, &said, &known, path, &status))
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, nowhere,
                       "no process can be started to read the platform: %s",
                       strerror(errno));
    else if (status == 0)
        p = unpack(&known, nodes);
    else
        tell(file, path, &said, diags);
    if (p && !is_usable(p, nodes, &file->source, diags)) {
        machine_platform_free(p);
        return NULL;
    }
    return p;
}

struct machine_platform *machine_platform_read(const struct machine_file *file,
                                               uint32_t nodes, struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    struct machine_platform *p = NULL;
    const struct machine_simgrid *simgrid = machine_simgrid_open(&why);
    if (!simgrid)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "%s", lib_text_get(&why));
    else {
        if (machine_platform_is_fixed(&file->source, diags))
            p = read_by(simgrid, file, nodes,
                        diags); /* a child process loads the platform */
        machine_simgrid_close(false);
    }
    return p;
}
