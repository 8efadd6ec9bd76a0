#include "sim/library/library_internal.h"

struct hiaton_pool {
    struct hiaton_program *program; /* counted reference, as is the machine */
    struct hiaton_machine *machine;
    struct hiaton_session_options options;
    struct hiaton_reporter reporter;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t is_back;
    struct hiaton_session **idle; /* owned; `idle_count` sessions */
    size_t most, made, idle_count;
    bool is_freed; /* whether the last returned session frees the pool */
};

static void destroy_pool(struct hiaton_pool *pool)
{
    for (size_t i = 0; i < pool->idle_count; i++)
        hiaton_session_free(pool->idle[i]);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->is_back);
    hiaton_machine_free(pool->machine);
    hiaton_program_free(pool->program);
    LIB_MEM_FREE(pool->idle, pool);
}

static struct hiaton_session *new_session(struct hiaton_pool *pool)
{
    return hiaton_session_new(pool->program, pool->machine, &pool->options,
                              &pool->reporter);
}

struct hiaton_pool *hiaton_pool_new(struct hiaton_program *program,
                                    struct hiaton_machine *machine, size_t count,
                                    const struct hiaton_session_options *options,
                                    const struct hiaton_reporter *reporter)
{
    if (!program) {
        sim_library_complain(reporter, LIB_DIAG_USAGE, "a pool needs a program");
        return NULL;
    }
    struct hiaton_pool *pool = lib_mem_new(sizeof *pool);
    pool->program = sim_library_hold_program(program);
    pool->machine = sim_library_hold_machine(machine ? machine : program->machine);
    SIM_TAKE(pool->options, options);
    SIM_TAKE(pool->reporter, reporter);
    pool->options.size = sizeof pool->options;
    pool->reporter.size = sizeof pool->reporter;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->is_back, NULL);
    pool->most = count ? count : 1;
    pool->idle = lib_mem_new(pool->most * sizeof(struct hiaton_session *));
    pool->idle[0] = new_session(pool); /* if the first fails, all would */
    if (!pool->idle[0]) {
        destroy_pool(pool);
        return NULL;
    }
    pool->made = pool->idle_count = 1;
    return pool;
}

struct hiaton_session *hiaton_pool_get(struct hiaton_pool *pool, uint64_t seed, int waits)
{
    struct hiaton_session *session = NULL;
    if (!pool)
        return NULL;
    pthread_mutex_lock(&pool->lock);
    while (waits && !pool->idle_count && pool->made == pool->most)
        pthread_cond_wait(&pool->is_back, &pool->lock);
    const bool is_new = !pool->idle_count && pool->made < pool->most;
    if (pool->idle_count)
        session = pool->idle[--pool->idle_count];
    pool->made += is_new;
    pthread_mutex_unlock(&pool->lock);
    if (is_new)
        session = new_session(pool);
    if (session)
        hiaton_session_reset(session, seed);
    return session;
}

void hiaton_pool_put(struct hiaton_pool *pool, struct hiaton_session *session)
{
    if (!pool || !session)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->idle[pool->idle_count++] = session;
    const bool is_last = pool->is_freed && pool->idle_count == pool->made;
    pthread_cond_signal(&pool->is_back);
    pthread_mutex_unlock(&pool->lock);
    if (is_last)
        destroy_pool(pool);
}

void hiaton_pool_free(struct hiaton_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->is_freed = true;
    const bool is_last = pool->idle_count == pool->made;
    pthread_mutex_unlock(&pool->lock);
    if (is_last)
        destroy_pool(pool);
}
