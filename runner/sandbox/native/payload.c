/*
 * The way of a process from clone to exec. All of it runs in pid 1's child, inside the box, and ends in execve(2) or in a
 * report of the failure. Steps that need nothing of the run come first; then the child waits for a run. The child may share
 * pid 1's memory, including errno. So it may write only the report and a failure's text to that memory, and must not go on
 * after a failed call.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box.h"
#include "seccomp.h"
#include "util.h"

/* Reports the failure to pid 1. `step` is NULL if the program itself cannot be executed. */
__attribute__((noreturn)) static void stop(struct launch *launch, const char *step, int error) {
  launch->step = step;
  launch->error = error;
  _exit(127);
}

/* Sets soft and hard limit. Without CAP_SYS_RESOURCE the hard limit can only go down (setrlimit(2)). */
static int limit(int resource, uint64_t value) {
  struct rlimit old, new;
  if (getrlimit((__rlimit_resource_t)resource, &old) < 0) return -1;
  new.rlim_cur = value < old.rlim_max ? value : old.rlim_max;
  new.rlim_max = new.rlim_cur;
  return setrlimit((__rlimit_resource_t)resource, &new);
}

/*
 * Seconds of RLIMIT_CPU, in case the helper stops watching. The kernel counts whole ticks for it, so a program that runs
 * for a moment at each tick is charged for all ticks. But on one core no program is charged more than its wall time,
 * and no wall limit moves beyond the sum that this function returns.
 */
uint64_t payload_backstop_s(const struct limits *limits) {
  return (2 * limits->cpu_us + MAX_WALL_SHARE * limits->wall_us) / 1000000 + 5;
}

/*
 * Sets the rlimits that are the same for every run. The core size is 1: with 0 the kernel would still send a crash to the
 * host's collector where core(5)'s pattern is a pipe, and 1 is too small for a file. The system call filter
 * forbids the program to change it.
 */
static int set_common_limits(void) {
  if (limit(RLIMIT_CORE, 1) < 0 || limit(RLIMIT_NOFILE, 64) < 0) return -1;
  return limit(RLIMIT_MEMLOCK, 65536) < 0 ? -1 : limit(RLIMIT_MSGQUEUE, 0);
}

/*
 * Sets rlimits that back up the cgroup. The stack may use all memory. No RLIMIT_AS: reserving address space is free.
 */
static int set_limits(const struct limits *limits) {
  if (limit(RLIMIT_STACK, limits->memory_bytes) < 0 || limit(RLIMIT_FSIZE, limits->work_bytes) < 0) return -1;
  return limit(RLIMIT_CPU, payload_backstop_s(limits));
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

/* Tells pid 1 about our progress, or waits for a message of pid 1 (eventfd(2)). */
static int tell(int fd) { return write(fd, &(uint64_t){1}, sizeof(uint64_t)) < 0 ? -1 : 0; }
static int wait_for(int fd) {
  uint64_t count;
  return read(fd, &count, sizeof count) < 0 ? -1 : 0;
}

/*
 * All descriptors of the case are above 2, so dup2 overwrites none of them. Until we report to pid 1, we share its
 * descriptors. So pid 1 need not send them, and can close them once we have copies (close_range(2), Linux 5.9).
 */
static void take_descriptors(struct launch *launch) {
  int last = launch->told;
  for (int i = 0; i < 3; i++)
    if (launch->stdio[i] > last) last = launch->stdio[i];
  if (syscall(SYS_close_range, last + 1, ~0u, CLOSE_RANGE_UNSHARE) < 0) stop(launch, "descriptors", errno);
  if (tell(launch->told) < 0) stop(launch, "descriptors", errno);
  for (int i = 0; i < 3; i++)
    if (dup2(launch->stdio[i], i) < 0) stop(launch, "dup2", errno);
  if (syscall(SYS_close_range, 3, ~0u, 0) < 0) stop(launch, "close_range", errno);
}

/*
 * A compiler's messages are in English. A program's locale is UTF-8. Python does not randomise sets, so that it does the same in
 * every run, and prints integers of any length.
 */
static char *const compiler_environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};
static char *const program_environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8",
                                            "PYTHONHASHSEED=0", "PYTHONINTMAXSTRDIGITS=0", NULL};

/*
 * Gets ready, waits for a run and starts its program. The order matters: the cgroup comes first, so that everything is
 * charged; the filter comes last, because it forbids the earlier steps. execve(2) keeps cgroup, ids, limits and filter
 * (credentials(7), seccomp(2), setrlimit(2)).
 */
void payload_start(struct launch *launch) {
  sigset_t none;
  for (int i = 0; i < launch->join_count; i++)
    if (write(launch->join[i], "0", 1) != 1) stop(launch, "cgroup: join", errno);
  umask(022);
  /* The process stays in pid 1's session: a new session for each run would cost a scheduler group (autogroup, sched(7)). */
  if (setpgid(0, 0) < 0) stop(launch, "setpgid", errno);
  if (launch->view == VIEW_PROGRAM && root_enter_run() < 0) stop(launch, "chroot", errno);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (set_common_limits() < 0) stop(launch, "rlimits", errno);
  if (drop() < 0) stop(launch, "drop privileges", errno);
  if (seccomp_install() < 0) stop(launch, "seccomp", errno);
  if (tell(launch->told) < 0 || wait_for(launch->go) < 0) stop(launch, "wait for a run", errno);
  launch->is_told = 1;
  take_descriptors(launch);
  if (chdir("/work") < 0) stop(launch, "chdir", errno);
  if (set_limits(&launch->command.limits) < 0) stop(launch, "rlimits", errno);
  execve(launch->argv[0], launch->argv,
         launch->view == VIEW_PROGRAM ? program_environment : compiler_environment);
  /* If a file of /usr cannot be executed, the host is to blame; if an artefact cannot be executed, its author is. */
  int error = errno;
  stop(launch, strncmp(launch->argv[0], "/box/", 5) == 0 ? NULL : "cannot execute", error);
}
