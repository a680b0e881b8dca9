// The descriptors that the server has open for a client.

import MullionWayland

extension Client {
    /// Charges the user for the client's descriptors, including those received but not used yet.
    func countDescriptors() {
        let now = isClosed ? 0 : 1 + transport.descriptorCount
        account.descriptorsInUse += now - descriptorsInUse
        descriptorsInUse = now
    }

    /// Whether to send the client no more descriptors: it does not read, or its user has too many.
    var isFullOfDescriptors: Bool { transport.isFullOfDescriptors || descriptorRefusal(adding: 1) != nil }

    /// Why the server holds no more descriptors for the client's user, whatever others have.
    private func descriptorRefusal(adding count: Int) -> String? {
        transport.limits.allDescriptors.refusal(
            "descriptors for clients", adding: count, for: credentials.trustedUser, own: account.descriptors, all: 0)
    }

    /// Disconnects a client because of which its user has too many descriptors, or the largest client of whoever has the
    /// most when all users together do, so that others have room. The user's other clients are not affected.
    func checkDescriptors() {
        countDescriptors()
        guard transport.descriptorsRead > descriptorsChecked else { return }
        descriptorsChecked = transport.descriptorsRead
        if let reason = descriptorRefusal(adding: 0) { return post(ProtocolError(.noMemory, message: reason)) }
        server.endExcessOfDescriptors(beyond: transport.limits.allDescriptors.bounds(for: credentials.trustedUser).all)
    }

    /// The descriptors that the server has open for the client.
    var descriptors: Int { descriptorsInUse + pools.descriptors }
}
