#ifndef TALK_H
#define TALK_H

#include <stdint.h>
#include <sys/types.h>

#include "protocol.h"
#include "waited.h"

/* One part of a conversation; `part` says which of the two. */
struct talk {
  enum attached part;
  int input;    /* ATTACHED_WAITS: the program's own; else what the peer writes, for us to relay */
  int output;   /* ATTACHED_WAITS: the program's own; else where the peer reads */
  int rest;     /* ATTACHED_WAITS: reads what the program writes when nobody relays it any more */
  int peer_log; /* ATTACHED_RELAYS: keeps what the peer writes */
  int account;  /* shared by both helpers: struct talk_account */
  int64_t from;         /* when the run began */
  uint64_t own_us;      /* what this helper had used and waited for when the run began */
  struct waited waited; /* what the program has waited for a core that others had, its peer among them */
};

#define NO_TALK                                                                                    \
  ((struct talk){                                                                                  \
      .part = ATTACHED_NOT, .input = -1, .output = -1, .rest = -1, .peer_log = -1, .account = -1})

/* What the interactor's helper writes while the interactor runs. Times in microseconds of now_us. */
struct talk_account {
  int64_t began;
  int64_t until;    /* `busy_us` is known up to then; INT64_MAX: it has ended; 0: it has not begun */
  uint64_t busy_us; /* it used a core, or waited for one that others had */
};

/* Stands after the account once the submission's helper reads nothing more of what the interactor writes. */
#define TALK_LEFT_AT ((off_t)sizeof(struct talk_account))

void talk_start(struct talk *talk, struct ours ours, int64_t now);
int talk_tell(struct talk *talk, int64_t now, int64_t until);
int64_t talk_alone(const struct talk *talk, int64_t now);
int talk_passed(struct talk *talk, uint64_t limit_us, int64_t now);
int talk_leave(const struct talk *talk);
int talk_is_left(const struct talk *talk);

#endif
