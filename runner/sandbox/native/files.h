#ifndef FILES_H
#define FILES_H

#include <sys/types.h>

#include "protocol.h"
#include "talk.h"

int files_begin(pid_t runner);
int files_open(int number, int flags);
int files_source(const struct job *job);
int files_attach(const struct job *job);
void files_detach(void);
int files_input(const struct request *request);
int files_talk(const struct request *request, struct talk *talk);
void files_end_talk(struct talk *talk);

#endif
