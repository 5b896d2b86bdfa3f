/* Makes syncs and synced writes fail while a trigger file exists: preloaded into a process by LmdbStoreFaultTest.
 *
 * FAIL_TRIGGER names the file; FAIL_WHAT is "sync" (fdatasync and fsync fail) or "meta" (writes through a descriptor
 * opened with O_DSYNC fail, which is how LMDB writes its meta page); FAIL_ERROR is the number of the error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int failing(const char *what) {
    const char *trigger = getenv("FAIL_TRIGGER");
    const char *chosen = getenv("FAIL_WHAT");
    return trigger && chosen && strcmp(chosen, what) == 0 && access(trigger, F_OK) == 0;
}

static int chosen_error(void) {
    const char *number = getenv("FAIL_ERROR");
    return number ? atoi(number) : EIO;
}

static int is_synced(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_DSYNC) != 0;
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    if (failing("sync")) { errno = chosen_error(); return -1; }
    return real(fd);
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (failing("sync")) { errno = chosen_error(); return -1; }
    return real(fd);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    if (failing("meta") && is_synced(fd)) { errno = chosen_error(); return -1; }
    return real(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    if (failing("meta") && is_synced(fd)) { errno = chosen_error(); return -1; }
    return real(fd, data, size, at);
}
