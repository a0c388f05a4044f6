/*
 * The binary protocol between the runner (Node) and this helper. Integers are little-endian, structs have no padding
 * (asserted below). `protocol.ts` writes and reads the same bytes; change both together with the version.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <assert.h>
#include <stdint.h>

#define PROTOCOL_MAGIC 0x31584254u /* "TBX1" */
#define PROTOCOL_VERSION 5u

#define NAME_BYTES 64
#define MAX_ARGS 64
#define MAX_RUNTIME_PATHS 64
#define MAX_ARGV_BYTES 8192
#define MAX_SOURCE_BYTES (1u << 20)
#define MAX_ARTEFACT_BYTES (1ull << 30)
#define MAX_KEPT_BYTES 65536 /* of standard error, or of a compiler's message */
/* The least memory limit. A program whose file exceeds its limit may use this much more until it is killed. */
#define LEAST_ROOM_BYTES (256u << 10)
#define MAX_ERROR_BYTES (64u << 20) /* of standard error; a program that writes more has passed its output limit */
#define MAX_WALL_SHARE 3 /* how many wall limits a run may take on a busy machine; `helper.ts` waits as long */
#define TALK_PATIENCE_US 60000000 /* a conversation may take this much longer; `helper.ts` too */
#define ERROR_BYTES 256
#define MAX_FILES 3 /* placed in the working directory of a run */

enum request_kind {
  OPEN_BOX = 1,
  COMPILE = 2,
  RUN = 3,
  CLOSE_BOX = 4,
  ATTACH = 5,
  /* These come while a program runs, or later. They have no reply. */
  PEER_ENDED = 6,
  STOP = 7
};

/* What a RUN sees of the host. */
enum view {
  VIEW_PROGRAM = 0, /* the paths that came with the COMPILE before it */
  VIEW_COMPILER = 1 /* what a compile step sees */
};

/* The part in a conversation; an ATTACH and the RUN after it name the same part. */
enum attached {
  ATTACHED_NOT = 0,
  ATTACHED_RELAYS = 1, /* its helper relays what both programs write */
  ATTACHED_WAITS = 2   /* the program may wait for its peer, so its wall limit counts from PEER_ENDED */
};

enum reply_status { REPLY_DONE = 0, REPLY_FAILED = 1 };

/* The limit that fired first. */
enum fired {
  FIRED_NONE = 0,
  FIRED_OUTPUT = 1,
  FIRED_MEMORY = 2,
  FIRED_CPU = 3,
  FIRED_WALL = 4,
  FIRED_STOP = 5 /* no limit: the runner sent STOP */
};

/* The state of a compile step's artefact. */
enum artefact { ARTEFACT_NONE = 0, ARTEFACT_KEPT = 1, ARTEFACT_MISSING = 2, ARTEFACT_UNFIT = 3 };

/* Which of two talking programs ended first. “The program” is the one whose helper relays. */
enum closed_first {
  CLOSED_NONE = 0,
  CLOSED_PROGRAM = 1, /* the program's standard output ended */
  CLOSED_PEER = 2     /* nobody reads the program's standard output any more */
};

struct limits {
  uint64_t cpu_us;
  uint64_t wall_us;
  uint64_t memory_bytes;
  uint64_t output_bytes;
  uint64_t work_bytes;
  uint32_t pids;
  uint32_t inodes;
};

/*
 * One request. `argv_bytes` of NUL-terminated arguments and `source_bytes` of source follow it. In a COMPILE,
 * `runtime_count` host paths follow the arguments: the program will see nothing else of the host.
 * ATTACH opens the descriptors of a conversation for the next RUN. They are the pipes from and to the peer, the account
 * file that both helpers share, and for ATTACHED_RELAYS a log file with all that the peer writes.
 */
struct request {
  uint32_t magic;
  uint32_t version;
  uint32_t kind;
  uint32_t argc;
  struct limits limits;
  int32_t input_fd;  /* descriptor number in the runner, -1: empty */
  int32_t output_fd; /* descriptor number in the runner, -1: none (compile) */
  uint32_t argv_bytes;
  uint32_t source_bytes;
  uint64_t artefact_bytes;
  char source_name[NAME_BYTES];
  char artefact_name[NAME_BYTES];
  int32_t file_fds[MAX_FILES]; /* RUN: placed as input, output and answer; -1: none. ATTACH: see above */
  uint32_t attached;
  uint32_t view;          /* RUN */
  uint32_t runtime_count; /* COMPILE */
};

/* A reply. `tail_bytes` of standard error, compiler message or error text follow it. */
struct reply {
  uint32_t magic;
  uint32_t version;
  uint32_t kind;
  uint32_t status;
  uint32_t fired;
  uint32_t artefact;
  int32_t exit_code; /* -1: ended by `signal` */
  int32_t signal;    /* 0: ended by itself */
  uint64_t cpu_us;
  uint64_t wall_us;
  uint64_t memory_bytes;
  uint64_t output_bytes;
  uint64_t stderr_bytes;
  uint32_t oom_kills;
  uint32_t tail_bytes;
  uint32_t closed_first;
  uint32_t waited_ms; /* part of the wall time in which others had the core, or it waited for its peer */
};

static_assert(sizeof(struct limits) == 48, "limits has padding");
static_assert(sizeof(struct request) == 240, "request has padding");
static_assert(sizeof(struct reply) == 88, "reply has padding");

/* A request after its checks. `argv` and `source` point into `tail`. */
struct job {
  struct request request;
  char *argv[MAX_ARGS + 1];
  const unsigned char *source;
  unsigned char tail[MAX_ARGV_BYTES + MAX_SOURCE_BYTES];
};

int request_check(const struct request *request);
int job_check(struct job *job);
int job_read(int fd, struct job *job);
int notice_read(int fd, uint32_t *kind);
int reply_write(int fd, struct reply *reply, const void *tail);

#endif
