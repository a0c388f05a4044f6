#ifndef WAITED_H
#define WAITED_H

#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"

/* Ours are the run's threads and, unless `init` is 0, the box's first process and this helper. */
struct ours {
  const struct cgroup_slot *slot;
  const struct cgroup_case *group;
  const volatile int *is_told; /* whether the run's process goes on */
  pid_t ready;                 /* the run's process if it existed before the run; `ready_us`: its CPU time and waiting by then */
  uint64_t ready_us;
  pid_t init;
};

/* A run has fewer threads than this (`pids` of its limits). If it had more, only the first ones would be read. */
#define MAX_THREADS 64

/* The result of waited_goes_on before a run's first process and after its last. */
#define NOBODY_LIVES (-1)

/* How long a run has waited for a core that others had. Times in microseconds. */
struct waited {
  struct ours ours;
  uint64_t used_before_us; /* CPU time of the box's first process and this helper, before the run */
  int64_t started;         /* time of the run's begin */
  uint64_t us;             /* how long the run had waited at the last look */
  int64_t box_us;          /* the part of `us` in which the run waited for the box to begin it */
  int64_t looked;          /* time of the last look */
  uint64_t newcomer_us;    /* `from_us` of threads that are not known yet */
  int has_begun;           /* a process of the run has been seen */
  pid_t held_by;           /* the thread because of which a run past its limit is not yet stopped; 0: none */
  uint64_t held_us;        /* `us` at the moment from which that thread counts */
  int64_t held_since;
  int was_late;            /* the last look came so late that the helper itself must have waited */
  int count;
  struct known {
    pid_t tid;
    int64_t from_us;    /* CPU time and waiting of the run when the thread began, or a little earlier */
    uint64_t wanted_us; /* the time it ran or was ready to run, up to the last look */
    int has_moved;      /* whether it ran, or got the core, between the last two looks */
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
