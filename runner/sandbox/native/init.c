/*
 * The first process of a box. It is ours, has one thread and never runs user code. It has all capabilities in the box's
 * user namespace and none outside. As pid 1 it gets every orphan, so it knows when everything has ended (wait(2), ECHILD).
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"
#include "seccomp.h"
#include "util.h"

static struct command command; /* the present one */
static struct start_report *report;
static int child_signals = -1;
static int use_clone_into;
static int last_pid = -1; /* see fresh_pids */

/* Tells the helper what failed and ends. A box is never used after a failure. */
static void give_up(int sock) {
  struct event event = {.kind = EVENT_FAILED};
  memcpy(event.error, error_text, ERROR_BYTES);
  (void)send_message(sock, &event, sizeof event, NULL, 0);
  _exit(1);
}

/*
 * Becomes root of the box, ties its life to the helper's, and gives up for good what no box needs, for itself and all
 * that it starts: privileges by exec (prctl(2), capabilities(7)).
 */
static int become_init(const struct box_options *options) {
  if (!options->single_id) {
    if (setresgid(BOX_ROOT, BOX_ROOT, BOX_ROOT) < 0) return failed("setresgid", errno);
    if (setgroups(0, NULL) < 0) return failed("setgroups", errno);
    if (setresuid(BOX_ROOT, BOX_ROOT, BOX_ROOT) < 0) return failed("setresuid", errno);
  }
  /* After the change of ids, which clears it. The end of the socket also tells of the helper's death. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return failed("pdeathsig", errno);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return failed("no_new_privs", errno);
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
    if (prctl(PR_CAPBSET_DROP, capability) < 0) return failed("bounding set", errno);
  if (sethostname("box", 3) < 0) return failed("sethostname", errno);
  return 0;
}

/*
 * Starts process ids anew; otherwise a program could count the processes of earlier cases. ns_last_pid
 * (pid_namespaces(7)) is the box's own. Where the host does not let us write it, ids go on growing.
 */
static void fresh_pids(void) {
  if (last_pid >= 0) (void)!pwrite(last_pid, "1", 1, 0);
}

/* What the program's process begins with. */
struct beginning {
  char *const *argv;
  const int *stdio, *join;
  int join_count;
};

__attribute__((noreturn)) static void begin(const struct beginning *from) {
  payload_start(&command, from->argv, from->stdio, from->join, from->join_count, report);
}

/*
 * clone3(2) of a process that begins. Where we can, it shares our memory until it executes the program, as after vfork(2):
 * nothing is copied, and pid 1 waits. It needs a stack of its own for that, and an entry that returns nowhere, which glibc
 * offers for clone(2) only.
 */
static pid_t clone_process(struct clone_args *arguments, const struct beginning *from) {
  long pid;
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
  static _Alignas(16) char stack[32768];
  arguments->flags |= CLONE_VM | CLONE_VFORK;
  arguments->stack = (uint64_t)(uintptr_t)stack;
  arguments->stack_size = sizeof stack;
  __asm__ volatile("syscall\n\t"
                   "test %%rax, %%rax\n\t"
                   "jnz 1f\n\t"
                   "mov %[from], %%rdi\n\t"
                   "call *%[begin]\n"
                   "1:"
                   : "=a"(pid)
                   : "a"(SYS_clone3), "D"(arguments), "S"(sizeof *arguments), [from] "r"(from),
                     [begin] "r"(begin)
                   : "rcx", "r11", "cc", "memory");
  if (pid < 0) errno = (int)-pid;
#else
  pid = syscall(SYS_clone3, arguments, sizeof *arguments);
  if (pid == 0) begin(from);
#endif
  return pid < 0 ? -1 : (pid_t)pid;
}

/* Starts the program in its cgroup. v2: clone3 into it (Linux 5.7). v1: the child joins by itself. */
static pid_t start(char *const argv[], const int stdio[3], const int *join, int join_count) {
  struct clone_args arguments = {
      .flags = CLONE_NEWCGROUP | (use_clone_into ? CLONE_INTO_CGROUP : 0),
      .exit_signal = SIGCHLD,
      .cgroup = use_clone_into ? (uint64_t)join[0] : 0,
  };
  const struct beginning from = {argv, stdio, join, use_clone_into ? 0 : join_count};
  report->step = NULL;
  report->error = 0;
  fresh_pids();
  pid_t pid = clone_process(&arguments, &from);
  if (pid < 0) failed("cannot start a process in the box", errno);
  return pid;
}

/* What lives in the box. */
enum life { NOBODY, ORPHANS, PROGRAM };

/* Reaps what has ended, and with flags 0 waits until all has. `life` becomes what is left. */
static void reap(pid_t pid, int flags, int *status, enum life *life) {
  int one;
  for (;;) {
    pid_t got = waitpid(-1, &one, flags | __WALL);
    if (got == 0) return;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) *life = NOBODY;
    if (got < 0) return;
    if (got != pid) continue;
    *status = one;
    *life = ORPHANS;
  }
}

