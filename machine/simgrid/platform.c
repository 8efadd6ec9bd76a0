#include "machine/simgrid/platform_internal.h"

#include "lib/memory.h"
#include "lib/pack.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const struct lib_pos nowhere;

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
static void tell(const struct lib_setting_file *file, const char *path, const char *what,
                 struct lib_text *words, struct lib_diags *diags)
{
    static const char before_state[] = "): ";
    static const char warning[] = "******* BIG FAT WARNING *********\n ";
    lib_text_add(words, "", 1);
    char *said = words->bytes;
    if (strncmp(said, warning, strlen(warning)) == 0)
        said += strlen(warning);
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
    if (length == 4 &&
        strncmp(text, "sto", 3) == 0) { /* what() of std::stoi and others */
        static char invalid[] = "invalid number";
        text = invalid;
        length = strlen(text);
    }
    size_t width = 0;
    const char *bytes = line ? lib_source_line(&file->source, line, &width) : NULL;
    const size_t column = bytes ? strspn(bytes, " \t") + 1 : 1;
    const struct lib_pos pos = {line ? line : 1, (uint32_t)column, 1};
    lib_diag_error(diags, LIB_DIAG_SYNTAX, &file->source, pos,
                   "SimGrid cannot %s this platform: %.*s", what,
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

/* Returns NULL if the process did not write all. */
static struct machine_platform *unpack(const struct lib_text *bytes, uint32_t nodes)
{
    uint64_t length = 0;
    struct lib_pack pack = lib_pack_reader(lib_text_get(bytes), bytes->length);
    if (bytes->length < sizeof length)
        return NULL;
    LIB_PACK(&pack, length);
    if (length != bytes->length - sizeof length)
        return NULL;
    struct machine_platform *p = lib_mem_new(sizeof *p);
    p->users = 1;
    p->arena = lib_arena_new();
    LIB_PACK(&pack, p->host_count);
    LIB_PACK(&pack, p->link_count, p->latency_factor, p->bandwidth_factor);
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

struct lib_pos machine_platform_place(const struct lib_source *source, const char *name)
{
    struct lib_pos pos = {1, 1, 1};
    size_t best = 0;
    const char *end = source->bytes + source->length, *line = source->bytes;
    for (uint32_t number = 1; line < end; number++) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        for (const char *at = line; (at = memmem(at, (size_t)(next - at), " id=", 4));
             at++) {
            const char *id = at + 5;
            const char *quote = id < next ? memchr(id, id[-1], (size_t)(next - id))
                                          : NULL;
            const size_t length = quote ? (size_t)(quote - id) : 0;
            if (length <= best || strncmp(id, name, length) != 0)
                continue;
            best = length;
            pos = (struct lib_pos){number, (uint32_t)(at - line) + 2,
                                   (uint32_t)length + 5};
        }
        line = next + 1;
    }
    return pos;
}

/* Whether messages can pass the link in a time that a machine can count. */
static bool is_link(const struct machine_platform *p,
                    const struct machine_platform_link *link,
                    const struct platform_question *q, const struct lib_source *source,
                    struct lib_diags *diags)
{
    enum { BYTES = 64 };
    static const double most = 1e15; /* cycles */
    const double cycles = (link->latency * p->latency_factor +
                           BYTES / (link->bandwidth * p->bandwidth_factor)) *
                          (double)q->clock;
    if (link->bandwidth > 0 && isfinite(link->bandwidth) && isfinite(link->latency) &&
        link->latency >= 0 && (!q->clock || cycles < most))
        return true;
    const struct lib_pos pos = machine_platform_place(source, link->name);
    if (!(link->bandwidth > 0))
        lib_diag_error(diags, LIB_DIAG_MEANING, source, pos, "link `%s` has no bandwidth",
                       link->name);
    else if (!isfinite(link->bandwidth))
        lib_diag_error(
            diags, LIB_DIAG_MEANING, source, pos,
            "bandwidth of link `%s` is out of range: expected a finite number, found %g",
            link->name, link->bandwidth);
    else if (!isfinite(link->latency) || link->latency < 0)
        lib_diag_error(
            diags, LIB_DIAG_MEANING, source, pos,
            "latency of link `%s` is out of range: expected a finite number of seconds, "
            "at least 0, found %g",
            link->name, link->latency);
    else
        lib_diag_error(diags, LIB_DIAG_MEANING, source, pos,
                       "link `%s` is too slow: a message of %d bytes takes %g cycles of "
                       "cluster.clock=%" PRIu64 "; expected less than %g",
                       link->name, BYTES, cycles, q->clock, most);
    return false;
}

/* Reports that a route has a link twice. SimGrid lets a message take its bandwidth twice at once;
 * in the native model the message waits for itself. So they do not agree on its time. */
static void report_repeated(const struct machine_platform *p, uint32_t from, uint32_t to,
                            uint32_t link, const struct lib_source *source,
                            struct lib_diags *diags)
{
    const char *name = p->links[link].name;
    struct lib_pos pos = machine_platform_place(source, name);
    (void)machine_platform_find_repeated(source, name, &pos);
    lib_diag_error(diags, LIB_DIAG_MEANING, source, pos,
                   "duplicate link `%s` in the route from host `%s` to host `%s`: "
                   "expected each link at most once",
                   name, p->hosts[from], p->hosts[to]);
}

/* last_way[i]: number of the last way that uses link i, or 0. */
static bool has_way(const struct machine_platform *p, uint32_t from, uint32_t to,
                    uint64_t *last_way, const struct lib_source *source,
                    struct lib_diags *diags)
{
    const struct machine_platform_way way = machine_platform_way(p, from, to);
    const uint64_t number = (uint64_t)from * p->node_count + to + 1;
    for (uint32_t i = 0; i < way.count; i++) {
        if (way.links[i] >= p->link_count)
            continue;
        if (last_way[way.links[i]] == number) {
            report_repeated(p, from, to, way.links[i], source, diags);
            return false;
        }
        last_way[way.links[i]] = number;
    }
    if (way.count == 0)
        lib_diag_error(diags, LIB_DIAG_MEANING, source,
                       machine_platform_place(source, p->hosts[from]),
                       "there is no way from host `%s` to host `%s`", p->hosts[from],
                       p->hosts[to]);
    return way.count > 0;
}

static bool are_factors(const struct machine_platform *p, const struct lib_source *source,
                        struct lib_diags *diags)
{
    struct machine_platform_option option = {.pos = {1, 1, 1}};
    if (isfinite(p->latency_factor) && p->latency_factor >= 0 &&
        isfinite(p->bandwidth_factor) && p->bandwidth_factor > 0)
        return true;
    if (!machine_platform_option(source, "network/latency-factor", &option))
        (void)machine_platform_option(source, "network/bandwidth-factor", &option);
    lib_diag_error(
        diags, LIB_DIAG_MEANING, source, option.pos,
        "factors of latency and bandwidth are out of range: expected finite numbers "
        "above 0, found %g and %g",
        p->latency_factor, p->bandwidth_factor);
    return false;
}

static bool are_ways(const struct machine_platform *p, const struct platform_question *q,
                     const struct lib_source *source, struct lib_diags *diags)
{
    bool ok = true;
    uint64_t *last_way = lib_mem_new((p->link_count + 1) * sizeof *last_way);
    for (uint32_t from = 0; from < q->nodes && ok; from++)
        for (uint32_t to = 0; to < q->nodes && ok; to++)
            ok = from == to || has_way(p, from, to, last_way, source, diags);
    for (uint32_t i = 0; i < p->link_count && ok; i++)
        ok = !last_way[i] || is_link(p, &p->links[i], q, source, diags);
    lib_mem_free(last_way);
    return ok;
}

static bool is_usable(const struct machine_platform *p, const struct platform_question *q,
                      const struct lib_source *source, struct lib_diags *diags)
{
    if (p->host_count < q->nodes) {
        lib_diag_error(diags, LIB_DIAG_MEANING, source, (struct lib_pos){1, 1, 1},
                       "the machine has %" PRIu32 " nodes, and the platform %" PRIu32
                       " hosts",
                       q->nodes, p->host_count);
        return false;
    }
    return are_factors(p, source, diags) && are_ways(p, q, source, diags);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Reports why the process failed. */
static void tell_end(const struct lib_setting_file *file, const char *path, int status,
                     bool is_known, struct lib_text *said, struct lib_diags *diags)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == PLATFORM_TOO_LONG)
        lib_diag_error(diags, LIB_DIAG_LIMIT, &file->source, (struct lib_pos){1, 1, 1},
                       "SimGrid takes more than %d s of a processor for this platform",
                       PLATFORM_MAX_CPU_SECONDS);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == PLATFORM_TOO_LATE)
        lib_diag_error(diags, LIB_DIAG_LIMIT, &file->source, (struct lib_pos){1, 1, 1},
                       "SimGrid takes more than %d s for this platform",
                       PLATFORM_MAX_SECONDS);
    else if (strstr(lib_text_get(said), "std::bad_alloc"))
        lib_diag_error(diags, LIB_DIAG_LIMIT, &file->source, (struct lib_pos){1, 1, 1},
                       "SimGrid takes more than %" PRIu64
                       " GB of memory for this platform",
                       PLATFORM_MAX_BYTES >> 30);
    else
        tell(file, path, is_known ? "simulate" : "read", said, diags);
}

