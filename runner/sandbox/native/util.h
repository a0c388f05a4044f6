/* Shared by all files: errors, whole reads and writes, descriptors over a socket. */
#ifndef UTIL_H
#define UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MAX_SENT_FDS 12

extern char error_text[];

int failed(const char *what, int error);
ssize_t read_full(int fd, void *bytes, size_t length);
int write_full(int fd, const void *bytes, size_t length);
int write_at(int dir, const char *path, const char *text);
int64_t now_us(void);
void close_fd(int *fd);
int send_message(int sock, const void *bytes, size_t length, const int *fds, int count);
ssize_t receive_message(int sock, void *bytes, size_t length, int *fds, int *count);

#endif
