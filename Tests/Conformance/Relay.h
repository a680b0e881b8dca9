// What wlcs leaves out of xdg-shell and layer-shell: the acknowledgement of the first configure event.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace conformance {

/// Passes one client's messages to the server and the server's to the client, unchanged but for this: when the client
/// attaches a buffer to a toplevel, a pop-up or a layer surface that it has not configured, which the protocol calls an
/// error, the relay supplies what is missing. It sends the initial commit unless the client did, waits for the configure
/// event, and acknowledges it before it passes on the buffer. It drops the client's own acknowledgement of the same
/// event.
class Relay {
public:
    /// - Parameter server: a socket that is connected to the server; the relay closes it.
    explicit Relay(int server);
    ~Relay();
    Relay(Relay const&) = delete;
    Relay& operator=(Relay const&) = delete;

    /// The client's end, which belongs to the client.
    int clientEnd() const { return ends[0]; }

    /// How many of the client's living windows were created before that of a surface; SIZE_MAX if it has no window.
    std::size_t rank(std::uint32_t surface) const;

private:
    enum class Kind { registry, compositor, wmBase, layerShell, surface, xdgSurface, toplevel, layerSurface };
    enum class Buffer { none, null, some };

    struct Object {
        Kind kind;
        /// What an xdg_surface, a toplevel or a layer surface is made of.
        std::uint32_t surface = 0;
        /// When a toplevel or a layer surface was created; 0 for the other kinds, which are no windows.
        std::uint64_t order = 0;
    };

    /// The handshake of a surface.
    struct Shell {
        /// Its xdg_surface or layer surface, and the number of ack_configure.
        std::uint32_t object = 0;
        std::uint16_t acknowledge = 0;
        bool hasRole = false;
        bool isCommitted = false;
        bool isAcknowledged = false;
        /// The serial of its last configure event, 0 before the first one.
        std::uint32_t serial = 0;
        /// The serial that the relay acknowledged.
        std::uint32_t acknowledged = 0;
        Buffer pending = Buffer::none;
    };

    struct Stream {
        std::string bytes;
        std::vector<int> descriptors;
    };

    void run();
    bool receive(int from, Stream& stream);
    void send(int to, std::string const& bytes, std::vector<int>& descriptors);
    void passRequests();
    bool passRequest(std::string const& message);
    bool passSurfaceRequest(std::uint32_t surface, std::uint16_t code, std::uint32_t first);
    bool passAcknowledgement(Shell& shell, std::uint32_t serial);
    void passEvents();
    void acknowledge(Shell& shell);
    void sendRequest(std::uint32_t object, std::uint16_t opcode, std::vector<std::uint32_t> const& arguments = {});

    int ends[2];
    int server;
    mutable std::mutex mutex;
    std::map<std::uint32_t, Object> objects;
    std::map<std::uint32_t, Shell> shells;
    std::uint64_t created = 0;
    /// The surface whose configure event is awaited; the client's requests wait for it too.
    std::uint32_t awaited = 0;
    Stream requests, events;
    std::thread thread;
};

}  // namespace conformance
