/*
 * The fuzz target: everything between a byte from the runner and a job that the helper accepts. job_read must refuse
 * the bytes, or give a job with all properties that run.c and init.c rely on. It has libFuzzer's interface
 * (llvm.org/docs/LibFuzzer.html); driver.c is a main for compilers without libFuzzer.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../protocol.h"
#include "../util.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Like assert(3), also with NDEBUG. */
#define MUST(condition) \
  do { if (!(condition)) abort(); } while (0)

static struct job job;

/* Checks that a name never leads out of its directory. */
static void check_name(const char name[NAME_BYTES]) {
  size_t length = strnlen(name, NAME_BYTES);
  MUST(length > 0 && length < NAME_BYTES && name[0] != '.' && !memchr(name, '/', length));
}

static void check_program(const struct request *request) {
  const struct limits *limits = &request->limits;
  char *end = (char *)job.tail;
  MUST(request->argc >= 1 && request->argc <= MAX_ARGS);
  for (uint32_t i = 0; i < request->argc; i++) {
    MUST(job.argv[i] == end);
    end += strlen(job.argv[i]) + 1;
  }
  for (uint32_t i = 0; request->kind == COMPILE && i < request->runtime_count; i++) {
    MUST(end < (char *)job.tail + request->argv_bytes && end[0] == '/');
    end += strlen(end) + 1;
  }
  MUST(end == (char *)job.tail + request->argv_bytes && job.argv[request->argc] == NULL);
  MUST(job.argv[0][0] == '/');
  MUST(limits->cpu_us > 0 && limits->wall_us > 0 && limits->pids > 0 && limits->inodes > 0);
  MUST(limits->work_bytes > 0 && limits->memory_bytes > 0);
  MUST(request->input_fd >= -1 && request->output_fd >= -1);
}

static void check_job(void) {
  const struct request *request = &job.request;
  MUST(request->magic == PROTOCOL_MAGIC && request->version == PROTOCOL_VERSION);
  MUST(request->argv_bytes <= MAX_ARGV_BYTES && request->source_bytes <= MAX_SOURCE_BYTES);
  MUST(job.source == job.tail + request->argv_bytes);
  switch (request->kind) {
    case COMPILE:
      check_name(request->source_name);
      check_name(request->artefact_name);
      MUST(request->runtime_count <= MAX_RUNTIME_PATHS);
      MUST(request->artefact_bytes > 0 && request->artefact_bytes <= MAX_ARTEFACT_BYTES);
      check_program(request);
      break;
    case RUN:
      MUST(request->output_fd >= 0 && request->source_bytes == 0);
      check_program(request);
      break;
    default:
      MUST(request->kind == OPEN_BOX || request->kind == CLOSE_BOX || request->kind == ATTACH ||
           request->kind == PEER_ENDED || request->kind == STOP);
      MUST(request->argv_bytes == 0 && request->source_bytes == 0 && request->argc == 0);
  }
}

/* Checks only the header, because its counts may exceed the length of every input. */
static void check_header(const struct request *request) {
  if (request_check(request) < 0) return;
  MUST(request->argv_bytes <= MAX_ARGV_BYTES && request->source_bytes <= MAX_SOURCE_BYTES);
  MUST(request->argc <= MAX_ARGS || request->kind == OPEN_BOX || request->kind == CLOSE_BOX ||
       request->kind == ATTACH || request->kind == PEER_ENDED || request->kind == STOP);
}

/* Reads requests until one is refused or the bytes end. */
static void read_all(const uint8_t *bytes, size_t length) {
  static int fd = -1;
  if (fd < 0) fd = memfd_create("requests", 0);
  MUST(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, bytes, length, 0) == (ssize_t)length);
  MUST(lseek(fd, 0, SEEK_SET) == 0);
  for (int got; (got = job_read(fd, &job)) != 0;) {
    if (got > 0) {
      check_job();
      continue;
    }
    MUST(got == -1 && strnlen(error_text, ERROR_BYTES) > 0 &&
         strnlen(error_text, ERROR_BYTES) < ERROR_BYTES);
    return;
  }
}

/* Reads the bytes unchanged, and again with a valid header, so that random bytes get further. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static union {
    struct request request;
    uint8_t bytes[sizeof(struct request) + sizeof job.tail];
  } copy;
  struct request *request = &copy.request;
  read_all(bytes, length);
  if (length < sizeof *request || length > sizeof copy) return 0;
  memcpy(copy.bytes, bytes, length);
  request->magic = PROTOCOL_MAGIC;
  request->version = PROTOCOL_VERSION;
  request->kind = request->kind % (PEER_ENDED + 1);
  check_header(request);
  read_all(copy.bytes, length);
  return 0;
}
