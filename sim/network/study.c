#include "sim/network/study.h"

#include <math.h>

#include "analysis/summary.h"
#include "lib/memory.h"

/* --- what is known --------------------------------------------------------------------------- */

bool sim_study_open(struct sim_study *s, const struct sim_study_request *request,
                    struct lib_diags *diags)
{
    *s = (struct sim_study){.request = *request};
    s->graph = machine_graph_make(&request->shape, diags);
    if (!s->graph ||
        !machine_pattern_make(&s->pattern, &request->pattern, s->graph, diags))
        return false;
    machine_graph_prove(s->graph, &s->proof);
    machine_graph_distances(s->graph, &s->distances);
    s->between_halves = machine_graph_between_halves(s->graph);
    s->has_bound = machine_graph_bound(s->graph, &s->pattern, request->settings,
                                       request->bits, &s->bound);
    return true;
}

void sim_study_close(struct sim_study *s)
{
    for (size_t i = 0; i < s->points.count; i++)
        lib_mem_free(s->points.items[i].link_loads);
    LIB_VEC_FREE(&s->points);
    machine_proof_free(&s->proof);
    machine_pattern_free(&s->pattern);
    machine_graph_free(s->graph);
}

double sim_study_greatest(const struct sim_study *s)
{
    double most = 0;
    for (size_t i = 0; i < s->points.count; i++)
        if (s->points.items[i].accepted > most)
            most = s->points.items[i].accepted;
    return most;
}

/* --- measuring ------------------------------------------------------------------------------- */

struct measurement {
    struct machine_traffic_source *offer;
    const struct sim_study *study;
    struct sim_study_point *point;
    size_t first, behind; /* range of measured windows */
    uint64_t inside;      /* tokens in the network at the start of the measurement */
    uint32_t window;      /* cycles per window */
    uint64_t all;         /* maximum number of cycles */
    sim_study_look *look;
    void *context;
};

static bool run_windows(struct measurement *m, uint32_t windows)
{
    size_t count;
    machine_traffic_source_run(m->offer, windows);
    machine_traffic_source_windows(m->offer, &count);
    return m->look(m->context, count * m->window, m->all);
}

static struct machine_traffic_source_window sum_windows(const struct measurement *m)
{
    size_t count;
    const struct machine_traffic_source_window *w = machine_traffic_source_windows(
        m->offer, &count);
    struct machine_traffic_source_window all = {0};
    for (size_t i = m->first; i < m->behind; i++) {
        all.sent += w[i].sent;
        all.delivered += w[i].delivered;
        all.arrived += w[i].arrived;
        all.latency += w[i].latency;
    }
    return all;
}

/* Computes the mean latency of all tokens, and its interval from the means of ten to twenty groups
 * of windows, long enough to be nearly independent. Groups without tokens have no mean. */
static void find_latency(const struct measurement *m)
{
    size_t count;
    const struct machine_traffic_source_window *w = machine_traffic_source_windows(
        m->offer, &count);
    const size_t windows = m->behind - m->first, group = windows / SIM_STUDY_LEAST;
    double means[2 * SIM_STUDY_LEAST];
    size_t groups = 0;
    for (size_t i = m->first; i + group <= m->behind && groups < 2 * SIM_STUDY_LEAST;
         i += group) {
        uint64_t arrived = 0, latency = 0;
        for (size_t k = i; k < i + group; k++) {
            arrived += w[k].arrived;
            latency += w[k].latency;
        }
        if (arrived > 0)
            means[groups++] = (double)latency / (double)arrived;
    }
    const struct machine_traffic_source_window all = sum_windows(m);
    const struct analysis_summary summary = analysis_summarise(
        means, groups, ANALYSIS_MEAN, ANALYSIS_CI95);
    m->point->latency = all.arrived ? (double)all.latency / (double)all.arrived : NAN;
    m->point->low = m->point->latency - (summary.value - summary.low);
    m->point->high = m->point->latency + (summary.high - summary.value);
}

static bool is_precise(const struct measurement *m)
{
    const struct sim_study_point *p = m->point;
    find_latency(m);
    return p->high - p->latency <= m->study->request.precision * p->latency;
}

/* Whether more than 1 % of the measured tokens stay in the network. */
static bool stays_behind(const struct measurement *m)
{
    const uint64_t inside = machine_traffic_source_inside(m->offer);
    const uint64_t more = inside > m->inside ? inside - m->inside : 0;
    const uint64_t sent = sum_windows(m).sent;
    return more > 2 * (uint64_t)m->study->graph->pe_count && more * 100 > sent;
}

