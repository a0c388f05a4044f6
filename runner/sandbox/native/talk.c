/*
 * The clock of a submission that talks with an interactor. Its wall time is the time that it spends on its own: without the
 * interactor's computing, without relaying, and without the time in which either waits for a core that others have. A
 * submission that sleeps, or waits for an interactor that waits for it, gains nothing. A submission that makes the
 * interactor compute gains no more than the CPU and output limits of both allow.
 */
#include "talk.h"

#include <errno.h>
#include <unistd.h>

#include "util.h"

/* Starts the clock. The helper's own time is measured separately from the programs' waiting. */
void talk_start(struct talk *talk, struct ours ours, int64_t now) {
  ours.init = 0;
  talk->from = now;
  talk->own_us = wanted_us("self");
  waited_start(&talk->waited, ours, now);
}

/*
 * Called by the interactor's helper: writes how long the interactor has been busy up to `until`. While the interactor may be
 * waiting for a core, this time is not known, and the helper writes it later.
 */
int talk_tell(struct talk *talk, int64_t now, int64_t until) {
  const struct ours *ours = &talk->waited.ours;
  struct talk_account account = {.began = talk->from, .until = until};
  waited_look(&talk->waited, now);
  if (until != INT64_MAX && waited_goes_on(&talk->waited)) return 0;
  if (cgroup_cpu_us(ours->slot, ours->group, &account.busy_us) < 0) return -1;
  account.busy_us += talk->waited.us;
  ssize_t put = pwrite(talk->account, &account, sizeof account, 0);
  return put == (ssize_t)sizeof account ? 0 : failed("account of a conversation", put < 0 ? errno : EIO);
}

/*
 * Called by the submission's helper: how much of the time up to `now` is the submission's own. The time is known only up to what the
 * interactor's helper has written; a helper that itself waits for a core writes late.
 */
int64_t talk_alone(const struct talk *talk, int64_t now) {
  struct talk_account account;
  int64_t from = talk->from;
  ssize_t got = pread(talk->account, &account, sizeof account, 0);
  if (got != (ssize_t)sizeof account) return 0;
  if (account.began > from) from = account.began;
  if (account.until < now) now = account.until;
  int64_t alone = now - from - (int64_t)(account.busy_us + talk->waited.us + wanted_us("self") - talk->own_us);
  return alone > 0 ? alone : 0;
}

/* Whether the submission has passed its wall limit; -1 when others have had the core for too long. */
int talk_passed(struct talk *talk, uint64_t limit_us, int64_t now) {
  uint64_t wall_us = (uint64_t)(now - talk->from);
  if (waited_is_old(&talk->waited, now) || (wall_us > limit_us && !talk->waited.held_by)) {
    waited_look(&talk->waited, now);
    int is_up = wall_us > limit_us && talk_alone(talk, now) > (int64_t)limit_us;
    if (!waited_holds(&talk->waited, is_up, now) && is_up) return 1;
  }
  if (wall_us <= limit_us) return 0;
  uint64_t patience_us = MAX_WALL_SHARE * limit_us + TALK_PATIENCE_US;
  return wall_us > patience_us ? failed("the machine is too busy", ETIMEDOUT) : 0;
}

/* Called by the submission's helper before it reads the interactor's output for the last time. */
int talk_leave(const struct talk *talk) {
  ssize_t put = pwrite(talk->account, "", 1, TALK_LEFT_AT);
  return put == 1 ? 0 : failed("account of a conversation", put < 0 ? errno : EIO);
}

/* Called by the interactor's helper: whether from now on only this helper reads the interactor's output. */
int talk_is_left(const struct talk *talk) {
  char byte;
  return pread(talk->account, &byte, 1, TALK_LEFT_AT) == 1;
}
