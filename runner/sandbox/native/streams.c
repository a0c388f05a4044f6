/*
 * The pipes of a run; in a conversation, also which program ended first.
 */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "util.h"

/* A program that lives this long after its output ended has only closed the output. */
#define SURVIVED_US 200000
/* How long the last output of an ended program waits for its reader; the reader has limits of its own. */
#define LAST_WORDS_US 20000000

/* Sets up streams without descriptors. `limit`: bytes of standard output. */
void streams_start(struct streams *streams, int compile, uint64_t limit, struct kept *kept) {
  static struct relay out, back;
  *streams = (struct streams){.compile = compile, .kept = kept, .err = -1, .out = &out, .back = &back,
                              .talk = NO_TALK};
  relay_start(&out, limit);
  relay_start(&back, UINT64_MAX);
  kept->total = 0;
  kept->length = 0;
}

/* Opens the pipes of a run: the program's ends into `stdio`, ours into `streams`. */
int streams_open(struct streams *streams, const struct request *request, int stdio[3]) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
  if (request->attached && files_talk(request, &streams->talk) < 0) return -1;
  struct talk *talk = &streams->talk;
  if (talk->part == ATTACHED_WAITS) {
    stdio[0] = talk->input;
    stdio[1] = talk->output;
    talk->input = talk->output = -1;
  } else {
    if (pipe2(out, O_CLOEXEC) < 0) return failed("pipe", errno);
    streams->out->from = out[0];
    stdio[1] = out[1];
  }
  if (talk->part == ATTACHED_RELAYS) {
    if (pipe2(in, O_CLOEXEC) < 0) return failed("pipe", errno);
    stdio[0] = in[0];
    streams->back->to = in[1];
    streams->back->from = talk->input;
    streams->back->file = talk->peer_log;
    streams->out->to = talk->output;
    talk->input = talk->output = talk->peer_log = -1;
    fcntl(in[1], F_SETFL, O_NONBLOCK);
  } else if (talk->part == ATTACHED_NOT && (stdio[0] = files_input(request)) < 0) {
    return -1;
  }
  if (!streams->compile && pipe2(err, O_CLOEXEC) < 0) return failed("pipe", errno);
  streams->err = err[0];
  stdio[2] = err[1];
  if (streams->out->from >= 0) fcntl(streams->out->from, F_SETFL, O_NONBLOCK);
  if (streams->err >= 0) fcntl(streams->err, F_SETFL, O_NONBLOCK);
  return 0;
}

/* The events to wait for, in the order of `streams_serve`: relay of standard output, relay of the peer, standard error. */
void streams_poll(const struct streams *streams, struct pollfd wait[STREAM_WAITS]) {
  relay_poll(streams->out, wait);
  relay_poll(streams->back, wait + 2);
  wait[4] = (struct pollfd){.fd = streams->err, .events = POLLIN};
}

/* Keeps as many bytes as there is room for, and counts all. */
static void keep(struct kept *kept, const unsigned char *bytes, size_t length) {
  size_t room = MAX_KEPT_BYTES - kept->length, take = length < room ? length : room;
  memcpy(kept->bytes + kept->length, bytes, take);
  kept->length += (uint32_t)take;
  kept->total += length;
}

/* Reads what a compiler has written. */
static int drain_message(struct streams *streams) {
  static unsigned char bytes[65536];
  ssize_t got = read(streams->out->from, bytes, sizeof bytes);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : failed("read", errno);
  if (got == 0) close_fd(&streams->out->from);
  keep(streams->kept, bytes, (size_t)got);
  streams->out->total += (uint64_t)got;
  return 0;
}

/* Reads the bytes in the pipe of standard error. Returns 0 when nobody holds its other end (read(2)). */
static ssize_t drain_error(struct streams *streams) {
  unsigned char bytes[65536];
  ssize_t got = streams->err < 0 ? 0 : read(streams->err, bytes, sizeof bytes);
  if (got > 0) keep(streams->kept, bytes, (size_t)got);
  return got;
}

/*
 * Reads and passes on the output of both programs, and notes which program ended first: this decides who is to blame for the end.
 * A program learns only from us that its peer has ended, and only later: we first note that the peer no longer reads, then pass
 * on the end of the peer's output once the peer is dead.
 */
int streams_serve(struct streams *streams, const struct pollfd wait[STREAM_WAITS]) {
  if (wait[4].revents && drain_error(streams) == 0) close_fd(&streams->err);
  if (streams->compile) return wait[0].revents ? drain_message(streams) : 0;
  if (relay_serve(streams->out, wait) < 0 || relay_serve(streams->back, wait + 2) < 0) return -1;
  if (streams->talk.part != ATTACHED_RELAYS || streams->closed_first != CLOSED_NONE) return 0;
  if (streams->out->gone) streams->closed_first = CLOSED_PEER;
  else if (streams->out->over) streams->closed_first = CLOSED_PROGRAM;
  return 0;
}

/* Passes on the end of a program's output when the program is dead, or has lived for so long that it only closed the output. */
void streams_pass_ends(struct streams *streams, int64_t now) {
  struct relay *out = streams->out, *back = streams->back;
  if (out->over && !relay_busy(out) && now - out->over > SURVIVED_US) relay_drop(out);
  if (back->over && !relay_busy(back) && (out->gone || now - back->over > SURVIVED_US))
    relay_drop(back);
}

/* Bytes of standard output. If another helper relays the output, the size of its file tells their number. */
uint64_t streams_output(const struct streams *streams) {
  struct stat status;
  if (streams->talk.rest < 0 || fstat(streams->out->file, &status) < 0) return streams->out->total;
  return (uint64_t)status.st_size;
}

/* Reads standard output here, because the peer's helper no longer relays it. */
void streams_take_over(struct streams *streams) {
  if (streams->talk.rest < 0) return;
  streams->out->total = streams_output(streams);
  streams->out->from = streams->talk.rest;
  streams->talk.rest = -1;
}

/*
 * After the end: reads the rest of all pipes. Output of a stopped program need not reach the peer. Output of a program
 * that ended by itself may have to wait until the peer has written something.
 */
int streams_drain(struct streams *streams, int stopped) {
  int64_t until = now_us() + LAST_WORDS_US;
  struct relay *out = streams->out, *back = streams->back;
  if (stopped) relay_drop(out);
  relay_drop(back);
  while (out->from >= 0 || relay_busy(out)) {
    struct pollfd wait[STREAM_WAITS + 1] = {[STREAM_WAITS] = {.fd = 0, .events = POLLRDHUP}};
    streams_poll(streams, wait);
    int64_t left = until - now_us();
    if (left <= 0) relay_drop(out);
    if (poll(wait, STREAM_WAITS + 1, left <= 0 ? 0 : (int)(left / 1000) + 1) < 0 && errno != EINTR)
      return failed("poll", errno);
    if (wait[STREAM_WAITS].revents) return failed("the runner is gone", EPIPE);
    if (streams_serve(streams, wait) < 0) return -1;
  }
  relay_drop(out);
  while (streams->err >= 0 && drain_error(streams) > 0) continue;
  /* Tell the other helper before the last read: from then on it reads all later bytes. */
  if (back->from >= 0 && (talk_leave(&streams->talk) < 0 || relay_take(back) < 0)) return -1;
  if (back->file >= 0 && relay_keep(back) < 0) return -1;
  return streams->compile ? 0 : relay_keep(out);
}

/* Closes all open descriptors. */
void streams_close(struct streams *streams) {
  close_fd(&streams->err);
  relay_close(streams->out);
  relay_close(streams->back);
  files_end_talk(&streams->talk);
}
