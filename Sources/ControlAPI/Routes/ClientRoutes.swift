// GET /v1/clients, GET /v1/clients/{application}/journal

import ControlProtocol
import DisplayServer
import EventLoop
import MullionSystem

extension ControlServer {
    var clientRoutes: [Route] {
        [
            Route(.getClients) { [unowned self] _ in .reply(.json(clientList)) },
            // Messages contain what was typed and copied.
            Route(.getClientsApplicationJournal) { [unowned self] request in
                .reply(.json(API.Journal(try journal(request))))
            },
        ]
    }

    private var clientList: API.ClientList {
        func name(_ client: Client) -> String { server.model.application(client.application)?.name ?? "" }
        let clients: [API.Client]
        if let records = server.clientRecords {
            clients = records.all.map { record in
                API.Client(record, name: server.client(record.application).map(name))
            }
        } else {
            clients = server.clients.values.sorted { $0.application < $1.application }.map {
                API.Client($0, name: name($0))
            }
        }
        return API.ClientList(now: MonotonicClock.nanoseconds / 1000, clients: clients)
    }

    /// - Throws: 404 for an unknown client, 409 without journals.
    private func journal(_ request: ControlRequest) throws(Problem) -> ClientJournal {
        let word = request.parameter("application")
        guard let records = server.clientRecords else {
            throw Problem(.noJournal, "this server keeps no journals; start it with mulliond --journal")
        }
        guard let record = records.all.first(where: { "\($0.application.rawValue)" == word }) else {
            throw Problem(.noApplication, "\"\(word)\" is not the application of a client; GET /v1/clients lists them")
        }
        return record.journal
    }
}