/* Returns false if interrupted. */
static bool measure_windows(struct measurement *m)
{
    const struct sim_study_request *q = &m->study->request;
    const uint64_t most = q->cycles ? q->cycles : SIM_STUDY_CYCLES;
    machine_traffic_source_windows(m->offer, &m->first);
    m->behind = m->first;
    m->inside = machine_traffic_source_inside(m->offer);
    machine_traffic_source_measure(m->offer);
    do {
        if (!run_windows(m, SIM_STUDY_LEAST))
            return false;
        m->behind += SIM_STUDY_LEAST;
        m->point->is_saturated = stays_behind(m);
    } while ((m->behind - m->first) * m->window < most &&
             (m->point->is_saturated || !is_precise(m)));
    return true;
}

/* Sets the numbers that are known before all tokens have arrived. */
static void set_rates(const struct measurement *m)
{
    struct sim_study_point *p = m->point;
    const struct machine_graph *g = m->study->graph;
    const struct machine_traffic_source_window all = sum_windows(m);
    p->cycles = (m->behind - m->first) * m->window;
    const double turns = (double)p->cycles * g->pe_count;
    p->offered = (double)all.sent / turns;
    p->accepted = (double)all.delivered / turns;
    p->hops = machine_traffic_source_hops(m->offer);
    for (uint32_t i = 2 * g->pe_count; i < g->link_count; i++) {
        const double load = machine_traffic_source_link(m->offer, i);
        if (load > p->busiest) {
            p->busiest = load;
            p->busiest_link = i;
        }
    }
    p->least_share = INFINITY;
    for (uint32_t pe = 0; pe < g->pe_count; pe++) {
        const double rate = machine_pattern_rate(&m->study->pattern, pe) * p->accepted;
        const double share = rate > 0
                                 ? (double)machine_traffic_source_of_pe(m->offer, pe) /
                                       (rate * (double)p->cycles)
                                 : 1;
        p->least_share = share < p->least_share ? share : p->least_share;
    }
    for (uint32_t i = 0; p->link_loads && i < g->link_count; i++)
        p->link_loads[i] = machine_traffic_source_link(m->offer, i);
}

/* Waits for all tokens, or until the network counts as saturated. Returns false if interrupted. */
static bool wait_for_all(struct measurement *m)
{
    const size_t most = 2 * (m->behind - m->first) + SIM_STUDY_LEAST;
    struct machine_traffic_source_window all = sum_windows(m);
    for (size_t i = 0; i < most && all.arrived < all.sent; i++, all = sum_windows(m))
        if (!run_windows(m, 1))
            return false;
    m->point->is_saturated |= all.arrived < all.sent;
    return true;
}

static void set_latency(const struct measurement *m)
{
    struct sim_study_point *p = m->point;
    if (p->is_saturated) {
        p->latency = p->low = p->high = NAN;
        return;
    }
    find_latency(m);
    p->median = machine_traffic_source_quantile(m->offer, 0.5);
    p->most = machine_traffic_source_quantile(m->offer, 0.99);
}

/* A window has some hundred tokens, as few tokens say little, and at least 100 cycles. */
static uint32_t window_of(const struct sim_study *s, double load)
{
    const double tokens = load * s->graph->pe_count;
    const double cycles = tokens > 0 ? 400 / tokens : 1000;
    return cycles < 100 ? 100 : cycles > 10000 ? 10000 : (uint32_t)cycles;
}

bool sim_study_measure(struct sim_study *s, double load, bool with_links,
                       sim_study_look *look, void *context)
{
    struct lib_diags diags = {0};
    struct sim_study_point point = {.load = load};
    const struct sim_study_request *q = &s->request;
    const struct machine_traffic_source_request offer = {
        /* sim_study_open has made it without an error. */
        .graph = machine_graph_make(&q->shape, &diags),
        .settings = q->settings,
        .pattern = &s->pattern,
        .load = load,
        .seed = q->seed,
        .bits = q->bits,
        .window = window_of(s, load),
    };
    const uint64_t warm_up = q->warm_up ? q->warm_up : SIM_STUDY_WARM_UP;
    struct measurement m = {
        .offer = machine_traffic_source_new(&offer),
        .study = s,
        .point = &point,
        .window = offer.window,
        .all = warm_up + (q->cycles ? q->cycles : SIM_STUDY_CYCLES),
        .look = look,
        .context = context,
    };
    if (with_links)
        point.link_loads = lib_mem_new(s->graph->link_count * sizeof *point.link_loads);
    bool goes_on = run_windows(&m, (uint32_t)((warm_up + m.window - 1) / m.window)) &&
                   measure_windows(&m);
    if (goes_on) {
        set_rates(&m);
        goes_on = point.is_saturated || wait_for_all(&m);
    }
    if (goes_on) {
        set_latency(&m);
        *LIB_VEC_PUSH(&s->points) = point;
    } else {
        lib_mem_free(point.link_loads);
    }
    machine_traffic_source_free(m.offer);
    lib_diags_free(&diags);
    return goes_on;
}
