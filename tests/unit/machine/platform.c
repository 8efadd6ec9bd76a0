/* Platforms of SimGrid: what is read of them, and what is said of those that cannot be. Without
 * SimGrid there is one thing to say. */
#include "machine/simgrid/platform.h"

#include "machine/simgrid/library.h"
#include "tests/unit/main.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                             \
    "<?xml version='1.0'?>\n"                                                            \
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"                   \
    "<platform version=\"4.1\">\n"
#define STAR                                                                             \
    "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-11\" speed=\"1Gf\" "         \
    "bw=\"10GBps\" lat=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define END "</platform>\n"

static bool has_simgrid(void)
{
    struct lib_text why = {0};
    const bool has = machine_simgrid_open(&why) != NULL;
    if (has)
        machine_simgrid_close(false);
    lib_text_free(&why);
    return has;
}

static struct machine_platform *read_text(const char *text, uint32_t nodes,
                                          struct lib_diags *diags)
{
    static struct lib_setting_file file; /* diagnostics point into it */
    file = (struct lib_setting_file){"p.xml", "", {"folder/p.xml", text, strlen(text)}};
    return machine_platform_try(&file, nodes, 1000000000, diags);
}

/* --- what is read --------------------------------------------------------------------- */

START_TEST(hosts_are_in_natural_order_and_ways_are_known)
{
    struct lib_diags diags = {0};
    struct machine_platform *p = read_text(HEAD STAR END, 4, &diags);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq(p->host_count, 12);
    ck_assert_uint_eq(p->node_count, 4);
    for (uint32_t i = 0; i < p->host_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%" PRIu32, i);
        ck_assert_str_eq(p->hosts[i], name);
    }
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++) {
            const struct machine_platform_way way = machine_platform_way(p, from, to);
            char up[32], down[32];
            ck_assert_uint_eq(way.count, from == to ? 0 : 2);
            if (from == to)
                continue;
            snprintf(up, sizeof up, "c_link_%" PRIu32 "_UP", from);
            snprintf(down, sizeof down, "c_link_%" PRIu32 "_DOWN", to);
            ck_assert_str_eq(p->links[way.links[0]].name, up);
            ck_assert_str_eq(p->links[way.links[1]].name, down);
            ck_assert(p->links[way.links[0]].bandwidth == 10e9);
            ck_assert_double_eq_tol(p->links[way.links[1]].latency, 100e-9, 1e-20);
            ck_assert(p->links[way.links[1]].is_shared);
        }
    machine_platform_free(p);
    lib_diags_free(&diags);
}
END_TEST

/* A file that is asked about again is not read again, unless the question is another one; what has
 * users remains when others take its place. */
START_TEST(the_last_platforms_are_kept)
{
    struct lib_diags diags = {0};
    struct machine_platform *first = read_text(HEAD STAR END, 5, &diags), *others[8];
    struct machine_platform *again = read_text(HEAD STAR END, 5, &diags);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_eq(again, first);
    struct lib_setting_file file = {
        "p.xml", "", {"p.xml", HEAD STAR END, strlen(HEAD STAR END)}};
    struct machine_platform *untried = machine_platform_read(&file, 5, &diags);
    struct machine_platform *slower = machine_platform_try(&file, 5, 1000, &diags);
    ck_assert_ptr_eq(untried, first);
    ck_assert_ptr_ne(slower, first);
    machine_platform_free(slower);
    for (uint32_t i = 0; i < 8; i++) {
        others[i] = read_text(i < 4 ? HEAD STAR END : HEAD STAR "\n" END, 2 + i, &diags);
        ck_assert_ptr_nonnull(others[i]);
        ck_assert_ptr_ne(others[i], first);
        ck_assert_uint_eq(others[i]->node_count, 2 + i);
    }
    ck_assert_uint_eq(first->node_count, 5);
    ck_assert_uint_eq(machine_platform_way(first, 0, 4).count, 2);
    machine_platform_free(again);
    machine_platform_free(untried);
    machine_platform_free(first);
    for (uint32_t i = 0; i < 8; i++)
        machine_platform_free(others[i]);
    lib_diags_free(&diags);
}
END_TEST

/* A process asks about as many platforms as it likes: others read them. */
START_TEST(many_platforms_are_read)
{
    for (uint32_t i = 0; i < 20; i++) {
        struct lib_diags diags = {0};
        struct machine_platform *p = read_text(HEAD STAR END, 2 + i % 8, &diags);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq(p->node_count, 2 + i % 8);
        machine_platform_free(p);
    }
}
END_TEST

/* --- what is refused ------------------------------------------------------------------ */

#define ZONE(inside) HEAD "<zone id=\"z\" routing=\"Full\">\n" inside "</zone>\n" END
#define HOSTS "<host id=\"a\" speed=\"1Gf\"/>\n<host id=\"b\" speed=\"1Gf\"/>\n"
#define LINK(bandwidth, latency)                                                         \
    "<link id=\"l\" bandwidth=\"" bandwidth "\" latency=\"" latency "\"/>\n"             \
    "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n"
#define CANNOT "SimGrid cannot read this platform: "

