// SPDX-License-Identifier: MIT
// fail.c: loaded into the program (LD_PRELOAD), makes one call fail: fault.h says which. Linux on x86-64 and 64-bit
// ARM.
//
// Calls for memory and threads are replaced by name. Calls of the system are caught by the kernel (seccomp, SIGSYS), so
// that those made inside the C library count too: stdio's reads, writes and closes have no name that could be replaced.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/torture/fault.h"

// A way is so many callers long.
enum { FRAMES = 14, SEEN_MAX = 1 << 15, BOOT_BYTES = 1 << 16 };

static struct fault *fault;                  // NULL until it is known what to do
static uintptr_t own_base, own_from, own_to; // where the program lies, and its code
static __thread bool inside;                 // in here: what is called meanwhile does not count
static __thread bool interrupted;            // the call was failed once and now may pass

static uint64_t seen[FAULT_KINDS][SEEN_MAX];
static atomic_flag seen_busy = ATOMIC_FLAG_INIT;

// Writes down that call `n` of a kind came by a way of its own: from a `site` of ours, or by other callers.
static void note(enum fault_kind kind, long n, uintptr_t site)
{
    void *at[FRAMES];
    uint64_t way = 1469598103934665603u ^ site; // FNV-1a
    int frames = site ? 0 : backtrace(at, FRAMES);
    for (int i = 0; i < frames; i++)
        way = (way ^ (uintptr_t)at[i]) * 1099511628211u;
    while (atomic_flag_test_and_set(&seen_busy))
        ;
    size_t slot = way % SEEN_MAX;
    int tries = 0;
    while (seen[kind][slot] && seen[kind][slot] != way && tries++ < SEEN_MAX)
        slot = (slot + 1) % SEEN_MAX;
    if (!seen[kind][slot]) {
        seen[kind][slot] = way;
        int k = fault->firsts[kind];
        if (k < FIRSTS_MAX) {
            fault->first[kind][k] = n;
            if (site)
                fault->site[k] = (long)site;
            fault->firsts[kind] = k + 1;
        }
    }
    atomic_flag_clear(&seen_busy);
}

static void write_where(const char *what)
{
    void *at[FRAMES];
    int frames = backtrace(at, FRAMES), used = snprintf(fault->where, WHERE_MAX, "%s", what);
    for (int i = 2; i < frames && used < WHERE_MAX - 100; i++) {
        Dl_info in;
        if (!dladdr(at[i], &in) || !in.dli_fname)
            continue;
        const char *module = strrchr(in.dli_fname, '/');
        used += snprintf(fault->where + used, (size_t)(WHERE_MAX - used), " %s+0x%tx",
                         module ? module + 1 : in.dli_fname, (char *)at[i] - (char *)in.dli_fbase);
        if (in.dli_sname && used < WHERE_MAX - 100)
            used += snprintf(fault->where + used, (size_t)(WHERE_MAX - used), "(%.60s)", in.dli_sname);
    }
}

// Counts a call and says whether it is to fail.
static bool strikes(enum fault_kind kind, const char *what, uintptr_t site)
{
    if (!fault || inside || (fault->kind != FAULT_KINDS && fault->kind != (int)kind))
        return false;
    long n = atomic_fetch_add(&fault->count[kind], 1);
    bool hit = fault->kind == (int)kind && (n == fault->n || (fault->onward && n > fault->n));
    if (fault->onward == 2)
        hit = interrupted = hit && !interrupted;
    if (!hit && fault->kind != FAULT_KINDS)
        return false;
    inside = true;
    if (!hit)
        note(kind, n, site);
    else if (atomic_fetch_add(&fault->struck, 1) == 0)
        write_where(what);
    inside = false;
    return hit;
}

// Memory.

