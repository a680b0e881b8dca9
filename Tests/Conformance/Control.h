// The control API of the server under test: HTTP on a Unix socket.

#pragma once

#include <string>

namespace conformance {

/// A socket connected to a path.
int connectTo(std::string const& path);

/// Sends a request on a connection of its own and returns the body of the answer. A refused request is reported on
/// standard error: the test that caused it goes on and fails by itself.
std::string request(
    std::string const& socket, std::string const& method, std::string const& target, std::string const& body = "");

}  // namespace conformance
