/*
 * A fuzzer for machines without libFuzzer. It damages well-formed requests by a reproducible random sequence, so a failure
 * can be repeated. It takes libFuzzer's -runs=, -seed= and -max_total_time= (seconds).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static uint8_t input[4096];
static uint64_t state;

/* xorshift64* (Vigna, 2016): good enough, and the same everywhere. */
static uint32_t chance(uint32_t below) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * 2685821657736338717u) >> 32) % below;
}

/* Adds a valid request of any kind. */
static size_t add_request(size_t at) {
  static const char *const arguments[] = {"/usr/bin/gcc", "-O2", "", "main.c", "/box/main"};
  struct request request;
  size_t tail = at + sizeof request;
  memset(&request, 0, sizeof request);
  request.magic = PROTOCOL_MAGIC;
  request.version = PROTOCOL_VERSION;
  request.kind = 1 + chance(6);
  request.limits = (struct limits){1000000, 2000000, 1 << 26, 1 << 20, 1 << 20, 32, 64};
  request.input_fd = request.kind == ATTACH ? 0 : -1;
  request.output_fd = 1;
  request.artefact_bytes = 1 << 20;
  for (int i = 0; i < MAX_FILES; i++) request.file_fds[i] = -1;
  strcpy(request.source_name, "main.c");
  strcpy(request.artefact_name, "main");
  if (request.kind == COMPILE || request.kind == RUN) {
    request.argc = 1 + chance(6);
    for (uint32_t i = 0; i < request.argc; i++) {
      const char *argument = arguments[i == 0 ? 0 : chance(5)];
      size_t length = strlen(argument) + 1;
      memcpy(input + tail, argument, length);
      tail += length;
    }
    request.argv_bytes = (uint32_t)(tail - at - sizeof request);
    request.source_bytes = request.kind == COMPILE ? chance(300) : 0;
    for (uint32_t i = 0; i < request.source_bytes; i++) input[tail++] = (uint8_t)chance(256);
  }
  memcpy(input + at, &request, sizeof request);
  return tail;
}

/* Returns a number at the edge of a limit or a type. */
static uint64_t edge(void) {
  static const uint64_t edges[] = {0, 1, 7, 63, 64, 65, 4095, 4096, 8191, 8192, 8193, 65535, 65536,
                                   1048575, 1048576, 1048577, INT32_MAX, 1u << 31, UINT32_MAX,
                                   1ull << 32, 1ull << 40, (1ull << 40) + 1, INT64_MAX, UINT64_MAX};
  return edges[chance(sizeof edges / sizeof *edges)];
}

/* Damages the input in one way. Returns its new length. */
static size_t damage(size_t length) {
  size_t at = chance((uint32_t)length);
  uint64_t number = edge();
  switch (chance(6)) {
    case 0: input[at] ^= (uint8_t)(1 << chance(8)); return length;
    case 1: input[at] = (uint8_t)chance(256); return length;
    case 2: /* a field of four or eight bytes */
    case 3:
      at = chance(sizeof(struct request) / 4) * 4;
      memcpy(input + at, &number, chance(2) ? 4 : 8);
      return length;
    case 4: return 1 + chance((uint32_t)length); /* cut short */
    default: /* one part copied over another */
      memmove(input + at, input + chance((uint32_t)length), chance((uint32_t)(length - at) + 1) / 2);
      return length;
  }
}

static long option(int argc, char *argv[], const char *name, long otherwise) {
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, strlen(name)) == 0) return atol(argv[i] + strlen(name));
  return otherwise;
}

int main(int argc, char *argv[]) {
  long runs = option(argc, argv, "-runs=", 1000000), done = 0;
  long seconds = option(argc, argv, "-max_total_time=", 0);
  time_t end = time(NULL) + seconds;
  state = (uint64_t)option(argc, argv, "-seed=", 1) * 0x9e3779b97f4a7c15u | 1;
  for (; done < runs && (seconds == 0 || done % 1000 != 0 || time(NULL) < end); done++) {
    size_t length = 0;
    for (uint32_t n = 1 + chance(3); n > 0; n--) length = add_request(length);
    for (uint32_t n = chance(5); n > 0; n--) length = damage(length);
    LLVMFuzzerTestOneInput(input, length);
  }
  printf("%ld inputs\n", done);
}