static struct machine_platform *read_by(const struct machine_simgrid *simgrid,
                                        const struct lib_setting_file *file,
                                        const struct platform_question *q,
                                        struct lib_diags *diags)
{
    LIB_TEXT_OWN said = {0}, known = {0};
    char path[MACHINE_PLATFORM_PATH];
    int status = 0;
    if (!machine_platform_ask(simgrid, file, q, &said, &known, path, &status)) {
        lib_diag_error(diags, LIB_DIAG_HOST, NULL, nowhere,
                       "no process can be started to read the platform: %s",
                       strerror(errno));
        return NULL;
    }
    struct machine_platform *p = unpack(&known, q->nodes);
    bool ok = p && is_usable(p, q, &file->source, diags);
    if (status != 0 && (ok || !p)) {
        tell_end(file, path, status, p != NULL, &said, diags);
        ok = false;
    }
    if (ok)
        return p;
    machine_platform_free(p);
    return NULL;
}

static struct machine_platform *read_file(const struct lib_setting_file *file,
                                          const struct platform_question *q,
                                          struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    struct machine_platform *p = NULL;
    /* Also for a platform that is kept: a run needs a copy of SimGrid, and there may be no more. */
    const struct machine_simgrid *simgrid = machine_simgrid_open(&why);
    if (!simgrid)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "%s", lib_text_get(&why));
    else {
        p = platform_kept_find(file, q);
        if (!p && machine_platform_is_fixed(&file->source, diags)) {
            p = read_by(simgrid, file, q, diags); /* a child process loads the platform */
            if (p)
                platform_kept_add(file, q, p);
        }
        machine_simgrid_close(false);
    }
    return p;
}

struct machine_platform *machine_platform_read(const struct lib_setting_file *file,
                                               uint32_t nodes, struct lib_diags *diags)
{
    return read_file(file, &(struct platform_question){.nodes = nodes}, diags);
}

struct machine_platform *machine_platform_try(const struct lib_setting_file *file,
                                              uint32_t nodes, uint64_t clock,
                                              struct lib_diags *diags)
{
    return read_file(file, &(struct platform_question){nodes, clock}, diags);
}
