import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for kiosks: screens at which guests check themselves in.
enum KioskHandlers {
    static func show(_ context: RequestContext) -> HTTPResponse {
        .json(KioskSessionBody(context.record))
    }

    static func find(_ context: RequestContext, _ request: KioskSearchRequest) async throws -> HTTPResponse {
        try countRequest(context)
        if isTooEarly(context) { return .json(KioskBody(.notNow)) }
        try requireGuess(context)
        let (session, name) = (context.record.session.id, KioskName(request.name))
        // The search also finds numbers and addresses, and parts of words.
        let (attendees, areAll) = try await context.scanAlone { rows throws(JournalError) in
            try rows.searchedAttendees(of: session, for: name.longestWord) { name.match($0.name) != nil }
        }
        switch Kiosk.find(name, ending: request.ending, among: attendees, areAll: areAll) {
        case .one(let attendee, let match):
            return .json(
                KioskBody(.confirm, name: name.shown(of: attendee.name, match), attendee: attendee.id))
        case .more: return .json(KioskBody(.more))
        case .severalOfName: return .json(KioskBody(.ending))
        case .askStaff: return .json(KioskBody(.askStaff))
        case .nobody:
            // The staff decides about people who have replied and have no seat.
            if request.ending == nil, try await hasReplied(name, context) {
                return .json(KioskBody(.askStaff))
            }
            return wrongGuess(.nobody, context)
        case .tooShort: return wrongGuess(.more, context)
        }
    }

    static func admit(_ context: RequestContext, _ request: KioskRequest) async throws -> HTTPResponse {
        try countRequest(context)
        let guest: AdmitAtKiosk.Guest
        if let scan = request.scan {
            guest = .scanned(try await scanned(scan, context))
        } else if let id = request.attendeeID {
            guest = .found(id, KioskName(request.name ?? ""), ending: request.ending)
        } else {
            throw Refusal.invalid([FieldError("/scan", .missing)])
        }
        if guest.isGuess {
            if isTooEarly(context) { return .json(KioskBody(.notNow)) }
            try requireGuess(context)
        }
        do {
            return try await context.perform(
                AdmitAtKiosk(guest, to: context.record.session.id, by: context.link.hash)
            ) { .json(KioskBody($0.state, name: $0.name)) }
        } catch Refusal.notFound(.attendee) {
            return wrongGuess(.nobody, context)
        }
    }

    /// An address is no input of a kiosk, because anybody at it could try the addresses of others.
    private static func scanned(_ text: String, _ context: RequestContext) async throws -> Admit.Guest {
        let guest = try await DoorHandlers.guest(text, context)
        if case .identity = guest, context.record.meeting.identifyBy != .number { return .notAPass }
        return guest
    }

    private static func hasReplied(_ name: KioskName, _ context: RequestContext) async throws -> Bool {
        try await context.alone {
            try await DoorHandlers.repliesWithoutRecord(context) { name.match($0.name) != nil }
        }.isEmpty == false
    }

    /// Whether nobody may learn yet whom the session expects.
    private static func isTooEarly(_ context: RequestContext) -> Bool {
        context.now < context.record.session.checkInOpensAt
    }

    private static func countRequest(_ context: RequestContext) throws {
        try context.countRequest("kiosk \(context.link.id)", FailureLimits.kiosk)
    }

    private static func guesses(_ context: RequestContext) -> String { "kiosk guesses \(context.link.id)" }

    /// - Throws: 429 if the kiosk has guessed too many names and numbers that nobody has.
    private static func requireGuess(_ context: RequestContext) throws {
        try context.requireAttempt(guesses(context), FailureLimits.kioskGuesses)
    }

    private static func wrongGuess(_ state: KioskState, _ context: RequestContext) -> HTTPResponse {
        context.failed(guesses(context), FailureLimits.kioskGuesses)
        return .json(KioskBody(state))
    }
}

extension AdmitAtKiosk.Guest {
    /// Whether a stranger can guess it. Nobody guesses a signed pass.
    fileprivate var isGuess: Bool {
        switch self {
        case .scanned(.identity), .found: true
        case .scanned: false
        }
    }
}
