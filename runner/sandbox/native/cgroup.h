/*
 * Control groups behind one interface: the slot's directory and, inside it, a fresh one per run.
 * v1: one directory in each of the memory, cpuacct and pids hierarchies; of the last two the slot's own serves all runs, as
 * nothing is left in it by a run but a sum. v2: one directory.
 * All accounting comes from here: unlike getrusage(2), it includes threads, orphans and children that nobody waited for.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdint.h>
#include <sys/types.h>

#include "protocol.h"

#define CGROUP_HIERARCHIES 3

struct cgroup_slot {
  int version; /* 1 or 2 */
  int count;   /* directories in use */
  int parents[CGROUP_HIERARCHIES];
  int dirs[CGROUP_HIERARCHIES]; /* v1: [0] memory, others as hierarchies are mounted */
  int cpu_dir, pids_dir;        /* v1: index into dirs */
  int tasks[CGROUP_HIERARCHIES]; /* v1: what a process joins of the directories but the first */
  int cpu_fd, pids_fd;          /* v1: of the slot; v2: of the present or next run, and between two of the last one */
  int limit_swap;               /* whether there is a swap limit to set */
  int init_dir;                 /* v2: the leaf of the box's first process */
  int is_prepared;              /* the cgroup of the next run is there */
  uid_t box_uid;                /* v2: the user who clones into the case's cgroup; -1: ourselves */
  char name[48];
};

/* The cgroup of one run. `join` is for the box: v1 the tasks file, v2 the directory. -1: not there, or not open. */
struct cgroup_case {
  int join;
  uint64_t cpu_before_us; /* used before the run */
  pid_t ready;            /* the thread that waits in it for the run; 0: none */
  int memory_fd, swap_fd; /* the limits */
  int oom_fd, peak_fd, kill_fd;
};

int cgroup_open(struct cgroup_slot *slot, int version, char *const paths[], uid_t box_uid);
void cgroup_close(struct cgroup_slot *slot);
int cgroup_prepare(struct cgroup_slot *slot, struct cgroup_case *run);
int cgroup_begin(struct cgroup_slot *slot, struct cgroup_case *run, const struct limits *limits);
int cgroup_joins(const struct cgroup_slot *slot, const struct cgroup_case *run, int fds[CGROUP_HIERARCHIES]);
int cgroup_cpu_us(const struct cgroup_slot *slot, const struct cgroup_case *run, uint64_t *us);
int cgroup_oom_kills(const struct cgroup_case *run, uint32_t *kills);
int cgroup_peak(const struct cgroup_case *run, uint64_t *bytes);
int cgroup_threads(const struct cgroup_slot *slot, pid_t *tids, int most);
void cgroup_kill(const struct cgroup_case *run);
int cgroup_end(struct cgroup_slot *slot, struct cgroup_case *run);

int cgroup_remove(int parent, const char *name);
int cgroup_open_file(int dir, const char *path, int flags, int *fd);
int cgroup_read_number(int fd, const char *key, uint64_t *number);

int cgroup_v1_prepare(struct cgroup_slot *, struct cgroup_case *);
int cgroup_v2_prepare(struct cgroup_slot *, struct cgroup_case *);
int cgroup_v1_open(struct cgroup_slot *);
int cgroup_v2_open(struct cgroup_slot *);

#endif
