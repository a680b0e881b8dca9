// Two windows on two screens, in C: an alert at level 2000 that is key, on the main screen, and a sign that fills a
// second screen, whenever there is one. Prints their events. To build and run it in a copy of this folder:
//
//     xml=$(pkg-config --variable=pkgdatadir mullion-protocols)/mullion-v1.xml
//     wayland-scanner client-header $xml mullion-v1-client-protocol.h
//     wayland-scanner private-code $xml mullion-v1-protocol.c
//     cc -o two-screens two-screens.c mullion-v1-protocol.c -lwayland-client
//     ./two-screens
//
// The windows have a background colour and nothing else, which the server draws at any size without a buffer. Contents
// are attached to the surfaces as in any Wayland program.

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>

#include "mullion-v1-client-protocol.h"

struct screen {
    struct wl_list link;
    struct mullion_screen_v1 *object;
    char *name;
    wl_fixed_t width, height;
    bool is_described;
};

struct window {
    const char *title;
    struct wl_surface *surface;
    struct mullion_window_v1 *object;
};

static struct wl_compositor *compositor;
static struct mullion_application_v1 *application;
static struct wl_list screens;
static struct screen *main_screen, *sign_screen;
static struct window alert = {.title = "alert"}, sign = {.title = "sign"};
static bool is_closed;

// The struct screen or struct window of an object, NULL for none.
static void *data_of(struct wl_object *object) {
    return object ? wl_proxy_get_user_data((struct wl_proxy *)object) : NULL;
}

static bool is(const struct wl_message *event, const char *name) { return strcmp(event->name, name) == 0; }

// --- windows --------------------------------------------------------------------------------------------------------

// A dispatcher: one function for all events of an object. A listener would need a function for each event, including
// those that do not matter here.
static int window_event(
    const void *unused, void *proxy, uint32_t opcode, const struct wl_message *event, union wl_argument *arguments) {
    (void)unused, (void)opcode;
    struct window *window = wl_proxy_get_user_data(proxy);
    printf("%s %s", window->title, event->name);
    if (is(event, "frame_did_change")) {
        for (int i = 0; i < 4; i++) printf(" %g", wl_fixed_to_double(arguments[i].f));
    } else if (is(event, "screen_did_change")) {
        struct screen *screen = data_of(arguments[0].o);
        printf(" %s", screen ? screen->name : "none");
        if (window == &sign) sign_screen = screen;
    } else if (is(event, "refused")) {
        printf(" %s", arguments[0].s);
    } else if (is(event, "close")) {
        is_closed = true;
    }
    printf("\n");
    return 0;
}

static void create(struct window *window, struct mullion_screen_v1 *screen, uint32_t argb) {
    window->surface = wl_compositor_create_surface(compositor);
    window->object = mullion_application_v1_create_window(application, window->surface, screen);
    wl_proxy_add_dispatcher((struct wl_proxy *)window->object, window_event, NULL, window);
    mullion_window_v1_set_title(window->object, window->title);
    mullion_window_v1_set_background_color(window->object, argb);
}

// Takes effect with the commit, all at once.
static void show_alert(void) {
    create(&alert, NULL, 0xfffff0c0);
    mullion_window_v1_set_level(alert.object, wl_fixed_from_int(2000));
    mullion_window_v1_set_frame(
        alert.object, wl_fixed_from_int(40), wl_fixed_from_int(40), wl_fixed_from_int(320), wl_fixed_from_int(160));
    mullion_window_v1_make_key_and_visible(alert.object);
    wl_surface_commit(alert.surface);
}

// A window keeps its frame when it is moved, and fills its screen for as long as it filled it before. When a screen is
// unplugged and plugged in again, the server returns its windows; on another one we show the sign ourselves.
static void show_sign(void) {
    struct screen *screen;
    if (sign_screen || !main_screen) return;
    wl_list_for_each(screen, &screens, link) {
        if (!screen->is_described || screen == main_screen) continue;
        if (!sign.object) create(&sign, screen->object, 0xff0b3d91);
        mullion_window_v1_set_screen(sign.object, screen->object);
        mullion_window_v1_set_frame(sign.object, 0, 0, screen->width, screen->height);
        mullion_window_v1_set_hidden(sign.object, 0);
        wl_surface_commit(sign.surface);
        sign_screen = screen;
        return;
    }
}

// --- input ----------------------------------------------------------------------------------------------------------

static const char *phase_name(uint32_t phase) {
    static const char *const names[] = {"began", "moved", "stationary", "ended", "cancelled"};
    return phase < sizeof names / sizeof *names ? names[phase] : "?";
}

