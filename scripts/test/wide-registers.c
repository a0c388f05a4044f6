/*
 * Preloaded into user-mode Linux (ld.so(8), LD_PRELOAD): it restores a program's registers from 2,696 bytes, as far as AVX-512.
 * Linux takes only the whole state (ptrace(2), PTRACE_SETREGSET, NT_X86_XSTATE), which is larger on processors with tiles
 * (AMX). So this code adds the missing bytes and marks them as unused, because programs in the guest use no tiles.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/types.h>

#define WHOLE_BYTES 65536
/* Which parts of a state are in use: XSTATE_BV (Intel SDM 1, 13.4.2). The parts of bit 10 and above lie after the 2,696 bytes. */
#define IN_USE_OFFSET 512
#define KNOWN_PARTS ((UINT64_C(1) << 10) - 1)

typedef long Ptrace(enum __ptrace_request, ...);
static Ptrace *real_ptrace;

__attribute__((constructor)) static void find_ptrace(void) {
  real_ptrace = (Ptrace *)dlsym(RTLD_NEXT, "ptrace");
}

/* Sets the state of a stopped process. */
static long set_state(pid_t pid, const struct iovec *known) {
  static _Alignas(64) unsigned char whole[WHOLE_BYTES];
  struct iovec state = {whole, sizeof whole};
  long got = real_ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &state);
  if (got < 0) return got;
  if (state.iov_len <= known->iov_len)
    return real_ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, known);
  memset(whole, 0, state.iov_len);
  memcpy(whole, known->iov_base, known->iov_len);
  uint64_t in_use;
  memcpy(&in_use, whole + IN_USE_OFFSET, sizeof in_use);
  in_use &= KNOWN_PARTS;
  memcpy(whole + IN_USE_OFFSET, &in_use, sizeof in_use);
  return real_ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &state);
}

long ptrace(enum __ptrace_request request, ...) {
  va_list rest;
  va_start(rest, request);
  pid_t pid = va_arg(rest, pid_t);
  void *address = va_arg(rest, void *);
  void *data = va_arg(rest, void *);
  va_end(rest);
  if (request == PTRACE_SETREGSET && address == (void *)NT_X86_XSTATE) return set_state(pid, data);
  return real_ptrace(request, pid, address, data);
}
