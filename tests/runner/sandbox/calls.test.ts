/** How the filter answers each system call, and the rest of a program's surroundings at its start. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { compileRequest, run, RUN_LIMITS } from '../fixtures/sandbox.ts'

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

/** Refused with any arguments; the kernel also refuses the calls that need root's rights on the host. */
const REFUSED = `
  ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise process_mrelease pidfd_open pidfd_send_signal
  move_pages migrate_pages mbind set_mempolicy setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setparam
  sched_setattr setsid io_uring_setup io_uring_enter io_uring_register io_setup userfaultfd add_key request_key keyctl bpf
  perf_event_open fanotify_init seccomp personality memfd_create memfd_secret lookup_dcookie landlock_create_ruleset
  landlock_add_rule landlock_restrict_self unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig
  fsmount fspick mount_setattr name_to_handle_at open_by_handle_at fchmod fchown fchownat fsetxattr fremovexattr setxattr
  lsetxattr removexattr lremovexattr tee splice vmsplice readahead remap_file_pages socket socketpair bind listen accept accept4
  connect sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd
  msgrcv msgctl mq_open mq_unlink init_module finit_module delete_module kexec_load kexec_file_load swapon swapoff quotactl
  quotactl_fd reboot acct syslog settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup nfsservctl
  inotify_init1 flock chown lchown futimesat iopl ioperm modify_ldt uselib ustat sysfs _sysctl create_module get_kernel_syms
  query_module inotify_init`
/** These calls do nothing, and report success. */
const IGNORED = 'sync syncfs fsync fdatasync sync_file_range fadvise64'
/** Missing, as on an older kernel, so that libraries use older calls. */
const UNKNOWN = 'clone3 openat2 statx'

function asks(names: string, wanted: string): string {
  const lines = names.trim().split(/\s+/)
  return lines
    .map(
      (name) =>
        `#ifdef SYS_${name}\nASK("${name}", ${wanted}, syscall(SYS_${name}, -1, -1, -1, -1, -1, -1));\n#endif`,
    )
    .join('\n')
}

/** Calls that are refused only with some arguments, and their wanted results. */
const BY_ARGUMENT = `
  struct flock lock = {.l_type = F_WRLCK};
  ASK("lock", EPERM, fcntl(0, F_SETLK, &lock));
  ASK("lease", EPERM, fcntl(0, F_SETLEASE, F_RDLCK));
  ASK("owner", EPERM, fcntl(0, F_SETOWN, getpid()));
  ASK("hint", EPERM, fcntl(0, F_SET_RW_HINT, &lock));
  ASK("flags", 0, fcntl(pipes[0], F_SETFL, O_NONBLOCK));
  ASK("packets", EPERM, fcntl(pipes[0], F_SETFL, O_DIRECT));
  ASK("packets", EPERM, pipe2(pipes + 2, O_DIRECT));
  ASK("a copy", 0, fcntl(1, F_DUPFD, 40) < 0);
  ASK("a closing copy", 0, fcntl(1, F_DUPFD_CLOEXEC, 41) < 0);
  ASK("flags of a descriptor", 0, fcntl(1, F_SETFD, fcntl(1, F_GETFD)));
  ASK("flags of a file", 0, fcntl(1, F_GETFL) < 0);
  ASK("size of a pipe", 0, fcntl(pipes[0], F_SETPIPE_SZ, fcntl(pipes[0], F_GETPIPE_SZ)) < 0);
  ASK("own filter", EPERM, prctl(PR_SET_SECCOMP, 2, 0, 0, 0));
  ASK("core scheduling", EPERM, prctl(62, 0, 0, 0, 0));
  ASK("merged memory", EPERM, prctl(67, 1, 0, 0, 0));
  ASK("own name", 0, prctl(PR_SET_NAME, "name", 0, 0, 0));
  ASK("merged pages", EPERM, madvise(page, 4096, MADV_MERGEABLE));
  ASK("unneeded pages", 0, madvise(page, 4096, MADV_DONTNEED));
  ASK("huge pages", EPERM, -(mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0) == MAP_FAILED));
  ASK("past the cache", EPERM, open("file", O_CREAT | O_WRONLY | O_DIRECT, 0600));
  ASK("past the cache", EPERM, syscall(SYS_openat, AT_FDCWD, "file", O_CREAT | O_WRONLY | O_DIRECT, 0600));
  ASK("a file without a name", EPERM, open(".", O_TMPFILE | O_WRONLY, 0600));
  ASK("a directory", 0, open(".", O_DIRECTORY | O_RDONLY) < 0);
  ASK("times of standard input", EPERM, futimens(0, 0));
  ASK("times by an empty path", EPERM, syscall(SYS_utimensat, 0, "", 0, AT_EMPTY_PATH));
  ASK("times of a file", 0, utimensat(AT_FDCWD, ".", 0, 0));
  ASK("typing", EPERM, ioctl(0, TIOCSTI, "x"));
  ASK("the console", EPERM, ioctl(0, TIOCLINUX, "x"));
  ASK("a file system", EPERM, ioctl(0, FS_IOC_GETFLAGS, &lock));
  ASK("waiting bytes", 0, ioctl(pipes[0], FIONREAD, &count));
  ASK("core files", EPERM, syscall(SYS_setrlimit, RLIMIT_CORE, &limit));
  ASK("core files", EPERM, syscall(SYS_prlimit64, 0, RLIMIT_CORE, 0, &limit));
  ASK("limits of others", EPERM, syscall(SYS_prlimit64, getpid(), RLIMIT_NOFILE, 0, &limit));
  ASK("own limits", 0, syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &limit));
  ASK("a namespace", EPERM, syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
  ASK("a descriptor of a process", EPERM, syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &count, 0, 0));
`

