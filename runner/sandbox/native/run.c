/*
 * One compile step or case as the helper sees it: cgroup and pipes, then one loop that drains what
 * the program writes and watches its limits until the box says that everything has ended.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "relay.h"
#include "talk.h"
#include "util.h"
#include "wall.h"

/* Between two looks at the cgroup. A limit is noticed at the latest this long after it is passed. */
#define TICK_MIN_US 1000
#define TICK_MAX_US 10000
/* After the kill, everything is gone in milliseconds; longer is an anomaly of the machine. */
#define KILL_PATIENCE_US 20000000
/* A program that lives on so long after its output was over has only closed it. */
#define SURVIVED_US 200000
/* How long the last words of an ended program wait for their reader, which has limits of its own. */
#define LAST_WORDS_US 20000000
/* The kernel kills for a case's own limit when less than this is left of it: what one CPU charges in advance. */
#define LIMIT_EDGE_BYTES (1u << 20)
/* What a program larger than its limit may still use, until it is killed for that. */
#define LEAST_ROOM_BYTES (256u << 10)

struct run {
  const struct limits *limits;
  struct box *box;
  struct cgroup_slot *slot;
  struct cgroup_case *group;
  int compile;        /* standard output is the compiler's message, and so is standard error */
  int err;            /* read end of standard error; -1: none, or at its end */
  struct relay *out;  /* standard output; to the other program, in a conversation */
  struct relay *back; /* what the other program writes; ATTACHED_RELAYS only */
  struct talk talk;
  enum closed_first closed_first;
  uint64_t artefact_bytes; /* of the program that runs */
  struct wall wall;
  struct kept *kept;
  enum fired fired;
  int64_t started;
  int64_t killed; /* when the kill was sent, 0: not yet */
  struct event event;
};

/* What the loop waits for. The two of a relay stand together. */
enum { BOX, OUT, OUT_TO, BACK, BACK_TO, ERR, RUNNER, WAITS };

/* Keeps what there is room for, counts the rest. */
static void keep(struct kept *kept, const unsigned char *bytes, size_t length) {
  size_t room = MAX_KEPT_BYTES - kept->length, take = length < room ? length : room;
  memcpy(kept->bytes + kept->length, bytes, take);
  kept->length += (uint32_t)take;
  kept->total += length;
}

/* Takes over what a compiler has written. */
static int drain_message(struct run *run) {
  static unsigned char bytes[65536];
  ssize_t got = read(run->out->from, bytes, sizeof bytes);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : failed("read", errno);
  if (got == 0) close_fd(&run->out->from);
  keep(run->kept, bytes, (size_t)got);
  run->out->total += (uint64_t)got;
  return 0;
}

/*
 * Takes and passes on what both programs write. Who ended first decides whose fault an end was. Each learns of the
 * other's end only from us and only later: the end of what one writes is passed on when that one is dead, and then
 * it no longer reads either, which is noted first.
 */
static int serve_relays(struct run *run, const struct pollfd wait[WAITS]) {
  if (run->compile) return wait[OUT].revents ? drain_message(run) : 0;
  if (relay_serve(run->out, wait + OUT) < 0 || relay_serve(run->back, wait + BACK) < 0) return -1;
  if (run->talk.part != ATTACHED_RELAYS || run->closed_first != CLOSED_NONE) return 0;
  if (run->out->gone) run->closed_first = CLOSED_PEER;
  else if (run->out->over) run->closed_first = CLOSED_PROGRAM;
  return 0;
}

/* Passes on the end of what somebody writes who is dead, or has lived on for so long that it only closed it. */
static void pass_ends(struct run *run, int64_t now) {
  struct relay *out = run->out, *back = run->back;
  if (out->over && !relay_busy(out) && now - out->over > SURVIVED_US) relay_drop(out);
  if (back->over && !relay_busy(back) && (out->gone || now - back->over > SURVIVED_US))
    relay_drop(back);
}

