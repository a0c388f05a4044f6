#ifndef SECCOMP_H
#define SECCOMP_H

int seccomp_prepare(void);
int seccomp_install(void);

#endif
