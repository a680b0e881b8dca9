#include "Control.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <iostream>
#include <system_error>

namespace conformance {

int connectTo(std::string const& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::invalid_argument(path + " is not a path of a socket");
    path.copy(address.sun_path, path.size());
    int const descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
        throw std::system_error(errno, std::generic_category(), path);
    }
    return descriptor;
}

std::string request(
    std::string const& socket, std::string const& method, std::string const& target, std::string const& body) {
    int const descriptor = connectTo(socket);
    timeval const patience{30, 0};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::string const text = method + " " + target + " HTTP/1.1\r\nHost: wlcs\r\nConnection: close\r\nContent-Length: "
        + std::to_string(body.size()) + "\r\n\r\n" + body;
    std::string answer;
    if (send(descriptor, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) {
        char chunk[65536];
        for (ssize_t count; (count = read(descriptor, chunk, sizeof chunk)) > 0;) answer.append(chunk, count);
    }
    close(descriptor);
    auto const end = answer.find("\r\n\r\n");
    if (answer.rfind("HTTP/1.1 2", 0) != 0 || end == std::string::npos) {
        std::cerr << "control API: " << method << " " << target << " " << body << ": " << answer << std::endl;
        return "";
    }
    return answer.substr(end + 4);
}

}  // namespace conformance