/* Waits until the program has ended or the helper says so, then kills and reaps everything. */
static int wait_end(int sock, pid_t pid, int *status) {
  struct pollfd wait[2] = {{.fd = child_signals, .events = POLLIN},
                           {.fd = sock, .events = POLLIN}};
  struct signalfd_siginfo info;
  enum life life = PROGRAM;
  while (life == PROGRAM) {
    if (poll(wait, 2, -1) < 0 && errno != EINTR) return failed("poll", errno);
    if (wait[1].revents) {
      struct command order;
      ssize_t got = receive_message(sock, &order, sizeof order, NULL, NULL);
      if (got <= 0) _exit(0); /* the helper is gone; the kernel kills the rest with us */
      break;
    }
    if (wait[0].revents && read(child_signals, &info, sizeof info) > 0)
      reap(pid, WNOHANG, status, &life);
  }
  if (life == NOBODY) return 0;
  /* The kernel holds its task list lock meanwhile: no fork can escape one kill(-1). */
  kill(-1, SIGKILL);
  reap(pid, 0, status, &life);
  return 0;
}

/* Runs one compile step or case in a fresh working directory. */
static int run_command(int sock, int *fds, int count) {
  char *argv[MAX_ARGS + 1] = {0}, *paths[MAX_RUNTIME_PATHS];
  int with_source = command.compile ? 1 : 0, files = __builtin_popcount(command.files);
  int join = 3 + with_source + files; /* index of the cgroup's first descriptor */
  struct event event = {.kind = EVENT_ENDED};
  int status = 0;
  if (count < join || command.argc > MAX_ARGS || command.argv_bytes > MAX_ARGV_BYTES ||
      command.runtime_count > MAX_RUNTIME_PATHS)
    return failed("command", EPROTO);
  char *string = command.argv;
  for (uint32_t i = 0; i < command.argc; i++, string += strlen(string) + 1) argv[i] = string;
  for (uint32_t i = 0; i < command.runtime_count; i++, string += strlen(string) + 1)
    paths[i] = string;
  if (work_mount(&command.limits, command.view) < 0) return -1;
  if (with_source && work_place_source(command.source_name, fds[3]) < 0) return -1;
  if (work_place_files(command.files, fds + 3 + with_source) < 0) return -1;
  int64_t started = now_us();
  pid_t pid = start(argv, fds, fds + join, count - join);
  for (int i = 0; i < count; i++) close_fd(&fds[i]);
  if (pid < 0 || wait_end(sock, pid, &status) < 0) return -1;
  event.wall_us = now_us() - started;
  event.status = status;
  if (report->error && report->step) return failed((const char *)report->step, report->error);
  if (command.compile && !report->error && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
      (root_build_run(paths, (int)command.runtime_count) < 0 ||
       work_keep_artefact(command.artefact_name, command.artefact_bytes, &event) < 0))
    return -1;
  /*
   * Report first: unmounting waits for the kernel's readers (RCU). Of a program the next run is mostly one, too.
   */
  if (send_message(sock, &event, sizeof event, NULL, 0) < 0) return -1;
  return command.compile ? work_unmount() : work_renew();
}

/* Carries out commands until the helper is gone. */
void init_main(int sock, const struct box_options *options) {
  int fds[MAX_SENT_FDS], count = 0;
  sigset_t child;
  use_clone_into = options->cgroup_version == 2;
  /* Nothing of the helper stays open: the socket becomes 3, the rest is closed. */
  if (dup2(sock, 3) < 0 || syscall(SYS_close_range, 4, ~0u, 0) < 0) _exit(1);
  sock = 3;
  /* 0 to 2 stay taken, so that no descriptor of a case gets one of these numbers. */
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++)
    if (dup2(null, fd) < 0) _exit(1);
  close(null);
  /* Default signal dispositions and a session of our own, which all programs inherit (signal(7)). */
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  setsid();
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child, NULL);
  child_signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (child_signals < 0 || report == MAP_FAILED) {
    failed("box: set-up", errno);
    give_up(sock);
  }
  if (receive_message(sock, &command, sizeof command, NULL, NULL) <= 0) _exit(0);
  int tools = -1;
  last_pid = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
  /* When the host runs out of memory, it kills programs first, not runners (proc(5)). */
  (void)write_at(AT_FDCWD, "/proc/self/oom_score_adj", "1000");
  if (seccomp_prepare() < 0 || root_take_tools(options->tools, &tools) < 0 ||
      become_init(options) < 0 || root_build(tools) < 0)
    give_up(sock);
  close_fd(&tools);
  struct event ready = {.kind = EVENT_READY};
  if (send_message(sock, &ready, sizeof ready, NULL, 0) < 0) _exit(1);
  for (;;) {
    ssize_t got = receive_message(sock, &command, sizeof command, fds, &count);
    if (got == 0) _exit(0);
    if (got < 0) give_up(sock);
    if (command.kind == COMMAND_KILL) continue; /* too late: the program has ended by itself */
    if (run_command(sock, fds, count) < 0) give_up(sock);
  }
}
