/* memory.c — a warm coordinator allocates nothing, and where one of the other allocations fails, the process ends as
 * the header says, and no call returns. Each failure has a child process of its own. Built and run by Scripts/check-
 * library.sh. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "allocation_counter.h"
#include "expect.h"

static vp_coordinator *create(uint64_t streams) {
  vp_coordinator *coordinator = NULL;
  EXPECT(vp_coordinator_create(NULL, &coordinator) == VP_OK && coordinator != NULL);
  for (uint64_t i = 0; i < streams; i++)
    EXPECT(vp_upsert_stream(coordinator, VP_STREAM(i, VP_TRACK_VIDEO), VP_KIND_CAMERA, false, layers, LAYERS, 0) ==
           VP_OK);
  return coordinator;
}

/* ---- Warm ---- */

static void check_allocations(void) {
  enum { STREAMS = 25, ROUNDS = 2000 };
  const long cold = allocation_counter_here();
  vp_coordinator *coordinator = create(STREAMS);
  vp_demand demand;
  vp_stream_decision rows[STREAMS];
  vp_paused_change changes[STREAMS];
  size_t count;
  long warm = 0;
  uint32_t random = 1;
  EXPECT(vp_demand_default(&demand) == VP_OK);
  for (int64_t round = 0; round < ROUNDS; round++) {
    random = random * 1664525 + 1013904223;
    if (round == 100) warm = allocation_counter_here();
    demand.has_view_size = 1, demand.view_width = demand.view_height = 90 + random % 700;
    const int64_t bps = 300000 + random % 9000000;
    EXPECT(vp_set_bandwidth_estimate(coordinator, bps, VP_CONGESTION_NONE, round * 150000) == VP_OK);
    EXPECT(vp_set_demand(coordinator, VP_STREAM(random >> 8 & 15, VP_TRACK_VIDEO), &demand, round * 150000) == VP_OK);
    EXPECT(vp_layer_locked(coordinator, VP_STREAM(random >> 12 & 15, VP_TRACK_VIDEO), round * 150000) == VP_OK);
    EXPECT(vp_decide(coordinator, round * 150000, NULL) == VP_OK);
    EXPECT(vp_stream_decisions(coordinator, rows, STREAMS, &count) == VP_OK);
    EXPECT(vp_drain_paused_changes(coordinator, changes, STREAMS, &count) == VP_OK);
  }
  EXPECT(warm > cold && allocation_counter_here() == warm);
  vp_coordinator_destroy(coordinator);
}

/* ---- Exhausted ---- */

/* What allocates: see MEMORY in the header. */
static void use_memory(void) {
  vp_coordinator *coordinator = create(3);
  const uint64_t speakers[] = {2, 0, 1};
  const uint64_t participants[] = {0, 1, 2};
  const vp_layout_stream entry = {.participant = 2, .has_participant = 1, .quality = VP_QUALITY_720P_30FPS,
                                  .priority = VP_PRIORITY_HIGH};
  vp_layer_demand *demand;
  vp_stream_decision rows[3];
  vp_demanded_layers changes[3];
  size_t count;
  EXPECT(vp_set_speaker_order(coordinator, speakers, 3, 1) == VP_OK);
  EXPECT(vp_set_bandwidth_estimate(coordinator, 700000, VP_CONGESTION_NONE, 2) == VP_OK);
  EXPECT(vp_set_in_meeting(coordinator, true, 3) == VP_OK);
  EXPECT(vp_set_participants(coordinator, participants, 3, 3) == VP_OK);
  EXPECT(vp_set_video_layout(coordinator, VP_LAYOUT_CUSTOM, 3) == VP_OK);
  EXPECT(vp_set_layout_streams(coordinator, &entry, 1, 3) == VP_OK);
  EXPECT(vp_decide(coordinator, 3, NULL) == VP_OK);
  EXPECT(vp_stream_decisions(coordinator, rows, 3, &count) == VP_OK);
  EXPECT(vp_layer_demand_create(5000000, &demand) == VP_OK);
  EXPECT(vp_layer_demand_update(demand, 7, coordinator, 4) == VP_OK);
  EXPECT(vp_drain_demanded_layers(demand, changes, 3, &count, NULL, 4) == VP_OK);
  vp_layer_demand_destroy(demand);
  vp_coordinator_destroy(coordinator);
}

/* Whether the nth allocation of a child fails, which then aborts with a line that says why. */
static bool ends_at(long nth) {
  int said[2], status;
  char line[64] = "";
  EXPECT(pipe(said) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(said[1], STDERR_FILENO);
    close(said[1]);
    allocation_counter_fail(nth);
    use_memory();
    _exit(allocation_counter_fail(0)); /* 1: a call returned though it had no memory */
  }
  close(said[1]);
  EXPECT(child > 0 && read(said[0], line, sizeof line - 1) >= 0 && waitpid(child, &status, 0) == child);
  close(said[0]);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
  EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  EXPECT(strcmp(line, "libvideopause: there is no memory\n") == 0);
  return true;
}

static long check_exhaustion(void) {
  long nth = 1;
  while (ends_at(nth)) nth++;
  return nth - 1;
}

int main(void) {
  EXPECT(allocation_counter_works());
  check_allocations();
  const long failed = check_exhaustion();
  EXPECT(failed > 10);
  printf("memory: a warm coordinator allocates nothing; each of %ld failed allocations aborts\n", failed);
}
