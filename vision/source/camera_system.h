// SPDX-License-Identifier: MIT
// camera_system.h: what is asked of the operating system for a camera, as functions: a test can answer in its place.
//
// Calls answer as those of the system do: negative and errno when they fail. None gives EINTR: a call that a signal
// broke off is made again, but for poll, which then says that nothing came.
#ifndef RINGSIDE_VISION_SOURCE_CAMERA_SYSTEM_H
#define RINGSIDE_VISION_SOURCE_CAMERA_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

enum camera_paths { CAMERA_PATH_MAX = 256 }; // with its end; longer ones are no camera's

struct camera_system {
    void *self; // goes into every call
    // Numbers of the nodes /dev/videoN that there are, in ascending order; how many, at most `most`.
    int (*nodes)(void *self, int *out, int most);
    int (*open)(void *self, const char *path); // without waiting; ENOTTY: it is no device
    int (*convert)(void *self, int fd);        // libv4l's formats are offered from here on
    int (*ioctl)(void *self, int fd, unsigned long request, void *argument); // libv4l's
    void *(*map)(void *self, int fd, size_t length, int64_t offset);         // NULL when it fails
    void (*unmap)(void *self, void *at, size_t length);
    int (*poll)(void *self, int fd, int wait_ms); // what poll(2) puts into revents of POLLIN and POLLPRI; 0: nothing
    void (*close)(void *self, int fd);
    double (*awake_s)(
        void *self); // CLOCK_MONOTONIC, by which drivers date pictures: stands still while the computer sleeps
    double (*booted_s)(void *self); // CLOCK_BOOTTIME: the same with the time asleep
};

extern const struct camera_system camera_system_own;

// A camera that is open; borrowed.
struct camera_handle {
    const struct camera_system *sys;
    int fd;
};

static inline int camera_ioctl(struct camera_handle camera, unsigned long request, void *argument)
{
    return camera.sys->ioctl(camera.sys->self, camera.fd, request, argument);
}

#endif
