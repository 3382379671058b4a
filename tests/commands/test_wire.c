/* The wire between the processes of the program, where calls of the system are broken off, and
 * where what comes is not what was agreed on. The linker sends the calls through this test. */
#include "wire.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The next calls of each that fail, with this. */
static struct failing {
    int num;
    int error;
} polls, sends, receives, messages;

static bool fails(struct failing *which)
{
    if (which->num == 0) {
        return false;
    }
    which->num--;
    errno = which->error;
    return true;
}

int __real_poll(struct pollfd *fds, nfds_t num, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t num, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t num, int timeout)
{
    return fails(&polls) ? -1 : __real_poll(fds, num, timeout);
}

ssize_t __real_send(int socket, const void *bytes, size_t len, int flags);
ssize_t __wrap_send(int socket, const void *bytes, size_t len, int flags);
ssize_t __wrap_send(int socket, const void *bytes, size_t len, int flags)
{
    return fails(&sends) ? -1 : __real_send(socket, bytes, len, flags);
}

ssize_t __real_recv(int socket, void *bytes, size_t len, int flags);
ssize_t __wrap_recv(int socket, void *bytes, size_t len, int flags);
ssize_t __wrap_recv(int socket, void *bytes, size_t len, int flags)
{
    return fails(&receives) ? -1 : __real_recv(socket, bytes, len, flags);
}

ssize_t __real_sendmsg(int socket, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int socket, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int socket, const struct msghdr *message, int flags)
{
    return fails(&messages) ? -1 : __real_sendmsg(socket, message, flags);
}

static int told_level; /* of what comes beside a message; 0: as it comes */
static int told_type;
static bool is_short;

ssize_t __real_recvmsg(int socket, struct msghdr *message, int flags);
ssize_t __wrap_recvmsg(int socket, struct msghdr *message, int flags);
ssize_t __wrap_recvmsg(int socket, struct msghdr *message, int flags)
{
    if (fails(&messages)) {
        return -1;
    }
    const ssize_t num = __real_recvmsg(socket, message, flags);
    struct cmsghdr *head = CMSG_FIRSTHDR(message);
    if (head != NULL) {
        head->cmsg_level = told_level != 0 ? told_level : head->cmsg_level;
        head->cmsg_type = told_type != 0 ? told_type : head->cmsg_type;
        head->cmsg_len -= is_short ? 1 : 0;
    }
    return num;
}

static const fh_wire_wait for_ever = {.until_ms = INT64_MAX};

static bool says_yes(void *unused)
{
    (void)unused;
    return true;
}

static const fh_stop at_once = {says_yes, NULL};

static int pair[2];

static void connect_both(void)
{
    cr_assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
}

static void close_both(void)
{
    (void)close(pair[0]);
    (void)close(pair[1]);
}

TestSuite(wire, .init = connect_both, .fini = close_both);

/* Puts a message and gets it; what went wrong first. */
static fh_wire_status pass(void)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    const fh_wire_status put = fh_wire_put(pair[0], "hello", 5, &for_ever);
    if (put != FH_WIRE_OK) {
        return put;
    }
    const fh_wire_status got = fh_wire_get(pair[1], &bytes, &len, 16, &for_ever);
    cr_expect(got != FH_WIRE_OK || (len == 5 && memcmp(bytes, "hello", 5) == 0));
    cr_expect(eq(int, got == FH_WIRE_OK, bytes != NULL));
    free(bytes);
    return got;
}

typedef struct trouble {
    struct failing *which;
    int error;
    fh_wire_status status;
} trouble;

static const trouble troubles[] = {
    {&sends, EINTR, FH_WIRE_OK},        {&sends, EAGAIN, FH_WIRE_OK},
    {&sends, ECONNRESET, FH_WIRE_GONE}, {&polls, EINTR, FH_WIRE_OK},
    {&polls, ENOMEM, FH_WIRE_GONE},     {&receives, EINTR, FH_WIRE_OK},
    {&receives, EAGAIN, FH_WIRE_OK},    {&receives, ECONNRESET, FH_WIRE_GONE},
};

Test(wire, goes_on_where_a_call_was_broken_off)
{
    for (size_t i = 0; i < sizeof troubles / sizeof troubles[0]; i++) {
        *troubles[i].which = (struct failing){1, troubles[i].error};
        cr_expect(eq(int, (int)pass(), (int)troubles[i].status), "%zu", i);
        cr_expect(eq(int, troubles[i].which->num, 0), "%zu", i);
        close_both();
        connect_both();
    }
}

