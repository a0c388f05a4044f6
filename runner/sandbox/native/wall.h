#ifndef WALL_H
#define WALL_H

#include <stdint.h>

#include "waited.h"

/* The wall limit of a run. Times in microseconds of now_us. */
struct wall {
  struct waited waited;
  uint64_t limit_us;
  uint64_t patience_us;      /* the longest run on a busy machine */
  int64_t from;              /* when the limit began to count; 0: the peer has not ended yet */
  uint64_t waited_before_us; /* how long the run had waited when the limit began to count */
};

void wall_start(struct wall *wall, struct ours ours, uint64_t limit_us, int counts);
void wall_note_peer_end(struct wall *wall);
int wall_passed(struct wall *wall, int64_t now);

#endif
