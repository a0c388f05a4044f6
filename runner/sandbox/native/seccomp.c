/*
 * The system call filter of a program (seccomp(2), filter mode). Calls that no program needs in a judge return EPERM. It is
 * the second wall: namespaces, ids and cgroups hold without it. Calls newer than this list return ENOSYS, as on an older
 * kernel, and libraries fall back.
 *
 * The filter is a binary search over the call's number, with each action once. For every run the kernel compiles it anew and tries
 * every number (seccomp_cache_prepare, Linux 5.11). With a plain list instead of the search, this would take 0.2 ms.
 */
#include "seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "this architecture has no seccomp table"
#endif

/* futex_waitv, the last call of Linux 5.16; the same number on every architecture. */
#define LAST_KNOWN 449
#define X32_BIT 0x40000000u

/* Denied flags of clone(2): CLONE_NEWTIME to CLONE_NEWNET (any new namespace), and a descriptor of the new process. */
#define DENIED_CLONES (0x7e020000u | CLONE_PIDFD)

/* UNDECIDED: the search goes on. */
enum action {
  UNDECIDED, ALLOW, DENY, UNKNOWN, KILL, IGNORE, CLONE, SETRLIMIT, PRLIMIT, UTIMENSAT, IOCTL, FCNTL,
  PRCTL, MADVISE, MMAP, OPEN, OPENAT
};

/* Denied with EPERM. */
static const uint16_t denied[] = {
    /* other processes */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp,
    SYS_process_madvise, SYS_process_mrelease, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_move_pages, SYS_migrate_pages, SYS_mbind,
    SYS_set_mempolicy, SYS_setpriority, SYS_ioprio_set, SYS_sched_setaffinity,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
    /* with sched_autogroup a new session would get as much CPU as the helper that watches the program */
    SYS_setsid,
    /* large or new parts of the kernel */
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_setup, SYS_userfaultfd,
    SYS_add_key, SYS_request_key, SYS_keyctl, SYS_bpf, SYS_perf_event_open, SYS_fanotify_init,
    SYS_seccomp, SYS_personality, SYS_memfd_create, SYS_memfd_secret, SYS_lookup_dcookie,
    SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self,
    /* namespaces, mounts, handles */
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree,
    SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr,
    SYS_name_to_handle_at, SYS_open_by_handle_at,
    /* attributes through a descriptor: standard input may belong to the same user. Even for a file of another user,
     * chown(-1, -1) changes the ctime, which the next run would see. */
    SYS_fchmod, SYS_fchown, SYS_fchownat, SYS_fsetxattr, SYS_fremovexattr,
    SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
    /* these write bytes that cost the program no time but cost the helper much, like `O_DIRECT` pipes below */
    SYS_tee, SYS_splice, SYS_vmsplice,
    /* the host's disk and page cache */
    SYS_readahead, SYS_remap_file_pages,
    /* network */
    SYS_socket, SYS_socketpair, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_connect,
    SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg,
    /* System V and POSIX IPC: it outlives processes and is partly outside memory accounting */
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop,
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    /* the machine */
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
    SYS_swapon, SYS_swapoff, SYS_quotactl, SYS_quotactl_fd, SYS_reboot, SYS_acct, SYS_syslog,
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname,
    SYS_setdomainname, SYS_vhangup, SYS_nfsservctl,
    /* neighbours could notice watches and locks on files of /usr */
    SYS_inotify_init1, SYS_flock,
#if defined(__x86_64__)
    SYS_chown, SYS_lchown, SYS_futimesat,
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS__sysctl,
    SYS_create_module, SYS_get_kernel_syms, SYS_query_module, SYS_inotify_init,
#endif
};

/*
 * These calls return success and do nothing. No program writes to a disk. On files of /usr these calls would flush the
 * host's disks or empty its page cache, which slows neighbours.
 */
static const uint16_t ignored[] = {SYS_sync, SYS_syncfs, SYS_fsync, SYS_fdatasync,
                                   SYS_sync_file_range, SYS_fadvise64};

/* The commands of fcntl(2) that a program needs: no locks, leases, watches or hints on files that others open too. */
static const uint16_t fcntl_commands[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC,
                                          F_SETPIPE_SZ, F_GETPIPE_SZ};

/*
 * Denied prctl(2) options: a program's own filters could fill the host's audit log, core scheduling idles the core's other
 * thread, and merging equal pages shows what neighbours hold in memory.
 */
