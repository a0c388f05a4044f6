/*
 * A box: the namespaces and the root of one submission. The helper talks to the box's first process over a
 * SOCK_SEQPACKET socket. That process is ours: pid 1 in the box, and root of the box only.
 */
#ifndef BOX_H
#define BOX_H

#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"
#include "protocol.h"

/* Ids inside a box. On the host they are ids of the slot, never 0. */
#define BOX_ROOT 0
#define BOX_USER 1000

/* PREPARE: start the process of a next run that sees what programs see; it waits. */
enum command_kind { COMMAND_START = 1, COMMAND_CASE = 2, COMMAND_KILL = 3, COMMAND_PREPARE = 4 };

/*
 * A message from the helper to pid 1. Descriptors of COMMAND_CASE: stdin, stdout, stderr, source?, files..., and join... unless a
 * process waits for the case; of COMMAND_PREPARE: join...
 */
struct command {
  uint32_t kind;
  uint32_t argc;
  uint32_t argv_bytes;
  uint32_t compile; /* a compile step: a source comes along, an artefact is kept */
  uint32_t files;   /* bit i: file i of `work_place_files` comes along */
  uint32_t view;
  uint32_t attached; /* it is part of a conversation: the ends of its pipes are noticed while it runs */
  struct limits limits;
  uint64_t artefact_bytes;
  uint64_t runtime_count; /* of a compile step: paths after the arguments */
  char source_name[NAME_BYTES];
  char artefact_name[NAME_BYTES];
  char argv[MAX_ARGV_BYTES];
};

enum event_kind { EVENT_READY = 1, EVENT_ENDED = 2, EVENT_FAILED = 3 };

/* A message from pid 1 to the helper. `status` is that of wait(2). */
struct event {
  uint32_t kind;
  int32_t status;
  uint32_t artefact;
  uint64_t artefact_bytes; /* of a kept artefact */
  uint64_t readonly_bytes; /* how many of `artefact_bytes` are in no segment that the program may write */
  int64_t wall_us;
  char error[ERROR_BYTES];
};

/* The settings on the helper's command line. */
struct box_options {
  int single_id;        /* no CAP_SETUID: a box has our own uid only */
  uid_t root_id, user_id; /* host ids behind BOX_ROOT and BOX_USER */
  const char *tools;    /* host directory bound read-only at /tools, or NULL */
  int cgroup_version;
  int init_cgroup;      /* v2: cgroup directory of pid 1, else -1 */
};

struct launch;

struct box {
  pid_t pid;
  int sock;
  struct launch *launch; /* shared with pid 1 */
  uint64_t artefact_bytes; /* size of the program's file in the box, which lies in memory */
  uint64_t readonly_bytes; /* how many of `artefact_bytes` the program cannot copy by writing to them */
  int is_prepared;         /* the process of the next run waits; it sees what programs see */
  char lost[ERROR_BYTES];  /* why the box broke, until it is closed; else empty */
};

int box_open(struct box *box, const struct box_options *options);
int box_prepare(struct box *box, const int *join, int join_count);
void box_lose(struct box *box);
int box_send_job(struct box *box, const struct job *job, const int stdio[3], int source,
                 const int files[MAX_FILES], const int *join, int join_count);
int box_send_kill(const struct box *box);
int box_take_end(struct box *box, struct event *event);
void box_close(struct box *box);

/* The programs' root, inside the root of compile steps. */
#define RUN_ROOT "/run"

/* Inside the box. */
void init_main(int sock, const struct box_options *options, struct launch *shared) __attribute__((noreturn));
int root_restrict(int dir, const char *path, uint64_t attributes, unsigned flags);
int root_take_tools(const char *path, int *tree);
int root_build(int tools);
int root_build_run(char *const paths[], int count);
int root_enter_run(void);
int work_mount(const struct limits *limits, enum view view);
int work_unmount(void);
int work_renew(void);
int work_keep_artefact(const char *name, uint64_t limit, struct event *event);
int work_place_source(const char *name, int source);
uint64_t elf_writable_bytes(int fd, uint64_t file_bytes);
int work_place_files(uint32_t files, const int *fds);

/* The process of a run until it executes the program. It shares this struct with the helper and pid 1. */
struct launch {
  struct command command; /* the process reads it once it may go on */
  char *argv[MAX_ARGS + 1];
  int stdio[3];
  enum view view;
  int join[CGROUP_HIERARCHIES], join_count; /* v1: the cgroups that the process joins by itself */
  int told; /* eventfd(2): the process says that it waits, and later that its descriptors are its own */
  int go;   /* eventfd(2): the process waits for it */
  volatile int is_told;      /* the process goes on */
  const char *volatile step; /* why the program did not start */
  volatile int error;
};
void launch_open(struct launch *launch, int cgroup_version, int child_signals);
int launch_prepare(enum view view, const int *join, int join_count);
pid_t launch_run(const int *fds, int join_at, int count);
void launch_end(void);
uint64_t payload_backstop_s(const struct limits *limits);
void payload_start(struct launch *launch) __attribute__((noreturn));

#endif
