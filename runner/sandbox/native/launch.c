/*
 * Starts the processes of a box's runs. If possible, a process is made before its run: it waits in its cgroup and under its
 * filter, so that the run itself costs little more than executing the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"
#include "util.h"

static struct launch *launch;
static pid_t waiting; /* the process that waits for its run; 0: none */
static int child_signals;
static int use_clone_into;
static int last_pid; /* see fresh_pids */

/* Called first, in pid 1, which shares `shared` with the processes that it starts. */
void launch_open(struct launch *shared, int cgroup_version, int signals) {
  use_clone_into = cgroup_version == 2;
  child_signals = signals;
  last_pid = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
  launch = shared;
  launch->told = launch->go = -1;
}

/*
 * Resets the process ids; otherwise a program could count the processes of earlier cases. Each box has its own ns_last_pid
 * (pid_namespaces(7)). On a host that forbids writing to ns_last_pid the ids go on growing.
 */
static void fresh_pids(void) {
  if (last_pid >= 0) (void)!pwrite(last_pid, "1", 1, 0);
}

/*
 * Starts a process by clone3(2). It shares our descriptors until it has copies of them. If possible it also shares our memory until
 * it executes the program, so that nothing is copied. Sharing needs a stack of its own and an entry that never returns; glibc
 * offers these only for clone(2).
 */
static pid_t clone_process(struct clone_args *arguments) {
  long pid;
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
  static _Alignas(16) char stack[32768];
  arguments->flags |= CLONE_VM;
  arguments->stack = (uint64_t)(uintptr_t)stack;
  arguments->stack_size = sizeof stack;
  __asm__ volatile("syscall\n\t"
                   "test %%rax, %%rax\n\t"
                   "jnz 1f\n\t"
                   "mov %[launch], %%rdi\n\t"
                   "call *%[begin]\n"
                   "1:"
                   : "=a"(pid)
                   : "a"(SYS_clone3), "D"(arguments), "S"(sizeof *arguments), [launch] "r"(launch),
                     [begin] "r"(payload_start)
                   : "rcx", "r11", "cc", "memory");
  if (pid < 0) errno = (int)-pid;
#else
  pid = syscall(SYS_clone3, arguments, sizeof *arguments);
  if (pid == 0) payload_start(launch);
#endif
  return pid < 0 ? -1 : (pid_t)pid;
}

/* Waits until the process is ready for its run. A process that ends before it is ready has stored the reason. */
static int await_ready(void) {
  struct pollfd wait[2] = {{.fd = launch->told, .events = POLLIN},
                           {.fd = child_signals, .events = POLLIN}};
  struct signalfd_siginfo info;
  uint64_t count;
  while (!wait[0].revents) {
    if (poll(wait, 2, -1) < 0 && errno != EINTR) return failed("poll", errno);
    if (!wait[1].revents || read(child_signals, &info, sizeof info) < 0) continue;
    if (waitpid(waiting, NULL, WNOHANG | __WALL) == waiting)
      return failed(launch->step ? launch->step : "a process in the box ended",
                    launch->error ? launch->error : ECHILD);
  }
  return read(launch->told, &count, sizeof count) < 0 ? failed("eventfd", errno) : 0;
}

/* Ends a process that waits for a run with another view. */
static int discard(void) {
  if (!waiting) return 0;
  kill(waiting, SIGKILL);
  if (waitpid(waiting, NULL, __WALL) < 0) return failed("waitpid", errno);
  launch_end();
  return 0;
}

/* Starts the process of the next run. On v2 clone3 puts it into its cgroup (Linux 5.7), on v1 it joins by itself. */
int launch_prepare(enum view view, const int *join, int join_count) {
  struct clone_args arguments = {
      .flags = CLONE_NEWCGROUP | CLONE_FILES | (use_clone_into ? CLONE_INTO_CGROUP : 0),
      .exit_signal = SIGCHLD,
  };
  if (join_count < 1 || join_count > CGROUP_HIERARCHIES) return failed("command", EPROTO);
  if (use_clone_into) arguments.cgroup = (uint64_t)join[0];
  launch->view = view;
  launch->step = NULL;
  launch->error = 0;
  launch->join_count = use_clone_into ? 0 : join_count;
  for (int i = 0; i < join_count; i++) launch->join[i] = join[i];
  launch->told = eventfd(0, EFD_CLOEXEC);
  launch->go = eventfd(0, EFD_CLOEXEC);
  if (launch->told < 0 || launch->go < 0) return failed("eventfd", errno);
  fresh_pids();
  waiting = clone_process(&arguments);
  if (waiting < 0) return failed("cannot start a process in the box", errno);
  return await_ready();
}

/* Lets the waiting process run the command. If no process waits, or if it has another view, a new one is made. */
pid_t launch_run(const int *fds, int join_at, int count) {
  enum view view = (enum view)launch->command.view;
  if (launch->view != view && discard() < 0) return -1;
  if (!waiting && launch_prepare(view, fds + join_at, count - join_at) < 0) return -1;
  for (int i = 0; i < 3; i++) launch->stdio[i] = fds[i];
  pid_t pid = waiting;
  waiting = 0;
  return write(launch->go, &(uint64_t){1}, sizeof(uint64_t)) < 0 ? failed("eventfd", errno) : pid;
}

/* Called after a run, or when a waiting process gets no run. */
void launch_end(void) {
  waiting = 0;
  close_fd(&launch->told);
  close_fd(&launch->go);
}
