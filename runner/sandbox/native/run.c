/*
 * One compile step or case as the helper sees it: cgroup and pipes, then one loop that drains what
 * the program writes and watches its limits until the box says that everything has ended.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "relay.h"
#include "util.h"
#include "wall.h"

/* Between two looks at the cgroup. A limit is noticed at the latest this long after it is passed. */
#define TICK_MIN_US 1000
#define TICK_MAX_US 10000
/* After the kill, everything is gone in milliseconds; longer is an anomaly of the machine. */
#define KILL_PATIENCE_US 20000000
/* How long the last words of an ended program wait for their reader, which has limits of its own. */
#define LAST_WORDS_US 20000000
/* The kernel kills for a case's own limit when less than this is left of it: what one CPU charges in advance. */
#define LIMIT_EDGE_BYTES (1u << 20)

struct run {
  const struct limits *limits;
  struct box *box;
  struct cgroup_slot *slot;
  struct cgroup_case *group;
  int out, err;    /* read ends; err -1: the compiler's two streams are one */
  int output_file; /* -1: compile, kept instead */
  uint64_t output_bytes;
  struct wall wall;
  struct kept *kept;
  struct relay *relay; /* where standard output goes as well */
  enum fired fired;
  int64_t started;
  int64_t killed; /* when the kill was sent, 0: not yet */
  struct event event;
};

/* Keeps what there is room for, counts the rest. */
static void keep(struct kept *kept, const unsigned char *bytes, size_t length) {
  size_t room = MAX_KEPT_BYTES - kept->length, take = length < room ? length : room;
  memcpy(kept->bytes + kept->length, bytes, take);
  kept->length += (uint32_t)take;
  kept->total += length;
}

/* Takes over what is in the pipe of standard output; never more than the limit reaches the file. */
static ssize_t drain_output(struct run *run) {
  static unsigned char bytes[65536];
  ssize_t got = read(run->out, bytes, sizeof bytes);
  if (got <= 0) return got;
  uint64_t room = run->output_bytes < run->limits->output_bytes
                      ? run->limits->output_bytes - run->output_bytes
                      : 0;
  size_t take = (uint64_t)got < room ? (size_t)got : (size_t)room;
  if (run->output_file < 0)
    keep(run->kept, bytes, (size_t)got);
  else if (write_full(run->output_file, bytes, take) < 0)
    return -2;
  run->output_bytes += (uint64_t)got;
  relay_put(run->relay, bytes, take);
  return got;
}

/* Takes over what is in the pipe of standard error; read(2) answers 0 when nobody holds its other end. */
static ssize_t drain_error(struct run *run) {
  unsigned char bytes[65536];
  ssize_t got = run->err < 0 ? 0 : read(run->err, bytes, sizeof bytes);
  if (got > 0) keep(run->kept, bytes, (size_t)got);
  return got;
}

/* Whether the program has written more than it may. */
static int has_flooded(const struct run *run) {
  return run->output_bytes > run->limits->output_bytes || run->kept->total > MAX_ERROR_BYTES;
}

/*
 * Tells which limit has been passed, the most telling one first if several have at once. `now` is 0
 * after the end: who has ended by itself was not stopped by the wall clock.
 */
static int look(struct run *run, int64_t now, uint64_t *cpu_us, uint32_t *oom_kills) {
  if (cgroup_cpu_us(run->slot, run->group, cpu_us) < 0) return -1;
  if (cgroup_oom_kills(run->group, oom_kills) < 0) return -1;
  if (run->fired != FIRED_NONE) return 0;
  if (has_flooded(run)) run->fired = FIRED_OUTPUT;
  else if (*oom_kills > 0) run->fired = FIRED_MEMORY;
  else if (*cpu_us > run->limits->cpu_us) run->fired = FIRED_CPU;
  else if (now) {
    int passed = wall_passed(&run->wall, now);
    if (passed < 0) return -1;
    if (passed) run->fired = FIRED_WALL;
  }
  return 0;
}

/* How long to sleep: until the CPU limit could be reached, within the tick. */
static int64_t tick_us(const struct run *run, uint64_t cpu_us) {
  uint64_t left = cpu_us < run->limits->cpu_us ? run->limits->cpu_us - cpu_us : 0;
  return left < TICK_MIN_US ? TICK_MIN_US : left > TICK_MAX_US ? TICK_MAX_US : (int64_t)left;
}

/* Kills everything in the box: at once where cgroup.kill exists, and through pid 1. */
static int kill_all(struct run *run) {
  cgroup_kill(run->group);
  run->killed = now_us();
  return box_send_kill(run->box);
}

