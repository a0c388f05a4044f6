/* The slot's cgroup directories, and the code that both cgroup versions share. */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util.h"

#define PREFIX "coursejudge-"

/* Opens a control file of the case by a path from the slot's directory, which nobody else can rename (openat(2)). */
int cgroup_open_file(int dir, const char *path, int flags, int *fd) {
  *fd = openat(dir, path, flags | O_CLOEXEC);
  return *fd < 0 ? failed(path, errno) : 0;
}

/* Writes a limit to an open control file. */
static int write_limit(int fd, const char *name, uint64_t number) {
  char text[24];
  int length = snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  ssize_t put = pwrite(fd, text, (size_t)length, 0);
  return put == length ? 0 : failed(name, put < 0 ? errno : EIO);
}

/* Reads a number from a kernel file: the whole file (key NULL), or the line "key number". */
int cgroup_read_number(int fd, const char *key, uint64_t *number) {
  char text[2048];
  ssize_t got = pread(fd, text, sizeof text - 1, 0);
  if (got < 0) return failed("cgroup: read", errno);
  text[got] = 0;
  char *at = text;
  if (key) {
    size_t length = strlen(key);
    while (at && (strncmp(at, key, length) != 0 || at[length] != ' ')) {
      at = strchr(at, '\n');
      if (at) at++;
    }
    if (!at) return failed(key, ENODATA);
    at += length + 1;
  }
  *number = strtoull(at, NULL, 10);
  return 0;
}

/*
 * Removes a directory and all directories in it. It tries for two seconds: a cgroup whose last process has just been reaped may
 * be busy for a moment (the kernel drops the last css reference later).
 */
int cgroup_remove(int parent, const char *name) {
  for (int attempt = 0;; attempt++) {
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return 0;
    if (errno != EBUSY && errno != ENOTEMPTY) return failed("cgroup: remove", errno);
    if (attempt == 0) {
      int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      DIR *dir = fd < 0 ? NULL : fdopendir(fd);
      for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
          (void)cgroup_remove(fd, entry->d_name);
      if (dir) closedir(dir);
    } else if (attempt > 2000) {
      return failed("cgroup: still busy", EBUSY);
    } else {
      nanosleep(&(struct timespec){.tv_nsec = attempt < 20 ? 50000 : 1000000}, NULL);
    }
  }
}

/*
 * Removes directories that a killed runner has left. A live helper holds a flock(2) on its directory, so a directory whose
 * lock is free belongs to nobody. A lock needs no pid, so this also works across pid namespaces. When a helper
 * dies, the pid 1 of its box dies with it, so all its processes are dead or dying.
 */
static void remove_stale(struct cgroup_slot *slot) {
  int fd = openat(slot->parents[0], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
    if (strcmp(entry->d_name, PREFIX "runner") == 0) continue; /* v2: the runner's own leaf */
    int stale = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (stale >= 0 && flock(stale, LOCK_EX | LOCK_NB) == 0)
      for (int i = slot->count; i-- > 0;) (void)cgroup_remove(slot->parents[i], entry->d_name);
    if (stale >= 0) close(stale);
  }
  if (dir) closedir(dir);
}

/* Makes and locks the slot's directory under a new name. Tries again if another helper has just removed it as stale. */
static int make_locked(struct cgroup_slot *slot) {
  for (int attempt = 0; attempt < 100; attempt++) {
    snprintf(slot->name, sizeof slot->name, PREFIX "%d-%d", (int)getpid(), attempt);
    if (mkdirat(slot->parents[0], slot->name, 0755) < 0) {
      if (errno == EEXIST) continue;
      return failed("cgroup: cannot create a directory", errno);
    }
    int fd = openat(slot->parents[0], slot->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat locked, found;
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &locked) == 0 &&
        fstatat(slot->parents[0], slot->name, &found, 0) == 0 && locked.st_ino == found.st_ino) {
      slot->dirs[0] = fd;
      return 0;
    }
    close_fd(&fd);
  }
  return failed("cgroup: cannot lock a directory", EBUSY);
}

