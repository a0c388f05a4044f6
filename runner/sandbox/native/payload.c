/*
 * From clone to exec. Everything here runs in pid 1's child, inside the box, and ends in execve(2) or in a report of what
 * failed. The child may share pid 1's memory: nothing here may write to it but the report and a failure's text.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box.h"
#include "seccomp.h"
#include "util.h"

/* Reports the failure to pid 1. `step` NULL: the program itself cannot be executed. */
__attribute__((noreturn)) static void stop(struct start_report *report, const char *step, int error) {
  report->step = step;
  report->error = error;
  _exit(127);
}

/* Sets soft and hard limit. Without CAP_SYS_RESOURCE the hard one can only go down (setrlimit(2)). */
static int limit(int resource, uint64_t value) {
  struct rlimit old, new;
  if (getrlimit((__rlimit_resource_t)resource, &old) < 0) return -1;
  new.rlim_cur = value < old.rlim_max ? value : old.rlim_max;
  new.rlim_max = new.rlim_cur;
  return setrlimit((__rlimit_resource_t)resource, &new);
}

/*
 * Seconds of RLIMIT_CPU, in case the helper stops looking. The kernel counts whole ticks for it, so a program that runs
 * for a moment at each tick is charged for all of them. But no program on one core is charged more than its wall time,
 * and no wall limit moves further than this.
 */
uint64_t payload_backstop_s(const struct limits *limits) {
  return (2 * limits->cpu_us + MAX_WALL_SHARE * limits->wall_us) / 1000000 + 5;
}

/*
 * Sets rlimits that back up the cgroup. The stack may use all memory. No RLIMIT_AS: reserving address space is free.
 * The core size is 1: with 0 the kernel would still send a crash to the host's collector where core(5)'s pattern is a
 * pipe, and 1 is too small for a file. The filter keeps it at that.
 */
static int set_limits(const struct limits *limits) {
  if (limit(RLIMIT_CORE, 1) < 0 || limit(RLIMIT_NOFILE, 64) < 0) return -1;
  if (limit(RLIMIT_STACK, limits->memory_bytes) < 0 || limit(RLIMIT_CPU, payload_backstop_s(limits)) < 0)
    return -1;
  if (limit(RLIMIT_FSIZE, limits->work_bytes) < 0 || limit(RLIMIT_MEMLOCK, 65536) < 0) return -1;
  return limit(RLIMIT_MSGQUEUE, 0);
}

/* Becomes the box's user, without capabilities (capset(2) clears what a box with a single id keeps). */
static int drop(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2];
  memset(none, 0, sizeof none);
  if (syscall(SYS_setresgid, BOX_USER, BOX_USER, BOX_USER) < 0) return -1;
  if (syscall(SYS_setresuid, BOX_USER, BOX_USER, BOX_USER) < 0) return -1;
  return syscall(SYS_capset, &header, none) < 0 ? -1 : 0;
}

/*
 * Starts the program. The order matters: the cgroup first, so that everything is charged; the filter last, because it
 * forbids the steps before it. execve(2) keeps all of it (credentials(7), seccomp(2), setrlimit(2)).
 */
void payload_start(const struct command *command, char *const argv[], const int stdio[3],
                   const int *join, int join_count, struct start_report *report) {
  sigset_t none;
  static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};
  /* All descriptors of this case are above 2, so dup2 overwrites none of them. */
  for (int i = 0; i < join_count; i++)
    if (write(join[i], "0", 1) != 1) stop(report, "cgroup: join", errno);
  for (int i = 0; i < 3; i++)
    if (dup2(stdio[i], i) < 0) stop(report, "dup2", errno);
  if (syscall(SYS_close_range, 3, ~0u, 0) < 0) stop(report, "close_range", errno);
  umask(022);
  /* The session stays pid 1's: one more per run would cost a scheduler group (autogroup, sched(7)). */
  if (setpgid(0, 0) < 0) stop(report, "setpgid", errno);
  if (command->view == VIEW_PROGRAM && root_enter_run() < 0) stop(report, "chroot", errno);
  if (chdir("/work") < 0) stop(report, "chdir", errno);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (set_limits(&command->limits) < 0) stop(report, "rlimits", errno);
  if (drop() < 0) stop(report, "drop privileges", errno);
  if (seccomp_install() < 0) stop(report, "seccomp", errno);
  execve(argv[0], argv, environment);
  /* A file of /usr that cannot run is the host's fault; an artefact that cannot is its author's. */
  int error = errno;
  stop(report, strncmp(argv[0], "/box/", 5) == 0 ? NULL : "cannot execute", error);
}
