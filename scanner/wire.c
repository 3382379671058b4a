#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds between two questions whether to stop. */
#define STOP_MS 100

int64_t fh_wire_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the socket is ready. */
static fh_wire_status wait_for(int socket, short events, const fh_wire_wait *wait)
{
    struct pollfd ready = {.fd = socket, .events = events};
    for (;;) {
        const int64_t left = wait->until_ms == INT64_MAX ? STOP_MS : wait->until_ms - fh_wire_now();
        if (left <= 0) {
            return FH_WIRE_LATE;
        }
        const int num = poll(&ready, 1, left < STOP_MS ? (int)left : STOP_MS);
        if (num > 0) {
            return FH_WIRE_OK;
        }
        if (num < 0 && errno != EINTR) {
            return FH_WIRE_GONE;
        }
        if (wait->stop != NULL && fh_stop_now(wait->stop)) {
            return FH_WIRE_STOPPED;
        }
    }
}

fh_wire_status fh_wire_send(int socket, const void *bytes, size_t len, const fh_wire_wait *wait)
{
    const uint8_t *from = bytes;
    while (len > 0) {
        const ssize_t num = send(socket, from, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (num >= 0) {
            from += num;
            len -= (size_t)num;
            continue;
        }
        const fh_wire_status status =
            errno == EAGAIN || errno == EINTR ? wait_for(socket, POLLOUT, wait) : FH_WIRE_GONE;
        if (status != FH_WIRE_OK) {
            return status;
        }
    }
    return FH_WIRE_OK;
}

fh_wire_status fh_wire_receive(int socket, void *bytes, size_t len, const fh_wire_wait *wait)
{
    uint8_t *to = bytes;
    while (len > 0) {
        const fh_wire_status status = wait_for(socket, POLLIN, wait);
        if (status != FH_WIRE_OK) {
            return status;
        }
        const ssize_t num = recv(socket, to, len, MSG_DONTWAIT);
        if (num == 0 || (num < 0 && errno != EAGAIN && errno != EINTR)) {
            return FH_WIRE_GONE;
        }
        to += num > 0 ? num : 0;
        len -= num > 0 ? (size_t)num : 0;
    }
    return FH_WIRE_OK;
}

fh_wire_status fh_wire_put(int socket, const void *bytes, size_t len, const fh_wire_wait *wait)
{
    const uint64_t head = len;
    const fh_wire_status status = fh_wire_send(socket, &head, sizeof head, wait);
    return status != FH_WIRE_OK ? status : fh_wire_send(socket, bytes, len, wait);
}

fh_wire_status fh_wire_get(int socket, uint8_t **bytes, size_t *len, size_t most,
                           const fh_wire_wait *wait)
{
    uint64_t head = 0;
    *bytes = NULL;
    *len = 0;
    fh_wire_status status = fh_wire_receive(socket, &head, sizeof head, wait);
    if (status != FH_WIRE_OK || head > most) {
        return status != FH_WIRE_OK ? status : FH_WIRE_GONE;
    }
    *len = (size_t)head;
    *bytes = malloc(*len > 0 ? *len : 1);
    if (*bytes == NULL) {
        return FH_WIRE_NO_MEMORY;
    }
    status = fh_wire_receive(socket, *bytes, *len, wait);
    if (status != FH_WIRE_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

/* Room for one descriptor beside a message, aligned as the system wants it. */
typedef union beside {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
} beside;

bool fh_wire_put_open(int socket, int64_t number, int open)
{
    beside room = {.bytes = {0}};
    struct iovec data = {.iov_base = &number, .iov_len = sizeof number};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (open >= 0) {
        message.msg_control = room.bytes;
        message.msg_controllen = sizeof room.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof open);
        memcpy(CMSG_DATA(head), &open, sizeof open);
    }
    ssize_t num = 0;
    do {
        num = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (num < 0 && errno == EINTR);
    return num == (ssize_t)sizeof number;
}

bool fh_wire_get_open(int socket, int64_t *number, int *open)
{
    beside room = {.bytes = {0}};
    struct iovec data = {.iov_base = number, .iov_len = sizeof *number};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    ssize_t num = 0;
    *open = -1;
    do {
        num = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (num < 0 && errno == EINTR);
    if (num != (ssize_t)sizeof *number) {
        return false;
    }
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
        head->cmsg_len == CMSG_LEN(sizeof *open)) {
        memcpy(open, CMSG_DATA(head), sizeof *open);
    }
    return true;
}
