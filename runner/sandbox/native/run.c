/*
 * Runs one compile step or case: sets up cgroup and pipes, then reads the program's output and watches its limits until
 * the box reports that everything has ended.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "streams.h"
#include "util.h"
#include "wall.h"

/* The shortest and longest time between two looks at the cgroup: a passed limit is noticed at the next look. */
#define TICK_MIN_US 1000
#define TICK_MAX_US 10000
/* A kill takes milliseconds. One that takes longer than this is an anomaly of the machine. */
#define KILL_PATIENCE_US 20000000
/* The kernel may kill a program that is this close to its memory limit, because each CPU charges memory in advance. */
#define LIMIT_EDGE_BYTES (1u << 20)

struct run {
  const struct limits *limits;
  struct box *box;
  struct cgroup_slot *slot;
  struct cgroup_case *group;
  struct streams streams;
  uint64_t room_bytes; /* what the cgroup may hold */
  struct wall wall;
  enum fired fired;
  int64_t started;
  int64_t killed; /* when the kill was sent; 0: not yet */
  struct event event;
};

/* Indexes of the loop's descriptors. The streams come first. */
enum { BOX = STREAM_WAITS, RUNNER, WAITS };

/*
 * The memory that a run holds when its cgroup holds `cgroup_bytes`. The program's file lies in memory of the box. Its read-only part
 * is added here; the cgroup counts the copies of the pages that the program writes. So the whole file counts at least once.
 */
static uint64_t memory_held(const struct run *run, uint64_t cgroup_bytes) {
  if (run->streams.compile) return cgroup_bytes;
  uint64_t held = cgroup_bytes + run->box->readonly_bytes;
  return held > run->box->artefact_bytes ? held : run->box->artefact_bytes;
}

/* Whether the program, which has begun, is larger than its memory limit. */
static int is_too_large(const struct run *run) {
  return run->box->launch->is_told && memory_held(run, 0) > run->limits->memory_bytes;
}

/* Whether the program has written more than it may. */
static int has_flooded(const struct run *run) {
  return streams_output(&run->streams) > run->limits->output_bytes ||
         run->streams.kept->total > MAX_ERROR_BYTES;
}

/*
 * Notes the first passed limit; of several passed limits, the most telling one. `now` is 0 after the end: the wall clock
 * did not stop a program that ended by itself.
 */
static int look(struct run *run, int64_t now, uint64_t *cpu_us, uint32_t *oom_kills) {
  if (cgroup_cpu_us(run->slot, run->group, cpu_us) < 0) return -1;
  if (cgroup_oom_kills(run->group, oom_kills) < 0) return -1;
  if (run->fired != FIRED_NONE) return 0;
  if (has_flooded(run)) run->fired = FIRED_OUTPUT;
  else if (*oom_kills > 0 || is_too_large(run)) run->fired = FIRED_MEMORY;
  else if (*cpu_us > run->limits->cpu_us) run->fired = FIRED_CPU;
  else if (now) {
    int passed = run->streams.talk.part == ATTACHED_RELAYS
                     ? talk_passed(&run->streams.talk, run->limits->wall_us, now)
                     : wall_passed(&run->wall, now);
    if (passed < 0) return -1;
    if (passed) run->fired = FIRED_WALL;
  }
  return 0;
}

/* How long until the CPU limit could be reached, within the bounds of a tick. */
static int64_t tick_us(const struct run *run, uint64_t cpu_us) {
  uint64_t left = cpu_us < run->limits->cpu_us ? run->limits->cpu_us - cpu_us : 0;
  return left < TICK_MIN_US ? TICK_MIN_US : left > TICK_MAX_US ? TICK_MAX_US : (int64_t)left;
}

/* Kills everything in the box: by cgroup.kill, if that exists, and through pid 1. */
static int kill_all(struct run *run) {
  /* A process that is killed before it is ready counts as our failure; pid 1 obeys the message once the process is ready. */
  if (run->box->launch->is_told) cgroup_kill(run->group);
  run->killed = now_us();
  return box_send_kill(run->box);
}

/* Reads the runner's messages while the program runs. At the end of file the helper ends: nobody waits for the run. */
static int heed_runner(struct run *run, short revents) {
  uint32_t kind;
  if (revents & ~POLLIN) return failed("the runner is gone", EPIPE);
  if (notice_read(0, &kind) < 0) return -1;
  if (kind == STOP) {
    if (run->fired == FIRED_NONE) run->fired = FIRED_STOP;
    return 0;
  }
  wall_note_peer_end(&run->wall);
  streams_take_over(&run->streams);
  return 0;
}