#define SCHED_CORE 62
#define MEMORY_MERGE 67
static const uint16_t denied_prctls[] = {PR_SET_SECCOMP, SCHED_CORE, MEMORY_MERGE};

/* The letter of ioctls for terminals and for all descriptors. Ioctls of file systems have other letters. */
#define IOCTL_LETTER 0xff00u
#define IOCTL_T 0x5400u

/* A range of call numbers with the same action. */
struct range {
  uint32_t first;
  enum action action;
};

#define MAX_INSTRUCTIONS 1024

/* There is at most one range for each call number, and two ranges above the last number. */
static struct range ranges[LAST_KNOWN + 3];
static struct sock_filter program[MAX_INSTRUCTIONS];
static unsigned short length;
/* The actions of each instruction of the search: for call numbers below the instruction's number, and for all other numbers. */
static enum action below[MAX_INSTRUCTIONS], above[MAX_INSTRUCTIONS];

/* Adds an instruction of classic BPF (Documentation/networking/filter.rst). */
static void emit(uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false) {
  program[length++] = (struct sock_filter){code, if_true, if_false, k};
}

/* Ends the filter with an action, SECCOMP_RET_* (seccomp(2)). */
static void emit_return(uint32_t value) { emit(BPF_RET | BPF_K, value, 0, 0); }

/* Loads the low half of an argument: both architectures are little-endian. */
static void emit_load_argument(int n) {
  emit(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[n]), 0, 0);
}

/* Adds code that returns EPERM if the accumulator passes the test; with `equal` 0, if it fails the test. */
static void emit_refuse(uint16_t test, uint32_t value, int equal) {
  emit(BPF_JMP | BPF_K | test, value, equal ? 0 : 1, equal ? 1 : 0);
  emit_return(SECCOMP_RET_ERRNO | EPERM);
}

/* Adds the action of a call whose number has been found. */
static void emit_action(enum action action) {
  switch (action) {
    case DENY: emit_return(SECCOMP_RET_ERRNO | EPERM); return;
    case UNKNOWN: emit_return(SECCOMP_RET_ERRNO | ENOSYS); return;
    case KILL: emit_return(SECCOMP_RET_KILL_PROCESS); return;
    case CLONE:
      emit_load_argument(0);
      emit_refuse(BPF_JSET, DENIED_CLONES, 1);
      break;
    case IGNORE: emit_return(SECCOMP_RET_ERRNO | 0); return;
    case SETRLIMIT: /* see set_limits in payload.c */
      emit_load_argument(0);
      emit_refuse(BPF_JEQ, RLIMIT_CORE, 1);
      break;
    case PRLIMIT: /* only the program's own limits: pid 0 */
      emit_load_argument(0);
      emit_refuse(BPF_JEQ, 0, 0);
      emit_load_argument(1);
      emit_refuse(BPF_JEQ, RLIMIT_CORE, 1);
      break;
    case UTIMENSAT: /* without a path, or with an empty one, this is futimens */
      emit_load_argument(1);
      emit_refuse(BPF_JEQ, 0, 1);
      emit_load_argument(3);
      emit_refuse(BPF_JSET, AT_EMPTY_PATH, 1);
      break;
    case IOCTL:
      emit_load_argument(1);
      emit_refuse(BPF_JEQ, TIOCSTI, 1);
      emit_refuse(BPF_JEQ, TIOCLINUX, 1);
      emit(BPF_ALU | BPF_AND | BPF_K, IOCTL_LETTER, 0, 0);
      emit_refuse(BPF_JEQ, IOCTL_T, 0);
      break;
    case FCNTL:
      emit_load_argument(1);
      emit(BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 0, 4);
      emit_load_argument(2);
      emit_refuse(BPF_JSET, O_DIRECT, 1);
      emit_return(SECCOMP_RET_ALLOW);
      for (size_t i = 0; i < sizeof fcntl_commands / sizeof *fcntl_commands; i++) {
        emit(BPF_JMP | BPF_JEQ | BPF_K, fcntl_commands[i], 0, 1);
        emit_return(SECCOMP_RET_ALLOW);
      }
      emit_return(SECCOMP_RET_ERRNO | EPERM);
      return;
    case PRCTL:
      emit_load_argument(0);
      for (size_t i = 0; i < sizeof denied_prctls / sizeof *denied_prctls; i++)
        emit_refuse(BPF_JEQ, denied_prctls[i], 1);
      break;
    case MADVISE: /* merging pages is denied, as with the prctl above; other advice concerns the program's own pages */
      emit_load_argument(2);
      emit_refuse(BPF_JEQ, MADV_MERGEABLE, 1);
      break;
    case MMAP: /* the host's huge pages are charged to nobody */
      emit_load_argument(3);
      emit_refuse(BPF_JSET, MAP_HUGETLB, 1);
      break;
    case OPEN: /* open and pipe2, whose flags are the same argument */
    case OPENAT:
      /*
       * O_DIRECT bypasses the page cache to the host's disk, or makes a pipe whose reader needs a call per packet. A file made
       * by O_TMPFILE would show the next run only by inode numbers that it existed; libraries fall back to a file with a name.
       */
      emit_load_argument(action == OPENAT ? 2 : 1);
      emit_refuse(BPF_JSET, O_DIRECT | (O_TMPFILE & ~O_DIRECTORY), 1);
      break;
    case UNDECIDED: case ALLOW: break;
  }
  emit_return(SECCOMP_RET_ALLOW);
}

