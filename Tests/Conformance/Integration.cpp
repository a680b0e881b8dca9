// The module that wlcs loads: a server for each test, its clients' connections, the places of windows, and input.

#include "Control.h"
#include "Relay.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <wayland-client.h>
#include <wlcs/display_server.h>
#include <wlcs/pointer.h>
#include <wlcs/touch.h>

#include <algorithm>
#include <iostream>
#include <list>
#include <memory>
#include <regex>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace conformance {

namespace {

struct Window {
    unsigned long id;
    /// As the control API wrote them.
    std::string width, height;
};

/// A server in a folder of its own, from the moment wlcs creates it.
class Server : public WlcsDisplayServer {
public:
    explicit Server(std::string const& program);
    ~Server();

    int connectClient();
    void position(wl_display* client, wl_surface* surface, int x, int y);
    void inject(std::string const& event) { request(control, "POST", "/v1/input", event); }
    void stop();
    WlcsIntegrationDescriptor const* descriptor() const { return &extensions; }
    int nextTouch() { return ++touches; }

private:
    void run(std::string const& program);
    void listGlobals();
    std::vector<Window> windows(std::size_t application);

    /// A connection of a client: its application is the one with the same number, counted from the first connection.
    struct Client {
        int descriptor;
        std::size_t application;
        std::unique_ptr<Relay> relay;
    };

    std::string folder, socket, control;
    pid_t process = -1;
    std::size_t connections = 0;
    int touches = 0;
    std::list<Client> clients;
    std::list<std::string> names;
    std::vector<WlcsExtensionDescriptor> globals;
    WlcsIntegrationDescriptor extensions{};
};

struct Pointer : WlcsPointer {
    Server* server;
};

struct Touch : WlcsTouch {
    Server* server;
    int id;
};

std::string number(wl_fixed_t value) { return std::to_string(wl_fixed_to_double(value)); }

void button(WlcsPointer* pointer, int code, bool isPressed) {
    static_cast<Pointer*>(pointer)->server->inject(
        "{\"type\":\"button\",\"pressed\":" + std::string(isPressed ? "true" : "false")
        + ",\"button\":" + std::to_string(code) + "}");
}

WlcsPointer* createPointer(WlcsDisplayServer* server) {
    auto* const pointer = new Pointer{};
    pointer->version = WLCS_POINTER_VERSION;
    pointer->server = static_cast<Server*>(server);
    pointer->move_absolute = [](WlcsPointer* pointer, wl_fixed_t x, wl_fixed_t y) {
        static_cast<Pointer*>(pointer)->server->inject(
            "{\"type\":\"hover\",\"x\":" + number(x) + ",\"y\":" + number(y) + "}");
    };
    pointer->move_relative = [](WlcsPointer* pointer, wl_fixed_t dx, wl_fixed_t dy) {
        static_cast<Pointer*>(pointer)->server->inject(
            "{\"type\":\"hover\",\"dx\":" + number(dx) + ",\"dy\":" + number(dy) + "}");
    };
    pointer->button_down = [](WlcsPointer* pointer, int code) { button(pointer, code, true); };
    pointer->button_up = [](WlcsPointer* pointer, int code) { button(pointer, code, false); };
    pointer->destroy = [](WlcsPointer* pointer) { delete static_cast<Pointer*>(pointer); };
    return pointer;
}

void touch(WlcsTouch* touch, char const* phase, std::string const& place = "") {
    auto* const finger = static_cast<Touch*>(touch);
    finger->server->inject(
        "{\"type\":\"touch\",\"phase\":\"" + std::string(phase) + "\",\"id\":" + std::to_string(finger->id) + place
        + "}");
}

/// touch.h calls these numbers wl_fixed_t, but wlcs passes whole points.
std::string place(int x, int y) { return ",\"x\":" + std::to_string(x) + ",\"y\":" + std::to_string(y); }

WlcsTouch* createTouch(WlcsDisplayServer* server) {
    auto* const finger = new Touch{};
    finger->version = WLCS_TOUCH_VERSION;
    finger->server = static_cast<Server*>(server);
    finger->id = finger->server->nextTouch();
    finger->touch_down = [](WlcsTouch* finger, int x, int y) { touch(finger, "began", place(x, y)); };
    finger->touch_move = [](WlcsTouch* finger, int x, int y) { touch(finger, "moved", place(x, y)); };
    finger->touch_up = [](WlcsTouch* finger) { touch(finger, "ended"); };
    finger->destroy = [](WlcsTouch* finger) { delete static_cast<Touch*>(finger); };
    return finger;
}

Server::Server(std::string const& program) : WlcsDisplayServer{} {
    version = WLCS_DISPLAY_SERVER_VERSION;
    // It runs already: wlcs asks what it supports before it starts it.
    WlcsDisplayServer::start = [](WlcsDisplayServer*) {};
    WlcsDisplayServer::stop = [](WlcsDisplayServer* server) { static_cast<Server*>(server)->stop(); };
    create_client_socket = [](WlcsDisplayServer* server) { return static_cast<Server*>(server)->connectClient(); };
    position_window_absolute = [](WlcsDisplayServer* server, wl_display* client, wl_surface* surface, int x, int y) {
        static_cast<Server*>(server)->position(client, surface, x, y);
    };
    create_pointer = createPointer;
    create_touch = createTouch;
    get_descriptor = [](WlcsDisplayServer const* server) { return static_cast<Server const*>(server)->descriptor(); };

    char const* const parent = getenv("TMPDIR");
    folder = std::string(parent ? parent : "/tmp") + "/server-XXXXXX";
    if (!mkdtemp(folder.data())) throw std::system_error(errno, std::generic_category(), folder);
    socket = folder + "/wayland";
    control = folder + "/control";
    run(program);
    listGlobals();
}

Server::~Server() {
    stop();
    // The server removes its files, but not if it had to be killed.
    for (auto const& path : {socket, socket + ".lock", control, control + ".lock"}) unlink(path.c_str());
    rmdir(folder.c_str());
}

void Server::run(std::string const& program) {
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) < 0) throw std::system_error(errno, std::generic_category(), "pipe");
    pid_t const parent = getpid();
    process = fork();
    if (process == 0) {
        // A server does not outlive a test that crashes or is killed.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        int const descriptor = dup(ready[1]);
        execl(
            program.c_str(), program.c_str(), "--socket", socket.c_str(), "--control", control.c_str(), "--state",
            "none", "--screen", "1280x1024", "--ready-fd", std::to_string(descriptor).c_str(), nullptr);
        _exit(127);
    }
    close(ready[1]);
    char byte;
    ssize_t const count = read(ready[0], &byte, 1);
    close(ready[0]);
    if (process < 0 || count != 1) throw std::runtime_error(program + " did not start");
}