/* Serves the streams and watches the limits until the end. */
static int watch(struct run *run) {
  int64_t next_look = run->started + tick_us(run, 0);
  uint64_t cpu_us = 0;
  uint32_t oom_kills = 0;
  for (;;) {
    struct pollfd wait[WAITS] = {[BOX] = {.fd = run->box->sock, .events = POLLIN},
                                 [RUNNER] = {.fd = 0, .events = POLLRDHUP | POLLIN}};
    streams_poll(&run->streams, wait);
    int64_t now = now_us(), sleep = next_look > now ? next_look - now : 0;
    struct timespec timeout = {.tv_nsec = sleep * 1000};
    if (ppoll(wait, WAITS, &timeout, NULL) < 0 && errno != EINTR) return failed("poll", errno);
    if (wait[RUNNER].revents && heed_runner(run, wait[RUNNER].revents) < 0) return -1;
    if (streams_serve(&run->streams, wait) < 0) return -1;
    if (wait[BOX].revents) return box_take_end(run->box, &run->event);
    now = now_us();
    streams_pass_ends(&run->streams, now);
    if (now >= next_look || has_flooded(run)) {
      if (look(run, now, &cpu_us, &oom_kills) < 0) return -1;
      if (run->streams.talk.part == ATTACHED_WAITS &&
          talk_tell(&run->streams.talk, now, now) < 0)
        return -1;
      next_look = now + tick_us(run, cpu_us);
    }
    if (run->fired != FIRED_NONE && run->killed == 0 && kill_all(run) < 0) return -1;
    if (run->killed && now - run->killed > KILL_PATIENCE_US)
      return failed("the box does not die", ETIMEDOUT);
  }
}

/* The part of the memory limit that is left for the cgroup: at least enough that a kill for memory can be noticed. */
static uint64_t room_beside(uint64_t limit, uint64_t readonly_bytes) {
  uint64_t least = limit < LEAST_ROOM_BYTES ? limit : LEAST_ROOM_BYTES;
  return limit > readonly_bytes + least ? limit - readonly_bytes : least;
}

/*
 * Sets the most memory that the run held; this is above the limit if the file alone nearly fills it. A kill for memory far
 * below the limit means that the machine, or a cgroup around ours, had no memory left; then there is no verdict.
 */
static int account_memory(struct run *run, struct reply *reply) {
  uint64_t peak;
  if (cgroup_peak(run->group, &peak) < 0) return -1;
  if (reply->oom_kills > 0 && peak + LIMIT_EDGE_BYTES < run->room_bytes)
    return failed("the machine is out of memory", ENOMEM);
  reply->memory_bytes = memory_held(run, peak);
  if (run->fired == FIRED_NONE && reply->memory_bytes > run->limits->memory_bytes)
    run->fired = FIRED_MEMORY;
  return 0;
}

/*
 * Whether the rlimit on CPU time ended the program. The rlimit kills by SIGKILL, because soft and hard limit are the same
 * (setrlimit(2)), and it does so later than every other limit.
 */
static int ended_by_backstop(const struct run *run) {
  int status = run->event.status;
  uint64_t backstop_us = payload_backstop_s(run->limits) * 1000000;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
         (uint64_t)run->event.wall_us >= backstop_us;
}

/* How much of its wall time the program waited for others; the wait until the box began the program does not count. */
static uint64_t waited_us(const struct run *run) {
  if (run->streams.talk.part != ATTACHED_RELAYS) {
    int64_t own_us = (int64_t)run->wall.waited.us - run->wall.waited.box_us;
    return own_us > 0 ? (uint64_t)own_us : 0;
  }
  int64_t alone = talk_alone(&run->streams.talk, run->started + run->event.wall_us);
  return run->event.wall_us > alone ? (uint64_t)(run->event.wall_us - alone) : 0;
}

/*
 * Waits, for an interactor that ended before we heard of the submission's end. Its last bytes would otherwise be lost in the pipe,
 * because the submission's helper has read the pipe for the last time. The notice of the submission's end is on its way.
 */
static int await_take_over(struct run *run) {
  enum fired fired = run->fired;
  while (run->streams.talk.rest >= 0 && talk_is_left(&run->streams.talk)) {
    struct pollfd wait = {.fd = 0, .events = POLLRDHUP | POLLIN};
    if (poll(&wait, 1, -1) < 0 && errno != EINTR) return failed("poll", errno);
    if (wait.revents && heed_runner(run, wait.revents) < 0) return -1;
  }
  run->fired = fired; /* no limit stops a program that has already ended */
  return 0;
}

