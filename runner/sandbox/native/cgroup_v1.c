/* The case's cgroup on v1: Documentation/admin-guide/cgroup-v1/{memory,cpuacct,pids}.rst. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cgroup.h"
#include "util.h"

/*
 * Makes the kernel kill at the memory limit, even if a cgroup above lets processes sleep instead. Opens the files that all runs share.
 * They also serve where two hierarchies are one, because sums and limits of a directory cover the directories in it.
 */
int cgroup_v1_open(struct cgroup_slot *slot) {
  for (int i = 1; i < slot->count; i++)
    if (cgroup_open_file(slot->dirs[i], "tasks", O_WRONLY, &slot->tasks[i]) < 0) return -1;
  if (cgroup_open_file(slot->dirs[slot->cpu_dir], "cpuacct.usage", O_RDONLY, &slot->cpu_fd) < 0 ||
      cgroup_open_file(slot->dirs[slot->pids_dir], "pids.max", O_WRONLY, &slot->pids_fd) < 0)
    return -1;
  return write_at(slot->dirs[0], "memory.oom_control", "0");
}

/*
 * Opens the control files. The limit of memory with swap exists if the host accounts swap. No freezer is needed: pid 1 of the
 * box kills all others in one kill(-1). The program joins by writing "0" to the opened `tasks`; the kernel checks the rights of
 * the process that opened them. `tasks` moves only the writing thread, but a write to `cgroup.procs` would
 * wait for all forks of the machine: 10 ms after any pause (kernel/cgroup/cgroup.c, cgroup_procs_write_start).
 */
int cgroup_v1_prepare(struct cgroup_slot *slot, struct cgroup_case *run) {
  int memory = slot->dirs[0];
  const char *peak = slot->limit_swap ? "case/memory.memsw.max_usage_in_bytes"
                                      : "case/memory.max_usage_in_bytes";
  if (cgroup_open_file(memory, "case/tasks", O_WRONLY, &run->join) < 0 ||
      cgroup_open_file(memory, "case/memory.limit_in_bytes", O_WRONLY, &run->memory_fd) < 0 ||
      cgroup_open_file(memory, "case/memory.oom_control", O_RDONLY, &run->oom_fd) < 0 ||
      cgroup_open_file(memory, peak, O_RDONLY, &run->peak_fd) < 0)
    return -1;
  return !slot->limit_swap ? 0
                           : cgroup_open_file(memory, "case/memory.memsw.limit_in_bytes", O_WRONLY,
                                              &run->swap_fd);
}