static const struct {
    const char *text, *said;
    uint32_t line;
} wrong[] = {
    {"this is no XML\n", CANNOT "Unexpected character `t' in prolog", 1},
    {"", CANNOT "EOF in prolog", 1},
    {HEAD STAR, CANNOT "Premature EOF: `</platform>' expected", 5},
    {HEAD "<cluster id=\"c\" prefix=\"h\" radical=\"0-3\"/>\n" END,
     CANNOT "Required attribute `bw' not set for `cluster' element", 4},
    {ZONE("<hast id=\"a\" speed=\"1Gf\"/>\n"),
     CANNOT "Unexpected character `<': `</zone>' expected", 5},
    {ZONE("<host id=\"a\" speed=\"1Gf\" colour=\"red\"/>\n"),
     CANNOT "Bad attribute `colour' in `host' element start tag", 5},
    {ZONE("<host id=\"a\" speed=\"fast\"/>\n"), CANNOT "cannot parse number:fast", 5},
    {ZONE("<host id=\"a\" speed=\"1Gf\"/>\n<host id=\"a\" speed=\"1Gf\"/>\n"),
     CANNOT "Refusing to create a second host named 'a'", 6},
    {ZONE(HOSTS "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n"),
     CANNOT "Link not found: l", 7},
    {ZONE(HOSTS), "there is no way from host `a` to host `b`", 5},
    {HEAD STAR "<include file=\"more.xml\"></include>\n" END,
     "`include` is not taken: a platform must be one file, so that it is kept with a run",
     5},
    {ZONE("<!-- <include file='x'/> -->\n" HOSTS
          "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"\n bandwidth_file='b'/>"),
     "`bandwidth_file` is not taken: links and hosts must not change with time", 9},
    {ZONE("<host id=\"a\" speed=\"1Gf\"/>\n"),
     "the machine has 2 nodes, and the platform 1 hosts", 1},
    {ZONE(HOSTS "<link id=\"l\" bandwidth=\"0GBps\" latency=\"1us\"/>\n"
                "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n"),
     "link `l` has no bandwidth", 7},
    {ZONE(HOSTS LINK("inf", "1us")),
     "bandwidth of link `l` is out of range: expected a finite number, found inf", 7},
    {ZONE(HOSTS LINK("1MBps", "nan")),
     "latency of link `l` is out of range: expected a finite number of seconds, at least "
     "0, "
     "found nan",
     7},
    {ZONE(HOSTS LINK("1MBps", "1e12s")),
     "link `l` is too slow: a message of 64 bytes takes 1e+21 cycles of "
     "cluster.clock=1000000000; expected less than 1e+15",
     7},
    {HEAD "<config><prop id=\"tracing\" value=\"yes\"/></config>\n" STAR END,
     "`tracing` is not taken of <config>: expected one of network/model, "
     "network/latency-factor, network/bandwidth-factor, network/optim, "
     "network/maxmin-selective-update, network/TCP-gamma, network/crosstraffic, "
     "network/weight-S, network/loopback-lat, network/loopback-bw, maxmin/precision, "
     "maxmin/concurrency-limit, surf/precision",
     4},
    {HEAD
     "<config><prop id=\"network/latency-factor\" value=\"nan\"/></config>\n" STAR END,
     "factors of latency and bandwidth are out of range: expected finite numbers above "
     "0, "
     "found nan and 1",
     4},
    {HEAD
     "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-999999999\" speed=\"1Gf\" "
     "bw=\"1GBps\" lat=\"1us\"/>\n" END,
     "the platform has too many hosts: expected at most 262144", 4},
};

START_TEST(what_is_wrong_is_said)
{
    struct lib_diags diags = {0};
    ck_assert_ptr_null(read_text(wrong[_i].text, 2, &diags));
    ck_assert_uint_eq(diags.errors, 1);
    ck_assert_str_eq(diags.items[0].text, wrong[_i].said);
    ck_assert_uint_eq(diags.items[0].pos.line, wrong[_i].line);
    ck_assert_str_eq(diags.items[0].source->name, "folder/p.xml");
    lib_diags_free(&diags);
}
END_TEST

START_TEST(without_simgrid_there_is_no_platform)
{
    struct lib_diags diags = {0};
    ck_assert_ptr_null(read_text(HEAD STAR END, 2, &diags));
    ck_assert_uint_eq(diags.errors, 1);
    ck_assert_ptr_nonnull(strstr(diags.items[0].text, "built without SimGrid"));
    lib_diags_free(&diags);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("platform");
    if (has_simgrid()) {
        tcase_add_test(tcase, hosts_are_in_natural_order_and_ways_are_known);
        tcase_add_test(tcase, the_last_platforms_are_kept);
        tcase_add_test(tcase, many_platforms_are_read);
        tcase_add_loop_test(tcase, what_is_wrong_is_said, 0,
                            sizeof wrong / sizeof *wrong);
    } else {
        printf("SKIPPED: platforms, as this hiaton was built without SimGrid "
               "(Debian package libsimgrid-dev)\n");
        tcase_add_test(tcase, without_simgrid_there_is_no_platform);
    }
    return test_main("platform", tcase);
}
