#ifndef RUN_H
#define RUN_H

#include "box.h"
#include "cgroup.h"
#include "protocol.h"

/* Standard error of a run, or the message of a compiler: the first bytes are kept, all counted. */
struct kept {
  uint64_t total;
  uint32_t length;
  unsigned char bytes[MAX_KEPT_BYTES];
};

int run_tidy(struct cgroup_slot *slot);
int run_job(const struct job *job, struct box *box, struct cgroup_slot *slot, pid_t runner,
            struct reply *reply, struct kept *kept);

#endif
