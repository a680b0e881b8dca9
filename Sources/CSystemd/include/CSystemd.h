// libsystemd is loaded only when there is a service manager to notify, or a D-Bus server to connect to: linking it would load
// five more libraries at every start. The functions for the service manager return -ENOSYS without the library.
#pragma once
#include <features.h>
#include <stdint.h>
#include <sys/uio.h>

/// Loads the library unless it is loaded. Returns NULL, or a description of the failure that is valid until the next call.
const char *systemd_load(void);

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

/// A connection to a D-Bus server, and a message of one: sd_bus and sd_bus_message. Their functions return a negative errno
/// value when they fail, and may be called only while a connection exists.
typedef struct systemd_bus systemd_bus;
typedef struct systemd_message systemd_message;

/// sd_bus_new(3) and sd_bus_start(3), for a bus of this address and without file descriptors in messages. Returns -ELIBACC
/// without the library. The caller closes the connection.
int systemd_bus_open(const char *address, systemd_bus **connection);
/// sd_bus_close_unref(3)
void systemd_bus_close(systemd_bus *connection);
/// sd_bus_is_ready(3)
int systemd_bus_is_ready(systemd_bus *connection);
/// sd_bus_process(3); the caller frees the message, if there is one.
int systemd_bus_process(systemd_bus *connection, systemd_message **message);
/// sd_bus_wait(3)
int systemd_bus_wait(systemd_bus *connection, uint64_t microseconds);
/// sd_bus_send(3)
int systemd_bus_send(systemd_bus *connection, systemd_message *message, uint64_t *cookie);

/// sd_bus_message_new_method_call(3); the caller frees the message.
int systemd_message_new_call(
    systemd_bus *connection, systemd_message **message, const char *destination, const char *path,
    const char *interface, const char *member);
/// sd_bus_message_append_basic(3)
int systemd_message_append_string(systemd_message *message, const char *value);
int systemd_message_append_uint32(systemd_message *message, uint32_t value);
int systemd_message_append_int32(systemd_message *message, int32_t value);
/// sd_bus_message_get_reply_cookie(3)
int systemd_message_get_reply_cookie(systemd_message *message, uint64_t *cookie);
/// sd_bus_message_get_error(3): the error's name; NULL when the message is not an error.
const char *systemd_message_get_error_name(systemd_message *message);
/// sd_bus_message_get_sender(3); may be NULL.
const char *systemd_message_get_sender(systemd_message *message);
/// sd_bus_message_peek_type(3)
int systemd_message_peek_type(systemd_message *message, char *type, const char **contents);
/// sd_bus_message_read_basic(3); a string lives as long as the message.
int systemd_message_read(systemd_message *message, char type, void *value);
/// sd_bus_message_enter_container(3)
int systemd_message_enter(systemd_message *message, char type, const char *contents);
/// sd_bus_message_exit_container(3)
int systemd_message_exit(systemd_message *message);
/// sd_bus_message_unref(3)
void systemd_message_unref(systemd_message *message);
