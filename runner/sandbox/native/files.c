/* The descriptors of a run, opened in the runner by number or handed over beforehand. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util.h"

/*
 * Opens a descriptor of the runner by its number: the path holds nothing but two integers, and the
 * new open file description has an offset of its own (proc(5), /proc/pid/fd).
 */
int files_open(pid_t runner, int number, int flags) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)runner, number);
  int fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
  return fd < 0 ? failed("cannot open a file of the runner", errno) : fd;
}

/* The pipes of the next run. */
static int attached_input = -1, attached_output = -1;

/* Gives up pipes that no run has taken. */
void files_detach(void) {
  close_fd(&attached_input);
  close_fd(&attached_output);
}

/*
 * Opens both pipes for the next run. Not blocking, whoever else has them open yet; the program itself
 * gets a standard input that waits, as every program expects.
 */
int files_attach(const struct job *job, pid_t runner) {
  struct stat in, out;
  files_detach();
  attached_input = files_open(runner, job->request.input_fd, O_RDONLY | O_NONBLOCK);
  if (attached_input < 0) return -1;
  attached_output = files_open(runner, job->request.output_fd, O_WRONLY | O_NONBLOCK);
  if (attached_output < 0) return -1;
  if (fstat(attached_input, &in) < 0 || fstat(attached_output, &out) < 0 || !S_ISFIFO(in.st_mode) ||
      !S_ISFIFO(out.st_mode))
    return failed("attach: not a pipe", EINVAL);
  return fcntl(attached_input, F_SETFL, 0) < 0 ? failed("attach", errno) : 0;
}

/*
 * Reads a file once while no program runs: what is not in the page cache would be charged to the program as
 * its memory, and its wall clock would run while the disk is read.
 */
static void warm_up(int fd) {
  off_t at = 0;
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  while (null >= 0 && sendfile(null, fd, &at, 1 << 30) > 0) continue;
  close_fd(&null);
}

/* Standard input of a run; a new descriptor, or the attached one. */
int files_input(const struct request *request, pid_t runner) {
  if (request->attached) {
    int input = attached_input;
    attached_input = -1;
    return input < 0 ? failed("no pipes are attached", EINVAL) : input;
  }
  if (request->input_fd < 0) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  int input = files_open(runner, request->input_fd, O_RDONLY);
  if (input >= 0) warm_up(input);
  return input;
}

/* Where the standard output of a run with pipes goes; only after files_input. */
int files_forward(void) {
  int output = attached_output;
  attached_output = -1;
  return output;
}

/* Puts the source where pid 1 can copy it from. */
int files_source(const struct job *job) {
  int fd = memfd_create("source", MFD_CLOEXEC);
  if (fd < 0) return failed("memfd", errno);
  if (write_full(fd, job->source, job->request.source_bytes) == 0) return fd;
  close(fd);
  return -1;
}
