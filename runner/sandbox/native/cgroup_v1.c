/* The case's cgroup on v1: Documentation/admin-guide/cgroup-v1/{memory,cpuacct,pids}.rst. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cgroup.h"
#include "util.h"

/* Has the kernel kill at the memory limit, whatever the cgroups above say about sleeping instead. */
int cgroup_v1_open(struct cgroup_slot *slot) {
  return write_at(slot->dirs[0], "memory.oom_control", "0");
}

/*
 * Opens the control files. Memory with swap exists where the host accounts swap. No freezer: pid 1 of the box kills all
 * others in one kill(-1). The program joins by writing "0" to the opened `tasks`; the kernel checks the rights of whoever
 * opened them. It joins as a thread, its only one, because `cgroup.procs` waits for all forks of the machine: 10 ms after any
 * pause (kernel/cgroup/cgroup.c, cgroup_procs_write_start).
 */
int cgroup_v1_prepare(struct cgroup_slot *slot, struct cgroup_case *run) {
  int memory = slot->dirs[0], cpu = slot->dirs[slot->cpu_dir], pids = slot->dirs[slot->pids_dir];
  const char *peak = slot->limit_swap ? "case/memory.memsw.max_usage_in_bytes"
                                      : "case/memory.max_usage_in_bytes";
  for (int i = 0; i < slot->count; i++) {
    if (cgroup_open_file(slot->dirs[i], "case/tasks", O_WRONLY, &run->join[i]) < 0) return -1;
    run->join_count = i + 1;
  }
  if (cgroup_open_file(memory, "case/memory.limit_in_bytes", O_WRONLY, &run->memory_fd) < 0 ||
      cgroup_open_file(pids, "case/pids.max", O_WRONLY, &run->pids_fd) < 0 ||
      cgroup_open_file(cpu, "case/cpuacct.usage", O_RDONLY, &run->cpu_fd) < 0 ||
      cgroup_open_file(memory, "case/memory.oom_control", O_RDONLY, &run->oom_fd) < 0 ||
      cgroup_open_file(memory, peak, O_RDONLY, &run->peak_fd) < 0)
    return -1;
  return !slot->limit_swap ? 0
                           : cgroup_open_file(memory, "case/memory.memsw.limit_in_bytes", O_WRONLY,
                                              &run->swap_fd);
}
