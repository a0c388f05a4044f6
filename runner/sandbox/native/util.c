#include "util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"

/* The last error in words, which the runner shows to staff. It holds no bytes from user code. */
char error_text[ERROR_BYTES];

/* Remembers what failed and why; returns -1 so that callers can `return failed(...)`. */
int failed(const char *what, int error) {
  snprintf(error_text, ERROR_BYTES, "%s: %s", what, strerror(error));
  return -1;
}

/* Reads up to `length` bytes or the end of the stream. Returns the number of bytes read, or -1. */
ssize_t read_full(int fd, void *bytes, size_t length) {
  size_t at = 0;
  while (at < length) {
    ssize_t got = read(fd, (char *)bytes + at, length - at);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("read", errno);
    at += (size_t)got;
  }
  return (ssize_t)at;
}

/* Writes all bytes. */
int write_full(int fd, const void *bytes, size_t length) {
  size_t at = 0;
  while (at < length) {
    ssize_t put = write(fd, (const char *)bytes + at, length - at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failed("write", errno);
    at += (size_t)put;
  }
  return 0;
}

/* Writes a short text to an existing kernel file (cgroup or /proc) below `dir` in one write(2). */
int write_at(int dir, const char *path, const char *text) {
  int fd = openat(dir, path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return failed(path, errno);
  size_t length = strlen(text);
  ssize_t put = write(fd, text, length);
  int error = errno;
  close(fd);
  return put == (ssize_t)length ? 0 : failed(path, put < 0 ? error : EIO);
}

/* Monotonic time in microseconds, the same in all our namespaces (clock_gettime(2)). */
int64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Closes a descriptor and sets it to -1, unless it is -1. */
void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* Sends one message with descriptors (unix(7), SCM_RIGHTS). */
int send_message(int sock, const void *bytes, size_t length, const int *fds, int count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * MAX_SENT_FDS)];
  } control;
  struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (count > MAX_SENT_FDS) return failed("sendmsg", E2BIG);
  if (count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    memcpy(CMSG_DATA(header), fds, sizeof(int) * (size_t)count);
  }
  ssize_t sent = sendmsg(sock, &message, MSG_NOSIGNAL);
  return sent == (ssize_t)length ? 0 : failed("sendmsg", sent < 0 ? errno : EMSGSIZE);
}

/* Receives one message and up to MAX_SENT_FDS descriptors. Returns 0 when the other side is gone. */
ssize_t receive_message(int sock, void *bytes, size_t length, int *fds, int *count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * MAX_SENT_FDS)];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  do got = recvmsg(sock, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0) return failed("recvmsg", errno);
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return failed("recvmsg", EMSGSIZE);
  if (count) *count = 0;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    int number = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    if (!count || !fds) return failed("recvmsg: descriptors", EPROTO);
    memcpy(fds, CMSG_DATA(header), sizeof(int) * (size_t)number);
    *count = number;
  }
  return got;
}