/* Whether the host has swap (proc(5), /proc/meminfo). If that cannot be read, the answer is yes. */
static int host_has_swap(void) {
  char text[8192];
  int fd = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  close_fd(&fd);
  if (got < 0) return 1;
  text[got] = 0;
  char *line = strstr(text, "SwapTotal:");
  return !line || strtoull(line + strlen("SwapTotal:"), NULL, 10) > 0;
}

/*
 * A memory limit only works if swap is limited, too. If the kernel does not account swap, the control files are missing,
 * and the host must have no swap at all.
 */
static int check_swap(struct cgroup_slot *slot) {
  const char *file = slot->version == 2 ? "init/memory.swap.max" : "memory.memsw.limit_in_bytes";
  slot->limit_swap = faccessat(slot->dirs[0], file, F_OK, 0) == 0;
  if (slot->limit_swap || !host_has_swap()) return 0;
  return failed("cgroup: the host has swap that cannot be limited", ENOTSUP);
}

/*
 * Opens the slot below its parents (v1: memory, cpuacct, pids; a hierarchy with two of these controllers is used once).
 * `box_uid` is the host id of a box's root, or -1 when ids are not mapped.
 */
int cgroup_open(struct cgroup_slot *slot, int version, char *const paths[], uid_t box_uid) {
  int index[CGROUP_HIERARCHIES] = {0}, wanted = version == 1 ? 3 : 1;
  memset(slot, 0, sizeof *slot);
  slot->version = version;
  slot->box_uid = box_uid;
  slot->init_dir = slot->cpu_fd = slot->pids_fd = -1;
  for (int i = 0; i < CGROUP_HIERARCHIES; i++) slot->tasks[i] = -1;
  for (int i = 0; i < wanted; i++) {
    int same = 0;
    while (same < i && strcmp(paths[same], paths[i]) != 0) same++;
    if (same < i) {
      index[i] = index[same];
      continue;
    }
    int fd = open(paths[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return failed("cgroup: parent", errno);
    index[i] = slot->count;
    slot->dirs[slot->count] = -1;
    slot->parents[slot->count++] = fd;
  }
  slot->cpu_dir = index[1];
  slot->pids_dir = index[2];
  remove_stale(slot);
  if (make_locked(slot) < 0) return -1;
  for (int i = 1; i < slot->count; i++) {
    (void)cgroup_remove(slot->parents[i], slot->name);
    if (mkdirat(slot->parents[i], slot->name, 0755) < 0)
      return failed("cgroup: cannot create a directory", errno);
    slot->dirs[i] = openat(slot->parents[i], slot->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (slot->dirs[i] < 0) return failed("cgroup: open", errno);
  }
  if ((version == 2 ? cgroup_v2_open(slot) : cgroup_v1_open(slot)) < 0) return -1;
  return check_swap(slot);
}

/* Removes the slot's directories. No box may be open. */
void cgroup_close(struct cgroup_slot *slot) {
  close_fd(&slot->init_dir);
  close_fd(&slot->cpu_fd);
  close_fd(&slot->pids_fd);
  for (int i = slot->count; i-- > 0;) {
    if (slot->dirs[i] >= 0) (void)cgroup_remove(slot->parents[i], slot->name);
    close_fd(&slot->tasks[i]);
    close_fd(&slot->dirs[i]);
    close_fd(&slot->parents[i]);
  }
  slot->count = 0;
}

/* Makes the cgroup of the next run and opens its control files, between two runs, when nobody waits. */
int cgroup_prepare(struct cgroup_slot *slot, struct cgroup_case *run) {
  if (slot->is_prepared) return 0;
  *run = (struct cgroup_case){.join = -1, .memory_fd = -1, .swap_fd = -1,
                              .oom_fd = -1, .peak_fd = -1, .kill_fd = -1};
  if (mkdirat(slot->dirs[0], "case", 0755) < 0) return failed("cgroup: case", errno);
  if ((slot->version == 2 ? cgroup_v2_prepare(slot, run) : cgroup_v1_prepare(slot, run)) < 0)
    return -1;
  slot->is_prepared = 1;
  return 0;
}

/*
 * Sets the limits of a run. At most the process that waits for the run is already in its cgroup; what that has used does not count.
 * The memory limit comes first, because the limit of memory with swap may not be below it.
 */
int cgroup_begin(struct cgroup_slot *slot, struct cgroup_case *run, const struct limits *limits) {
  uint64_t used_us;
  if (cgroup_prepare(slot, run) < 0) return -1;
  slot->is_prepared = 0;
  run->cpu_before_us = 0;
  if (cgroup_cpu_us(slot, run, &used_us) < 0) return -1;
  run->cpu_before_us = used_us;
  if (write_limit(run->memory_fd, "cgroup: memory limit", limits->memory_bytes) < 0) return -1;
  if (run->swap_fd >= 0 &&
      write_limit(run->swap_fd, "cgroup: limit of memory and swap", limits->memory_bytes) < 0)
    return -1;
  return write_limit(slot->pids_fd, "cgroup: limit of processes", limits->pids);
}

/* Lists the descriptors through which a process of the box joins the cgroup. @returns their number */
int cgroup_joins(const struct cgroup_slot *slot, const struct cgroup_case *run, int fds[CGROUP_HIERARCHIES]) {
  fds[0] = run->join;
  for (int i = 1; i < slot->count; i++) fds[i] = slot->tasks[i];
  return slot->count;
}

/* CPU time of everything that ran in the case. v1 cpuacct.usage is in ns, v2 cpu.stat in us. */
int cgroup_cpu_us(const struct cgroup_slot *slot, const struct cgroup_case *run, uint64_t *us) {
  if (cgroup_read_number(slot->cpu_fd, slot->version == 2 ? "usage_usec" : NULL, us) < 0) return -1;
  if (slot->version == 1) *us /= 1000;
  *us -= run->cpu_before_us;
  return 0;
}

/* The number of processes that the kernel killed for memory: v1 memory.oom_control, v2 memory.events. */
int cgroup_oom_kills(const struct cgroup_case *run, uint32_t *kills) {
  uint64_t number = 0;
  if (cgroup_read_number(run->oom_fd, "oom_kill", &number) < 0) return -1;
  *kills = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
  return 0;
}

/* The most memory that the case held. On v1 swap is included if it counts against the limit. */
int cgroup_peak(const struct cgroup_case *run, uint64_t *bytes) {
  return cgroup_read_number(run->peak_fd, NULL, bytes);
}

/* The living threads of the case, at most `most`; none if the kernel does not tell. */
int cgroup_threads(const struct cgroup_slot *slot, pid_t *tids, int most) {
  const char *path = slot->version == 2 ? "case/cgroup.threads" : "case/tasks";
  int fd = openat(slot->dirs[0], path, O_RDONLY | O_CLOEXEC), count = 0;
  char text[4096];
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  close_fd(&fd);
  text[got > 0 ? got : 0] = 0;
  for (char *at = text, *end; count < most; at = end) {
    long tid = strtol(at, &end, 10);
    if (end == at) break;
    tids[count++] = (pid_t)tid;
  }
  return count;
}

/* Kills the whole case at once (v2, cgroup.kill, Linux 5.14). On v1 the box's pid 1 does that. */
void cgroup_kill(const struct cgroup_case *run) {
  if (run->kill_fd >= 0) (void)!write(run->kill_fd, "1", 1);
}

/* Removes the case's cgroup after every process has left it. */
int cgroup_end(struct cgroup_slot *slot, struct cgroup_case *run) {
  int *const fds[] = {&run->join,   &run->memory_fd, &run->swap_fd,
                      &run->oom_fd, &run->peak_fd,   &run->kill_fd};
  for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) close_fd(fds[i]);
  return cgroup_remove(slot->dirs[0], "case");
}
