/* A box, seen from outside: makes the namespaces, maps the ids, talks to pid 1, ends everything. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

#define READY_TIMEOUT_MS 20000 /* less than `helper.ts` waits; it is so long because others may use nearly all of the core */

/*
 * Writes the id maps of pid 1's new user namespace (user_namespaces(7)). With CAP_SETUID they map two ids of this slot.
 * Without it they map only our own id, and setgroups(2) must be denied first.
 */
static int map_ids(pid_t pid, const struct box_options *options) {
  char path[64], text[96];
  const char *names[] = {"uid_map", "gid_map"};
  if (options->single_id) {
    snprintf(path, sizeof path, "/proc/%d/setgroups", (int)pid);
    if (write_at(AT_FDCWD, path, "deny") < 0) return -1;
  }
  for (int i = 0; i < 2; i++) {
    if (options->single_id)
      snprintf(text, sizeof text, "%d %u 1\n", BOX_USER, i ? getegid() : geteuid());
    else
      snprintf(text, sizeof text, "%d %u 1\n%d %u 1\n", BOX_ROOT, options->root_id, BOX_USER,
               options->user_id);
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, names[i]);
    if (write_at(AT_FDCWD, path, text) < 0) return -1;
  }
  return 0;
}

/* Waits until pid 1 has built the root, or started the process of the next run. */
static int wait_ready(struct box *box) {
  struct event event;
  struct pollfd wait = {.fd = box->sock, .events = POLLIN};
  if (poll(&wait, 1, READY_TIMEOUT_MS) != 1) return failed("box: no answer", ETIMEDOUT);
  ssize_t got = receive_message(box->sock, &event, sizeof event, NULL, NULL);
  if (got != (ssize_t)sizeof event) return failed("box: ended at once", got < 0 ? errno : EPIPE);
  if (event.kind == EVENT_READY) return 0;
  event.error[ERROR_BYTES - 1] = 0;
  snprintf(error_text, ERROR_BYTES, "%s", event.error);
  return -1;
}

/* Opens a box: one clone with every namespace, then the id maps and the root. clone3(2), Linux 5.3. */
int box_open(struct box *box, const struct box_options *options) {
  static struct launch *launch;
  int pair[2];
  void *shared = launch ? launch : mmap(NULL, sizeof *launch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return failed("mmap", errno);
  launch = shared;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
    return failed("socketpair", errno);
  struct clone_args arguments = {
      .flags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC |
               CLONE_NEWUTS | (options->init_cgroup >= 0 ? CLONE_INTO_CGROUP : 0),
      .exit_signal = SIGCHLD,
      .cgroup = options->init_cgroup >= 0 ? (uint64_t)options->init_cgroup : 0,
  };
  pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid == 0) {
    close(pair[0]);
    init_main(pair[1], options, launch);
  }
  close(pair[1]);
  if (pid < 0) {
    close(pair[0]);
    return failed("cannot create namespaces (are user namespaces allowed?)", errno);
  }
  *box = (struct box){.pid = pid, .sock = pair[0], .launch = launch};
  static const struct command start = {.kind = COMMAND_START};
  if (map_ids(pid, options) == 0 && send_message(box->sock, &start, sizeof start, NULL, 0) == 0 &&
      wait_ready(box) == 0)
    return 0;
  box_close(box);
  return -1;
}

/* Has pid 1 start the process of the next run, between two runs, when nobody waits. */
int box_prepare(struct box *box, const int *join, int join_count) {
  static const struct command prepare = {.kind = COMMAND_PREPARE, .view = VIEW_PROGRAM};
  /* The box may have ended and sent a reason. */
  (void)send_message(box->sock, &prepare, offsetof(struct command, argv), join, join_count);
  if (wait_ready(box) < 0) return -1;
  box->is_prepared = 1;
  return 0;
}

/* Closes a broken box, and keeps the reason for the next request that wants to use it. */
void box_lose(struct box *box) {
  box_close(box);
  memcpy(box->lost, error_text, ERROR_BYTES);
}

/* Sends a job to pid 1 with its descriptors: stdin, stdout, stderr, source, files, cgroup. */
int box_send_job(struct box *box, const struct job *job, const int stdio[3], int source,
                 const int files[MAX_FILES], const int *join, int join_count) {
  static struct command command;
  const struct request *request = &job->request;
  int fds[MAX_SENT_FDS], count = 0;
  memset(&command, 0, offsetof(struct command, argv));
  command.kind = COMMAND_CASE;
  command.argc = request->argc;
  command.argv_bytes = request->argv_bytes;
  command.compile = request->kind == COMPILE;
  command.view = command.compile ? VIEW_COMPILER : request->view;
  command.runtime_count = command.compile ? request->runtime_count : 0;
  command.attached = request->attached;
  command.limits = request->limits;
  command.artefact_bytes = request->artefact_bytes;
  memcpy(command.source_name, request->source_name, NAME_BYTES);
  memcpy(command.artefact_name, request->artefact_name, NAME_BYTES);
  memcpy(command.argv, job->tail, request->argv_bytes);
  for (int i = 0; i < 3; i++) fds[count++] = stdio[i];
  if (command.compile) fds[count++] = source;
  for (int i = 0; i < MAX_FILES; i++) {
    if (files[i] < 0) continue;
    command.files |= 1u << i;
    fds[count++] = files[i];
  }
  int is_prepared = box->is_prepared && command.view == VIEW_PROGRAM;
  for (int i = 0; i < join_count && !is_prepared; i++) fds[count++] = join[i];
  box->is_prepared = 0;
  return send_message(box->sock, &command, offsetof(struct command, argv) + request->argv_bytes, fds, count);
}

/* Tells pid 1 to kill all other processes of the box. */
int box_send_kill(const struct box *box) {
  static const struct command order = {.kind = COMMAND_KILL};
  return send_message(box->sock, &order, sizeof order, NULL, 0);
}

/* Receives the end of a job from pid 1. */
int box_take_end(struct box *box, struct event *event) {
  ssize_t got = receive_message(box->sock, event, sizeof *event, NULL, NULL);
  if (got < 0) return -1;
  if (got != (ssize_t)sizeof *event) return failed("box: ended in the middle of a run", EPIPE);
  if (event->kind == EVENT_ENDED) {
    if (event->artefact != ARTEFACT_KEPT) return 0;
    box->artefact_bytes = event->artefact_bytes;
    box->readonly_bytes = event->readonly_bytes;
    return 0;
  }
  event->error[ERROR_BYTES - 1] = 0;
  snprintf(error_text, ERROR_BYTES, "%s", event->error);
  return -1;
}

/* Kills pid 1, and with it every process of the box (pid_namespaces(7)); waits for the end. */
void box_close(struct box *box) {
  if (box->pid <= 0) return;
  close_fd(&box->sock);
  kill(box->pid, SIGKILL);
  while (waitpid(box->pid, NULL, __WALL) < 0 && errno == EINTR) continue;
  box->pid = 0;
}
