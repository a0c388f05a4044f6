/*
 * The limit of the wall clock. What a thread waited for the core while others had it (other programs of the host,
 * a quota) is not the program's doing and moves the limit. What it waited for its own processes, or for the helper
 * that empties its pipes, is: a program must not be able to buy time by keeping the core busy.
 *
 * Whatever thread one looks at: the time it ran or was ready to run, less all that was ours on the core, is time
 * that others had. That is exact for a program of one thread, and never too much for any.
 */
#include "wall.h"

#include <errno.h>
#include <time.h>

#include "util.h"

/* Between two looks at how long the program has waited while its limit is far. */
#define LOOK_US 100000

/* CPU time of a process in microseconds, exactly (clock_getcpuclockid(3)); 0 when it is gone. */
static uint64_t process_cpu_us(pid_t pid) {
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) < 0) return 0;
  return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

/* CPU time of this helper and of the box's first process. */
static uint64_t attendants_us(const struct ours *ours) {
  return process_cpu_us(0) + process_cpu_us(ours->init);
}

/* Looks up how long the program has waited while others had the core. */
static void note_wait(struct wall *wall, int64_t now) {
  const struct ours *ours = &wall->ours;
  uint64_t wanted = cgroup_wanted_us(ours->slot), program;
  wall->looked = now;
  if (cgroup_cpu_us(ours->slot, ours->group, &program) < 0) return;
  uint64_t used = program + attendants_us(ours) - wall->used_before_us;
  if (wanted > used && wanted - used > wall->waited_us) wall->waited_us = wanted - used;
}

/* The run begins. `counts` 0: the limit counts from the end of the peer, for which the program waits. */
void wall_start(struct wall *wall, struct ours ours, uint64_t limit_us, int counts) {
  int64_t now = now_us();
  *wall = (struct wall){.ours = ours, .limit_us = limit_us, .from = counts ? now : 0, .looked = now};
  wall->used_before_us = attendants_us(&ours);
}

/* The peer has ended: from now on the limit counts. */
void wall_note_peer_end(struct wall *wall) {
  wall->from = now_us();
  note_wait(wall, wall->from);
  wall->waited_before_us = wall->waited_us;
}

/* Whether time is up, with what is known of waiting. */
static int is_up(const struct wall *wall, uint64_t wall_us) {
  return wall_us > wall->limit_us + wall->waited_us - wall->waited_before_us;
}

/*
 * Whether the limit has been passed; -1 on a machine that is too busy to judge. Who waits for a peer, which has
 * limits of its own, has all the time that the peer takes.
 */
int wall_passed(struct wall *wall, int64_t now) {
  uint64_t wall_us = wall->from ? (uint64_t)(now - wall->from) : 0;
  if (now - wall->looked > LOOK_US || is_up(wall, wall_us)) note_wait(wall, now);
  if (is_up(wall, wall_us)) return 1;
  return wall_us > MAX_WALL_SHARE * wall->limit_us ? failed("the machine is too busy", ETIMEDOUT) : 0;
}
