#ifndef RUN_H
#define RUN_H

#include "box.h"
#include "cgroup.h"
#include "protocol.h"
#include "streams.h"

int run_tidy(const struct request *last, struct box *box, struct cgroup_slot *slot);
int run_job(const struct job *job, struct box *box, struct cgroup_slot *slot,
            struct reply *reply, struct kept *kept);

#endif
