#include "Relay.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>

namespace conformance {

namespace {

/// Messages that the relay knows by their numbers.
namespace opcode {
constexpr std::uint16_t getRegistry = 1, bind = 0, createSurface = 0, getXdgSurface = 2, getLayerSurface = 0;
constexpr std::uint16_t attach = 1, commit = 6, getToplevel = 1, getPopup = 2, acknowledgeConfigure = 4, destroy = 0;
constexpr std::uint16_t acknowledgeLayerConfigure = 6, destroyLayer = 7;
constexpr std::uint16_t deleteID = 1, configure = 0;
}  // namespace opcode

constexpr std::uint32_t display = 1;

std::uint32_t word(std::string const& bytes, std::size_t index) {
    std::uint32_t value = 0;
    if (bytes.size() >= 4 * index + 4) std::memcpy(&value, bytes.data() + 4 * index, sizeof value);
    return value;
}

/// Removes the first message of a stream.
std::optional<std::string> nextMessage(std::string& bytes) {
    if (bytes.size() < 8) return std::nullopt;
    std::size_t const size = std::max<std::size_t>(word(bytes, 1) >> 16, 8);
    if (bytes.size() < size) return std::nullopt;
    auto const message = bytes.substr(0, size);
    bytes.erase(0, size);
    return message;
}

}  // namespace

Relay::Relay(int server) : server(server) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    thread = std::thread([this] { run(); });
}

Relay::~Relay() {
    shutdown(server, SHUT_RDWR);
    shutdown(ends[1], SHUT_RDWR);
    thread.join();
    close(server);
    close(ends[1]);
    for (auto const* stream : {&requests, &events}) {
        for (int const descriptor : stream->descriptors) close(descriptor);
    }
}

std::size_t Relay::rank(std::uint32_t surface) const {
    std::lock_guard const lock(mutex);
    std::uint64_t order = 0;
    for (auto const& [id, object] : objects) {
        if (object.order != 0 && object.surface == surface) order = object.order;
    }
    if (order == 0) return SIZE_MAX;
    return std::count_if(objects.begin(), objects.end(), [&](auto const& item) {
        return item.second.order != 0 && item.second.order < order;
    });
}

// MARK: Passing on

void Relay::run() {
    pollfd descriptors[] = {{ends[1], POLLIN, 0}, {server, POLLIN, 0}};
    while (poll(descriptors, 2, -1) > 0) {
        if (descriptors[1].revents) {
            bool const isOpen = receive(server, events);
            std::lock_guard const lock(mutex);
            passEvents();
            if (!isOpen) break;
            passRequests();
        }
        if (descriptors[0].revents) {
            if (!receive(ends[1], requests)) break;
            std::lock_guard const lock(mutex);
            passRequests();
        }
    }
    // Each side learns that the other one has gone.
    shutdown(server, SHUT_RDWR);
    shutdown(ends[1], SHUT_RDWR);
}

bool Relay::receive(int from, Stream& stream) {
    char bytes[4096];
    alignas(cmsghdr) char control[CMSG_SPACE(28 * sizeof(int))];
    iovec part{bytes, sizeof bytes};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    ssize_t const count = recvmsg(from, &header, MSG_CMSG_CLOEXEC);
    if (count <= 0) return false;
    stream.bytes.append(bytes, count);
    for (auto* item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
        if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
        std::vector<int> received((item->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        std::memcpy(received.data(), CMSG_DATA(item), received.size() * sizeof(int));
        stream.descriptors.insert(stream.descriptors.end(), received.begin(), received.end());
    }
    return true;
}

void Relay::send(int to, std::string const& bytes, std::vector<int>& descriptors) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        alignas(cmsghdr) char control[CMSG_SPACE(28 * sizeof(int))];
        iovec part{const_cast<char*>(bytes.data()) + sent, bytes.size() - sent};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        auto const count = std::min<std::size_t>(descriptors.size(), 28);
        if (count > 0) {
            header.msg_control = control;
            header.msg_controllen = CMSG_SPACE(count * sizeof(int));
            auto* item = CMSG_FIRSTHDR(&header);
            item->cmsg_level = SOL_SOCKET;
            item->cmsg_type = SCM_RIGHTS;
            item->cmsg_len = CMSG_LEN(count * sizeof(int));
            std::memcpy(CMSG_DATA(item), descriptors.data(), count * sizeof(int));
        }
        ssize_t const written = sendmsg(to, &header, MSG_NOSIGNAL);
        // The other side has gone; what it has sent until then is still read.
        if (written <= 0) return;
        for (std::size_t index = 0; index < count; ++index) close(descriptors[index]);
        descriptors.erase(descriptors.begin(), descriptors.begin() + count);
        sent += written;
    }
}

void Relay::sendRequest(std::uint32_t object, std::uint16_t opcode, std::vector<std::uint32_t> const& arguments) {
    std::vector<std::uint32_t> words{object, static_cast<std::uint32_t>(8 + 4 * arguments.size()) << 16 | opcode};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<int> none;
    send(server, std::string(reinterpret_cast<char const*>(words.data()), 4 * words.size()), none);
}

// MARK: Requests

