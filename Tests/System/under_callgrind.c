// What the server needs under callgrind (check_in_steps.py).
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Each flush is a pause of 20 ms, so that the check-ins that arrive meanwhile share one commit, and a run
// does not depend on the disk.
int fdatasync(int descriptor) {
    (void)descriptor;
    struct timespec pause = {0, 20000000};
    nanosleep(&pause, 0);
    return 0;
}

int fsync(int descriptor) { return fdatasync(descriptor); }

// Valgrind 3.19 writes to the mask, and that of libdispatch is read-only.
int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
