/*
 * The system call filter of a program (seccomp(2), filter mode): everything a program has no use for
 * in a judge answers EPERM. It is the second wall: namespaces, ids and cgroups hold without it.
 * Calls newer than this list answer ENOSYS, as an older kernel would; libraries fall back.
 */
#include "seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
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

/* set_mempolicy_home_node, the last call of Linux 5.17; the same number on every architecture. */
#define LAST_KNOWN 450
#define X32_BIT 0x40000000u

/* CLONE_NEWTIME to CLONE_NEWNET: any new namespace through clone(2). */
#define NEW_NAMESPACES 0x7e020000u

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Low half of an argument: both architectures are little-endian. */
#define LOAD_ARG(n) LOAD(args[n])
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define IF_EQUAL(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define DENY(call) IF_EQUAL(SYS_##call, 1), REFUSE(EPERM)

static struct sock_filter program[] = {
    LOAD(arch), IF_EQUAL(NATIVE_ARCH, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr),
#if defined(__x86_64__)
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS),
#endif
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST_KNOWN, 0, 1), REFUSE(ENOSYS),

    /* other processes */
    DENY(ptrace), DENY(process_vm_readv), DENY(process_vm_writev), DENY(pidfd_getfd), DENY(kcmp),
    DENY(process_madvise), DENY(process_mrelease), DENY(move_pages), DENY(migrate_pages),
    DENY(mbind), DENY(set_mempolicy), DENY(setpriority), DENY(ioprio_set),
    DENY(sched_setaffinity), DENY(sched_setscheduler), DENY(sched_setparam), DENY(sched_setattr),
    /* large or young parts of the kernel */
    DENY(io_uring_setup), DENY(io_uring_enter), DENY(io_uring_register), DENY(io_setup),
    DENY(userfaultfd), DENY(add_key), DENY(request_key), DENY(keyctl), DENY(bpf),
    DENY(perf_event_open), DENY(fanotify_init), DENY(seccomp), DENY(personality),
    DENY(memfd_create), DENY(memfd_secret), DENY(lookup_dcookie),
    /* namespaces, mounts, handles */
    DENY(unshare), DENY(setns), DENY(mount), DENY(umount2), DENY(pivot_root), DENY(chroot),
    DENY(open_tree), DENY(move_mount), DENY(fsopen), DENY(fsconfig), DENY(fsmount), DENY(fspick),
    DENY(mount_setattr), DENY(name_to_handle_at), DENY(open_by_handle_at),
    /* attributes through a descriptor: standard input may belong to the same user */
    DENY(fchmod), DENY(fchown), DENY(fsetxattr), DENY(fremovexattr),
    /* network */
    DENY(socket), DENY(socketpair), DENY(bind), DENY(listen), DENY(accept), DENY(accept4),
    DENY(connect), DENY(sendto), DENY(sendmsg), DENY(sendmmsg), DENY(recvfrom), DENY(recvmsg),
    DENY(recvmmsg),
    /* System V and POSIX ipc: outlives processes, partly outside memory accounting */
    DENY(shmget), DENY(shmat), DENY(shmctl), DENY(semget), DENY(semop), DENY(semctl),
    DENY(semtimedop), DENY(msgget), DENY(msgsnd), DENY(msgrcv), DENY(msgctl), DENY(mq_open),
    DENY(mq_unlink),
    /* the machine */
    DENY(init_module), DENY(finit_module), DENY(delete_module), DENY(kexec_load),
    DENY(kexec_file_load), DENY(swapon), DENY(swapoff), DENY(quotactl), DENY(quotactl_fd),
    DENY(reboot), DENY(acct), DENY(syslog), DENY(settimeofday), DENY(clock_settime),
    DENY(clock_adjtime), DENY(adjtimex), DENY(sethostname), DENY(setdomainname), DENY(vhangup),
    DENY(nfsservctl),
#if defined(__x86_64__)
    DENY(iopl), DENY(ioperm), DENY(modify_ldt), DENY(uselib), DENY(ustat), DENY(sysfs),
    DENY(_sysctl), DENY(create_module), DENY(get_kernel_syms), DENY(query_module),
#endif

    /* glibc falls back to clone, whose flags a filter can see. */
    IF_EQUAL(SYS_clone3, 1), REFUSE(ENOSYS),
    IF_EQUAL(SYS_clone, 4), LOAD_ARG(0),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1), REFUSE(EPERM),
    RETURN(SECCOMP_RET_ALLOW),
    /* limits of another process (arg 0: pid; 0 is oneself) */
    IF_EQUAL(SYS_prlimit64, 4), LOAD_ARG(0), IF_EQUAL(0, 1), RETURN(SECCOMP_RET_ALLOW),
    REFUSE(EPERM),
    /* utimensat without a path is futimens */
    IF_EQUAL(SYS_utimensat, 4), LOAD_ARG(1), IF_EQUAL(0, 1), REFUSE(EPERM),
    RETURN(SECCOMP_RET_ALLOW),
    /* TIOCSTI, TIOCLINUX: typing into a terminal; FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR */
    IF_EQUAL(SYS_ioctl, 9), LOAD_ARG(1),
    IF_EQUAL(0x5412, 1), REFUSE(EPERM), IF_EQUAL(0x541c, 1), REFUSE(EPERM),
    IF_EQUAL(0x40086602, 1), REFUSE(EPERM), IF_EQUAL(0x401c5820, 1), REFUSE(EPERM),
    RETURN(SECCOMP_RET_ALLOW),
};

/* Installs the filter for good; needs no_new_privs (prctl(2)), which the box has set. */
int seccomp_install(void) {
  struct sock_fprog filter = {
      .len = (unsigned short)(sizeof program / sizeof program[0]),
      .filter = program,
  };
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0)
    return failed("seccomp", errno);
  return 0;
}
