#ifndef WALL_H
#define WALL_H

#include <stdint.h>

#include "cgroup.h"

/* The wall clock's limit of a run. Times in microseconds of now_us. */
struct wall {
  const struct cgroup_slot *slot;
  uint64_t limit_us;
  int64_t from;              /* from when the limit counts, 0: the peer's end, which has not come */
  uint64_t waited_us;        /* for a CPU; looked up when the limit comes near */
  uint64_t waited_before_us; /* of that, before the limit began to count */
  int64_t looked;            /* when, while the limit does not count */
};

void wall_start(struct wall *wall, const struct cgroup_slot *slot, uint64_t limit_us, int counts);
void wall_note_peer_end(struct wall *wall);
int wall_passed(struct wall *wall, int64_t now);

#endif
