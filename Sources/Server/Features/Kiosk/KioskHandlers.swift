import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for kiosks: screens at which guests check themselves in.
enum KioskHandlers {
    /// How many attendees a search for a name compares at most, in pages.
    private static let (pagesOfSearch, pageOfSearch) = (5, 200)

    static func show(_ context: RequestContext) -> HTTPResponse {
        .json(KioskSessionBody(context.record))
    }

    static func find(_ context: RequestContext, _ request: KioskSearchRequest) async throws -> HTTPResponse {
        try countRequest(context)
        try requireGuess(context)
        let (session, name) = (context.record.session.id, KioskName(request.name))
        let (attendees, areAll) = try await context.alone {
            try await context.storage.scan { rows throws(JournalError) in
                var (found, after): ([Attendee], AttendeeID?) = ([], nil)
                // The search also finds numbers and addresses, and parts of words.
                for _ in 0..<pagesOfSearch {
                    let page = try rows.attendees(
                        of: session, statuses: nil, text: name.typed, after: after, limit: pageOfSearch)
                    found += page.filter { name.match($0.name) != nil }
                    guard page.count == pageOfSearch else { return (found, true) }
                    after = page.last?.id
                }
                return (found, false)
            }
        }
        switch Kiosk.find(name, ending: request.ending, among: attendees, areAll: areAll) {
        case .one(let attendee, let match):
            return .json(
                KioskBody(.confirm, name: name.shown(of: attendee.name, match), attendee: attendee.id))
        case .more: return .json(KioskBody(.more))
        case .severalOfName: return .json(KioskBody(.ending))
        case .askStaff: return .json(KioskBody(.askStaff))
        case .nobody: return wrongGuess(.nobody, context)
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
        if guest.isGuess { try requireGuess(context) }
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

    private static func countRequest(_ context: RequestContext) throws {
        let charge = FailureLimits.Charge(
            key: "kiosk \(context.link.id)", limit: FailureLimits.kiosk, free: nil)
        guard let seconds = context.services.limits.count([charge], at: context.services.clock.now) else {
            return
        }
        throw RequestError(.tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
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