void Server::stop() {
    if (process < 0) return;
    clients.clear();
    kill(process, SIGTERM);
    int status = 0;
    waitpid(process, &status, 0);
    process = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::cerr << "The server ended with status " << status << std::endl;
        abort();
    }
}

/// Tests of what the server does not offer are skipped, and those of what it does are not.
void Server::listGlobals() {
    ++connections;
    auto* const display = wl_display_connect_to_fd(connectTo(socket));
    auto* const registry = wl_display_get_registry(display);
    static wl_registry_listener const listener{
        [](void* data, wl_registry*, std::uint32_t, char const* interface, std::uint32_t version) {
            auto* const server = static_cast<Server*>(data);
            server->names.emplace_back(interface);
            server->globals.push_back({server->names.back().c_str(), version});
        },
        [](void*, wl_registry*, std::uint32_t) {},
    };
    wl_registry_add_listener(registry, &listener, this);
    wl_display_roundtrip(display);
    wl_registry_destroy(registry);
    wl_display_disconnect(display);
    extensions = {WLCS_INTEGRATION_DESCRIPTOR_VERSION, globals.size(), globals.data()};
}

int Server::connectClient() {
    auto relay = std::make_unique<Relay>(connectTo(socket));
    int const descriptor = relay->clientEnd();
    clients.push_front({descriptor, ++connections, std::move(relay)});
    return descriptor;
}

/// The windows of an application, in the order in which they were created.
std::vector<Window> Server::windows(std::size_t application) {
    std::vector<Window> windows;
    std::string const list = request(control, "GET", "/v1/windows");
    static std::regex const pattern(
        "\"application\":([0-9]+),.*?\"frame\":\\{\"height\":([0-9.]+),\"width\":([0-9.]+),.*?\"id\":([0-9]+),");
    for (std::sregex_iterator match(list.begin(), list.end(), pattern), end; match != end; ++match) {
        if (std::stoul((*match)[1]) == application) {
            windows.push_back({std::stoul((*match)[4]), (*match)[3], (*match)[2]});
        }
    }
    std::sort(windows.begin(), windows.end(), [](auto const& left, auto const& right) { return left.id < right.id; });
    return windows;
}

/// wlcs knows a window by the client's surface, the control API by a number. Both count a client's windows in the
/// order in which they were created.
void Server::position(wl_display* display, wl_surface* surface, int x, int y) {
    auto const id = wl_proxy_get_id(reinterpret_cast<wl_proxy*>(surface));
    for (auto const& client : clients) {
        if (client.descriptor != wl_display_get_fd(display)) continue;
        auto const windows = this->windows(client.application);
        auto const rank = client.relay->rank(id);
        if (rank >= windows.size()) break;
        auto const& window = windows[rank];
        request(
            control, "PATCH", "/v1/windows/" + std::to_string(window.id),
            "{\"frame\":{\"x\":" + std::to_string(x) + ",\"y\":" + std::to_string(y) + ",\"width\":" + window.width
                + ",\"height\":" + window.height + "}}");
        return;
    }
    std::cerr << "Surface " << id << " has no window" << std::endl;
}

}  // namespace

}  // namespace conformance

extern "C" WlcsServerIntegration const wlcs_server_integration{
    WLCS_SERVER_INTEGRATION_VERSION,
    [](int argc, char const** argv) -> WlcsDisplayServer* {
        if (argc < 2) throw std::invalid_argument("usage: wlcs MODULE [options of Google Test] SERVER");
        return new conformance::Server(argv[1]);
    },
    [](WlcsDisplayServer* server) { delete static_cast<conformance::Server*>(server); },
};