/* After the end: reads the rest of the pipes, then fills in the reply. */
static int account(struct run *run, struct reply *reply) {
  if (await_take_over(run) < 0) return -1;
  if (streams_drain(&run->streams, run->fired != FIRED_NONE) < 0) return -1;
  if (run->streams.talk.part == ATTACHED_WAITS &&
      talk_tell(&run->streams.talk, now_us(), INT64_MAX) < 0)
    return -1;
  if (look(run, 0, &reply->cpu_us, &reply->oom_kills) < 0) return -1;
  if (!run->box->launch->is_told && run->fired != FIRED_STOP)
    return failed("the process of a run ended before it", ECHILD);
  if (run->fired == FIRED_NONE && ended_by_backstop(run)) run->fired = FIRED_CPU;
  if (account_memory(run, reply) < 0) return -1;
  int status = run->event.status;
  reply->exit_code = WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
  reply->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  reply->fired = run->fired;
  reply->closed_first = run->streams.closed_first;
  reply->artefact = run->event.artefact;
  reply->wall_us = (uint64_t)run->event.wall_us;
  uint64_t output = streams_output(&run->streams);
  reply->waited_ms = (uint32_t)(waited_us(run) / 1000);
  reply->output_bytes = output < run->limits->output_bytes ? output : run->limits->output_bytes;
  reply->stderr_bytes = run->streams.compile ? 0 : run->streams.kept->total;
  reply->tail_bytes = run->streams.kept->length;
  return 0;
}

/* Closes our copies of the program's descriptors. */
static void close_stdio(int stdio[3]) {
  for (int i = 0; i < 3; i++) close_fd(&stdio[i]);
}

/* Opens everything, runs, fills in the reply. */
static int run_with(struct run *run, const struct job *job, struct reply *reply) {
  const struct request *request = &job->request;
  int result = -1, source = -1, stdio[3] = {-1, -1, -1}, files[MAX_FILES] = {-1, -1, -1};
  for (int i = 0; i < MAX_FILES && !run->streams.compile; i++)
    if (request->file_fds[i] >= 0 &&
        (files[i] = files_open(request->file_fds[i], O_RDONLY)) < 0)
      goto end;
  if (!run->streams.compile &&
      (run->streams.out->file = files_open(request->output_fd, O_WRONLY | O_APPEND)) < 0)
    goto end;
  if (run->streams.compile && (source = files_source(job)) < 0) goto end;
  if (streams_open(&run->streams, request, stdio) < 0) goto end;
  struct limits charged = *run->limits;
  if (!run->streams.compile)
    charged.memory_bytes = room_beside(run->limits->memory_bytes, run->box->readonly_bytes);
  run->room_bytes = charged.memory_bytes;
  if (cgroup_begin(run->slot, run->group, &charged) < 0) goto end;
  run->started = now_us();
  run->box->launch->is_told = 0;
  pid_t ready = run->box->is_prepared ? run->group->ready : 0;
  struct ours ours = {run->slot, run->group, &run->box->launch->is_told, ready, 0, run->box->pid};
  if (ours.ready) ours.ready_us = wanted_by(ours.ready);
  if (request->attached) talk_start(&run->streams.talk, ours, run->started);
  wall_start(&run->wall, ours, run->limits->wall_us, request->attached != ATTACHED_WAITS);
  int join[CGROUP_HIERARCHIES], join_count = cgroup_joins(run->slot, run->group, join);
  const int to_box[3] = {stdio[0], stdio[1], run->streams.compile ? stdio[1] : stdio[2]};
  result = box_send_job(run->box, job, to_box, source, files, join, join_count);
  if (result < 0) (void)box_take_end(run->box, &run->event); /* the box may have ended and sent a reason */
  /* In a conversation our copies would keep a pipe open that the program has closed. In other runs nobody waits for the pipe's end. */
  if (request->attached) close_stdio(stdio);
  if (result == 0) result = watch(run);
  close_stdio(stdio);
  if (result == 0) result = account(run, reply);
end:
  close_fd(&source);
  for (int i = 0; i < MAX_FILES; i++) close_fd(&files[i]);
  close_stdio(stdio);
  streams_close(&run->streams);
  return result;
}

/* The cgroup of the last run until run_tidy, then that of the next run. */
static struct cgroup_case group;
static int has_run;

/*
 * After the reply, while nobody waits: removes the cgroup of the last run and makes the cgroup of the next. Usually another case
 * follows, so the process of the next run is started, too. If only that start fails, the next run reports it.
 */
int run_tidy(const struct request *last, struct box *box, struct cgroup_slot *slot) {
  if (!has_run) return 0;
  has_run = 0;
  if (cgroup_end(slot, &group) < 0 || cgroup_prepare(slot, &group) < 0) return -1;
  if (last->kind != RUN || last->view != VIEW_PROGRAM) return 0;
  int join[CGROUP_HIERARCHIES], count = cgroup_joins(slot, &group, join);
  if (box_prepare(box, join, count) < 0) box_lose(box);
  else if (cgroup_threads(slot, &group.ready, 1) != 1) group.ready = 0;
  return 0;
}

/* Runs one job in an open box. After a failure, which is ours, the caller gives up box and cgroups. */
int run_job(const struct job *job, struct box *box, struct cgroup_slot *slot,
            struct reply *reply, struct kept *kept) {
  struct run run = {.limits = &job->request.limits, .box = box, .slot = slot, .group = &group};
  streams_start(&run.streams, job->request.kind == COMPILE, run.limits->output_bytes, kept);
  if (!job->request.attached) files_detach();
  has_run = 1;
  return run_with(&run, job, reply);
}