static int input_event(
    const void *unused, void *proxy, uint32_t opcode, const struct wl_message *event, union wl_argument *arguments) {
    (void)unused, (void)proxy, (void)opcode;
    struct window *window = is(event, "touch") || is(event, "press") ? data_of(arguments[0].o) : NULL;
    if (!window) return 0;
    if (is(event, "press")) {
        printf("%s press key %u %s\n", window->title, arguments[1].u, phase_name(arguments[2].u));
    } else {
        double x = wl_fixed_to_double(arguments[6].f), y = wl_fixed_to_double(arguments[7].f);
        printf("%s touch %d %s at %g,%g\n", window->title, arguments[2].i, phase_name(arguments[3].u), x, y);
    }
    return 0;
}

// --- screens --------------------------------------------------------------------------------------------------------

static int screen_event(
    const void *unused, void *proxy, uint32_t opcode, const struct wl_message *event, union wl_argument *arguments) {
    (void)unused, (void)opcode;
    struct screen *screen = wl_proxy_get_user_data(proxy);
    if (is(event, "name")) {
        free(screen->name);
        screen->name = strdup(arguments[0].s);
    } else if (is(event, "bounds")) {
        screen->width = arguments[2].f;
        screen->height = arguments[3].f;
    } else if (is(event, "done") && !screen->is_described) {
        screen->is_described = true;
        printf("screen %s\n", screen->name);
    } else if (is(event, "did_disconnect")) {
        printf("screen %s did_disconnect\n", screen->name);
        if (sign_screen == screen) sign_screen = NULL;
        if (main_screen == screen) main_screen = NULL;
        mullion_screen_v1_destroy(screen->object);
        wl_list_remove(&screen->link);
        free(screen->name);
        free(screen);
    }
    return 0;
}

static int application_event(
    const void *unused, void *proxy, uint32_t opcode, const struct wl_message *event, union wl_argument *arguments) {
    (void)unused, (void)proxy, (void)opcode;
    if (is(event, "screen")) {
        struct screen *screen = calloc(1, sizeof *screen);
        if (!screen) abort();
        screen->object = (struct mullion_screen_v1 *)arguments[0].o;
        wl_list_insert(screens.prev, &screen->link);
        wl_proxy_add_dispatcher((struct wl_proxy *)screen->object, screen_event, NULL, screen);
    } else if (is(event, "main_screen")) {
        main_screen = data_of(arguments[0].o);
    } else if (is(event, "ping")) {
        // So that `mullionctl settle` knows when we have handled what came before.
        mullion_application_v1_pong(application, arguments[0].u);
    }
    return 0;
}

// --- the connection -------------------------------------------------------------------------------------------------

static void global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
    (void)data;
    if (strcmp(interface, wl_compositor_interface.name) == 0) {
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
    } else if (strcmp(interface, mullion_application_v1_interface.name) == 0 && version >= 2) {
        application = wl_registry_bind(registry, name, &mullion_application_v1_interface, 2);
        wl_proxy_add_dispatcher((struct wl_proxy *)application, application_event, NULL, NULL);
    }
}

static void global_remove(void *data, struct wl_registry *registry, uint32_t name) {
    (void)data, (void)registry, (void)name;
}

static const struct wl_registry_listener registry_listener = {global, global_remove};

static int fail(const char *problem, const char *reason) {
    fprintf(stderr, "two-screens: %s: %s\n", problem, reason);
    return 1;
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    wl_list_init(&screens);
    struct wl_display *display = wl_display_connect(NULL);
    if (!display) return fail("cannot connect; start mulliond or set WAYLAND_DISPLAY to its socket", strerror(errno));
    wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
    if (wl_display_roundtrip(display) < 0) return fail("the connection ended", strerror(errno));
    if (!compositor || !application) return fail("this server is not mulliond", "it lacks mullion_application_v1");

    mullion_application_v1_set_name(application, "two-screens");
    struct mullion_events_v1 *events = mullion_application_v1_get_events(application);
    wl_proxy_add_dispatcher((struct wl_proxy *)events, input_event, NULL, NULL);
    show_alert();
    mullion_events_v1_set_types(
        events, alert.object, MULLION_EVENTS_V1_EVENT_TYPES_TOUCHES | MULLION_EVENTS_V1_EVENT_TYPES_PRESSES);
    // When all events that have arrived are handled, the screens are known.
    while (!is_closed) {
        if (wl_display_dispatch(display) < 0) return fail("the connection ended", strerror(errno));
        show_sign();
    }
    wl_display_disconnect(display);
    return 0;
}
