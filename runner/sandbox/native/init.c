/*
 * The first process of a box. It is our own code, has one thread and never runs user code. It has all capabilities in the box's
 * user namespace and none outside. As pid 1 it inherits every orphan, so it knows when everything has ended (wait(2), ECHILD).
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"
#include "seccomp.h"
#include "util.h"

static struct launch *launch; /* contains the present command */
static int child_signals = -1;

/* Tells the helper the failure and ends. A box is never used after a failure. */
static void give_up(int sock) {
  struct event event = {.kind = EVENT_FAILED};
  memcpy(event.error, error_text, ERROR_BYTES);
  (void)send_message(sock, &event, sizeof event, NULL, 0);
  _exit(1);
}

/*
 * Becomes root of the box, ties its life to the helper's, and gives up privileges by exec for good, for itself and
 * everything that it starts (prctl(2), capabilities(7)).
 */
static int become_init(const struct box_options *options) {
  if (!options->single_id) {
    if (setresgid(BOX_ROOT, BOX_ROOT, BOX_ROOT) < 0) return failed("setresgid", errno);
    if (setgroups(0, NULL) < 0) return failed("setgroups", errno);
    if (setresuid(BOX_ROOT, BOX_ROOT, BOX_ROOT) < 0) return failed("setresuid", errno);
  }
  /* The change of ids would clear this signal, so it is set afterwards. The end of the socket also tells of the helper's death. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return failed("pdeathsig", errno);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return failed("no_new_privs", errno);
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
    if (prctl(PR_CAPBSET_DROP, capability) < 0) return failed("bounding set", errno);
  if (sethostname("box", 3) < 0) return failed("sethostname", errno);
  return 0;
}

/* What is alive in the box. */
enum life { NOBODY, ORPHANS, PROGRAM };

/* Reaps ended processes; with flags 0 it waits until all have ended. `life` says afterwards which processes are left. */
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

/* Closes descriptors that came with a command. */
static void close_all(int *fds, int count) {
  for (int i = 0; i < count; i++) close_fd(&fds[i]);
}

/*
 * Waits until the program has ended or the helper sends a kill, then kills and reaps everything. In a conversation, our copies of
 * a program's descriptors would keep a pipe open that the program has closed.
 */
static int wait_end(int sock, pid_t pid, int *fds, int count, int *status) {
  struct pollfd wait[3] = {{.fd = child_signals, .events = POLLIN},
                           {.fd = sock, .events = POLLIN},
                           {.fd = launch->command.attached ? launch->told : -1, .events = POLLIN}};
  struct signalfd_siginfo info;
  enum life life = PROGRAM;
  while (life == PROGRAM) {
    if (poll(wait, 3, -1) < 0 && errno != EINTR) return failed("poll", errno);
    if (wait[1].revents) {
      struct command order;
      ssize_t got = receive_message(sock, &order, sizeof order, NULL, NULL);
      if (got <= 0) _exit(0); /* the helper is gone; the kernel kills the rest with us */
      break;
    }
    if (wait[2].revents) {
      close_all(fds, count);
      wait[2] = (struct pollfd){.fd = -1};
    }
    if (wait[0].revents && read(child_signals, &info, sizeof info) > 0)
      reap(pid, WNOHANG, status, &life);
  }
  if (life == NOBODY) return 0;
  /* The kernel holds its task list lock during a kill(-1), so no fork can escape it. */
  kill(-1, SIGKILL);
  reap(pid, 0, status, &life);
  return 0;
}

/* Runs one compile step or case in a fresh working directory. */
static int run_command(int sock, int *fds, int count) {
  const struct command *command = &launch->command;
  char *paths[MAX_RUNTIME_PATHS];
  int with_source = command->compile ? 1 : 0, files = __builtin_popcount(command->files);
  int join = 3 + with_source + files; /* index of the cgroup's first descriptor */
  struct event event = {.kind = EVENT_ENDED};
  int status = 0;
  if (count < join || command->argc > MAX_ARGS || command->argv_bytes > MAX_ARGV_BYTES ||
      command->runtime_count > MAX_RUNTIME_PATHS)
    return failed("command", EPROTO);
  char *string = launch->command.argv;
  for (uint32_t i = 0; i < command->argc; i++, string += strlen(string) + 1) launch->argv[i] = string;
  launch->argv[command->argc] = NULL;
  for (uint32_t i = 0; i < command->runtime_count; i++, string += strlen(string) + 1)
    paths[i] = string;
  if (work_mount(&command->limits, (enum view)command->view) < 0) return -1;
  if (with_source && work_place_source(command->source_name, fds[3]) < 0) return -1;
  if (work_place_files(command->files, fds + 3 + with_source) < 0) return -1;
  int64_t started = now_us();
  pid_t pid = launch_run(fds, join, count);
  if (pid < 0 || wait_end(sock, pid, fds, count, &status) < 0) return -1;
  event.wall_us = now_us() - started;
  close_all(fds, count);
  event.status = status;
  if (launch->error && launch->step) return failed(launch->step, launch->error);
  if (command->compile && !launch->error && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
      (root_build_run(paths, (int)command->runtime_count) < 0 ||
       work_keep_artefact(command->artefact_name, command->artefact_bytes, &event) < 0))
    return -1;
  /* The report comes first, because unmounting waits for the kernel's readers (RCU). */
  if (send_message(sock, &event, sizeof event, NULL, 0) < 0) return -1;
  launch_end();
  return command->view == VIEW_PROGRAM ? 0 : work_unmount();
}

/*
 * After a run: prepares working directory and process of the next run. The helper asks for this only after it has reported the
 * run's end: they share a core, so the report would have to wait.
 */
static int prepare(int sock, int *fds, int count) {
  struct event event = {.kind = EVENT_READY};
  if (work_renew() < 0 || launch_prepare((enum view)launch->command.view, fds, count) < 0) return -1;
  close_all(fds, count);
  return send_message(sock, &event, sizeof event, NULL, 0);
}

/* Carries out commands until the helper is gone. */
void init_main(int sock, const struct box_options *options, struct launch *shared) {
  int fds[MAX_SENT_FDS], count = 0;
  sigset_t child;
  /* The socket becomes 3; all other descriptors of the helper are closed. */
  if (dup2(sock, 3) < 0 || syscall(SYS_close_range, 4, ~0u, 0) < 0) _exit(1);
  sock = 3;
  /* 0 to 2 stay open, so that no descriptor of a case gets one of these numbers. */
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
  launch = shared;
  if (child_signals < 0) {
    failed("box: set-up", errno);
    give_up(sock);
  }
  struct command *command = &launch->command;
  if (receive_message(sock, command, sizeof *command, NULL, NULL) <= 0) _exit(0);
  int tools = -1;
  launch_open(launch, options->cgroup_version, child_signals);
  /* When the host runs out of memory, it kills programs before runners (proc(5)). */
  (void)write_at(AT_FDCWD, "/proc/self/oom_score_adj", "1000");
  if (seccomp_prepare() < 0 || root_take_tools(options->tools, &tools) < 0 ||
      become_init(options) < 0 || root_build(tools) < 0)
    give_up(sock);
  close_fd(&tools);
  struct event ready = {.kind = EVENT_READY};
  if (send_message(sock, &ready, sizeof ready, NULL, 0) < 0) _exit(1);
  for (;;) {
    ssize_t got = receive_message(sock, command, sizeof *command, fds, &count);
    if (got == 0) _exit(0);
    if (got < 0) give_up(sock);
    if (command->kind == COMMAND_KILL) continue; /* too late: the program has ended by itself */
    if ((command->kind == COMMAND_PREPARE ? prepare : run_command)(sock, fds, count) < 0) give_up(sock);
  }
}
