/* The sends of tests/bench/carrier.c by a prototype, sgshim.cpp: SimGrid's own loop, with timers
 * and callbacks.
 *
 *     shim PLATFORM SENDS */
#include "sgshim.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

struct one {
    double date;
    uint32_t from, to;
    uint64_t bytes;
};
static std::vector<one> sends;
static std::vector<void *> hosts;
static size_t at;
static uint64_t sum;

static const uint64_t timer = UINT64_MAX;

static void called(void *, uint64_t id, double date)
{
    if (id != timer) {
        sum += id * 31 + static_cast<uint64_t>(date * 1e12);
        return;
    }
    const double now = sends[at].date;
    for (; at < sends.size() && sends[at].date == now; at++)
        sgs_send(hosts[sends[at].from], hosts[sends[at].to], sends[at].bytes, at);
    if (at < sends.size())
        sgs_timer(sends[at].date, timer);
}

int main(int argc, char **argv)
{
    simgrid::s4u::Engine engine(&argc, argv);
    for (const char *what :
         {"network/model:CM02", "network/optim:Lazy", "network/TCP-gamma:0",
          "network/crosstraffic:0", "surf/precision:1e-13"})
        engine.set_config(std::string(what));
    engine.load_platform(argv[1]);
    for (size_t i = 0; i < engine.get_host_count(); i++)
        hosts.push_back(engine.host_by_name("node-" + std::to_string(i)));
    FILE *file = fopen(argv[2], "rb");
    for (one s; file && fread(&s, sizeof s, 1, file) == 1;)
        sends.push_back(s);
    sgs_set_cb(called, nullptr);
    sgs_timer(sends[0].date, timer);
    const auto start = std::chrono::steady_clock::now();
    engine.run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    printf("%.4f us/message, sum %016llx\n", taken.count() / sends.size() * 1e6,
           static_cast<unsigned long long>(sum));
    fflush(stdout);
    _Exit(0);
}
