#ifndef WAITED_H
#define WAITED_H

#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"

/* What counts as ours: the run's threads and, unless `init` is 0, the box's first process and this helper. */
struct ours {
  const struct cgroup_slot *slot;
  const struct cgroup_case *group;
  const volatile int *is_told; /* the run's process goes on */
  pid_t ready;                 /* that process, if it was there before the run, and what it had wanted by then */
  uint64_t ready_us;
  pid_t init;
};

/* A run has fewer threads than this (`pids` of its limits). Of more, only the first ones are read. */
#define MAX_THREADS 64

/* What waited_goes_on answers before a run's first process and after its last. */
#define NOBODY_LIVES (-1)

/* How long a run has waited for a core that others had. Times in microseconds. */
struct waited {
  struct ours ours;
  uint64_t used_before_us; /* by the first process and this helper, before the run */
  int64_t started;         /* time of the run's begin */
  uint64_t us;             /* waited so far, by the last look */
  int64_t box_us;          /* of these, for the box to begin the run: before the program's own time */
  int64_t looked;          /* time of the last look */
  uint64_t newcomer_us;    /* `from_us` of threads that are not known yet */
  int has_begun;           /* a process of the run has been seen */
  pid_t held_by;           /* the thread for which a run past its limit is left alone; 0: it is not */
  uint64_t held_us;        /* `us` when that began */
  int64_t held_since;
  int was_late;            /* the last look came so late that the helper itself must have waited */
  int count;
  struct known {
    pid_t tid;
    int64_t from_us;    /* what had been used and waited when it began, or a little earlier */
    uint64_t wanted_us; /* by the last look */
    int has_moved;      /* it ran, or got the core, between the last two looks */
  } known[MAX_THREADS];
};

void waited_start(struct waited *waited, struct ours ours, int64_t now);
void waited_look(struct waited *waited, int64_t now);
pid_t waited_goes_on(const struct waited *waited);
int waited_holds(struct waited *waited, int is_up, int64_t now);
int waited_is_old(const struct waited *waited, int64_t now);
uint64_t wanted_us(const char *process);
uint64_t wanted_by(pid_t tid);

#endif
