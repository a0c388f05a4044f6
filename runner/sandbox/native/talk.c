/*
 * The clock of a submission that talks with an interactor. Its wall time is what it spends on its own: what the
 * interactor computes, what relaying costs, and what either of them waits for a CPU that others have is not its
 * doing. Who only sleeps, or waits for somebody who waits for it, gains nothing; whoever makes others compute, and
 * so keeps the core from itself, can do so for no longer than their CPU limits and its own allow.
 */
#include "talk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "util.h"

/* Between two looks at how long the program has waited while its limit is far. */
#define LOOK_US 100000

/* What this helper, which has one thread, has run and waited for its core (proc(5), schedstat), in microseconds. */
static uint64_t own_us(void) {
  unsigned long long ran = 0, waited = 0;
  char text[96];
  int fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  close_fd(&fd);
  if (got <= 0) return 0;
  text[got] = 0;
  return sscanf(text, "%llu %llu", &ran, &waited) == 2 ? (ran + waited) / 1000 : 0;
}

/* The run begins. */
void talk_start(struct talk *talk, int64_t now) {
  talk->from = talk->looked = now;
  talk->own_us = own_us();
  talk->waited_us = 0;
}

/* The second program's helper: how busy it has been, as far as one knows at `until`. */
int talk_tell(const struct talk *talk, const struct cgroup_slot *slot,
              const struct cgroup_case *group, int64_t until) {
  struct talk_account account = {.began = talk->from, .until = until};
  if (cgroup_cpu_us(slot, group, &account.busy_us) < 0) return -1;
  uint64_t wanted = cgroup_wanted_us(slot);
  if (wanted > account.busy_us) account.busy_us = wanted;
  ssize_t put = pwrite(talk->account, &account, sizeof account, 0);
  return put == (ssize_t)sizeof account ? 0 : failed("account of a conversation", put < 0 ? errno : EIO);
}

/*
 * The first program's helper: how much of the time until `now` is the program's own. As far as the other helper has
 * told: one that waits for a core itself tells late.
 */
int64_t talk_alone(const struct talk *talk, int64_t now) {
  struct talk_account account;
  int64_t from = talk->from;
  ssize_t got = pread(talk->account, &account, sizeof account, 0);
  if (got != (ssize_t)sizeof account) return 0;
  if (account.began > from) from = account.began;
  if (account.until < now) now = account.until;
  int64_t alone = now - from - (int64_t)(account.busy_us + talk->waited_us + own_us() - talk->own_us);
  return alone > 0 ? alone : 0;
}

/* Whether the program has passed its wall limit; -1 when others have had the core for longer than anybody can wait. */
int talk_passed(struct talk *talk, const struct cgroup_slot *slot, uint64_t cpu_us,
                uint64_t limit_us, int64_t now) {
  uint64_t wall_us = (uint64_t)(now - talk->from);
  if (wall_us <= limit_us && now - talk->looked <= LOOK_US) return 0;
  uint64_t wanted = cgroup_wanted_us(slot);
  if (wanted > cpu_us && wanted - cpu_us > talk->waited_us) talk->waited_us = wanted - cpu_us;
  talk->looked = now;
  if (wall_us <= limit_us) return 0;
  if (talk_alone(talk, now) > (int64_t)limit_us) return 1;
  uint64_t patience_us = MAX_WALL_SHARE * limit_us + TALK_PATIENCE_US;
  return wall_us > patience_us ? failed("the machine is too busy", ETIMEDOUT) : 0;
}
