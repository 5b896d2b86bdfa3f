/*
 * record.so: writes down what a process does to the files under one folder, in order, with the data.
 *
 * Preloaded into the process (LD_PRELOAD). Environment:
 *   POSTROAD_RECORD_DIR  the folder, absolute
 *   POSTROAD_RECORD_LOG  the log, outside the folder
 *   POSTROAD_RECORD_ACK  a file outside the folder; each write to it becomes a mark in the log. A mark that begins
 *                        with '!' arms a fault instead: "!sync" fails the next sync with EIO, "!meta" the next
 *                        write through a synced descriptor with EIO, "!write" the next write with ENOSPC.
 *
 * A record is 24 bytes, little-endian, and `length` bytes of payload:
 *   0 type (4)   4 file (4)   8 offset (8)   16 length (4)   20 extra (4)
 * Files are numbered by inode. The order of the records is the order of the effects: a call and its record happen
 * under one lock, apart from syncs, which are written down as a begin and an end, because only what was written
 * before the begin is promised at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC_BEGIN, SYNC_END, RENAME, UNLINK, MKDIR, ACK, MAPPED, BYPASSED, FAULT };
enum { CREATED = 1, EMPTIED = 2, FOLDER = 4 };
enum { SYNCED = 1 };

#define FDS 65536
#define FILES 4096
#define ACK_FILE UINT32_MAX

struct slot {
  uint32_t file; /* 0: not ours */
  int synced;
  int append;
};

static struct slot slots[FDS];
static struct {
  dev_t device;
  ino_t inode;
} files[FILES];
static uint32_t file_count;
static uint32_t record_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static char dir[PATH_MAX];
static size_t dir_length;
static const char *ack_path;
static int fail_sync, fail_meta, fail_write;

static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_remove)(const char *);
static int (*real_rmdir)(const char *);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_dup2)(int, int);

