#ifndef RELAY_H
#define RELAY_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

/* Carries a program's output into a file, and to the peer that reads it, if there is one. */
struct relay {
  int from;       /* read end, non-blocking; -1: ended */
  int to;         /* write end, non-blocking; -1: no reader */
  int file;       /* keeps all output */
  uint64_t limit; /* bytes that are kept and passed on; the rest is only counted */
  uint64_t total; /* bytes read */
  int64_t over;   /* when the end of `from` was seen; 0: not yet */
  int gone;       /* the reader at `to` was gone before it was told of the end */
  size_t passed, length; /* positions in `bytes`, which go into the file when they are full */
  unsigned char bytes[131072];
};

void relay_start(struct relay *relay, uint64_t limit);
int relay_busy(const struct relay *relay);
void relay_poll(const struct relay *relay, struct pollfd wait[2]);
int relay_serve(struct relay *relay, const struct pollfd wait[2]);
int relay_take(struct relay *relay);
int relay_keep(struct relay *relay);
void relay_drop(struct relay *relay);
void relay_close(struct relay *relay);

#endif
