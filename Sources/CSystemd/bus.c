// sd-bus's functions, loaded when the first connection is opened.
#include "CSystemd.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

// sd_bus_error
typedef struct { const char *name, *message; int need_free; } bus_error;

static struct {
    int (*new)(systemd_bus **);
    int (*set_address)(systemd_bus *, const char *);
    int (*set_bus_client)(systemd_bus *, int);
    int (*negotiate_fds)(systemd_bus *, int);
    int (*start)(systemd_bus *);
    int (*is_ready)(systemd_bus *);
    int (*process)(systemd_bus *, systemd_message **);
    int (*wait)(systemd_bus *, uint64_t);
    int (*send)(systemd_bus *, systemd_message *, uint64_t *);
    systemd_bus *(*close_unref)(systemd_bus *);
    int (*new_method_call)(
        systemd_bus *, systemd_message **, const char *, const char *, const char *, const char *);
    int (*append_basic)(systemd_message *, char, const void *);
    int (*get_reply_cookie)(systemd_message *, uint64_t *);
    const bus_error *(*get_error)(systemd_message *);
    const char *(*get_sender)(systemd_message *);
    int (*peek_type)(systemd_message *, char *, const char **);
    int (*read_basic)(systemd_message *, char, void *);
    int (*enter_container)(systemd_message *, char, const char *);
    int (*exit_container)(systemd_message *);
    systemd_message *(*unref)(systemd_message *);
} bus;

static bool load(void) {
    struct { const char *name; void *function; } const functions[] = {
        { "sd_bus_new", &bus.new },
        { "sd_bus_set_address", &bus.set_address },
        { "sd_bus_set_bus_client", &bus.set_bus_client },
        { "sd_bus_negotiate_fds", &bus.negotiate_fds },
        { "sd_bus_start", &bus.start },
        { "sd_bus_is_ready", &bus.is_ready },
        { "sd_bus_process", &bus.process },
        { "sd_bus_wait", &bus.wait },
        { "sd_bus_send", &bus.send },
        { "sd_bus_close_unref", &bus.close_unref },
        { "sd_bus_message_new_method_call", &bus.new_method_call },
        { "sd_bus_message_append_basic", &bus.append_basic },
        { "sd_bus_message_get_reply_cookie", &bus.get_reply_cookie },
        { "sd_bus_message_get_error", &bus.get_error },
        { "sd_bus_message_get_sender", &bus.get_sender },
        { "sd_bus_message_peek_type", &bus.peek_type },
        { "sd_bus_message_read_basic", &bus.read_basic },
        { "sd_bus_message_enter_container", &bus.enter_container },
        { "sd_bus_message_exit_container", &bus.exit_container },
        { "sd_bus_message_unref", &bus.unref },
    };
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) return false;
        *(void **)functions[i].function = function;
    }
    return true;
}

int systemd_bus_open(const char *address, systemd_bus **connection) {
    if (!load()) return -ELIBACC;
    systemd_bus *new = NULL;
    int result = bus.new(&new);
    if (result < 0) return result;
    if ((result = bus.set_address(new, address)) >= 0 && (result = bus.set_bus_client(new, 1)) >= 0
        && (result = bus.negotiate_fds(new, 0)) >= 0 && (result = bus.start(new)) >= 0) {
        *connection = new;
        return 0;
    }
    bus.close_unref(new);
    return result;
}

void systemd_bus_close(systemd_bus *connection) { bus.close_unref(connection); }

int systemd_bus_is_ready(systemd_bus *connection) { return bus.is_ready(connection); }

int systemd_bus_process(systemd_bus *connection, systemd_message **message) {
    return bus.process(connection, message);
}

int systemd_bus_wait(systemd_bus *connection, uint64_t microseconds) { return bus.wait(connection, microseconds); }

int systemd_bus_send(systemd_bus *connection, systemd_message *message, uint64_t *cookie) {
    return bus.send(connection, message, cookie);
}

int systemd_message_new_call(
    systemd_bus *connection, systemd_message **message, const char *destination, const char *path,
    const char *interface, const char *member) {
    return bus.new_method_call(connection, message, destination, path, interface, member);
}

int systemd_message_append_string(systemd_message *message, const char *value) {
    return bus.append_basic(message, 's', value);
}

int systemd_message_append_uint32(systemd_message *message, uint32_t value) {
    return bus.append_basic(message, 'u', &value);
}

int systemd_message_append_int32(systemd_message *message, int32_t value) {
    return bus.append_basic(message, 'i', &value);
}

int systemd_message_get_reply_cookie(systemd_message *message, uint64_t *cookie) {
    return bus.get_reply_cookie(message, cookie);
}

const char *systemd_message_get_error_name(systemd_message *message) {
    const bus_error *error = bus.get_error(message);
    return error ? error->name : NULL;
}

const char *systemd_message_get_sender(systemd_message *message) { return bus.get_sender(message); }

int systemd_message_peek_type(systemd_message *message, char *type, const char **contents) {
    return bus.peek_type(message, type, contents);
}

int systemd_message_read(systemd_message *message, char type, void *value) {
    return bus.read_basic(message, type, value);
}

int systemd_message_enter(systemd_message *message, char type, const char *contents) {
    return bus.enter_container(message, type, contents);
}

int systemd_message_exit(systemd_message *message) { return bus.exit_container(message); }

void systemd_message_unref(systemd_message *message) { bus.unref(message); }
