/*
 * Reads a program's output, counts and keeps it, and passes it on to the program's peer. Nothing here blocks: while the peer
 * does not read, the relay does not read either, and the writer's pipe fills up. Once the peer is gone, the rest is only
 * kept, so the writer does not die of a broken pipe.
 */
#include "relay.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* Sets up a relay without descriptors. */
void relay_start(struct relay *relay, uint64_t limit) {
  relay->from = relay->to = relay->file = -1;
  relay->limit = limit;
  relay->total = 0;
  relay->over = 0;
  relay->gone = 0;
  relay->passed = relay->length = 0;
}

/* Whether bytes wait to be passed on. While bytes wait, the relay reads nothing. */
int relay_busy(const struct relay *relay) { return relay->to >= 0 && relay->passed < relay->length; }

/* The events to wait for. `wait[0]`: more bytes to read; `wait[1]`: room to write them, or the reader is gone (poll(2), POLLERR). */
void relay_poll(const struct relay *relay, struct pollfd wait[2]) {
  int busy = relay_busy(relay);
  wait[0] = (struct pollfd){.fd = busy ? -1 : relay->from, .events = POLLIN};
  wait[1] = (struct pollfd){.fd = relay->to, .events = busy ? POLLOUT : 0};
}

/* Stops passing bytes on. */
void relay_drop(struct relay *relay) { close_fd(&relay->to); }

/* Writes as much as the pipe takes (pipe(7): EAGAIN when full, EPIPE without readers). */
static void push(struct relay *relay) {
  while (relay_busy(relay)) {
    ssize_t put = write(relay->to, relay->bytes + relay->passed, relay->length - relay->passed);
    if (put > 0) relay->passed += (size_t)put;
    else if (put < 0 && errno == EINTR) continue;
    else if (put < 0 && errno == EAGAIN) return;
    else {
      relay->gone = 1;
      relay_drop(relay);
    }
  }
}

/* Writes bytes that were passed on into the file. The relay must not be busy. */
int relay_keep(struct relay *relay) {
  int result = write_full(relay->file, relay->bytes, relay->length);
  relay->passed = relay->length = 0;
  return result;
}

/* Reads once, and passes on as much as the peer takes. The relay must not be busy. */
int relay_take(struct relay *relay) {
  if (relay->length > sizeof relay->bytes / 2 && relay_keep(relay) < 0) return -1;
  ssize_t got = read(relay->from, relay->bytes + relay->length, sizeof relay->bytes - relay->length);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : failed("read", errno);
  if (got == 0) {
    close_fd(&relay->from);
    relay->over = now_us();
    return 0;
  }
  uint64_t room = relay->total < relay->limit ? relay->limit - relay->total : 0;
  relay->total += (uint64_t)got;
  relay->length += (uint64_t)got < room ? (size_t)got : (size_t)room;
  push(relay);
  return 0;
}

/* Handles the events that poll has found. */
int relay_serve(struct relay *relay, const struct pollfd wait[2]) {
  if (wait[1].revents & POLLERR) {
    relay->gone = 1;
    relay_drop(relay);
  } else if (wait[1].revents) {
    push(relay);
  }
  return wait[0].revents ? relay_take(relay) : 0;
}

/* Closes all descriptors. */
void relay_close(struct relay *relay) {
  close_fd(&relay->from);
  close_fd(&relay->to);
  close_fd(&relay->file);
}
