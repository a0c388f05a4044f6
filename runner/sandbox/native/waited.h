#ifndef WAITED_H
#define WAITED_H

#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"

/* What of the core is ours: the run's threads and, where they count, the box's first process and this helper. */
struct ours {
  const struct cgroup_slot *slot;
  const struct cgroup_case *group;
  pid_t init; /* 0: they do not count */
};

/* A run has no more threads than this (`pids` of its limits); of more the first ones are looked at. */
#define MAX_THREADS 64

/* How long a run has waited for a core that others had. Times in microseconds. */
struct waited {
  struct ours ours;
  uint64_t used_before_us; /* by the first process and this helper, before the run */
  uint64_t us;             /* as far as was seen; looked up now and then, and when a limit comes near */
  int64_t looked;          /* when it was looked up */
  uint64_t newcomer_us;    /* what a thread that is not known yet is held against */
  int count;
  struct known {
    pid_t tid;
    uint64_t from_us; /* what had been used and waited when it began, or a little earlier */
  } known[MAX_THREADS];
};

void waited_start(struct waited *waited, struct ours ours, int64_t now);
void waited_look(struct waited *waited, int64_t now);
int waited_is_old(const struct waited *waited, int64_t now);
uint64_t wanted_us(const char *process);

#endif