static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t);
static void *(*real_memalign)(size_t, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static int (*real_thread)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void find_real(void *pointer, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(pointer, &found, sizeof found);
}

static void find_memory(void)
{
    static bool busy;
    if (real_malloc || busy)
        return;
    busy = true;
    find_real(&real_calloc, "calloc");
    find_real(&real_realloc, "realloc");
    find_real(&real_memalign, "memalign");
    find_real(&real_posix_memalign, "posix_memalign");
    find_real(&real_thread, "pthread_create");
    find_real(&real_malloc, "malloc");
    busy = false;
}

static bool memory_strikes(const void *caller)
{
    find_memory();
    uintptr_t site = (uintptr_t)caller >= own_from && (uintptr_t)caller < own_to ? (uintptr_t)caller - own_base : 0;
    if (!strikes(CALL_MEMORY, "memory", 0) && !(site && strikes(CALL_OWN_MEMORY, "memory", site)))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return memory_strikes(__builtin_return_address(0)) ? NULL : real_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    static char boot[BOOT_BYTES]; // dlsym may want memory before it has found any
    static size_t used;
    find_memory();
    if (!real_calloc) {
        void *out = boot + used;
        used += (n * size + 15) / 16 * 16;
        return used <= sizeof boot ? out : NULL;
    }
    return memory_strikes(__builtin_return_address(0)) ? NULL : real_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return memory_strikes(__builtin_return_address(0)) ? NULL : real_realloc(old, size);
}

void *memalign(size_t side, size_t size);
void *memalign(size_t side, size_t size)
{
    return memory_strikes(__builtin_return_address(0)) ? NULL : real_memalign(side, size);
}

void *aligned_alloc(size_t side, size_t size)
{
    return memory_strikes(__builtin_return_address(0)) ? NULL : real_memalign(side, size);
}

int posix_memalign(void **out, size_t side, size_t size)
{
    return memory_strikes(__builtin_return_address(0)) ? ENOMEM : real_posix_memalign(out, side, size);
}

int pthread_create(pthread_t *out, const pthread_attr_t *how, void *(*run)(void *), void *with)
{
    find_memory();
    return strikes(CALL_THREAD, "thread", 0) ? EAGAIN : real_thread(out, how, run, with);
}

// Calls of the system.

// The only place from which the caught calls pass: the address behind its instruction is known to the filter.
long torture_call(long a, long b, long c, long d, long e, long f, long number);
extern const char torture_called[];
#if defined(__x86_64__)
enum { ARCH = AUDIT_ARCH_X86_64 };
__asm__(".text\n.global torture_call\n.hidden torture_call\n.global torture_called\n.hidden torture_called\n"
        ".type torture_call,@function\ntorture_call:\n"
        "mov %rcx,%r10\nmov 8(%rsp),%rax\nsyscall\ntorture_called:\nret\n");
#elif defined(__aarch64__)
enum { ARCH = AUDIT_ARCH_AARCH64 };
__asm__(".text\n.global torture_call\n.hidden torture_call\n.global torture_called\n.hidden torture_called\n"
        ".type torture_call,%function\ntorture_call:\n"
        "mov x8,x6\nsvc #0\ntorture_called:\nret\n");
#else
#error "the registers of a system call are known for x86-64 and 64-bit ARM"
#endif

// The kinds of each call, as bits.
static const struct {
    int number;
    unsigned kinds;
    const char *name;
    int path; // which argument is the name of a file; -1: the first one is an open file
} calls[] = {
#define KIND(kind) (1u << CALL_##kind)
#ifdef __NR_open
    { __NR_open, KIND(OPEN), "open", 0 },
    { __NR_creat, KIND(OPEN) | KIND(CHANGE), "creat", 0 },
    { __NR_rename, KIND(RENAME) | KIND(CHANGE), "rename", 0 },
    { __NR_link, KIND(RENAME) | KIND(CHANGE), "link", 0 },
    { __NR_unlink, KIND(UNLINK) | KIND(CHANGE), "unlink", 0 },
    { __NR_rmdir, KIND(UNLINK) | KIND(CHANGE), "rmdir", 0 },
    { __NR_mkdir, KIND(MKDIR) | KIND(CHANGE), "mkdir", 0 },
#endif
#ifdef __NR_renameat
    { __NR_renameat, KIND(RENAME) | KIND(CHANGE), "renameat", 1 },
#endif
    { __NR_openat, KIND(OPEN), "openat", 1 },
    { __NR_renameat2, KIND(RENAME) | KIND(CHANGE), "renameat2", 1 },
    { __NR_linkat, KIND(RENAME) | KIND(CHANGE), "linkat", 1 },
    { __NR_unlinkat, KIND(UNLINK) | KIND(CHANGE), "unlinkat", 1 },
    { __NR_mkdirat, KIND(MKDIR) | KIND(CHANGE), "mkdirat", 1 },
    { __NR_read, KIND(READ) | KIND(TRANSFER), "read", -1 },
    { __NR_pread64, KIND(READ) | KIND(TRANSFER), "pread", -1 },
    { __NR_readv, KIND(READ) | KIND(TRANSFER), "readv", -1 },
    { __NR_write, KIND(WRITE) | KIND(TRANSFER) | KIND(CHANGE), "write", -1 },
    { __NR_pwrite64, KIND(WRITE) | KIND(TRANSFER) | KIND(CHANGE), "pwrite", -1 },
    { __NR_writev, KIND(WRITE) | KIND(TRANSFER) | KIND(CHANGE), "writev", -1 },
    { __NR_ftruncate, KIND(WRITE) | KIND(CHANGE), "ftruncate", -1 },
    { __NR_fsync, KIND(SYNC) | KIND(CHANGE), "fsync", -1 },
    { __NR_fdatasync, KIND(SYNC) | KIND(CHANGE), "fdatasync", -1 },
    { __NR_close, KIND(CLOSE), "close", -1 },
#undef KIND
};
enum { CALLS = sizeof calls / sizeof *calls };

static void name_call(char out[WHERE_MAX / 2], int which, const long a[6])
{
    char file[256] = "", link[64];
    const char *path = file;
    if (calls[which].path >= 0) {
        path = (const char *)(uintptr_t)a[calls[which].path];
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%ld", a[0]);
        long n = torture_call(AT_FDCWD, (long)(uintptr_t)link, (long)(uintptr_t)file, sizeof file - 1, 0, 0,
                              __NR_readlinkat);
        file[n > 0 ? n : 0] = '\0';
    }
    snprintf(out, WHERE_MAX / 2, "%s %.300s", calls[which].name, path);
}

static void caught(int number, siginfo_t *info, void *context)
{
    (void)number;
    ucontext_t *u = context;
    char name[WHERE_MAX / 2];
    int which = 0;
    while (which < CALLS - 1 && calls[which].number != info->si_syscall)
        which++;
#if defined(__x86_64__)
    greg_t *r = u->uc_mcontext.gregs;
    const long a[6] = { r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9] };
    long long *result = &r[REG_RAX];
#else
    unsigned long long *r = u->uc_mcontext.regs;
    const long a[6] = { (long)r[0], (long)r[1], (long)r[2], (long)r[3], (long)r[4], (long)r[5] };
    unsigned long long *result = &r[0];
#endif
    unsigned kinds = calls[which].kinds;
    long done = 0;
    bool hit = false;
    name_call(name, which, a);
    // Without the first what failed could not be said; the second wakes a thread, which the system never refuses.
    bool spared = (kinds & 1u << CALL_WRITE && a[0] == STDERR_FILENO) || strstr(name, "anon_inode:[eventfd]");
    for (int k = 0; k < FAULT_KINDS && !spared; k++)
        if (kinds & 1u << k)
            hit |= strikes((enum fault_kind)k, name, 0);
    if (hit && fault->error == 0)
        torture_call(getpid(), SIGKILL, 0, 0, 0, 0, __NR_kill);
    if (!hit || kinds & 1u << CALL_CLOSE)
        done = torture_call(a[0], a[1], a[2], a[3], a[4], a[5], info->si_syscall);
    if (hit)
        done = -fault->error;
    memcpy(result, &done, sizeof done);
}

static bool catch_calls(void)
{
    enum { HEAD = 10 };
    struct sock_filter f[HEAD + 2 * CALLS + 1];
    uint64_t behind = (uintptr_t)torture_called;
    unsigned short n = 0;
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ARCH, 1, 0);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer));
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)behind, 0, 3);
    f[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4);
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(behind >> 32), 0, 1);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++)
        if (fault->kind == FAULT_KINDS || calls[i].kinds & 1u << fault->kind) {
            f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, 0, 1);
            f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
        }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { n, f };
    struct sigaction action = { .sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_NODEFER };
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int find_own(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            own_base = info->dlpi_addr;
            own_from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            own_to = own_from + info->dlpi_phdr[i].p_memsz;
        }
    return 1; // the program is the first
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv(FAULT_FILE);
    void *at[FRAMES];
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    struct fault *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared == MAP_FAILED)
        return;
    find_memory();
    backtrace(at, FRAMES); // the first time it loads a library
    dl_iterate_phdr(find_own, NULL);
    fault = shared;
    if (fault->kind > CALL_THREAD && !catch_calls()) {
        fprintf(stderr, "torture: the kernel does not let calls be caught here: %s\n", strerror(errno));
        _exit(125);
    }
}