/*
 * Adds the binary search, one instruction between two ranges: the code for the lower half comes next, then the code for the upper
 * half. A half with a single range jumps to that range's action, which is added later.
 */
static void emit_search(int first, int last) {
  int middle = (first + last + 1) / 2;
  unsigned short at = length;
  emit(BPF_JMP | BPF_JGE | BPF_K, ranges[middle].first, 0, 0);
  if (first == middle - 1) below[at] = ranges[first].action;
  else emit_search(first, middle - 1);
  program[at].jt = (uint8_t)(length - at - 1);
  if (middle == last) above[at] = ranges[last].action;
  else emit_search(middle, last);
}

/* Adds each action once, after the search that begins at `search`, and sets the search's jumps to it. */
static void emit_actions(unsigned short search) {
  unsigned short end = length;
  for (enum action action = ALLOW; action <= OPENAT; action++) {
    for (unsigned short at = search; at < end; at++) {
      uint8_t distance = (uint8_t)(length - at - 1);
      if (below[at] == action) program[at].jf = distance;
      if (above[at] == action) program[at].jt = distance;
    }
    emit_action(action);
  }
}

/* Makes the filter, once per box, before any run. */
int seccomp_prepare(void) {
  enum action actions[LAST_KNOWN + 1];
  int count = 0;
  for (uint32_t nr = 0; nr <= LAST_KNOWN; nr++) actions[nr] = ALLOW;
  for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) actions[denied[i]] = DENY;
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) actions[ignored[i]] = IGNORE;
  actions[SYS_clone3] = UNKNOWN; /* glibc falls back to clone, whose flags a filter can see */
  actions[SYS_openat2] = UNKNOWN; /* its flags are behind a pointer, where a filter cannot look */
  actions[SYS_statx] = UNKNOWN;   /* it tells the number of a mount, which differs in every run */
  actions[SYS_openat] = OPENAT;
  actions[SYS_pipe2] = OPEN;
#if defined(__x86_64__)
  actions[SYS_open] = OPEN;
#endif
  actions[SYS_clone] = CLONE;
  actions[SYS_setrlimit] = SETRLIMIT;
  actions[SYS_prlimit64] = PRLIMIT;
  actions[SYS_utimensat] = UTIMENSAT;
  actions[SYS_ioctl] = IOCTL;
  actions[SYS_fcntl] = FCNTL;
  actions[SYS_prctl] = PRCTL;
  actions[SYS_madvise] = MADVISE;
  actions[SYS_mmap] = MMAP;
  for (uint32_t nr = 0; nr <= LAST_KNOWN; nr++)
    if (count == 0 || actions[nr] != ranges[count - 1].action)
      ranges[count++] = (struct range){nr, actions[nr]};
  ranges[count++] = (struct range){LAST_KNOWN + 1, UNKNOWN};
  ranges[count++] = (struct range){X32_BIT, KILL};
  length = 0;
  emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
  emit(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
  emit_return(SECCOMP_RET_KILL_PROCESS);
  emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
  unsigned short search = length;
  emit_search(0, count - 1);
  emit_actions(search);
  /* A conditional jump spans 255 instructions. */
  return length - search > 255 ? failed("seccomp filter", E2BIG) : 0;
}

/* Installs the filter for good; needs no_new_privs (prctl(2)), which the box has set. */
int seccomp_install(void) {
  struct sock_fprog filter = {.len = length, .filter = program};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0)
    return failed("seccomp", errno);
  return 0;
}