/* The loop. The runner's end of file is the helper's: nothing runs for nobody. */
static int watch(struct run *run) {
  int64_t next_look = run->started;
  uint64_t cpu_us = 0;
  uint32_t oom_kills = 0;
  for (;;) {
    int busy = relay_busy(run->relay);
    struct pollfd wait[5] = {{.fd = run->box->sock, .events = POLLIN},
                             {.fd = busy ? -1 : run->out, .events = POLLIN},
                             {.fd = run->err, .events = POLLIN},
                             {.fd = 0, .events = run->wall.from ? POLLRDHUP : POLLRDHUP | POLLIN},
                             {.fd = run->relay->pipe, .events = busy ? POLLOUT : 0}};
    int64_t now = now_us(), sleep = next_look > now ? next_look - now : 0;
    struct timespec timeout = {.tv_nsec = sleep * 1000};
    if (ppoll(wait, 5, &timeout, NULL) < 0 && errno != EINTR) return failed("poll", errno);
    if (wait[3].revents & ~POLLIN) return failed("the runner is gone", EPIPE);
    if (wait[3].revents) {
      if (peer_ended_read(0) < 0) return -1;
      wall_note_peer_end(&run->wall);
    }
    relay_look(run->relay);
    relay_push(run->relay);
    if (wait[0].revents) return box_take_end(run->box, &run->event);
    if (wait[1].revents) {
      ssize_t got = drain_output(run);
      if (got == -2) return -1;
      if (got == 0) {
        close_fd(&run->out);
        relay_note_end(run->relay);
      }
    }
    if (wait[2].revents && drain_error(run) == 0) close_fd(&run->err);
    now = now_us();
    relay_tick(run->relay, now);
    if (now >= next_look || has_flooded(run)) {
      if (look(run, now, &cpu_us, &oom_kills) < 0) return -1;
      next_look = now + tick_us(run, cpu_us);
    }
    if (run->fired != FIRED_NONE && run->killed == 0 && kill_all(run) < 0) return -1;
    if (run->killed && now - run->killed > KILL_PATIENCE_US)
      return failed("the box does not die", ETIMEDOUT);
  }
}

/* Waits until the relay has written what it has, or its reader is gone, or for long enough. */
static int flush_relay(struct run *run, int64_t until) {
  while (relay_busy(run->relay)) {
    struct pollfd wait[2] = {{.fd = run->relay->pipe, .events = POLLOUT},
                             {.fd = 0, .events = POLLRDHUP}};
    int64_t left = until - now_us();
    if (left <= 0) relay_drop(run->relay);
    if (poll(wait, 2, left <= 0 ? 0 : (int)(left / 1000) + 1) < 0 && errno != EINTR)
      return failed("poll", errno);
    if (wait[1].revents) return failed("the runner is gone", EPIPE);
    relay_look(run->relay);
    relay_push(run->relay);
  }
  return 0;
}

/* After the end: the rest of standard output, which a stopped program's reader need not see. */
static int drain_rest(struct run *run) {
  int64_t until = now_us() + LAST_WORDS_US;
  relay_note_end(run->relay);
  if (run->fired != FIRED_NONE) relay_drop(run->relay);
  for (ssize_t got = 1; run->out >= 0 && got > 0;) {
    if (flush_relay(run, until) < 0) return -1;
    got = drain_output(run);
    if (got == -2) return -1;
  }
  return flush_relay(run, until);
}

/*
 * The most memory the run held. Whoever was killed for memory far below the limit was killed because the machine
 * had none left, or a cgroup around ours: that is no verdict.
 */
static int account_memory(struct run *run, struct reply *reply) {
  if (cgroup_peak(run->slot, &reply->memory_bytes) < 0) return -1;
  if (reply->oom_kills > 0 && reply->memory_bytes + LIMIT_EDGE_BYTES < run->limits->memory_bytes)
    return failed("the machine is out of memory", ENOMEM);
  return 0;
}

/*
 * Whether the rlimit on CPU time ended the program, which it does by SIGKILL where both its limits are the same
 * (setrlimit(2)): nothing else lasts that long.
 */
static int ended_by_backstop(const struct run *run) {
  int status = run->event.status;
  uint64_t backstop_us = payload_backstop_s(run->limits) * 1000000;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
         (uint64_t)run->event.wall_us >= backstop_us;
}

