/* Lets one call of the system fail, the n-th after it was armed, in a process that preloads this.
 *
 * FAULT_CALL  open, write, rename, fork, mmap, malloc or read
 * FAULT_AT    which of them fails, from 1; 0: none, they are only counted
 * FAULT_ERRNO what it fails with
 * FAULT_COUNT a file that takes the number of calls at the end
 * FAULT_START set: calls count from the start of the process, else once fault_arm() was called
 *
 * Children are without it: what they preload is taken out of their environment by who starts them,
 * and a child of fork has only the calls before its exec.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

enum call { NONE, OPEN, WRITE, RENAME, FORK, MMAP, MALLOC, READ };
static const char *NAMES[] = {"", "open", "write", "rename", "fork", "mmap", "malloc", "read"};

static enum call watched = NONE;
static long at = 0;
static int number = EIO;
static pid_t owner = 0;
static atomic_long counted = 0;
static atomic_int armed = 0;

void fault_arm(void) {
    const char *call = getenv("FAULT_CALL");
    for (int i = 1; call && i <= READ; i++)
        if (strcmp(call, NAMES[i]) == 0) watched = i;
    if (getenv("FAULT_AT")) at = atol(getenv("FAULT_AT"));
    if (getenv("FAULT_ERRNO")) number = atoi(getenv("FAULT_ERRNO"));
    owner = getpid();
    atomic_store(&counted, 0);
    atomic_store(&armed, 1);
}

__attribute__((constructor)) static void begin(void) {
    if (getenv("FAULT_START")) fault_arm();
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    char text[32];
    if (!path || !owner || getpid() != owner) return;
    atomic_store(&armed, 0);
    int descriptor = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int size = snprintf(text, sizeof text, "%ld\n", atomic_load(&counted));
    if (descriptor >= 0) {
        syscall(SYS_write, descriptor, text, size);
        syscall(SYS_close, descriptor);
    }
}

static int fails(enum call call) {
    if (call != watched || !atomic_load(&armed)) return 0;
    if (atomic_fetch_add(&counted, 1) + 1 != at) return 0;
    errno = number;
    return 1;
}

static int opened(int folder, const char *path, int flags, va_list rest) {
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    if (fails(OPEN)) return -1;
    int found = syscall(SYS_openat, folder, path, flags, mode);
    return found;
}

#define OPENER(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        int found = opened(AT_FDCWD, path, flags, rest); \
        va_end(rest); \
        return found; \
    }
#define OPENER_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        int found = opened(folder, path, flags, rest); \
        va_end(rest); \
        return found; \
    }
OPENER(open)
OPENER(open64)
OPENER_AT(openat)
OPENER_AT(openat64)

ssize_t read(int descriptor, void *data, size_t size) {
    return fails(READ) ? -1 : syscall(SYS_read, descriptor, data, size);
}

ssize_t write(int descriptor, const void *data, size_t size) {
    return fails(WRITE) ? -1 : syscall(SYS_write, descriptor, data, size);
}

int rename(const char *from, const char *to) {
    return fails(RENAME) ? -1 : syscall(SYS_rename, from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return fails(RENAME) ? -1 : syscall(SYS_renameat, from_folder, from, to_folder, to);
}

pid_t fork(void) {
    static pid_t (*next)(void) = NULL;
    if (!next) next = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    return fails(FORK) ? -1 : next();
}

/* A child of vfork shares the stack of its parent, which a function in between would break. */
pid_t vfork(void) { return fork(); }

void *mmap(void *address, size_t size, int rights, int flags, int descriptor, off_t offset) {
    if (fails(MMAP)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, rights, flags, descriptor, offset);
}

void *mmap64(void *address, size_t size, int rights, int flags, int descriptor, off_t offset) {
    return mmap(address, size, rights, flags, descriptor, offset);
}

void *malloc(size_t size) { return fails(MALLOC) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
    return fails(MALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *data, size_t size) {
    return fails(MALLOC) ? NULL : __libc_realloc(data, size);
}
