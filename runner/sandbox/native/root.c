/*
 * The file trees inside a box. Compile steps see a small read-only tmpfs with the host's /usr bound into it. Programs see
 * another tmpfs, RUN_ROOT, into which single host paths are bound. Any other path is missing in the box's own
 * file system, so the kernel does not cache the failed look-up for other boxes. Two directories change: /work (fresh for
 * every case) and /box (the artefact, sealed).
 * Mount calls as in mount_setattr(2), open_tree(2), pivot_root(2); Linux 5.12.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box.h"
#include "util.h"

#define SAFE (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)

/* Adds attributes to a mount and the mounts below it. */
int root_restrict(int dir, const char *path, uint64_t attributes, unsigned flags) {
  struct mount_attr attr = {.attr_set = attributes};
  if (syscall(SYS_mount_setattr, dir, path, flags, &attr, sizeof attr) < 0)
    return failed("mount_setattr", errno);
  return 0;
}

/* Clones a host path with the mounts below it, detached. */
static int clone_tree(const char *source) {
  int fd = (int)syscall(SYS_open_tree, AT_FDCWD, source,
                        OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  return fd < 0 ? failed(source, errno) : fd;
}

/* Attaches a tree at `target`, relative to the new root, with attributes that only restrict. */
static int attach_tree(int tree, const char *target, uint64_t attributes) {
  if (root_restrict(tree, "", attributes, AT_EMPTY_PATH | AT_RECURSIVE) < 0) return -1;
  if (syscall(SYS_move_mount, tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH) < 0)
    return failed(target, errno);
  return 0;
}

/* Binds the file tree at `source` to `target` (open_tree(2), move_mount(2); Linux 5.2). */
static int bind(const char *source, const char *target, uint64_t attributes) {
  int tree = clone_tree(source);
  if (tree < 0) return -1;
  int result = attach_tree(tree, target, attributes);
  close(tree);
  return result;
}

/*
 * Clones the tools directory while this process still has the runner's own id. The box's root has an id that the host does
 * not know, so it may be unable to enter the runner's state directory. Without a tools directory, `tree` is -1.
 */
int root_take_tools(const char *path, int *tree) {
  *tree = path ? clone_tree(path) : -1;
  return path && *tree < 0 ? -1 : 0;
}

/* Binds a file or a device onto a new empty file. */
static int bind_file(const char *source, const char *target, uint64_t attributes) {
  int fd = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  if (fd < 0) return failed(target, errno);
  close(fd);
  return bind(source, target, attributes);
}

/* Copies /lib and the like: as a link into /usr if the host has a link, as a bind if it has a directory. */
static int mirror(const char *name) {
  char source[16], link[256];
  struct stat info;
  snprintf(source, sizeof source, "/%s", name);
  if (lstat(source, &info) < 0) return errno == ENOENT ? 0 : failed(source, errno);
  if (S_ISLNK(info.st_mode)) {
    ssize_t length = readlink(source, link, sizeof link - 1);
    if (length < 0) return failed(source, errno);
    link[length] = 0;
    return symlink(link, name) < 0 ? failed(source, errno) : 0;
  }
  if (mkdir(name, 0755) < 0) return failed(source, errno);
  return bind(source, name, SAFE | MOUNT_ATTR_RDONLY);
}

static const char *const links[] = {"bin", "sbin", "lib", "lib32", "lib64", "libx32"};
#define LINKS (sizeof links / sizeof *links)

/* Fills the new root, which is the current directory, from the host's. */
static int fill(int tools) {
  static const char *const dirs[] = {"usr", "etc", "dev", "work", "run", "tools"};
  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/urandom", "/dev/full"};
  for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
    if (mkdir(dirs[i], 0755) < 0) return failed(dirs[i], errno);
  if (bind("/usr", "usr", SAFE | MOUNT_ATTR_RDONLY) < 0) return -1;
  for (size_t i = 0; i < LINKS; i++)
    if (mirror(links[i]) < 0) return -1;
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    /* The read-only mount protects the times of the host's device; programs can still write to the device. */
    if (bind_file(devices[i], devices[i] + 1,
                  MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC) < 0)
      return -1;
  if (access("/etc/ld.so.cache", F_OK) == 0 &&
      bind_file("/etc/ld.so.cache", "etc/ld.so.cache", SAFE | MOUNT_ATTR_RDONLY) < 0)
    return -1;
  /* On some distributions even ld is a link through here. The directory holds nothing but links. */
  if (access("/etc/alternatives", F_OK) == 0 &&
      (mkdir("etc/alternatives", 0755) < 0 ||
       bind("/etc/alternatives", "etc/alternatives", SAFE | MOUNT_ATTR_RDONLY) < 0))
    return failed("etc/alternatives", errno);
  if (tools >= 0 && attach_tree(tools, "tools", SAFE | MOUNT_ATTR_RDONLY) < 0) return -1;
  if (symlink("work", "tmp") < 0 || symlink(RUN_ROOT "/box", "box") < 0)
    return failed("tmp", errno);
  return 0;
}

/*
 * Binds a path of this root at the same path below the current directory, and makes the directories that lead there. A bind
 * inherits the attributes of its source, which is read-only and safe already (mount(2), MS_BIND): so one call is enough for
 * each of some dozens of paths.
 */
static int show(char *path) {
  char *target = path + 1;
  struct stat info;
  for (char *at = strchr(target, '/'); at; at = strchr(at + 1, '/')) {
    *at = 0;
    int made = mkdir(target, 0755);
    *at = '/';
    if (made < 0 && errno != EEXIST) return failed(path, errno);
  }
  if (stat(path, &info) < 0) return failed(path, errno);
  int made = S_ISDIR(info.st_mode) ? mkdir(target, 0755) : mknod(target, S_IFREG | 0444, 0);
  if (made < 0 && errno != EEXIST) return failed(path, errno);
  return mount(path, target, NULL, MS_BIND | MS_REC, NULL) < 0 ? failed(path, errno) : 0;
}

/* Fills the programs' root, which is the current directory, with these host paths. */
static int fill_run(char *const paths[], int count) {
  static const char *const dirs[] = {"usr", "etc", "work", "box"};
  static char devices[] = "/dev", cache[] = "/etc/ld.so.cache";
  for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
    if (mkdir(dirs[i], 0755) < 0) return failed(dirs[i], errno);
  if (show(devices) < 0) return -1;
  if (access(cache, F_OK) == 0 && show(cache) < 0) return -1;
  for (int i = 0; i < count; i++)
    if (show(paths[i]) < 0) return -1;
  /* Makes only links whose targets exist. What is a directory on the host is already a directory here. */
  for (size_t i = 0; i < LINKS; i++) {
    char source[16], target[256];
    snprintf(source, sizeof source, "/%s", links[i]);
    ssize_t length = readlink(source, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = 0;
    if (length > 0 && access(target, F_OK) == 0 && symlink(target, links[i]) < 0)
      return failed(links[i], errno);
  }
  return symlink("work", "tmp") < 0 ? failed("tmp", errno) : 0;
}

/* Builds the programs' root anew, with these host paths in it. */
int root_build_run(char *const paths[], int count) {
  if (umount2(RUN_ROOT, MNT_DETACH) < 0 && errno != EINVAL) return failed("umount " RUN_ROOT, errno);
  if (mount("run", RUN_ROOT, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
            "size=64k,nr_inodes=512,mode=0755") < 0)
    return failed("mount " RUN_ROOT, errno);
  if (chdir(RUN_ROOT) < 0) return failed("chdir", errno);
  int result = fill_run(paths, count);
  if (chdir("/") < 0) return failed("chdir", errno);
  return result < 0 ? -1 : root_restrict(AT_FDCWD, RUN_ROOT, MOUNT_ATTR_RDONLY, 0);
}

/*
 * Enters the programs' root; called in the program's process. Nothing leads out of this root (chroot(2)): no directory of
 * the other root is open, and a program without capabilities and under its filter can neither mount nor change roots.
 */
int root_enter_run(void) { return chdir(RUN_ROOT) < 0 ? -1 : chroot("."); }

/* Builds the root and makes it the only one of this mount namespace. No /proc, no /sys. */
int root_build(int tools) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return failed("private /", errno);
  if (mount("root", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
            "size=64k,nr_inodes=64,mode=0755") < 0)
    return failed("mount root", errno);
  if (chdir("/tmp") < 0) return failed("chdir", errno);
  umask(0);
  if (fill(tools) < 0) return -1;
  /* This call puts the old root on top of the new one; the next call unmounts the old root: pivot_root(2), "." ".". */
  if (syscall(SYS_pivot_root, ".", ".") < 0) return failed("pivot_root", errno);
  if (umount2(".", MNT_DETACH) < 0) return failed("umount old root", errno);
  if (chdir("/") < 0) return failed("chdir", errno);
  return root_restrict(AT_FDCWD, "/", MOUNT_ATTR_RDONLY, 0);
}
