/*
 * The wall limit. While others have the core and the program waits for it, the limit moves (waited.c).
 */
#include "wall.h"

#include <errno.h>

#include "util.h"

/* Starts the clock. With `counts` 0 the program waits for its peer, and the limit counts from the peer's end. */
void wall_start(struct wall *wall, struct ours ours, uint64_t limit_us, int counts) {
  int64_t now = now_us();
  *wall = (struct wall){.limit_us = limit_us, .from = counts ? now : 0};
  wall->patience_us = MAX_WALL_SHARE * limit_us + (counts ? 0 : TALK_PATIENCE_US);
  waited_start(&wall->waited, ours, now);
}

/* Starts to count the limit: the peer has ended. */
void wall_note_peer_end(struct wall *wall) {
  wall->from = now_us();
  waited_look(&wall->waited, wall->from);
  wall->waited_before_us = wall->waited.us;
}

/* Whether time is up, as far as the waiting is known. */
static int is_up(const struct wall *wall, uint64_t wall_us) {
  return wall_us > wall->limit_us + wall->waited.us - wall->waited_before_us;
}

/*
 * Whether the limit has been passed; -1 on a machine that is too busy to judge. A program may wait for
 * its peer as long as the peer runs, because the peer has limits of its own. A program that may be waiting for a core is
 * not stopped, because the length of its wait is known only afterwards.
 */
int wall_passed(struct wall *wall, int64_t now) {
  uint64_t wall_us = wall->from ? (uint64_t)(now - wall->from) : 0;
  if (waited_is_old(&wall->waited, now) || (is_up(wall, wall_us) && !wall->waited.held_by)) {
    waited_look(&wall->waited, now);
    if (!waited_holds(&wall->waited, is_up(wall, wall_us), now) && is_up(wall, wall_us)) return 1;
  }
  return wall_us > wall->patience_us ? failed("the machine is too busy", ETIMEDOUT) : 0;
}
