#include "programs/dragnn/session.h"

#include <pthread.h>
#include <stdlib.h>

struct dragnn_pool {
    const struct dragnn_spec *spec;
    pthread_mutex_t lock;        /* protects the members below */
    struct dragnn_session *free; /* sessions that wait; the last one returned is first */
    int made;
};

struct dragnn_pool *dragnn_pool_new(const struct dragnn_spec *spec)
{
    struct dragnn_pool *pool = dragnn_new(sizeof *pool);
    pool->spec = spec;
    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

struct dragnn_session *dragnn_get_session(struct dragnn_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct dragnn_session *session = pool->free;
    if (session)
        pool->free = session->next;
    else
        pool->made++;
    pthread_mutex_unlock(&pool->lock);
    return session ? session : dragnn_session_new(pool->spec);
}

void dragnn_return_session(struct dragnn_pool *pool, struct dragnn_session *session)
{
    if (!session)
        return;
    dragnn_session_reset(session);
    pthread_mutex_lock(&pool->lock);
    session->next = pool->free;
    pool->free = session;
    pthread_mutex_unlock(&pool->lock);
}

int dragnn_pool_made(struct dragnn_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    const int made = pool->made;
    pthread_mutex_unlock(&pool->lock);
    return made;
}

void dragnn_pool_free(struct dragnn_pool *pool)
{
    if (!pool)
        return;
    for (struct dragnn_session *session = pool->free, *next; session; session = next) {
        next = session->next;
        dragnn_session_free(session);
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
