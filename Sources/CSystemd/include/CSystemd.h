// libsystemd is loaded only when there is a service manager to notify: linking it would load five more libraries at every
// start. Each function looks up its symbol when called, and returns -ENOSYS without the library.
#pragma once
#include <features.h>
#include <stdint.h>
#include <sys/uio.h>

/// sd_notify(3)
int systemd_notify(const char *state);
/// sd_journal_sendv(3)
int systemd_journal_sendv(const struct iovec *fields, int count);
/// sd_watchdog_enabled(3)
int systemd_watchdog_enabled(uint64_t *microseconds);
/// sd_listen_fds_with_names(3); the caller frees the array and each name.
int systemd_listen_fds_with_names(char ***names);
/// sd_pid_notify_with_fds(3) of this process
int systemd_notify_with_fds(const char *state, const int *fds, unsigned count);
/// sd_notify_barrier(3)
int systemd_notify_barrier(uint64_t microseconds);
