// What is not finished, in JSON.

import ControlProtocol
import DisplayServer

extension API.Unfinished {
    init(_ unfinished: Unfinished) {
        self.init(
            kind: API.UnfinishedKind(rawValue: unfinished.kind.rawValue),
            application: unfinished.program?.application.rawValue, program: unfinished.program?.name,
            detail: unfinished.description)
    }
}
