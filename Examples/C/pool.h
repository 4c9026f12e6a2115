/* pool.h — worker threads and the streams that have work. Any worker may take any stream; a stream that is taken
 * belongs to that thread until it is given back, which is all that the detector asks for. (Jitsi's packet queues, an
 * actor's mailbox, a strand of Asio: the same thing.) */
#ifndef EXAMPLES_POOL_H
#define EXAMPLES_POOL_H

#include <pthread.h>

#include "stream.h"

/* How many streams a worker takes at once. More amortise the lock and fill a batch; fewer spread a peak over
 * threads. */
enum { POOL_TAKE = BATCH_MAX, POOL_THREADS_MAX = 64 };

typedef struct pool {
  pthread_mutex_t lock;
  pthread_cond_t has_work, has_room;
  stream *ready, **ready_end;
  size_t waiting, waiting_max; /* packets in mailboxes */
  bool is_closed;
  pthread_t threads[POOL_THREADS_MAX];
  size_t thread_count;
} pool;

/* False, with errno set, when a thread cannot be started. */
bool pool_start(pool *pool, size_t threads, size_t waiting_max);

/* Puts a packet into a stream's mailbox, which takes it over. Waits for room when `waiting_max` packets wait already: a
 * server that cannot wait drops the packet and counts it, and the detector hears of a gap. */
void pool_post(pool *pool, stream *stream, rtp_packet *packet);

/* Returns when everything posted is analysed. */
void pool_finish(pool *pool);

#endif