void Relay::passRequests() {
    while (awaited == 0) {
        auto const message = nextMessage(requests.bytes);
        if (!message) break;
        if (passRequest(*message)) send(server, *message, requests.descriptors);
        // What could not be passed on is the first request again.
        else if (awaited != 0) requests.bytes.insert(0, *message);
    }
}

/// Whether the request is to be sent on, now.
bool Relay::passRequest(std::string const& message) {
    std::uint32_t const id = word(message, 0), first = word(message, 2), second = word(message, 3);
    auto const code = static_cast<std::uint16_t>(word(message, 1));
    if (id == display && code == opcode::getRegistry) objects[first] = {Kind::registry};
    auto const place = objects.find(id);
    if (place == objects.end()) return true;
    Object const object = place->second;

    switch (object.kind) {
    case Kind::registry:
        if (code == opcode::bind && second > 0 && 16 + second <= message.size()) {
            // A name, an interface as a string, its version, and the new object.
            std::string const interface = message.substr(16, second - 1);
            std::uint32_t const bound = word(message, 4 + (second + 3) / 4 + 1);
            if (interface == "wl_compositor") objects[bound] = {Kind::compositor};
            if (interface == "xdg_wm_base") objects[bound] = {Kind::wmBase};
            if (interface == "zwlr_layer_shell_v1") objects[bound] = {Kind::layerShell};
        }
        return true;
    case Kind::compositor:
        if (code == opcode::createSurface) objects[first] = {Kind::surface};
        return true;
    case Kind::wmBase:
        if (code == opcode::getXdgSurface) {
            objects[first] = {Kind::xdgSurface, second};
            shells[second] = {first, opcode::acknowledgeConfigure};
        }
        return true;
    case Kind::layerShell:
        if (code == opcode::getLayerSurface) {
            objects[first] = {Kind::layerSurface, second, ++created};
            shells[second] = {first, opcode::acknowledgeLayerConfigure, true};
        }
        return true;
    case Kind::surface: return passSurfaceRequest(id, code, first);
    case Kind::xdgSurface: {
        auto& shell = shells[object.surface];
        if (code == opcode::getToplevel) objects[first] = {Kind::toplevel, object.surface, ++created};
        if (code == opcode::getToplevel || code == opcode::getPopup) shell.hasRole = true;
        if (code == opcode::destroy) shells.erase(object.surface);
        return code != opcode::acknowledgeConfigure || passAcknowledgement(shell, first);
    }
    case Kind::toplevel:
        if (code == opcode::destroy) objects.erase(place);
        return true;
    case Kind::layerSurface:
        if (code == opcode::destroyLayer) {
            objects.erase(place);
            shells.erase(object.surface);
        }
        return code != opcode::acknowledgeLayerConfigure || passAcknowledgement(shells[object.surface], first);
    }
    return true;
}

bool Relay::passSurfaceRequest(std::uint32_t surface, std::uint16_t code, std::uint32_t buffer) {
    auto const place = shells.find(surface);
    if (place == shells.end() || !place->second.hasRole) return true;
    auto& shell = place->second;
    if (code == opcode::attach) {
        if (buffer != 0 && !shell.isAcknowledged) {
            if (shell.serial == 0) {
                if (!shell.isCommitted) sendRequest(surface, opcode::commit);
                shell.isCommitted = true;
                awaited = surface;
                return false;
            }
            acknowledge(shell);
        }
        shell.pending = buffer == 0 ? Buffer::null : Buffer::some;
    } else if (code == opcode::commit) {
        shell.isCommitted = true;
        if (shell.pending == Buffer::null && shell.isAcknowledged) {
            // Unmapped: the handshake starts again.
            shell.isCommitted = shell.isAcknowledged = false;
            shell.serial = 0;
        }
        shell.pending = Buffer::none;
    }
    return true;
}

/// Whether the client's acknowledgement is to be sent on.
bool Relay::passAcknowledgement(Shell& shell, std::uint32_t serial) {
    if (serial != shell.acknowledged) {
        shell.isAcknowledged = true;
        return true;
    }
    shell.acknowledged = 0;
    return false;
}

void Relay::acknowledge(Shell& shell) {
    sendRequest(shell.object, shell.acknowledge, {shell.serial});
    shell.isAcknowledged = true;
    shell.acknowledged = shell.serial;
}

// MARK: Events

void Relay::passEvents() {
    while (auto const message = nextMessage(events.bytes)) {
        send(ends[1], *message, events.descriptors);
        std::uint32_t const id = word(*message, 0), first = word(*message, 2);
        auto const code = static_cast<std::uint16_t>(word(*message, 1));
        if (id == display && code == opcode::deleteID) {
            // Only now may the client use the number again.
            objects.erase(first);
            shells.erase(first);
            if (awaited == first) awaited = 0;
            continue;
        }
        auto const object = objects.find(id);
        if (object == objects.end() || code != opcode::configure) continue;
        auto const& [kind, surface, order] = object->second;
        if (kind != Kind::xdgSurface && kind != Kind::layerSurface) continue;
        auto& shell = shells[surface];
        shell.serial = first;
        if (awaited != 0 && awaited == surface) {
            awaited = 0;
            acknowledge(shell);
        }
    }
}

}  // namespace conformance