__attribute__((constructor)) static void start(void) {
  if (real_openat) return;
  real_close = dlsym(RTLD_NEXT, "close");
  real_write = dlsym(RTLD_NEXT, "write");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_remove = dlsym(RTLD_NEXT, "remove");
  real_rmdir = dlsym(RTLD_NEXT, "rmdir");
  real_mkdir = dlsym(RTLD_NEXT, "mkdir");
  real_dup2 = dlsym(RTLD_NEXT, "dup2");
  real_openat = dlsym(RTLD_NEXT, "openat64");
  const char *folder = getenv("POSTROAD_RECORD_DIR");
  const char *log = getenv("POSTROAD_RECORD_LOG");
  ack_path = getenv("POSTROAD_RECORD_ACK");
  if (!folder || !log) return;
  snprintf(dir, sizeof dir, "%s", folder);
  dir_length = strlen(dir);
  log_fd = real_openat(AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void die(const char *why) {
  fprintf(stderr, "record.so: %s\n", why);
  _exit(97);
}

static void put(const void *data, size_t length) {
  const char *at = data;
  while (length > 0) {
    ssize_t n = real_write(log_fd, at, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) die("cannot write the log");
    at += n;
    length -= (size_t)n;
  }
}

/* Called with the lock held; returns the record's number. */
static uint32_t record(uint32_t type, uint32_t file, uint64_t offset, uint32_t extra, const struct iovec *parts,
                       int count, size_t length) {
  unsigned char head[24];
  uint32_t length32 = (uint32_t)length;
  memcpy(head, &type, 4);
  memcpy(head + 4, &file, 4);
  memcpy(head + 8, &offset, 8);
  memcpy(head + 16, &length32, 4);
  memcpy(head + 20, &extra, 4);
  put(head, sizeof head);
  for (int i = 0; i < count && length > 0; i++) {
    size_t n = parts[i].iov_len < length ? parts[i].iov_len : length;
    put(parts[i].iov_base, n);
    length -= n;
  }
  return record_count++;
}

static uint32_t record_one(uint32_t type, uint32_t file, uint64_t offset, uint32_t extra, const void *data,
                           size_t length) {
  struct iovec part = {(void *)data, length};
  return record(type, file, offset, extra, &part, 1, length);
}

/* The path below the folder ("." for the folder itself), or NULL when it lies elsewhere. */
static const char *inside(int at, const char *path, char *buffer) {
  if (log_fd < 0 || !path) return NULL;
  if (path[0] == '/') {
    snprintf(buffer, PATH_MAX, "%s", path);
  } else if (at == AT_FDCWD) {
    if (!getcwd(buffer, PATH_MAX)) return NULL;
    size_t n = strlen(buffer);
    snprintf(buffer + n, PATH_MAX - n, "/%s", path);
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t n = readlink(link, buffer, PATH_MAX - 1);
    if (n < 0) return NULL;
    snprintf(buffer + n, (size_t)(PATH_MAX - n), "/%s", path);
  }
  if (strncmp(buffer, dir, dir_length) != 0) return NULL;
  if (buffer[dir_length] == 0) return ".";
  return buffer[dir_length] == '/' ? buffer + dir_length + 1 : NULL;
}

static struct slot *slot_of(int fd) {
  if (fd < 0 || fd >= FDS || slots[fd].file == 0 || log_fd < 0) return NULL;
  return &slots[fd];
}

static uint32_t number(const struct stat *st, int created) {
  for (uint32_t i = file_count; i > 0 && !created; i--) {
    if (files[i - 1].device == st->st_dev && files[i - 1].inode == st->st_ino) return i;
  }
  if (file_count == FILES) die("too many files");
  files[file_count].device = st->st_dev;
  files[file_count].inode = st->st_ino;
  return ++file_count;
}

static int do_open(int at, const char *path, int flags, mode_t mode) {
  start();
  char buffer[PATH_MAX];
  const char *name = inside(at, path, buffer);
  if (!name) {
    int fd = real_openat(at, path, flags, mode);
    if (fd >= 0 && fd < FDS && log_fd >= 0) {
      memset(&slots[fd], 0, sizeof slots[fd]);
      if (ack_path && path && strcmp(path, ack_path) == 0) slots[fd].file = ACK_FILE;
    }
    return fd;
  }
  pthread_mutex_lock(&lock);
  struct stat before, after;
  int existed = fstatat(at, path, &before, 0) == 0;
  int fd = real_openat(at, path, flags, mode);
  int saved = errno;
  if (fd >= FDS) die("descriptor too large");
  if (fd >= 0 && fstat(fd, &after) == 0) {
    uint32_t file = number(&after, !existed);
    uint32_t extra = (existed ? 0 : CREATED) | (flags & O_TRUNC ? EMPTIED : 0) |
                     (S_ISDIR(after.st_mode) ? FOLDER : 0);
    slots[fd].file = file;
    slots[fd].synced = (flags & O_DSYNC) != 0;
    slots[fd].append = (flags & O_APPEND) != 0;
    record_one(OPEN, file, 0, extra, name, strlen(name));
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return fd;
}

#define OPEN_MODE(flags)                         \
  mode_t mode = 0;                               \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {       \
    va_list list;                                \
    va_start(list, flags);                       \
    mode = (mode_t)va_arg(list, int);            \
    va_end(list);                                \
  }

int open(const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return do_open(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return do_open(at, path, flags, mode);
}

int close(int fd) {
  start();
  if (fd >= 0 && fd < FDS) slots[fd].file = 0;
  return real_close(fd);
}

int dup2(int from, int to) {
  start();
  int fd = real_dup2(from, to);
  if (fd >= 0 && fd < FDS && from >= 0 && from < FDS) slots[fd] = slots[from];
  return fd;
}

static ssize_t mark(int fd, const struct iovec *parts, int count) {
  pthread_mutex_lock(&lock);
  ssize_t n = real_writev(fd, parts, count);
  if (n > 0) {
    const char *text = parts[0].iov_base;
    if (text[0] == '!') {
      fail_sync |= n >= 5 && memcmp(text, "!sync", 5) == 0;
      fail_meta |= n >= 5 && memcmp(text, "!meta", 5) == 0;
      fail_write |= n >= 6 && memcmp(text, "!write", 6) == 0;
    } else {
      record(ACK, 0, 0, 0, parts, count, (size_t)n);
    }
  }
  pthread_mutex_unlock(&lock);
  return n;
}

static int armed(int *fault) {
  int was = *fault;
  *fault = 0;
  return was;
}

/* offset < 0: at the descriptor's own position. */
static ssize_t do_write(int fd, const struct iovec *parts, int count, off64_t offset) {
  struct slot *slot = slot_of(fd);
  if (slot && slot->file == ACK_FILE) return mark(fd, parts, count);
  if (!slot) {
    return offset < 0 ? real_writev(fd, parts, count) : real_pwritev(fd, parts, count, offset);
  }
  pthread_mutex_lock(&lock);
  int fault = slot->synced && armed(&fail_meta) ? EIO : armed(&fail_write) ? ENOSPC : 0;
  if (fault) {
    record(FAULT, slot->file, 0, 0, parts, 0, 0);
    pthread_mutex_unlock(&lock);
    errno = fault;
    return -1;
  }
  off64_t at = offset;
  if (offset < 0) {
    struct stat st;
    at = slot->append && fstat(fd, &st) == 0 ? st.st_size : lseek(fd, 0, SEEK_CUR);
  }
  ssize_t n = offset < 0 ? real_writev(fd, parts, count) : real_pwritev(fd, parts, count, offset);
  int saved = errno;
  if (n > 0) record(WRITE, slot->file, (uint64_t)at, slot->synced ? SYNCED : 0, parts, count, (size_t)n);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return n;
}

ssize_t write(int fd, const void *data, size_t length) {
  start();
  if (!slot_of(fd)) return real_write(fd, data, length);
  struct iovec part = {(void *)data, length};
  return do_write(fd, &part, 1, -1);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  start();
  return do_write(fd, parts, count, -1);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  start();
  struct iovec part = {(void *)data, length};
  return do_write(fd, &part, 1, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  return pwrite(fd, data, length, offset);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  start();
  return do_write(fd, parts, count, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return pwritev(fd, parts, count, offset);
}

int ftruncate(int fd, off_t length) {
  start();
  struct slot *slot = slot_of(fd);
  if (!slot) return real_ftruncate(fd, length);
  pthread_mutex_lock(&lock);
  int result = real_ftruncate(fd, length);
  int saved = errno;
  if (result == 0) record_one(TRUNCATE, slot->file, (uint64_t)length, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

static int do_sync(int fd, int (*sync_call)(int)) {
  struct slot *slot = slot_of(fd);
  if (!slot || slot->file == ACK_FILE) return sync_call(fd);
  uint32_t file = slot->file;
  pthread_mutex_lock(&lock);
  if (armed(&fail_sync)) {
    record_one(FAULT, file, 0, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = EIO;
    return -1;
  }
  uint32_t begin = record_one(SYNC_BEGIN, file, 0, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  int result = sync_call(fd);
  int saved = errno;
  if (result == 0) {
    pthread_mutex_lock(&lock);
    record_one(SYNC_END, file, 0, begin, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  errno = saved;
  return result;
}

int fsync(int fd) {
  start();
  return do_sync(fd, real_fsync);
}

int fdatasync(int fd) {
  start();
  return do_sync(fd, real_fdatasync);
}

int rename(const char *from, const char *to) {
  start();
  char from_buffer[PATH_MAX], to_buffer[PATH_MAX];
  const char *from_name = inside(AT_FDCWD, from, from_buffer), *to_name = inside(AT_FDCWD, to, to_buffer);
  if (!from_name && !to_name) return real_rename(from, to);
  pthread_mutex_lock(&lock);
  int result = real_rename(from, to);
  int saved = errno;
  if (result == 0) {
    char both[2 * PATH_MAX];
    size_t n = from_name ? strlen(from_name) : 0, m = to_name ? strlen(to_name) : 0;
    memcpy(both, from_name ? from_name : "", n);
    both[n] = 0;
    memcpy(both + n + 1, to_name ? to_name : "", m);
    record_one(from_name && to_name ? RENAME : BYPASSED, 0, 0, 0, both, n + 1 + m);
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

static int do_remove(const char *path, int (*call)(const char *)) {
  char buffer[PATH_MAX];
  const char *name = inside(AT_FDCWD, path, buffer);
  if (!name) return call(path);
  pthread_mutex_lock(&lock);
  int result = call(path);
  int saved = errno;
  if (result == 0) record_one(UNLINK, 0, 0, 0, name, strlen(name));
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

int unlink(const char *path) {
  start();
  return do_remove(path, real_unlink);
}

int remove(const char *path) {
  start();
  return do_remove(path, real_remove);
}

int rmdir(const char *path) {
  start();
  return do_remove(path, real_rmdir);
}

int mkdir(const char *path, mode_t mode) {
  start();
  char buffer[PATH_MAX];
  const char *name = inside(AT_FDCWD, path, buffer);
  if (!name) return real_mkdir(path, mode);
  pthread_mutex_lock(&lock);
  int result = real_mkdir(path, mode);
  int saved = errno;
  if (result == 0) record_one(MKDIR, 0, 0, 0, name, strlen(name));
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

/* What goes past the calls above is written down too, so that a replay can refuse to judge it. */
static void bypassed(int fd, uint32_t type) {
  struct slot *slot = slot_of(fd);
  if (!slot || slot->file == ACK_FILE) return;
  pthread_mutex_lock(&lock);
  record_one(type, slot->file, 0, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  if ((flags & MAP_SHARED) && (protection & PROT_WRITE)) bypassed(fd, MAPPED);
  return (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
  return mmap(at, length, protection, flags, fd, offset);
}

ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t length, unsigned flags) {
  bypassed(out, BYPASSED);
  return syscall(SYS_copy_file_range, in, in_at, out, out_at, length, flags);
}

ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
  bypassed(out, BYPASSED);
  return syscall(SYS_sendfile, out, in, offset, count);
}

ssize_t sendfile64(int out, int in, off64_t *offset, size_t count) { return sendfile(out, in, offset, count); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
  bypassed(fd, BYPASSED);
  return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