Test(wire, waits_as_long_as_it_is_told)
{
    uint8_t byte = 0;
    const fh_wire_wait stopped = {.until_ms = INT64_MAX, .stop = &at_once};
    const fh_wire_wait over = {.until_ms = fh_wire_now() - 1};
    const fh_wire_wait soon = {.until_ms = fh_wire_now() + 20};
    cr_expect(fh_wire_receive(pair[0], &byte, 1, &stopped) == FH_WIRE_STOPPED);
    cr_expect(fh_wire_receive(pair[0], &byte, 1, &over) == FH_WIRE_LATE);
    cr_expect(fh_wire_receive(pair[0], &byte, 1, &soon) == FH_WIRE_LATE);
    cr_assert(close(pair[1]) == 0);
    cr_expect(fh_wire_receive(pair[0], &byte, 1, &for_ever) == FH_WIRE_GONE);
    cr_expect(fh_wire_send(pair[0], &byte, 1, &for_ever) == FH_WIRE_GONE);
    cr_expect(fh_wire_put(pair[0], &byte, 1, &for_ever) == FH_WIRE_GONE);
    pair[1] = -1;
}

Test(wire, takes_no_more_than_it_wants)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    const uint64_t heads[] = {16, 17, UINT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        cr_assert(fh_wire_send(pair[0], &heads[i], sizeof heads[i], &for_ever) == FH_WIRE_OK);
    }
    cr_assert(shutdown(pair[0], SHUT_WR) == 0);
    cr_expect(fh_wire_get(pair[1], &bytes, &len, 16, &for_ever) == FH_WIRE_OK);
    free(bytes);
    cr_expect(fh_wire_get(pair[1], &bytes, &len, 16, &for_ever) == FH_WIRE_GONE);
    cr_expect(eq(ptr, bytes, NULL));
}

Test(wire, breaks_off_within_a_message)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    const uint64_t head = 9;
    cr_assert(fh_wire_send(pair[0], &head, sizeof head, &for_ever) == FH_WIRE_OK);
    cr_assert(shutdown(pair[0], SHUT_WR) == 0);
    cr_expect(fh_wire_get(pair[1], &bytes, &len, 16, &for_ever) == FH_WIRE_GONE);
    cr_expect(eq(ptr, bytes, NULL));
}

/* ---- descriptors ---- */

static int passed(bool *is_ok, int open)
{
    int64_t number = 0;
    int got = -1;
    *is_ok = fh_wire_put_open(pair[0], 42, open) && fh_wire_get_open(pair[1], &number, &got);
    cr_expect(number == 42 || *is_ok == false);
    return got;
}

Test(wire, passes_descriptors)
{
    bool is_ok = false;
    const int got = passed(&is_ok, STDERR_FILENO);
    cr_expect(is_ok && got > STDERR_FILENO);
    (void)close(got);
    cr_expect(eq(int, passed(&is_ok, -1), -1));
    cr_expect(is_ok);
    messages = (struct failing){1, EINTR};
    cr_expect(eq(int, passed(&is_ok, -1), -1));
    cr_expect(is_ok);
    messages = (struct failing){1, EPIPE};
    cr_expect(eq(int, passed(&is_ok, -1), -1));
    cr_expect(not(is_ok));
}

Test(wire, is_interrupted_while_it_gets_one)
{
    int64_t number = 0;
    int open = 0;
    cr_assert(fh_wire_put_open(pair[0], 42, -1));
    messages = (struct failing){1, EINTR};
    cr_expect(fh_wire_get_open(pair[1], &number, &open));
    cr_expect(eq(i64, number, 42));
    messages = (struct failing){1, ECONNRESET};
    cr_expect(not(fh_wire_get_open(pair[1], &number, &open)));
    cr_expect(eq(int, open, -1));
}

/* What comes beside a message and is no descriptor is none. */
Test(wire, takes_nothing_else_for_a_descriptor)
{
    bool is_ok = false;
    told_level = SOL_SOCKET + 1;
    cr_expect(eq(int, passed(&is_ok, STDERR_FILENO), -1));
    told_level = 0;
    told_type = SCM_RIGHTS + 1;
    cr_expect(eq(int, passed(&is_ok, STDERR_FILENO), -1));
    told_type = 0;
    is_short = true;
    cr_expect(eq(int, passed(&is_ok, STDERR_FILENO), -1));
    cr_expect(is_ok);
}