/* After the end: the rest of the pipes, then the accounts. */
static int account(struct run *run, struct reply *reply) {
  if (drain_rest(run) < 0) return -1;
  relay_end(run->relay);
  while (run->err >= 0 && drain_error(run) > 0) continue;
  if (look(run, 0, &reply->cpu_us, &reply->oom_kills) < 0) return -1;
  if (run->fired == FIRED_NONE && ended_by_backstop(run)) run->fired = FIRED_CPU;
  if (account_memory(run, reply) < 0) return -1;
  int status = run->event.status;
  reply->exit_code = WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
  reply->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  reply->fired = run->fired;
  reply->closed_first = run->relay->closed_first;
  reply->artefact = run->event.artefact;
  reply->wall_us = (uint64_t)run->event.wall_us;
  reply->output_bytes = run->output_bytes < run->limits->output_bytes ? run->output_bytes
                                                                      : run->limits->output_bytes;
  reply->waited_ms = (uint32_t)(run->wall.waited_us / 1000);
  reply->stderr_bytes = run->output_file < 0 ? 0 : run->kept->total;
  reply->tail_bytes = run->kept->length;
  return 0;
}

/* Opens everything, runs, accounts. `out` and `err` pipes: read ends ours and non-blocking. */
static int run_with(struct run *run, const struct job *job, pid_t runner, struct reply *reply) {
  const struct request *request = &job->request;
  int compile = request->kind == COMPILE, result = -1, source = -1;
  int out[2] = {-1, -1}, err[2] = {-1, -1}, files[MAX_FILES] = {-1, -1, -1};
  int input = files_input(request, runner);
  if (input < 0) goto end;
  relay_start(run->relay, request->attached ? files_forward() : -1);
  for (int i = 0; i < MAX_FILES && !compile; i++)
    if (request->file_fds[i] >= 0 &&
        (files[i] = files_open(runner, request->file_fds[i], O_RDONLY)) < 0)
      goto end;
  if (!compile && (run->output_file = files_open(runner, request->output_fd, O_WRONLY)) < 0)
    goto end;
  if (compile && (source = files_source(job)) < 0) goto end;
  if (pipe2(out, O_CLOEXEC) < 0 || (!compile && pipe2(err, O_CLOEXEC) < 0)) {
    failed("pipe", errno);
    goto end;
  }
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  if (!compile) fcntl(err[0], F_SETFL, O_NONBLOCK);
  run->out = out[0];
  run->err = err[0];
  if (cgroup_begin(run->slot, run->group, run->limits) < 0) goto end;
  run->started = now_us();
  wall_start(&run->wall, (struct ours){run->slot, run->group, run->box->pid}, run->limits->wall_us,
             request->attached != ATTACHED_WAITS);
  int stdio[3] = {input, out[1], compile ? out[1] : err[1]};
  result = box_send_job(run->box, job, stdio, source, files, run->group);
  if (result < 0) (void)box_take_end(run->box, &run->event); /* a box that is gone may have left its reason */
  close_fd(&input); /* ours would keep a pipe open that its program has closed */
  close_fd(&out[1]);
  close_fd(&err[1]);
  cgroup_release_join(run->group);
  if (result == 0) result = watch(run);
  if (result == 0) result = account(run, reply);
end:
  close_fd(&input);
  close_fd(&source);
  for (int i = 0; i < MAX_FILES; i++) close_fd(&files[i]);
  relay_drop(run->relay);
  close_fd(&run->output_file);
  close_fd(&run->out);
  close_fd(&run->err);
  close_fd(&out[1]);
  close_fd(&err[1]);
  return result;
}

/* The cgroup of the last run, removed by run_tidy. */
static struct cgroup_case last_group;
static int last_open;

/* After the reply: removes the cgroup of the last run and makes the next one's, while nobody waits. */
int run_tidy(struct cgroup_slot *slot) {
  if (!last_open) return 0;
  last_open = 0;
  return cgroup_end(slot, &last_group) < 0 ? -1 : cgroup_prepare(slot);
}

/* Runs one job in an open box. A failure here is ours; the caller gives up box and cgroups. */
int run_job(const struct job *job, struct box *box, struct cgroup_slot *slot, pid_t runner,
            struct reply *reply, struct kept *kept) {
  static struct relay relay;
  relay_start(&relay, -1);
  struct run run = {.relay = &relay, .limits = &job->request.limits, .box = box, .slot = slot, .kept = kept,
                    .group = &last_group, .output_file = -1, .out = -1, .err = -1};
  if (!job->request.attached) files_detach();
  kept->total = 0;
  kept->length = 0;
  last_open = 1;
  return run_with(&run, job, runner, reply);
}
