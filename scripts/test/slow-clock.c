/*
 * Preloaded into user-mode Linux (ld.so(8), LD_PRELOAD): its clocks run SLOWNESS times slower than the machine's.
 * In user-mode Linux, system calls and page faults take many times longer than on a real kernel. The slow clocks hide this,
 * so time limits mean what they should. User-mode Linux also calls gettimeofday and timer_gettime, but keeps no time by
 * them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS 1000000000LL
#define CLOCKS 2 /* CLOCK_REALTIME, CLOCK_MONOTONIC */

static int64_t began_ns[CLOCKS];
static int (*set_timer)(timer_t, int, const struct itimerspec *, struct itimerspec *);

static int64_t to_ns(struct timespec time) {
  return time.tv_sec * SECOND_NS + time.tv_nsec;
}

static struct timespec from_ns(int64_t ns) {
  return (struct timespec){.tv_sec = ns / SECOND_NS, .tv_nsec = ns % SECOND_NS};
}

static int64_t real_ns(clockid_t clock) {
  struct timespec now;
  return syscall(SYS_clock_gettime, clock, &now) < 0 ? 0 : to_ns(now);
}

__attribute__((constructor)) static void begin(void) {
  for (clockid_t clock = 0; clock < CLOCKS; clock++) began_ns[clock] = real_ns(clock);
  set_timer = (int (*)(timer_t, int, const struct itimerspec *, struct itimerspec *))dlsym(
      RTLD_NEXT, "timer_settime");
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock < 0 || clock >= CLOCKS) return (int)syscall(SYS_clock_gettime, clock, now);
  *now = from_ns(began_ns[clock] + (real_ns(clock) - began_ns[clock]) / SLOWNESS);
  return 0;
}

/* Sets times relative to now; user-mode Linux uses no absolute times. */
int timer_settime(timer_t timer, int flags, const struct itimerspec *times, struct itimerspec *old) {
  struct itimerspec slow = {.it_value = from_ns(to_ns(times->it_value) * SLOWNESS),
                            .it_interval = from_ns(to_ns(times->it_interval) * SLOWNESS)};
  return set_timer(timer, flags, &slow, old);
}
