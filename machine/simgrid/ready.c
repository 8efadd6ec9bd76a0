#include "machine/simgrid/ready.h"

#include <inttypes.h>

enum { GRIFFON_HOSTS = 92 };

/* Returns the divisor of `number` nearest below its root of a degree. */
static uint32_t divisor(uint32_t number, uint32_t degree)
{
    uint32_t best = 1;
    for (uint32_t d = 1; d <= number; d++) {
        uint64_t power = 1;
        for (uint32_t i = 0; i < degree && power <= number; i++)
            power *= d;
        if (power > number)
            break;
        if (number % d == 0)
            best = d;
    }
    return best;
}

/* Sets `factors` to factors of `number` that are about equal, ascending. */
static void factor(uint32_t number, uint32_t count, uint32_t *factors)
{
    for (uint32_t i = count; i > 1; i--) {
        factors[i - 1] = divisor(number, i);
        number /= factors[i - 1];
    }
    factors[0] = number;
}

static void begin(const char *what, struct lib_text *out)
{
    lib_text_printf(out,
                    "<?xml version='1.0'?>\n"
                    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                    "<!-- %s -->\n"
                    "<platform version=\"4.1\">\n",
                    what);
}

/* Writes a cluster whose links carry messages in both directions at once. */
static void write_cluster(const struct machine_ready *r, const char *more,
                          struct lib_text *out)
{
    lib_text_printf(
        out,
        "  <cluster id=\"cluster\" prefix=\"node-\" suffix=\"\" "
        "radical=\"0-%" PRIu32 "\" speed=\"1Gf\"\n"
        "           bw=\"%s\" lat=\"%s\" sharing_policy=\"SPLITDUPLEX\"%s/>\n",
        r->nodes - 1, r->bandwidth, r->latency, more);
}

static void write_topology(const struct machine_ready *r, struct lib_text *more)
{
    static const char before[] = "\n           topology=";
    uint32_t f[4];
    switch (r->kind) {
    case MACHINE_READY_TORUS:
        factor(r->nodes, 3, f);
        lib_text_printf(more, "%s\"TORUS\" topo_parameters=\"%" PRIu32, before, f[0]);
        for (uint32_t i = 1; i < 3; i++)
            if (f[i] > 1)
                lib_text_printf(more, ",%" PRIu32, f[i]);
        lib_text_puts(more, "\"");
        break;
    /* f[1] hosts at each of f[0] switches, with as many links up */
    case MACHINE_READY_FATTREE:
        factor(r->nodes, 2, f);
        lib_text_printf(more,
                        "%s\"FAT_TREE\" topo_parameters=\"2;%" PRIu32 ",%" PRIu32
                        ";1,%" PRIu32 ";1,1\"",
                        before, f[1], f[0], f[1]);
        break;
    case MACHINE_READY_DRAGONFLY: /* groups, chassis, routers, hosts: no more groups than routers */
        f[3] = divisor(r->nodes, 4);
        f[0] = divisor(r->nodes / f[3], 3);
        f[1] = divisor(r->nodes / f[3] / f[0], 2);
        f[2] = r->nodes / f[3] / f[0] / f[1];
        lib_text_printf(more,
                        "%s\"DRAGONFLY\" topo_parameters=\"%" PRIu32 ",1;%" PRIu32
                        ",1;%" PRIu32 ",1;%" PRIu32 "\"",
                        before, f[0], f[1], f[2], f[3]);
        break;
    default:
        break;
    }
}

/* --- a real cluster --------------------------------------------------------------------------- */

/* Writes the cluster griffon, with the figures of SimGrid's examples/platforms/griffon.xml:
 * hosts in three cabinets, joined by 10 Gigabit Ethernet. */
static void write_griffon(struct lib_text *out)
{
    static const char *const cabinets[] = {"1-29,58-60", "30-57", "61-92"};
    begin("griffon, a cluster of Grid'5000 in Nancy (France) from 2009 on: 92 hosts with "
          "Gigabit Ethernet in three cabinets.\n     Figures: SimGrid, "
          "examples/platforms/griffon.xml (commit 0edfb3697a16, "
          "https://github.com/simgrid/simgrid)",
          out);
    lib_text_puts(out, "  <zone id=\"griffon\" routing=\"Full\">\n");
    for (int i = 0; i < 3; i++)
        lib_text_printf(
            out,
            "    <cluster id=\"cabinet%d\" prefix=\"griffon-\" suffix=\"\" "
            "radical=\"%s\" "
            "speed=\"286.087Mf\"\n"
            "             bw=\"125MBps\" lat=\"24us\" sharing_policy=\"SPLITDUPLEX\"\n"
            "             bb_bw=\"1.25GBps\" bb_lat=\"0\" bb_sharing_policy=\"SHARED\" "
            "router_id=\"cabinet%d_router\"/>\n",
            i + 1, cabinets[i], i + 1);
    lib_text_puts(out,
                  "    <link id=\"backbone\" bandwidth=\"1.25GBps\" latency=\"24us\" "
                  "sharing_policy=\"SHARED\"/>\n");
    for (int i = 1; i < 3; i++)
        for (int k = i + 1; k <= 3; k++)
            lib_text_printf(out,
                            "    <zoneRoute src=\"cabinet%d\" dst=\"cabinet%d\" "
                            "gw_src=\"cabinet%d_router\" gw_dst=\"cabinet%d_router\">\n"
                            "      <link_ctn id=\"backbone\"/>\n"
                            "    </zoneRoute>\n",
                            i, k, i, k);
    lib_text_puts(out, "  </zone>\n</platform>\n");
}

uint32_t machine_ready_hosts(enum machine_ready_kind kind)
{
    return kind == MACHINE_READY_GRIFFON ? GRIFFON_HOSTS : 0;
}

void machine_ready_write(const struct machine_ready *r, struct lib_text *out)
{
    static const char *const names[] = {
#define READY(NAME, name, help) #name,
        MACHINE_READY_PLATFORMS(READY)
#undef READY
    };
    LIB_TEXT_OWN text = {0};
    if (r->kind == MACHINE_READY_GRIFFON) {
        write_griffon(out);
        return;
    }
    lib_text_printf(&text, "%s of %" PRIu32 " hosts", names[r->kind], r->nodes);
    begin(lib_text_get(&text), out);
    lib_text_clear(&text);
    write_topology(r, &text);
    write_cluster(r, lib_text_get(&text), out);
    lib_text_puts(out, "</platform>\n");
}
