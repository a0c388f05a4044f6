#ifndef RUN_H
#define RUN_H

#include "box.h"
#include "cgroup.h"
#include "protocol.h"
#include "streams.h"

int run_tidy(struct cgroup_slot *slot);
int run_job(const struct job *job, struct box *box, struct cgroup_slot *slot, pid_t runner,
            struct reply *reply, struct kept *kept);

#endif
