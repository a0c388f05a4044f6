/*
 * Control groups behind one interface: the slot's directory and, inside it, a fresh directory for each run.
 * v1: one directory in each of the memory, cpuacct and pids hierarchies. In cpuacct and pids all runs share the slot's own
 * directory, because a run leaves only a sum there. v2: one directory.
 * All accounting uses cgroups: unlike getrusage(2), they include threads, orphans and children that nobody waited for.
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
  int dirs[CGROUP_HIERARCHIES]; /* v1: [0] memory, then the others as their hierarchies are mounted */
  int cpu_dir, pids_dir;        /* v1: index into dirs */
  int tasks[CGROUP_HIERARCHIES]; /* v1: the tasks files by which a process joins all directories but the first */
  int cpu_fd, pids_fd;          /* v1: files of the slot; v2: files of the present or next run, between runs of the last one */
  int limit_swap;               /* whether there is a swap limit to set */
  int init_dir;                 /* v2: the leaf of the box's first process */
  int is_prepared;              /* the cgroup of the next run exists */
  uid_t box_uid;                /* v2: the user who clones into the case's cgroup; -1: ourselves */
  char name[48];
};

/* The cgroup of one run. A process of the box joins it by `join` (v1: the tasks file, v2: the directory). -1: missing or not open. */
struct cgroup_case {
  int join;
  uint64_t cpu_before_us; /* CPU time used before the run */
  pid_t ready;            /* the thread that waits in the cgroup for the run; 0: none */
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
