/*
 * The helper: one process per slot. The runner starts it and talks to it over its standard input and output
 * (protocol.h). When the runner ends, the helper ends with everything that it started.
 *
 * helper <processor> <first id> <tools directory or -> v1 <memory> <cpuacct> <pids>
 * helper <processor> <first id> <tools directory or -> v2 <directory>
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box.h"
#include "cgroup.h"
#include "files.h"
#include "protocol.h"
#include "run.h"
#include "util.h"

/* How long the helper may clean up after the runner's death before the kernel ends it. */
#define LAST_SECONDS 5

static struct job job;
static struct kept kept;

/* Ends the helper soon: SIGALRM is not caught (alarm(2), signal(7)). */
static void runner_died(int number) {
  (void)number;
  alarm(LAST_SECONDS);
}

/*
 * Ties the helper's life to the runner's. When the runner dies, standard input ends, and the helper cleans up. The death also
 * sends a signal that sets an alarm, so that a helper that hangs ends, too. The helper ignores terminal signals: on
 * these the runner finishes its cases and then closes the pipe.
 */
static int tie_to_runner(pid_t runner) {
  struct sigaction action = {.sa_handler = runner_died, .sa_flags = SA_RESTART};
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  if (sigaction(SIGUSR1, &action, NULL) < 0) return failed("sigaction", errno);
  if (prctl(PR_SET_PDEATHSIG, SIGUSR1) < 0) return failed("pdeathsig", errno);
  return getppid() == runner ? 0 : failed("the runner is gone", ESRCH);
}

/* Pins the helper to the slot's processor (sched_setaffinity(2)). */
static int pin(unsigned long processor) {
  cpu_set_t one;
  if (processor >= CPU_SETSIZE) return failed("arguments: processor", EINVAL);
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  return sched_setaffinity(0, sizeof one, &one) < 0 ? failed("sched_setaffinity", errno) : 0;
}

/* Whether we may map ids other than our own (capabilities(7)). */
static int can_map_ids(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);
  uint32_t wanted = 1u << CAP_SETUID | 1u << CAP_SETGID;
  return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & wanted) == wanted;
}

/* Reads the command line, which the runner wrote. */
static int configure(int argc, char *argv[], struct box_options *options,
                     struct cgroup_slot *slot) {
  memset(options, 0, sizeof *options);
  if (argc < 6) return failed("arguments", EINVAL);
  options->cgroup_version = strcmp(argv[4], "v2") == 0 ? 2 : 1;
  if (argc != (options->cgroup_version == 2 ? 6 : 8)) return failed("arguments", EINVAL);
  options->tools = strcmp(argv[3], "-") == 0 ? NULL : argv[3];
  options->single_id = !can_map_ids();
  if (options->single_id && geteuid() == 0)
    return failed("running as root without CAP_SETUID: programs would be root too", EPERM);
  options->root_id = (uid_t)strtoul(argv[2], NULL, 10);
  options->user_id = options->root_id + 1;
  if (!options->single_id && options->root_id == 0) return failed("arguments: id", EINVAL);
  if (pin(strtoul(argv[1], NULL, 10)) < 0) return -1;
  uid_t owner = options->single_id ? (uid_t)-1 : options->root_id;
  if (cgroup_open(slot, options->cgroup_version, argv + 5, owner) < 0) return -1;
  options->init_cgroup = slot->init_dir;
  return 0;
}

/* Carries out one request. */
static int serve(const struct box_options *options, struct cgroup_slot *slot, struct box *box,
                 struct reply *reply) {
  switch (job.request.kind) {
    case OPEN_BOX:
      return box->pid > 0 ? failed("a box is open already", EBUSY) : box_open(box, options);
    case ATTACH:
      return files_attach(&job);
    case CLOSE_BOX:
      files_detach();
      box_close(box);
      box->lost[0] = 0;
      return 0;
    default:
      if (box->pid > 0) return run_job(&job, box, slot, reply, &kept);
      if (!box->lost[0]) return failed("no box is open", EINVAL);
      memcpy(error_text, box->lost, ERROR_BYTES);
      return -1;
  }
}

/* Replies with the failure in words. */
static void answer_failure(struct reply *reply) {
  reply->status = REPLY_FAILED;
  reply->tail_bytes = (uint32_t)strlen(error_text);
  (void)reply_write(1, reply, error_text);
}

/* Says that it is ready, then serves requests. After the first failure, it replies with the reason and ends. */
int main(int argc, char *argv[]) {
  struct box_options options;
  struct cgroup_slot slot = {.count = 0};
  struct box box = {.pid = 0, .sock = -1};
  struct reply reply = {.kind = 0};
  pid_t runner = getppid();
  int got = -1;
  setsid();
  if (tie_to_runner(runner) == 0 && files_begin(runner) == 0 &&
      configure(argc, argv, &options, &slot) == 0) {
    /* Ready: a reply of kind 0. */
    got = reply_write(1, &reply, NULL) < 0 ? 0 : 1;
    while (got > 0 && (got = job_read(0, &job)) > 0) {
      if (job.request.kind == PEER_ENDED || job.request.kind == STOP) continue; /* the message came too late: its program has ended */
      memset(&reply, 0, sizeof reply);
      reply.kind = job.request.kind;
      if (serve(&options, &slot, &box, &reply) < 0) got = -1;
      else if (reply_write(1, &reply, kept.bytes) < 0) got = 0;
      else if (run_tidy(&job.request, &box, &slot) < 0) got = -1;
    }
  }
  if (got < 0) answer_failure(&reply);
  box_close(&box);
  cgroup_close(&slot);
  return got < 0;
}
