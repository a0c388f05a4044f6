#ifndef TALK_H
#define TALK_H

#include <stdint.h>
#include <sys/types.h>

#include "protocol.h"
#include "waited.h"

/* One part of a conversation; `part` says which of the two. */
struct talk {
  enum attached part;
  int input;    /* ATTACHED_WAITS: the program's input; else the peer's output, which we relay */
  int output;   /* ATTACHED_WAITS: the program's output; else the pipe from which the peer reads */
  int rest;     /* ATTACHED_WAITS: reads the program's output when nobody relays it any more */
  int peer_log; /* ATTACHED_RELAYS: keeps the peer's output */
  int account;  /* a file that both helpers share: struct talk_account */
  int64_t from;         /* when the run began */
  uint64_t own_us;      /* CPU time and waiting of this helper before the run began */
  struct waited waited; /* how long the program has waited for a core that others had, its peer among them */
};

#define NO_TALK                                                                                    \
  ((struct talk){                                                                                  \
      .part = ATTACHED_NOT, .input = -1, .output = -1, .rest = -1, .peer_log = -1, .account = -1})

/* The interactor's helper writes this while the interactor runs. Times in microseconds of now_us. */
struct talk_account {
  int64_t began;
  int64_t until;    /* `busy_us` counts up to this time; INT64_MAX: the interactor has ended; 0: it has not begun */
  uint64_t busy_us; /* how long the interactor used a core, or waited while others used it */
};

/* The place after the account where the submission's helper marks that it reads no more of the interactor's output. */
#define TALK_LEFT_AT ((off_t)sizeof(struct talk_account))

void talk_start(struct talk *talk, struct ours ours, int64_t now);
int talk_tell(struct talk *talk, int64_t now, int64_t until);
int64_t talk_alone(const struct talk *talk, int64_t now);
int talk_passed(struct talk *talk, uint64_t limit_us, int64_t now);
int talk_leave(const struct talk *talk);
int talk_is_left(const struct talk *talk);

#endif
