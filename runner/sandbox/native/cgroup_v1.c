/* The case's cgroup on v1: Documentation/admin-guide/cgroup-v1/{memory,cpuacct,pids}.rst. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cgroup.h"
#include "util.h"

/* Opens a control file of the case, relative to the slot, which nobody else can rename (openat(2)). */
static int open_case(int dir, const char *path, int flags, int *fd) {
  *fd = openat(dir, path, flags | O_CLOEXEC);
  return *fd < 0 ? failed(path, errno) : 0;
}

/* Has the kernel kill at the memory limit, whatever the cgroups above say about sleeping instead. */
int cgroup_v1_open(struct cgroup_slot *slot) {
  return cgroup_write_number(slot->dirs[0], "memory.oom_control", 0);
}

/*
 * Sets the limits. Memory first, then memory with swap, which may not be below it and exists where the host accounts swap.
 * No freezer: pid 1 of the box kills all others in one kill(-1). The program joins by writing "0" to the opened files;
 * the kernel checks the rights of whoever opened them. It joins as a thread, its only one, because `cgroup.procs` waits for
 * all forks of the machine: 10 ms after any pause (kernel/cgroup/cgroup.c, cgroup_procs_write_start).
 */
int cgroup_v1_begin(struct cgroup_slot *slot, struct cgroup_case *run,
                    const struct limits *limits) {
  int memory = slot->dirs[0], cpu = slot->dirs[slot->cpu_dir], pids = slot->dirs[slot->pids_dir];
  if (cgroup_write_number(memory, "case/memory.limit_in_bytes", limits->memory_bytes) < 0)
    return -1;
  if (slot->limit_swap &&
      cgroup_write_number(memory, "case/memory.memsw.limit_in_bytes", limits->memory_bytes) < 0)
    return -1;
  if (cgroup_write_number(pids, "case/pids.max", limits->pids) < 0) return -1;
  for (int i = 0; i < slot->count; i++) {
    if (open_case(slot->dirs[i], "case/tasks", O_WRONLY, &run->join[i]) < 0) return -1;
    run->join_count = i + 1;
  }
  if (open_case(cpu, "case/cpuacct.usage", O_RDONLY, &run->cpu_fd) < 0) return -1;
  return open_case(memory, "case/memory.oom_control", O_RDONLY, &run->oom_fd);
}
