#include "pool.h"

#include <errno.h>

static void schedule(pool *pool, stream *stream) {
  stream->is_scheduled = true;
  stream->next_ready = NULL;
  *pool->ready_end = stream;
  pool->ready_end = &stream->next_ready;
  pthread_cond_signal(&pool->has_work);
}

/* The stream's mail becomes its owner's, in order of arrival. */
static void open_mail(pool *pool, stream *stream) {
  stream->arrivals = stream->inbox;
  for (rtp_packet *packet = stream->inbox; packet != NULL; packet = packet->next) pool->waiting--;
  stream->inbox = NULL;
  stream->inbox_end = &stream->inbox;
}

/* Waits for work; 0 when there will be none any more. */
static size_t take(pool *pool, stream **streams) {
  size_t count = 0;
  pthread_mutex_lock(&pool->lock);
  while (pool->ready == NULL && !pool->is_closed) pthread_cond_wait(&pool->has_work, &pool->lock);
  for (; count < POOL_TAKE && pool->ready != NULL; count++) {
    streams[count] = pool->ready;
    pool->ready = pool->ready->next_ready;
    open_mail(pool, streams[count]);
  }
  if (pool->ready == NULL) pool->ready_end = &pool->ready;
  else pthread_cond_signal(&pool->has_work);
  pthread_cond_signal(&pool->has_room);
  pthread_mutex_unlock(&pool->lock);
  return count;
}

static void give_back(pool *pool, stream **streams, size_t count) {
  pthread_mutex_lock(&pool->lock);
  for (size_t i = 0; i < count; i++) {
    streams[i]->is_scheduled = false;
    if (streams[i]->inbox != NULL) schedule(pool, streams[i]); /* came meanwhile */
  }
  pthread_mutex_unlock(&pool->lock);
}

static void *work(void *context) {
  pool *pool = context;
  stream *streams[POOL_TAKE];
  for (size_t count; (count = take(pool, streams)) > 0;) {
    streams_analyse(streams, count);
    give_back(pool, streams, count);
  }
  return NULL;
}

bool pool_start(pool *pool, size_t threads, size_t waiting_max) {
  *pool = (struct pool){.waiting_max = waiting_max};
  pool->ready_end = &pool->ready;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->has_work, NULL);
  pthread_cond_init(&pool->has_room, NULL);
  while (pool->thread_count < threads) {
    const int error = pthread_create(&pool->threads[pool->thread_count], NULL, work, pool);
    if (error != 0) {
      pool_finish(pool);
      errno = error;
      return false;
    }
    pool->thread_count++;
  }
  return true;
}

void pool_post(pool *pool, stream *stream, rtp_packet *packet) {
  packet->next = NULL;
  pthread_mutex_lock(&pool->lock);
  while (pool->waiting >= pool->waiting_max) pthread_cond_wait(&pool->has_room, &pool->lock);
  pool->waiting++;
  *stream->inbox_end = packet;
  stream->inbox_end = &packet->next;
  if (!stream->is_scheduled) schedule(pool, stream);
  pthread_mutex_unlock(&pool->lock);
}

void pool_finish(pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->is_closed = true;
  pthread_cond_broadcast(&pool->has_work);
  pthread_mutex_unlock(&pool->lock);
  for (size_t i = 0; i < pool->thread_count; i++) pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->has_room);
  pthread_cond_destroy(&pool->has_work);
  pthread_mutex_destroy(&pool->lock);
}
