#ifndef WALL_H
#define WALL_H

#include <stdint.h>

#include "waited.h"

/* The wall clock's limit of a run. Times in microseconds of now_us. */
struct wall {
  struct waited waited;
  uint64_t limit_us;
  uint64_t patience_us;      /* on a machine that is too busy */
  int64_t from;              /* from when the limit counts, 0: the peer's end, which has not come */
  uint64_t waited_before_us; /* what had been waited before the limit began to count */
};

void wall_start(struct wall *wall, struct ours ours, uint64_t limit_us, int counts);
void wall_note_peer_end(struct wall *wall);
int wall_passed(struct wall *wall, int64_t now);

#endif
