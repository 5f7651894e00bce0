import Meetings
import Wire

extension RouteTable {
    /// The routes of kiosks. Hosts list and revoke the links as presenter links.
    static let kiosk: [Route] = [
        Route(
            .post, "/api/v1/sessions/{id}/kiosk-links", .member(.host, of: .session),
            does: "Create a link for a kiosk",
            gives: .json(PresenterLinkBody.self, status: 201), refuses: [.sessionOver, .limitReached],
            keys: .ignored(.secret)
        ) { try await Presenters.add(.kiosk, $0) },
        Route(
            .get, "/api/v1/sessions/{id}/kiosk", .kiosk, does: "Show the session of a kiosk",
            gives: .json(KioskSessionBody.self)
        ) { KioskHandlers.show($0) },
        Route(
            .post, "/api/v1/sessions/{id}/kiosk/people", .kiosk, does: "Find the guest at a kiosk by name",
            reading: KioskSearchRequest.self, gives: .json(KioskBody.self),
            refuses: [.tooManyAttempts, .tooMuchAtOnce], keys: .ignored(.changesNothing),
            KioskHandlers.find),
        Route(
            .post, "/api/v1/sessions/{id}/kiosk", .kiosk,
            does: "Check in the guest at a kiosk, by a pass or by a confirmed name",
            reading: KioskRequest.self, gives: .json(KioskBody.self),
            refuses: [.tooManyAttempts, .limitReached, .notAllowed], KioskHandlers.admit),
    ]

    /// The page of a kiosk.
    static let kioskPage: [Route] = [
        Route(.get, "/kiosk/{id}", .anyone, does: "Show the page of a kiosk", gives: .page, KioskPage.open)
    ]
}
