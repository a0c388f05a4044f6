/*
 * Joins two programs that talk with each other. Each has a helper of its own; what one writes goes
 * through its helper, which counts and keeps it, into the pipe that is the other's standard input.
 * Nothing here ever blocks: while the reader does not read, the writer's pipe fills up and it waits.
 *
 * Who ended first decides whose fault an end was. The reader learns of the writer's end only from us,
 * after it has been noted, and only when the writer is dead: then it no longer reads either, so the
 * other helper, whose POLLERR that is, notes it before its own program can end for want of a partner.
 * (A dying process does not close its descriptors in any order that one could rely on.)
 */
#include "relay.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* A writer that lives on so long after its output was over has only closed it. */
#define SURVIVED_US 200000

/* A relay into `pipe`, which it owns from now on; -1: one that does nothing. */
void relay_start(struct relay *relay, int pipe) {
  relay->pipe = pipe;
  relay->used = pipe >= 0;
  relay->closed_first = CLOSED_NONE;
  relay->ended = 0;
  relay->at = relay->length = 0;
}

/* Whether something waits to be written: nothing more may be put then. */
int relay_busy(const struct relay *relay) { return relay->pipe >= 0 && relay->at < relay->length; }

/* Remembers whose end came first. */
static void note(struct relay *relay, enum closed_first who) {
  if (relay->used && relay->closed_first == CLOSED_NONE) relay->closed_first = who;
}

/* Nobody will read any of it. */
void relay_drop(struct relay *relay) {
  close_fd(&relay->pipe);
  relay->at = relay->length = 0;
}

/* Writes as much as the pipe takes now (pipe(7): EAGAIN when full, EPIPE without readers). */
void relay_push(struct relay *relay) {
  while (relay_busy(relay)) {
    ssize_t put = write(relay->pipe, relay->bytes + relay->at, relay->length - relay->at);
    if (put > 0) relay->at += (size_t)put;
    else if (put < 0 && errno == EINTR) continue;
    else if (put < 0 && errno == EAGAIN) return;
    else {
      note(relay, CLOSED_PEER);
      relay_drop(relay);
    }
  }
}

/* Takes over at most sizeof bytes and writes what it can. Only when not busy. */
void relay_put(struct relay *relay, const unsigned char *bytes, size_t length) {
  if (relay->pipe < 0) return;
  memcpy(relay->bytes, bytes, length);
  relay->at = 0;
  relay->length = length;
  relay_push(relay);
}

/* Notices a reader that is gone, whether or not there is something to write (poll(2), POLLERR). */
void relay_look(struct relay *relay) {
  struct pollfd wait = {.fd = relay->pipe};
  if (relay->pipe < 0 || poll(&wait, 1, 0) != 1 || !(wait.revents & POLLERR)) return;
  note(relay, CLOSED_PEER);
  relay_drop(relay);
}

/* The writer's output is over; its reader does not know yet. */
void relay_note_end(struct relay *relay) {
  relay_look(relay);
  note(relay, CLOSED_PROGRAM);
  relay->ended = now_us();
}

/* Lets the reader know of an end that the writer has survived. */
void relay_tick(struct relay *relay, int64_t now) {
  if (relay->ended && now - relay->ended > SURVIVED_US) relay_drop(relay);
}

/* The writer is dead, which the reader now learns. Only when not busy. */
void relay_end(struct relay *relay) {
  relay_note_end(relay);
  relay_drop(relay);
}
