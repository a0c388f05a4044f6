#ifndef STREAMS_H
#define STREAMS_H

#include <poll.h>
#include <stdint.h>

#include "protocol.h"
#include "relay.h"
#include "talk.h"

/* Standard error of a run, or the message of a compiler. The first bytes are kept, and all bytes are counted. */
struct kept {
  uint64_t total;
  uint32_t length;
  unsigned char bytes[MAX_KEPT_BYTES];
};

/* The pipes of a run, our ends. */
struct streams {
  int compile; /* standard output is the compiler's message, and so is standard error */
  struct kept *kept;
  int err;            /* read end of standard error; -1: none, or ended */
  struct relay *out;  /* standard output; in a conversation, passed on to the peer */
  struct relay *back; /* the peer's output; ATTACHED_RELAYS only */
  struct talk talk;
  enum closed_first closed_first;
};

#define STREAM_WAITS 5

void streams_start(struct streams *streams, int compile, uint64_t limit, struct kept *kept);
int streams_open(struct streams *streams, const struct request *request, int stdio[3]);
void streams_poll(const struct streams *streams, struct pollfd wait[STREAM_WAITS]);
int streams_serve(struct streams *streams, const struct pollfd wait[STREAM_WAITS]);
void streams_pass_ends(struct streams *streams, int64_t now);
void streams_take_over(struct streams *streams);
uint64_t streams_output(const struct streams *streams);
int streams_drain(struct streams *streams, int stopped);
void streams_close(struct streams *streams);

#endif
