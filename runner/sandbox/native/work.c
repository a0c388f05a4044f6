/*
 * The working directory of a run, the files that are put into it and the artefact that is taken out of it. It is fresh for
 * every run, and if possible it is made between two runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box.h"
#include "util.h"

/*
 * The working directory of the present run or, between runs, of the next one: its path, its bounds, its state while unused, and
 * whether it is still unused. NULL: there is no working directory.
 */
static const char *work;
static enum view work_view;
static uint64_t work_bytes;
static uint32_t work_inodes;
static struct stat work_unused;
static int work_is_fresh;

/* Mounts the working directory; with `flags` MS_REMOUNT it only sets new bounds. Nothing in the directory can be executed. */
static int mount_work(unsigned long flags) {
  char options[128];
  snprintf(options, sizeof options, "size=%llu,nr_inodes=%u,mode=0700,uid=%d,gid=%d",
           (unsigned long long)work_bytes, work_inodes, BOX_USER, BOX_USER);
  if (mount("work", work, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | flags, options) < 0)
    return failed("mount /work", errno);
  return 0;
}

/*
 * Before a run: gives the directory times that tell nothing of earlier runs. Its modification time becomes 1970, so that any change
 * shows, even within one tick of the file clock. Only a program that sets this time back itself hides a change (README.md).
 */
static int note_unused(void) {
  static const struct timespec times[2] = {{.tv_sec = 0}, {.tv_sec = 0}};
  if (utimensat(AT_FDCWD, work, times, 0) < 0 || stat(work, &work_unused) < 0)
    return failed("times of /work", errno);
  return 0;
}

/* Whether a run has not used the directory. The directory's size counts its entries. */
static int is_unused(void) {
  struct stat now;
  return stat(work, &now) == 0 && now.st_mode == work_unused.st_mode &&
         now.st_nlink == work_unused.st_nlink && now.st_size == work_unused.st_size &&
         memcmp(&now.st_mtim, &work_unused.st_mtim, sizeof now.st_mtim) == 0 &&
         memcmp(&now.st_ctim, &work_unused.st_ctim, sizeof now.st_ctim) == 0;
}

/* Provides a fresh working directory. Its size and number of files are bounded. */
int work_mount(const struct limits *limits, enum view view) {
  int is_ready = work_is_fresh && view == work_view;
  int is_bounded = is_ready && limits->work_bytes == work_bytes && limits->inodes == work_inodes;
  if (!is_ready && work_unmount() < 0) return -1;
  work = view == VIEW_COMPILER ? "/work" : RUN_ROOT "/work";
  work_view = view;
  work_bytes = limits->work_bytes;
  work_inodes = limits->inodes;
  work_is_fresh = 0;
  if (!is_bounded && mount_work(is_ready ? MS_REMOUNT : 0) < 0) return -1;
  return note_unused();
}

/*
 * Unmounts the working directory, if there is one, with everything in it. The mount is detached, because a host process that reads
 * the program's /proc may hold it a moment longer.
 */
int work_unmount(void) {
  const char *old = work;
  work = NULL;
  work_is_fresh = 0;
  return old && umount2(old, MNT_DETACH) < 0 ? failed("umount /work", errno) : 0;
}

/*
 * Provides a fresh working directory for a next run with the same view, which mostly has the same bounds. If the run has not used the
 * present directory, as with most programs, that one stays; else a new one is made.
 */
int work_renew(void) {
  const char *path = work;
  if (!is_unused()) {
    if (work_unmount() < 0) return -1;
    work = path;
    if (mount_work(0) < 0) return -1;
  }
  work_is_fresh = 1;
  return 0;
}

/* Copies a whole file. Both are tmpfs or memfd. */
static int copy(int from, int to) {
  off_t at = 0;
  for (;;) {
    ssize_t put = sendfile(to, from, &at, 1 << 30);
    if (put == 0) return 0;
    if (put < 0 && errno != EINTR) return failed("copy", errno);
  }
}

/* Writes a file into the working directory before any user code runs in it. */
static int place(const char *name, int from, mode_t mode, uid_t owner) {
  int dir = open(work, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  close_fd(&dir);
  if (fd < 0) return failed(name, errno);
  int result = fchown(fd, owner, owner) < 0 ? failed(name, errno) : copy(from, fd);
  close(fd);
  return result;
}

/* Places the source of a compile step. The step may change it. */
int work_place_source(const char *name, int source) {
  return place(name, source, 0644, BOX_USER);
}

/*
 * Places the files that a checker or interactor is called with. They are copies, because a bind mount would need the
 * host's mount namespace. The copies count against the size of the working directory, are read-only, and belong to
 * the box's root if the box has one.
 */
int work_place_files(uint32_t files, const int *fds) {
  static const char *const names[MAX_FILES] = {"input", "output", "answer"};
  for (int i = 0, at = 0; i < MAX_FILES; i++)
    if (files & 1u << i && place(names[i], fds[at++], 0444, geteuid()) < 0) return -1;
  return 0;
}

/*
 * Copies the artefact from the working directory into a tmpfs of its own at /box, which is then sealed. The compiler and
 * everything that it started have ended before. This is the only path that is opened after user code ran: openat2(2) refuses
 * links, mount points and everything outside, and only a regular file of at most `limit` bytes is taken. Any other file
 * is the program's fault, not an error of ours.
 */
int work_keep_artefact(const char *name, uint64_t limit, struct event *event) {
  struct open_how how = {
      .flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
      .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH | RESOLVE_NO_XDEV,
  };
  char options[96], path[NAME_BYTES + 16];
  struct stat info;
  int dir = open(work, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int from = (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
  close_fd(&dir);
  event->artefact = from < 0 && errno == ENOENT ? ARTEFACT_MISSING : ARTEFACT_UNFIT;
  if (from < 0) return 0;
  if (fstat(from, &info) < 0 || !S_ISREG(info.st_mode) || (uint64_t)info.st_size > limit) {
    close(from);
    return 0;
  }
  snprintf(options, sizeof options, "size=%llu,nr_inodes=8,mode=0755",
           (unsigned long long)info.st_size + 65536);
  if (mount("box", RUN_ROOT "/box", "tmpfs", MS_NOSUID | MS_NODEV, options) < 0) {
    close(from);
    return failed("mount /box", errno);
  }
  snprintf(path, sizeof path, RUN_ROOT "/box/%s", name);
  int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0555);
  int result = to < 0 ? failed("artefact", errno) : copy(from, to);
  event->artefact_bytes = (uint64_t)info.st_size;
  event->readonly_bytes = event->artefact_bytes - elf_writable_bytes(from, event->artefact_bytes);
  close(from);
  close_fd(&to);
  if (result == 0) result = root_restrict(AT_FDCWD, RUN_ROOT "/box", MOUNT_ATTR_RDONLY, 0);
  if (result == 0) event->artefact = ARTEFACT_KEPT;
  return result;
}
