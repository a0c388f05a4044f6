#ifndef SECCOMP_H
#define SECCOMP_H

void seccomp_prepare(void);
int seccomp_install(void);

#endif
