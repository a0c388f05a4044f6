#ifndef RELAY_H
#define RELAY_H

#include <stddef.h>
#include <sys/types.h>

#include "protocol.h"

/* The way from a program's standard output into a pipe that another program reads. */
struct relay {
  int pipe; /* write end, non-blocking; -1: none, or nobody reads it any more */
  int used; /* whether there ever was one */
  enum closed_first closed_first;
  int64_t ended; /* when the writer's output was over, 0: it is not */
  size_t at, length; /* what of `bytes` is still to be written */
  unsigned char bytes[65536];
};

void relay_start(struct relay *relay, int pipe);
int relay_busy(const struct relay *relay);
void relay_put(struct relay *relay, const unsigned char *bytes, size_t length);
void relay_push(struct relay *relay);
void relay_look(struct relay *relay);
void relay_note_end(struct relay *relay);
void relay_tick(struct relay *relay, int64_t now);
void relay_end(struct relay *relay);
void relay_drop(struct relay *relay);

#endif
