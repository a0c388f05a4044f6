/* Opens the files of a run, which the runner names by the numbers of its descriptors. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util.h"

/* The directory of the runner's descriptors, and /dev/null. */
static int descriptors = -1, null = -1;

/* Opens what all runs need. The open directory is that of this runner, even if another process later gets the runner's pid. */
int files_begin(pid_t runner) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/fd", (int)runner);
  descriptors = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptors < 0) return failed("descriptors of the runner", errno);
  null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  return null < 0 ? failed("/dev/null", errno) : 0;
}

/*
 * Opens a descriptor of the runner by its number. The path contains only an integer. The new open file
 * description has an offset of its own (proc(5), /proc/pid/fd).
 */
int files_open(int number, int flags) {
  char name[16];
  snprintf(name, sizeof name, "%d", number);
  int fd = openat(descriptors, name, flags | O_CLOEXEC | O_NOCTTY);
  return fd < 0 ? failed("cannot open a file of the runner", errno) : fd;
}

/* The conversation of the next run. */
static struct talk attached = NO_TALK;

/* Closes the descriptors of a conversation. */
void files_end_talk(struct talk *talk) {
  close_fd(&talk->input);
  close_fd(&talk->output);
  close_fd(&talk->rest);
  close_fd(&talk->peer_log);
  close_fd(&talk->account);
  *talk = NO_TALK;
}

/* Closes a conversation that no run has taken. */
void files_detach(void) { files_end_talk(&attached); }

/* Whether a descriptor is a pipe. */
static int is_pipe(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

/*
 * Opens a conversation for the next run. Opening must not block, even if nobody else has the pipes open; the program
 * itself gets blocking ends, as every program expects.
 */
int files_attach(const struct job *job) {
  const struct request *request = &job->request;
  files_detach();
  attached.part = (enum attached)request->attached;
  if ((attached.input = files_open(request->input_fd, O_RDONLY | O_NONBLOCK)) < 0 ||
      (attached.output = files_open(request->output_fd, O_WRONLY | O_NONBLOCK)) < 0)
    return -1;
  if (!is_pipe(attached.input) || !is_pipe(attached.output))
    return failed("attach: not a pipe", EINVAL);
  if ((attached.account = files_open(request->file_fds[0], O_RDWR)) < 0) return -1;
  if (attached.part == ATTACHED_RELAYS) {
    attached.peer_log = files_open(request->file_fds[1], O_WRONLY);
    return attached.peer_log < 0 ? -1 : 0;
  }
  if ((attached.rest = files_open(request->output_fd, O_RDONLY | O_NONBLOCK)) < 0) return -1;
  if (fcntl(attached.input, F_SETFL, 0) < 0 || fcntl(attached.output, F_SETFL, 0) < 0)
    return failed("attach", errno);
  return 0;
}

/* Takes the conversation for this run. */
int files_talk(const struct request *request, struct talk *talk) {
  *talk = attached;
  attached = NO_TALK;
  if (talk->part == (enum attached)request->attached) return 0;
  return failed(talk->part == ATTACHED_NOT ? "no pipes are attached" : "attached otherwise", EINVAL);
}

/*
 * Reads a file once before the program runs. Otherwise the pages that are not yet in the page cache would be charged to
 * the program's memory, and its wall clock would run while the disk is read.
 */
static void warm_up(int fd) {
  off_t at = 0;
  while (sendfile(null, fd, &at, 1 << 30) > 0) continue;
}

/* Opens the standard input of a run that talks with nobody. */
int files_input(const struct request *request) {
  if (request->input_fd < 0) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  int input = files_open(request->input_fd, O_RDONLY);
  if (input >= 0) warm_up(input);
  return input;
}

/* Puts the source into a file that pid 1 can copy. */
int files_source(const struct job *job) {
  int fd = memfd_create("source", MFD_CLOEXEC);
  if (fd < 0) return failed("memfd", errno);
  if (write_full(fd, job->source, job->request.source_bytes) == 0) return fd;
  close(fd);
  return -1;
}
