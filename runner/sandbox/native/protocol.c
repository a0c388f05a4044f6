/* Reads and checks requests, writes replies. No other file reads bytes from the runner. */
#include "protocol.h"

#include <errno.h>
#include <string.h>

#include "util.h"

/* Whether a name is one path component of plain characters. */
static int name_ok(const char name[NAME_BYTES]) {
  size_t length = strnlen(name, NAME_BYTES);
  if (length == 0 || length == NAME_BYTES || name[0] == '.') return 0;
  for (size_t i = 0; i < length; i++) {
    char c = name[i];
    int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '.' || c == '_' || c == '-' || c == '+';
    if (!plain) return 0;
  }
  return 1;
}

/* No limit may be zero, which tmpfs(5) takes as "unlimited". */
static int limits_ok(const struct limits *limits) {
  const uint64_t day_us = 86400ull * 1000000, tera = 1ull << 40;
  return limits->cpu_us > 0 && limits->cpu_us <= day_us && limits->wall_us > 0 &&
         limits->wall_us <= day_us && limits->memory_bytes >= LEAST_ROOM_BYTES &&
         limits->memory_bytes <= tera && limits->output_bytes <= tera &&
         limits->work_bytes >= 4096 && limits->work_bytes <= tera && limits->pids >= 1 &&
         limits->pids <= 4096 && limits->inodes >= 8 && limits->inodes <= (1u << 20);
}

/* Checks the fixed part, so that every count is bounded before a byte of the tail is read. */
int request_check(const struct request *request) {
  if (request->magic != PROTOCOL_MAGIC) return failed("request: magic", EPROTO);
  if (request->version != PROTOCOL_VERSION) return failed("request: version", EPROTO);
  if (request->argv_bytes > MAX_ARGV_BYTES) return failed("request: argv bytes", EPROTO);
  if (request->source_bytes > MAX_SOURCE_BYTES) return failed("request: source bytes", EPROTO);
  switch (request->kind) {
    case OPEN_BOX:
    case CLOSE_BOX:
    case PEER_ENDED:
    case STOP:
      if (request->argv_bytes || request->source_bytes) return failed("request: tail", EPROTO);
      return 0;
    case ATTACH:
      if (request->argv_bytes || request->source_bytes) return failed("request: tail", EPROTO);
      if (request->attached != ATTACHED_RELAYS && request->attached != ATTACHED_WAITS)
        return failed("request: attached", EPROTO);
      if (request->input_fd < 0 || request->output_fd < 0 || request->file_fds[0] < 0 ||
          (request->attached == ATTACHED_RELAYS && request->file_fds[1] < 0))
        return failed("request: fd", EPROTO);
      return 0;
    case COMPILE:
      if (request->runtime_count > MAX_RUNTIME_PATHS) return failed("request: runtime", EPROTO);
      if (!name_ok(request->source_name)) return failed("request: source name", EPROTO);
      if (!name_ok(request->artefact_name)) return failed("request: artefact name", EPROTO);
      if (request->artefact_bytes == 0 || request->artefact_bytes > MAX_ARTEFACT_BYTES)
        return failed("request: artefact bytes", EPROTO);
      break;
    case RUN:
      if (request->source_bytes) return failed("request: tail", EPROTO);
      if (request->output_fd < 0) return failed("request: output", EPROTO);
      if (request->view > VIEW_COMPILER) return failed("request: view", EPROTO);
      if (request->attached > ATTACHED_WAITS) return failed("request: attached", EPROTO);
      if (request->attached && request->input_fd != -1) return failed("request: input", EPROTO);
      for (int i = 0; i < MAX_FILES; i++)
        if (request->file_fds[i] < -1) return failed("request: fd", EPROTO);
      break;
    default:
      return failed("request: kind", EPROTO);
  }
  if (request->input_fd < -1 || request->output_fd < -1) return failed("request: fd", EPROTO);
  if (request->argc < 1 || request->argc > MAX_ARGS) return failed("request: argc", EPROTO);
  if (!limits_ok(&request->limits)) return failed("request: limits", EPROTO);
  return 0;
}

/*
 * Points argv into the tail. The argc strings and then the paths of a compile step must fill argv_bytes exactly; the
 * first string and all paths must be absolute.
 */
int job_check(struct job *job) {
  const struct request *request = &job->request;
  uint32_t paths = request->kind == COMPILE ? request->runtime_count : 0;
  size_t at = 0;
  for (uint32_t i = 0; i < request->argc + paths; i++) {
    char *string = (char *)job->tail + at;
    size_t length = strnlen(string, request->argv_bytes - at);
    if (length == request->argv_bytes - at) return failed("request: argv", EPROTO);
    if (i < request->argc) job->argv[i] = string;
    else if (string[0] != '/') return failed("request: runtime", EPROTO);
    at += length + 1;
  }
  job->argv[request->argc] = NULL;
  if (at != request->argv_bytes) return failed("request: argv", EPROTO);
  if (request->argc > 0 && job->argv[0][0] != '/') return failed("request: argv[0]", EPROTO);
  job->source = job->tail + request->argv_bytes;
  return 0;
}

/* Reads one request. Returns 1 for a request, 0 at the end of the stream, -1 when it is malformed. */
int job_read(int fd, struct job *job) {
  ssize_t got = read_full(fd, &job->request, sizeof job->request);
  if (got == 0) return 0;
  if (got != (ssize_t)sizeof job->request) return failed("request: cut short", EPROTO);
  if (request_check(&job->request) < 0) return -1;
  if (job->request.kind != COMPILE && job->request.kind != RUN) job->request.argc = 0;
  size_t tail = (size_t)job->request.argv_bytes + job->request.source_bytes;
  if (read_full(fd, job->tail, tail) != (ssize_t)tail) return failed("request: cut short", EPROTO);
  return job_check(job) < 0 ? -1 : 1;
}

/* Reads a request that may come while a program runs. */
int notice_read(int fd, uint32_t *kind) {
  struct request request;
  if (read_full(fd, &request, sizeof request) != (ssize_t)sizeof request)
    return failed("request: cut short", EPROTO);
  if (request_check(&request) < 0) return -1;
  *kind = request.kind;
  return *kind == PEER_ENDED || *kind == STOP ? 0 : failed("request: in the middle of a run", EPROTO);
}

/* Writes the reply and its tail. */
int reply_write(int fd, struct reply *reply, const void *tail) {
  reply->magic = PROTOCOL_MAGIC;
  reply->version = PROTOCOL_VERSION;
  if (write_full(fd, reply, sizeof *reply) < 0) return -1;
  return write_full(fd, tail, reply->tail_bytes);
}
