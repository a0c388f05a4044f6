/*
 * The least that running a program can cost: vfork(2) by way of posix_spawn(3), execve(2), waitpid(2).
 * vfork-exec <processor> <runs> <program>: pinned like a slot; prints the microseconds of each run.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
int main(int argc, char *argv[]) {
  char *const program[] = {argc == 4 ? argv[3] : NULL, NULL}, *const nothing[] = {NULL};
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(argc == 4 ? atoi(argv[1]) : 0, &one);
  if (argc != 4 || sched_setaffinity(0, sizeof one, &one) < 0) return 1;
  for (int n = atoi(argv[2]); n > 0; n--) {
    struct timespec begin, end;
    pid_t pid;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (posix_spawn(&pid, program[0], NULL, NULL, program, nothing) != 0) return 2;
    if (waitpid(pid, &status, 0) != pid || status != 0) return 3;
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%ld\n", (end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000);
  }
}
