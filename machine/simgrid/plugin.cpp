/* SimGrid behind machine/simgrid/plugin.h. There is no actor: maestro, the context of SimGrid's
 * own loop, sends messages. */
#include "machine/simgrid/plugin.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <simgrid/version.h>
#include <xbt/config.hpp>

namespace sg = simgrid::s4u;

/* SimGrid has this function, but no header of its package declares it. */
int surf_parse_get_lineno();

namespace
{

struct state {
    sg::Engine *engine = nullptr;
    std::vector<sg::Host *> hosts;
    std::vector<sg::Link *> links;
    std::vector<simgrid::kernel::resource::Model *> models;
    std::vector<machine_simgrid_done> done;
};
state now;

/* --- names -------------------------------------------------------------------------- */

bool is_digit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/* Returns the digits from `at` on, without leading zeros. */
std::string digits(const std::string &text, size_t &at)
{
    while (at < text.size() && text[at] == '0')
        at++;
    const size_t begin = at;
    while (at < text.size() && is_digit(text[at]))
        at++;
    return text.substr(begin, at - begin);
}

/* Names that differ only in zeros are ordered by their bytes. */
bool is_before(const std::string &a, const std::string &b)
{
    size_t i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        if (is_digit(a[i]) && is_digit(b[k])) {
            const std::string m = digits(a, i), n = digits(b, k);
            if (m != n)
                return m.size() != n.size() ? m.size() < n.size() : m < n;
        } else if (a[i] != b[k]) {
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[k]);
        } else {
            i++, k++;
        }
    }
    if ((i < a.size()) != (k < b.size()))
        return k < b.size();
    return a < b;
}

template <class T> std::vector<T *> in_order(std::vector<T *> all)
{
    std::sort(all.begin(), all.end(), [](const T *a, const T *b) {
        return is_before(a->get_name(), b->get_name());
    });
    return all;
}

/* --- the platform ------------------------------------------------------------------- */

const char *version()
{
    static const std::string text = std::to_string(SIMGRID_VERSION_MAJOR) + "." +
                                    std::to_string(SIMGRID_VERSION_MINOR);
    return text.c_str();
}

void came(sg::Activity const &message)
{
    auto &m = const_cast<sg::Activity &>(message);
    const machine_simgrid_done one = {
        sg::Engine::get_clock(),
        reinterpret_cast<uintptr_t>(static_cast<sg::Comm &>(m).get_data<void>())};
    auto at = now.done.end(); /* messages of one date come in any order */
    while (at != now.done.begin() && at[-1].date == one.date &&
           at[-1].number > one.number)
        --at;
    now.done.insert(at, one);
    m.unref();
}

int line()
{
    return surf_parse_get_lineno();
}

void read(const char *path, const char *const *config)
{
    static char name[] = "hiaton", quiet[] = "--log=root.thresh:error";
    static char format[] = "--log=root.fmt:%m%n";
    static char *argv[] = {name, quiet, format, nullptr};
    int argc = 3;
    now.engine = new sg::Engine(&argc, argv);
    for (; config[0]; config += 2)
        sg::Engine::set_config(std::string(config[0]) + ":" + config[1]);
    now.engine->load_platform(path);
    now.engine->seal_platform();
    now.hosts = in_order(now.engine->get_all_hosts());
    now.links = in_order(now.engine->get_all_links());
    for (size_t i = 0; i < now.links.size(); i++)
        now.links[i]->set_data(reinterpret_cast<void *>(i));
    for (auto *model : now.engine->get_all_models())
        if (model->next_occurring_event_is_idempotent())
            now.models.push_back(model);
    sg::Activity::on_completion_cb(came);
}

const char *load(const char *path, const char *const *config)
{
    static std::string wrong;
    try {
        read(path, config);
        return nullptr;
    } catch (const std::exception &e) {
        wrong = e.what();
        return wrong.c_str();
    }
}

uint32_t host_count()
{
    return static_cast<uint32_t>(now.hosts.size());
}

const char *host_name(uint32_t host)
{
    return now.hosts[host]->get_cname();
}

uint32_t link_count()
{
    return static_cast<uint32_t>(now.links.size());
}

void link(uint32_t at, machine_simgrid_link *about)
{
    const sg::Link *l = now.links[at];
    *about = {l->get_cname(), l->get_bandwidth(), l->get_latency(),
              l->get_sharing_policy() != sg::Link::SharingPolicy::FATPIPE};
}

void factors(double *latency, double *bandwidth)
{
    *latency = simgrid::config::get_value<double>("network/latency-factor");
    *bandwidth = simgrid::config::get_value<double>("network/bandwidth-factor");
}

uint32_t route(uint32_t from, uint32_t to, uint32_t *links, uint32_t most)
{
    static std::vector<sg::Link *> way;
    double latency = 0;
    way.clear();
    now.hosts[from]->route_to(now.hosts[to], way, &latency);
    for (uint32_t i = 0; i < way.size() && i < most; i++)
        links[i] = static_cast<uint32_t>(
            reinterpret_cast<uintptr_t>(way[i]->get_data<void>()));
    return static_cast<uint32_t>(way.size());
}

/* --- time --------------------------------------------------------------------------- */

void send(uint64_t number, uint32_t from, uint32_t to, uint64_t bytes)
{
    sg::CommPtr message = sg::Comm::sendto_init();
    message->set_payload_size(bytes)->set_data(reinterpret_cast<void *>(number));
    message->add_ref();
    message->set_source(now.hosts[from]);
    message->set_destination(now.hosts[to]); /* it starts here */
}

/* run_until takes one step if the date is less than 10 us away, else several. */
const machine_simgrid_done *advance(double date, size_t *count)
{
    now.done.clear();
    while (sg::Engine::get_clock() < date)
        now.engine->run_until(date);
    *count = now.done.size();
    return now.done.data();
}

double next()
{
    const double clock = sg::Engine::get_clock();
    double first = std::numeric_limits<double>::infinity();
    for (auto *model : now.models) {
        const double in = model->next_occurring_event(clock);
        if (in >= 0 && clock + in < first)
            first = clock + in;
    }
    return first;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const machine_simgrid *
hiaton_simgrid(uint32_t wanted)
{
    static const machine_simgrid table = {version,   load,       line,    host_count,
                                          host_name, link_count, link,    factors,
                                          route,     send,       advance, next};
    return wanted == MACHINE_SIMGRID_VERSION ? &table : nullptr;
}
