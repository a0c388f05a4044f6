/* The case's cgroup on v2: Documentation/admin-guide/cgroup-v2.rst. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "util.h"

/*
 * Gives cgroup.procs to the box's root: the box's first process clones into the case's cgroup, which needs write access there
 * and in the common ancestor, the slot. No cgroup file system is mounted inside a box.
 */
static int hand_over(const struct cgroup_slot *slot, const char *path) {
  if (slot->box_uid == (uid_t)-1) return 0;
  if (fchownat(slot->dirs[0], path, slot->box_uid, (gid_t)-1, 0) < 0) return failed(path, errno);
  return 0;
}

/* Enables the controllers for the cases, and makes the leaf of the box's first process. */
int cgroup_v2_open(struct cgroup_slot *slot) {
  int dir = slot->dirs[0];
  if (write_at(dir, "cgroup.subtree_control", "+memory +pids") < 0) return -1;
  if (mkdirat(dir, "init", 0755) < 0) return failed("cgroup: init", errno);
  slot->init_dir = openat(dir, "init", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (slot->init_dir < 0) return failed("cgroup: init", errno);
  return hand_over(slot, "cgroup.procs");
}

/* Forbids swap and opens the control files. cpu.stat exists without the cpu controller, memory.peak since Linux 5.19. */
int cgroup_v2_prepare(struct cgroup_slot *slot, struct cgroup_case *run) {
  int dir = slot->dirs[0];
  if (slot->limit_swap && write_at(dir, "case/memory.swap.max", "0") < 0) return -1;
  if (write_at(dir, "case/memory.oom.group", "1") < 0) return -1;
  if (hand_over(slot, "case/cgroup.procs") < 0) return -1;
  if (cgroup_open_file(dir, "case", O_RDONLY | O_DIRECTORY, &run->join) < 0) return -1;
  close_fd(&slot->pids_fd);
  close_fd(&slot->cpu_fd);
  return cgroup_open_file(dir, "case/memory.max", O_WRONLY, &run->memory_fd) < 0 ||
                 cgroup_open_file(dir, "case/pids.max", O_WRONLY, &slot->pids_fd) < 0 ||
                 cgroup_open_file(dir, "case/cpu.stat", O_RDONLY, &slot->cpu_fd) < 0 ||
                 cgroup_open_file(dir, "case/memory.events", O_RDONLY, &run->oom_fd) < 0 ||
                 cgroup_open_file(dir, "case/memory.peak", O_RDONLY, &run->peak_fd) < 0 ||
                 cgroup_open_file(dir, "case/cgroup.kill", O_WRONLY, &run->kill_fd) < 0
             ? -1
             : 0;
}