/** Prints each call with an unwanted result. It runs in a child, which leads no process group. */
const PROGRAM = `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define ASK(name, wanted, call) do { \\
  errno = 0; \\
  long result = (call); \\
  int said = result < 0 ? errno : 0; \\
  if (said != (wanted)) printf("%s: %d\\n", name, said); \\
} while (0)
int main(void) {
  setbuf(stdout, NULL);
  int pipes[4], count = 0;
  struct rlimit limit = {10, 10};
  if (pipe(pipes) < 0) return 1;
  void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    ${asks(REFUSED, 'EPERM')}
    ${asks(IGNORED, '0')}
    ${asks(UNKNOWN, 'ENOSYS')}
    ${BY_ARGUMENT}
    _exit(0);
  }
  int status;
  wait(&status);
  printf("%d\\n", status);
  return 0;
}
`

test('every call gets the answer that the filter has for it', async () => {
  const box = await slot.openBox()
  const compiled = await box.compile(compileRequest(PROGRAM))
  expect(Buffer.from(compiled.message).toString()).toBe('')
  const { stdout, exitCode } = await run(box)
  expect(stdout.toString()).toBe('0\n')
  expect(exitCode).toBe(0)
  await box.close()
})

/** Prints the limits, ids and environment that a program starts with. */
const LOOKS = `
import os, resource
for name in ['NOFILE', 'MEMLOCK', 'MSGQUEUE', 'STACK', 'FSIZE', 'CPU']:
  print(name, *resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))
print(os.getcwd(), os.uname().nodename, oct(os.umask(0)), os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid())
print(os.getuid() == os.geteuid() != 0, os.getgid() == os.getegid() != 0, os.getgroups())
print(*sorted(f'{name}={value}' for name, value in os.environ.items()))
files = 0
try:
  while True:
    open(f'file{files}', 'w').close()
    files += 1
except OSError: print(1000 < files < 1024)
`

test('a program begins with limits, ids and an environment of its own, and can make so many files', async () => {
  const box = await slot.openBox()
  await box.compile(compileRequest(LOOKS, 'main.py'))
  const { stdout } = await run(box, { argv: ['/usr/bin/python3', '-B', '/box/main.py'] })
  const { memoryKb, workDirBytes, cpuMs, wallMs } = RUN_LIMITS
  const twice = (value: number) => `${value} ${value}`
  expect(stdout.toString().trim().split('\n')).toEqual([
    `NOFILE ${twice(64)}`,
    `MEMLOCK ${twice(65_536)}`,
    `MSGQUEUE ${twice(0)}`,
    `STACK ${twice(memoryKb * 1024)}`,
    `FSIZE ${twice(workDirBytes)}`,
    // A limit that backs up the helper: twice the CPU limit, three times the wall limit, and five seconds.
    `CPU ${twice((2 * cpuMs + 3 * wallMs) / 1_000 + 5)}`,
    '/work box 0o22 True False',
    'True True []',
    'LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin PYTHONHASHSEED=0 PYTHONINTMAXSTRDIGITS=0',
    'True',
  ])
  await box.close()
})
