#ifndef WALL_H
#define WALL_H

#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"

/* What of the core is ours: the program's processes, the box's first process, and this helper. */
struct ours {
  const struct cgroup_slot *slot;
  const struct cgroup_case *group;
  pid_t init;
};

/* The wall clock's limit of a run. Times in microseconds of now_us. */
struct wall {
  struct ours ours;
  uint64_t used_before_us; /* by the first process and this helper, before the run */
  uint64_t limit_us;
  int64_t from;              /* from when the limit counts, 0: the peer's end, which has not come */
  uint64_t waited_us;        /* for a core that others had; looked up now and then, and when the limit comes near */
  uint64_t waited_before_us; /* of that, before the limit began to count */
  int64_t looked;            /* when it was looked up */
};

void wall_start(struct wall *wall, struct ours ours, uint64_t limit_us, int counts);
void wall_note_peer_end(struct wall *wall);
int wall_passed(struct wall *wall, int64_t now);

#endif
