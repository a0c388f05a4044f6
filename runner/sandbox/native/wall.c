/*
 * The limit of the wall clock. What a thread waited for a CPU that others had is not the program's doing and
 * moves the limit, twice as far, because the wait that goes on and those of pid 1 and of the helper are not
 * in it. Making itself wait takes a program CPU time, which has a limit of its own.
 */
#include "wall.h"

#include <errno.h>

#include "util.h"

/* A run may take this many times its limit when it has to wait for a CPU. */
#define MAX_WAIT_SHARE 10
/* Between two looks at what a program that waits for its peer has itself waited for a CPU. */
#define WAIT_LOOK_US 100000

/* Looks up how long the program has waited for a CPU. */
static void note_wait(struct wall *wall) {
  uint64_t waited = cgroup_waited_us(wall->slot);
  if (waited > wall->waited_us) wall->waited_us = waited;
}

/* The run begins. `counts` 0: the limit counts from the end of the peer, for which the program waits. */
void wall_start(struct wall *wall, const struct cgroup_slot *slot, uint64_t limit_us, int counts) {
  *wall = (struct wall){.slot = slot, .limit_us = limit_us, .from = counts ? now_us() : 0};
}

/* The peer has ended: from now on the limit counts. */
void wall_note_peer_end(struct wall *wall) {
  note_wait(wall);
  wall->waited_before_us = wall->waited_us;
  wall->from = now_us();
}

/* How far the limit has moved, in microseconds. */
static uint64_t moved(const struct wall *wall) {
  return 2 * (wall->waited_us - wall->waited_before_us);
}

/*
 * Whether the limit has been passed; -1 on a machine that is too busy to judge. Who waits for a peer, which has
 * limits of its own, has all the time that the peer takes; how long it waited for a CPU is told then, because
 * the peer may have waited for it.
 */
int wall_passed(struct wall *wall, int64_t now) {
  uint64_t wall_us = (uint64_t)(now - wall->from);
  if (wall->from == 0) {
    if (now - wall->looked > WAIT_LOOK_US) {
      note_wait(wall);
      wall->looked = now;
    }
    return 0;
  }
  if (wall_us <= wall->limit_us + moved(wall)) return 0;
  note_wait(wall);
  if (wall_us > wall->limit_us + moved(wall)) return 1;
  return wall_us > MAX_WAIT_SHARE * wall->limit_us ? failed("the machine is too busy", ETIMEDOUT) : 0;
}
