// Why requests are refused, in words for programs.

import JSON5

extension Problem {
    /// The kind of a refusal. Programs decide by it, and by the other members of the answer; `detail` is for people.
    enum Code: String, CaseIterable, Encodable, Sendable {
        case emptyBody, malformed, unknownField, missingField, wrongType, invalidField
        case unknownParameter, missingParameter, repeatedParameter, invalidParameter
        case tokenMissing, tokenInvalid
        case forbidden, foreignHost, foreignOrigin, disconnected
        case noRoute, noScreen, noWindow, noApplication
        case methodNotAllowed
        case timedOut
        case noReceiver, noConnectedScreen, noPicture, noJournal, realClock, notIdle, busy, notAllowed
        case bodyTooLarge
        case unsupportedMediaType
        case invalidValue
        case internalError
        case unsettled, limitReached, unavailable, shuttingDown

        /// That of a mistake in a body.
        init(_ kind: JSON5Mistake.Kind) {
            switch kind {
            case .syntax: self = .malformed
            case .unknownKey: self = .unknownField
            case .missingKey: self = .missingField
            case .wrongType: self = .wrongType
            case .other: self = .invalidField
            }
        }

        /// HTTP's status.
        var status: Int {
            switch self {
            case .emptyBody, .malformed, .unknownField, .missingField, .wrongType, .invalidField, .unknownParameter,
                .missingParameter, .repeatedParameter, .invalidParameter:
                400
            case .tokenMissing, .tokenInvalid: 401
            case .forbidden, .foreignHost, .foreignOrigin, .disconnected: 403
            case .noRoute, .noScreen, .noWindow, .noApplication: 404
            case .methodNotAllowed: 405
            case .timedOut: 408
            case .noReceiver, .noConnectedScreen, .noPicture, .noJournal, .realClock, .notIdle, .busy, .notAllowed: 409
            case .bodyTooLarge: 413
            case .unsupportedMediaType: 415
            case .invalidValue: 422
            case .internalError: 500
            case .unsettled, .limitReached, .unavailable, .shuttingDown: 503
            }
        }

        /// For the description of the API, in the order of the cases.
        static let meanings = """
            emptyBody: the body is missing; malformed: it is not JSON, or not a PNG, or the target of the request is not well-formed; unknownField, missingField, wrongType and \
            invalidField: a field, see errors; unknownParameter, missingParameter, repeatedParameter and invalidParameter: an \
            item of the query; tokenMissing and tokenInvalid: over TCP; forbidden: a right is missing, see rights; foreignHost \
            and foreignOrigin: a page of another server asks; disconnected: before it could be admitted; noRoute, noScreen, \
            noWindow and noApplication: there is none of this name; methodNotAllowed: see Allow; timedOut: see unmet; \
            noReceiver: see input; noConnectedScreen; noPicture: it would be empty or too large, or does not have this part; \
            noJournal: see mulliond --journal; realClock: it cannot be stepped; notIdle: see unfinished; busy: the same is in \
            progress; notAllowed: not in this state, see rule; bodyTooLarge; unsupportedMediaType; invalidValue: not a possible \
            value, such as the name of a screen that does not exist in a body, see rule; internalError; unsettled: see unfinished; limitReached: of the server or a user; unavailable: the \
            machine lacks something, or the server cannot start; shuttingDown
            """
    }
}
