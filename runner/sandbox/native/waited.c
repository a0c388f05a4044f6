/*
 * Measures how long a run has waited for a core that others had (other programs of the host, a quota). Waiting for the run's
 * own processes, or for the helper that empties its pipes, does not count: a program must not gain time by keeping the
 * core busy.
 *
 * Take the time in which a thread ran or was ready to run, and subtract all our CPU time meanwhile: others had the core for the
 * rest. For one thread this is exact; for several threads it is never too much. Each thread starts from the sum that was known when
 * it began, so a chain of processes, such as a compiler's, loses only the time between two looks. The lives of such
 * processes do not overlap, so nothing is counted twice.
 *
 * The kernel counts a wait only when it ends. So before a run is stopped, waited_holds tells whether a wait may still be going on.
 */
#include "waited.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util.h"

/* The time between two looks while no limit is near. */
#define LOOK_US 20000
/* If a look comes this long after the look before it, the helper itself waited for a core. */
#define LATE_US (2 * LOOK_US)

/*
 * How long a thread (its number, or "self") has run or was ready to run: the first two numbers of /proc/pid/schedstat, in ns
 * (Documentation/scheduler/sched-stats.rst). 0 when it is gone.
 */
uint64_t wanted_us(const char *process) {
  char name[40], text[96];
  unsigned long long ran_ns, waited_ns;
  snprintf(name, sizeof name, "/proc/%s/schedstat", process);
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  close_fd(&fd);
  if (got <= 0) return 0;
  text[got] = 0;
  return sscanf(text, "%llu %llu", &ran_ns, &waited_ns) == 2 ? (ran_ns + waited_ns) / 1000 : 0;
}

/* The same for a thread, by its number. */
uint64_t wanted_by(pid_t tid) {
  char name[16];
  snprintf(name, sizeof name, "%d", tid);
  return wanted_us(name);
}

/* The state of a thread in /proc/pid/stat, behind a name in parentheses (proc_pid_stat(5)); Z when it is gone. */
static char state_of(pid_t tid) {
  char name[40], text[256];
  snprintf(name, sizeof name, "/proc/%d/stat", tid);
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  close_fd(&fd);
  if (got <= 0) return 'Z';
  text[got] = 0;
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' ? end[2] : 'Z';
}

/* Exact CPU time of a process in microseconds (clock_getcpuclockid(3)); 0 when it is gone. */
static uint64_t process_cpu_us(pid_t pid) {
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) < 0) return 0;
  return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

/* CPU time of this helper and of the box's first process. */
static uint64_t attendants_us(const struct ours *ours) {
  return ours->init ? process_cpu_us(0) + process_cpu_us(ours->init) : 0;
}

/* The CPU time of the run, its helper and the box's first process since the run began. Returns -1 when it is unknown. */
static int used_us(const struct waited *waited, uint64_t *used) {
  uint64_t program, attendants = attendants_us(&waited->ours);
  if (cgroup_cpu_us(waited->ours.slot, waited->ours.group, &program) < 0) return -1;
  if (attendants < waited->used_before_us) return -1; /* helper or first process is gone, and the run with it */
  *used = program + attendants - waited->used_before_us;
  return 0;
}

/* Starts to measure a run. */
void waited_start(struct waited *waited, struct ours ours, int64_t now) {
  *waited = (struct waited){.ours = ours, .started = now, .looked = now};
  waited->used_before_us = attendants_us(&ours);
}

/* Whether it is time to look again. */
int waited_is_old(const struct waited *waited, int64_t now) { return now - waited->looked > LOOK_US; }

/*
 * The thread of the run that may be waiting for a core: it is ready, and has not run between the last two looks. After a late
 * look we only know that it is ready. NOBODY_LIVES: the run waits for the box to begin or to end it; 0: no thread. A thread
 * waits only while others have the cores, or while the run's own processes have them; these the CPU limit ends.
 */