/* Takes over what is in the pipe of standard error; read(2) answers 0 when nobody holds its other end. */
static ssize_t drain_error(struct run *run) {
  unsigned char bytes[65536];
  ssize_t got = run->err < 0 ? 0 : read(run->err, bytes, sizeof bytes);
  if (got > 0) keep(run->kept, bytes, (size_t)got);
  return got;
}

/* Bytes of standard output; what another helper relays is counted by its file. */
static uint64_t output_bytes(const struct run *run) {
  struct stat status;
  if (run->talk.rest < 0 || fstat(run->out->file, &status) < 0) return run->out->total;
  return (uint64_t)status.st_size;
}

/* Whether the program has written more than it may. */
static int has_flooded(const struct run *run) {
  return output_bytes(run) > run->limits->output_bytes || run->kept->total > MAX_ERROR_BYTES;
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
    int passed = run->talk.part == ATTACHED_RELAYS
                     ? talk_passed(&run->talk, run->slot, *cpu_us, run->limits->wall_us, now)
                     : wall_passed(&run->wall, now);
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

/* Heeds what the runner says while the program runs. Its end of file is the helper's: nothing runs for nobody. */
static int heed_runner(struct run *run, short revents) {
  uint32_t kind;
  if (revents & ~POLLIN) return failed("the runner is gone", EPIPE);
  if (notice_read(0, &kind) < 0) return -1;
  if (kind == STOP) {
    if (run->fired == FIRED_NONE) run->fired = FIRED_STOP;
    return 0;
  }
  if (run->talk.rest < 0) return 0;
  wall_note_peer_end(&run->wall);
  /* The other helper relays no more. */
  run->out->total = output_bytes(run);
  run->out->from = run->talk.rest;
  run->talk.rest = -1;
  return 0;
}

/* The loop. */
static int watch(struct run *run) {
  int64_t next_look = run->started;
  uint64_t cpu_us = 0;
  uint32_t oom_kills = 0;
  for (;;) {
    struct pollfd wait[WAITS] = {[BOX] = {.fd = run->box->sock, .events = POLLIN},
                                 [ERR] = {.fd = run->err, .events = POLLIN},
                                 [RUNNER] = {.fd = 0, .events = POLLRDHUP | POLLIN}};
    relay_poll(run->out, wait + OUT);
    relay_poll(run->back, wait + BACK);
    int64_t now = now_us(), sleep = next_look > now ? next_look - now : 0;
    struct timespec timeout = {.tv_nsec = sleep * 1000};
    if (ppoll(wait, WAITS, &timeout, NULL) < 0 && errno != EINTR) return failed("poll", errno);
    if (wait[RUNNER].revents && heed_runner(run, wait[RUNNER].revents) < 0) return -1;
    if (serve_relays(run, wait) < 0) return -1;
    if (wait[BOX].revents) return box_take_end(run->box, &run->event);
    if (wait[ERR].revents && drain_error(run) == 0) close_fd(&run->err);
    now = now_us();
    pass_ends(run, now);
    if (now >= next_look || has_flooded(run)) {
      if (look(run, now, &cpu_us, &oom_kills) < 0) return -1;
      if (run->talk.part == ATTACHED_WAITS &&
          talk_tell(&run->talk, run->slot, run->group, now) < 0)
        return -1;
      next_look = now + tick_us(run, cpu_us);
    }
    if (run->fired != FIRED_NONE && run->killed == 0 && kill_all(run) < 0) return -1;
    if (run->killed && now - run->killed > KILL_PATIENCE_US)
      return failed("the box does not die", ETIMEDOUT);
  }
}

/*
 * After the end: the rest of standard output, which a stopped program's reader need not see. The reader may have
 * to write before it reads on.
 */
static int drain_rest(struct run *run) {
  int64_t until = now_us() + LAST_WORDS_US;
  struct relay *out = run->out, *back = run->back;
  if (run->fired != FIRED_NONE) relay_drop(out);
  relay_drop(back);
  while (out->from >= 0 || relay_busy(out)) {
    struct pollfd wait[WAITS] = {[RUNNER] = {.fd = 0, .events = POLLRDHUP}};
    relay_poll(out, wait + OUT);
    relay_poll(back, wait + BACK);
    int64_t left = until - now_us();
    if (left <= 0) relay_drop(out);
    if (poll(wait, WAITS, left <= 0 ? 0 : (int)(left / 1000) + 1) < 0 && errno != EINTR)
      return failed("poll", errno);
    if (wait[RUNNER].revents) return failed("the runner is gone", EPIPE);
    if (serve_relays(run, wait) < 0) return -1;
  }
  relay_drop(out);
  if (back->from >= 0 && relay_take(back) < 0) return -1;
  if (back->file >= 0 && relay_keep(back) < 0) return -1;
  return run->compile ? 0 : relay_keep(out);
}

/*
 * What is left of the memory limit beside the program itself, which lies in memory of the box: code and tables that
 * it only reads would cost it nothing otherwise. Never so little that not even an end by that limit could be told.
 */
static uint64_t room_beside(uint64_t limit, uint64_t artefact_bytes) {
  uint64_t least = limit < LEAST_ROOM_BYTES ? limit : LEAST_ROOM_BYTES;
  return limit > artefact_bytes + least ? limit - artefact_bytes : least;
}

/*
 * The most memory the run held, the program itself included. Whoever was killed for memory far below the limit was killed because the machine
 * had none left, or a cgroup around ours: that is no verdict.
 */
static int account_memory(struct run *run, struct reply *reply) {
  if (cgroup_peak(run->slot, &reply->memory_bytes) < 0) return -1;
  reply->memory_bytes += run->artefact_bytes;
  if (reply->memory_bytes > run->limits->memory_bytes) reply->memory_bytes = run->limits->memory_bytes;
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

/* How much of its wall time the program waited for others. */
static uint64_t waited_us(const struct run *run) {
  if (run->talk.part != ATTACHED_RELAYS) return run->wall.waited_us;
  int64_t alone = talk_alone(&run->talk, run->started + run->event.wall_us);
  return run->event.wall_us > alone ? (uint64_t)(run->event.wall_us - alone) : 0;
}

/* After the end: the rest of the pipes, then the accounts. */
static int account(struct run *run, struct reply *reply) {
  if (drain_rest(run) < 0) return -1;
  if (run->talk.part == ATTACHED_WAITS &&
      talk_tell(&run->talk, run->slot, run->group, INT64_MAX) < 0)
    return -1;
  while (run->err >= 0 && drain_error(run) > 0) continue;
  if (look(run, 0, &reply->cpu_us, &reply->oom_kills) < 0) return -1;
  if (run->fired == FIRED_NONE && ended_by_backstop(run)) run->fired = FIRED_CPU;
  if (account_memory(run, reply) < 0) return -1;
  int status = run->event.status;
  reply->exit_code = WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
  reply->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  reply->fired = run->fired;
  reply->closed_first = run->closed_first;
  reply->artefact = run->event.artefact;
  reply->wall_us = (uint64_t)run->event.wall_us;
  uint64_t output = output_bytes(run);
  reply->waited_ms = (uint32_t)(waited_us(run) / 1000);
  reply->output_bytes = output < run->limits->output_bytes ? output : run->limits->output_bytes;
  reply->stderr_bytes = run->compile ? 0 : run->kept->total;
  reply->tail_bytes = run->kept->length;
  return 0;
}

/* The pipes of a run: what the program gets into `stdio`, our own ends into `run`. */
static int open_pipes(struct run *run, const struct request *request, pid_t runner, int stdio[3]) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
  if (request->attached && files_talk(request, &run->talk) < 0) return -1;
  struct talk *talk = &run->talk;
  if (talk->part == ATTACHED_WAITS) {
    stdio[0] = talk->input;
    stdio[1] = talk->output;
    talk->input = talk->output = -1;
  } else {
    if (pipe2(out, O_CLOEXEC) < 0) return failed("pipe", errno);
    run->out->from = out[0];
    stdio[1] = out[1];
  }
  if (talk->part == ATTACHED_RELAYS) {
    if (pipe2(in, O_CLOEXEC) < 0) return failed("pipe", errno);
    stdio[0] = in[0];
    run->back->to = in[1];
    run->back->from = talk->input;
    run->back->file = talk->peer_log;
    run->out->to = talk->output;
    talk->input = talk->output = talk->peer_log = -1;
    fcntl(in[1], F_SETFL, O_NONBLOCK);
  } else if (talk->part == ATTACHED_NOT && (stdio[0] = files_input(request, runner)) < 0) {
    return -1;
  }
  if (!run->compile && pipe2(err, O_CLOEXEC) < 0) return failed("pipe", errno);
  run->err = err[0];
  stdio[2] = err[1];
  if (run->out->from >= 0) fcntl(run->out->from, F_SETFL, O_NONBLOCK);
  if (run->err >= 0) fcntl(run->err, F_SETFL, O_NONBLOCK);
  return 0;
}

/* Opens everything, runs, accounts. */
static int run_with(struct run *run, const struct job *job, pid_t runner, struct reply *reply) {
  const struct request *request = &job->request;
  int result = -1, source = -1, stdio[3] = {-1, -1, -1}, files[MAX_FILES] = {-1, -1, -1};
  for (int i = 0; i < MAX_FILES && !run->compile; i++)
    if (request->file_fds[i] >= 0 &&
        (files[i] = files_open(runner, request->file_fds[i], O_RDONLY)) < 0)
      goto end;
  if (!run->compile &&
      (run->out->file = files_open(runner, request->output_fd, O_WRONLY | O_APPEND)) < 0)
    goto end;
  if (run->compile && (source = files_source(job)) < 0) goto end;
  if (open_pipes(run, request, runner, stdio) < 0) goto end;
  struct limits charged = *run->limits;
  charged.memory_bytes = room_beside(run->limits->memory_bytes, run->artefact_bytes);
  if (cgroup_begin(run->slot, run->group, &charged) < 0) goto end;
  run->started = now_us();
  talk_start(&run->talk, run->started);
  wall_start(&run->wall, (struct ours){run->slot, run->group, run->box->pid}, run->limits->wall_us,
             request->attached != ATTACHED_WAITS);
  const int to_box[3] = {stdio[0], stdio[1], run->compile ? stdio[1] : stdio[2]};
  result = box_send_job(run->box, job, to_box, source, files, run->group);
  if (result < 0) (void)box_take_end(run->box, &run->event); /* a box that is gone may have left its reason */
  /* Ours would keep a pipe open that the program has closed. */
  for (int i = 0; i < 3; i++) close_fd(&stdio[i]);
  cgroup_release_join(run->group);
  if (result == 0) result = watch(run);
  if (result == 0) result = account(run, reply);
end:
  close_fd(&source);
  for (int i = 0; i < MAX_FILES; i++) close_fd(&files[i]);
  for (int i = 0; i < 3; i++) close_fd(&stdio[i]);
  close_fd(&run->err);
  relay_close(run->out);
  relay_close(run->back);
  files_end_talk(&run->talk);
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
  static struct relay out, back;
  relay_start(&out, job->request.limits.output_bytes);
  relay_start(&back, UINT64_MAX);
  struct run run = {.limits = &job->request.limits, .box = box, .slot = slot, .kept = kept,
                    .compile = job->request.kind == COMPILE, .group = &last_group, .err = -1,
                    .out = &out, .back = &back, .talk = NO_TALK};
  if (!run.compile) run.artefact_bytes = box->artefact_bytes;
  if (!job->request.attached) files_detach();
  kept->total = 0;
  kept->length = 0;
  last_open = 1;
  return run_with(&run, job, runner, reply);
}
