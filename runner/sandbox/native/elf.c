/*
 * Finds the part of a program's file that lies in memory in any case. The compiler made the file from a stranger's source, so a
 * header counts only as far as the file reaches (elf(5)).
 */
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "box.h"

/* The kernel accepts no more bytes of program headers (fs/binfmt_elf.c, load_elf_phdrs). */
#define MAX_HEADER_BYTES 65536

/* Whether the file is for this machine. Both supported architectures are little-endian with 64 bits. */
static int is_known(const Elf64_Ehdr *head) {
  return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 &&
         head->e_ident[EI_DATA] == ELFDATA2LSB && head->e_phentsize == sizeof(Elf64_Phdr) &&
         (size_t)head->e_phnum * sizeof(Elf64_Phdr) <= MAX_HEADER_BYTES;
}

/*
 * Bytes of the file in segments that the program may write. The cgroup charges the program for its copy of each page that it writes.
 * No byte counts twice, and bytes that are also in an earlier read-only segment do not count. 0 for a file that is no ELF program:
 * a script is only read.
 */
uint64_t elf_writable_bytes(int fd, uint64_t file_bytes) {
  Elf64_Ehdr head;
  Elf64_Phdr segment;
  uint64_t writable = 0, seen = 0;
  if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || !is_known(&head)) return 0;
  if (head.e_phoff > file_bytes) return 0;
  for (uint64_t i = 0; i < head.e_phnum; i++) {
    off_t at = (off_t)(head.e_phoff + i * sizeof segment);
    if (pread(fd, &segment, sizeof segment, at) != (ssize_t)sizeof segment) return 0;
    if (segment.p_type != PT_LOAD || segment.p_offset >= file_bytes) continue;
    uint64_t left = file_bytes - segment.p_offset;
    uint64_t begin = segment.p_offset > seen ? segment.p_offset : seen;
    uint64_t end = segment.p_offset + (segment.p_filesz < left ? segment.p_filesz : left);
    if (end <= begin) continue;
    if (segment.p_flags & PF_W) writable += end - begin;
    seen = end;
  }
  return writable;
}