pid_t waited_goes_on(const struct waited *waited) {
  pid_t found = NOBODY_LIVES;
  for (int i = 0; i < waited->count; i++) {
    const struct known *thread = &waited->known[i];
    char state = state_of(thread->tid);
    if (state == 'Z' || state == 'X') continue;
    if (found == NOBODY_LIVES) found = 0;
    if (state != 'R' || (thread->has_moved && !waited->was_late)) continue;
    if (found == 0 || thread->tid == waited->held_by) found = thread->tid;
  }
  return found;
}

/*
 * After a look: whether a run whose time is up is left alone, because a thread may be waiting for a core. Another
 * thread can become the reason only if the run has waited for at least half of the time since the first became it: so a program
 * gains nothing by waking another thread for each look.
 */
int waited_holds(struct waited *waited, int is_up, int64_t now) {
  pid_t by = is_up ? waited_goes_on(waited) : 0;
  if (by != waited->held_by) {
    uint64_t grown = waited->us - waited->held_us;
    int is_paid = grown >= (uint64_t)(now - waited->held_since) / 2;
    if (by > 0 && waited->held_by && !is_paid) by = 0;
    waited->held_by = by;
    waited->held_us = waited->us;
    waited->held_since = now;
  }
  return by != 0;
}

/*
 * What is known of a thread. The `from_us` of a new thread is the run's CPU time and waiting before that thread. The first thread may
 * have waited before it began the program, while the run seemed to wait for the box, or before the run. So its `from_us` is lowered
 * until `from_us` and its own time together are at most the time that has passed.
 */
static struct known recall(struct waited *waited, pid_t tid, uint64_t wanted) {
  for (int i = 0; i < waited->count; i++)
    if (waited->known[i].tid == tid) return waited->known[i];
  struct known found = {.tid = tid, .from_us = (int64_t)waited->newcomer_us};
  if (tid == waited->ours.ready) found.from_us -= (int64_t)waited->ours.ready_us;
  int64_t own_us = (int64_t)(attendants_us(&waited->ours) - waited->used_before_us);
  int64_t twice_us = found.from_us + (int64_t)wanted - own_us - (now_us() - waited->started);
  if (waited->has_begun || twice_us <= 0) return found;
  found.from_us -= twice_us;
  waited->box_us -= twice_us < waited->box_us ? twice_us : waited->box_us;
  return found;
}

/*
 * Updates how long the run has waited. CPU time is read twice: before the threads, as the start of threads that begin later, and
 * after them, to subtract it. A thread that reuses a number gets the earlier thread's start, so the sum is never too large.
 */
void waited_look(struct waited *waited, int64_t now) {
  struct known living[MAX_THREADS];
  pid_t tids[MAX_THREADS];
  uint64_t used_at_first, used, us = waited->us;
  int64_t since_us = now - waited->looked;
  waited->looked = now;
  if (used_us(waited, &used_at_first) < 0) return;
  int count = *waited->ours.is_told ? cgroup_threads(waited->ours.slot, tids, MAX_THREADS) : 0;
  for (int i = 0; i < count; i++) {
    uint64_t wanted = wanted_by(tids[i]);
    living[i] = recall(waited, tids[i], wanted);
    living[i].has_moved = living[i].wanted_us != wanted;
    living[i].wanted_us = wanted;
  }
  if (used_us(waited, &used) < 0) return;
  for (int i = 0; i < count; i++) {
    int64_t sum_us = living[i].from_us + (int64_t)living[i].wanted_us - (int64_t)used;
    if (sum_us > (int64_t)us) us = (uint64_t)sum_us;
  }
  /* Until its first process begins, a run waits for the box's processes. */
  if (!waited->has_begun && count == 0) {
    us += (uint64_t)since_us;
    waited->box_us = (int64_t)us;
  }
  waited->has_begun |= count > 0;
  waited->was_late = since_us > LATE_US;
  memcpy(waited->known, living, sizeof living[0] * (size_t)count);
  waited->count = count;
  waited->us = us;
  waited->newcomer_us = us + used_at_first;
}
