package import Meetings

/// Checks a guest in at a kiosk, as `Admit` does for the account that created the kiosk's link. A repetition
/// changes nothing and says that the guest is in already.
/// - Throws: `notFound` if the session has nobody with this number, or if the name and the ending do not
///   match the found attendee any more; `meetingIsBusy` as `Admit`; `notAllowed` if the link was revoked, has
///   another purpose or another session, or if its creator or the session has ended.
package struct AdmitAtKiosk: Command {
    package enum Guest: Sendable {
        /// What the guest has scanned.
        case scanned(Admit.Guest)
        /// The attendee whom the guest has confirmed, with what the guest has typed.
        case found(AttendeeID, KioskName, ending: String?)
    }

    package struct Outcome: Sendable {
        package let state: KioskState
        /// The name, as far as the kiosk may show it.
        package var name: String?
    }

    package let session: SessionID
    package let guest: Guest
    /// The hash of the link's token.
    package let link: [UInt8]

    package init(_ guest: Guest, to session: SessionID, by link: [UInt8]) {
        (self.guest, self.session, self.link) = (guest, session, link)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let rows = transaction.rows
        guard let link = try rows.presenterLink(hash: link, for: .kiosk), link.sessionID == session,
            let record = try rows.session(shownBy: link), !record.session.isOver(at: transaction.now)
        else { throw .refused(.notAllowed) }
        switch guest {
        case .scanned(let scanned):
            // A stranger who tries numbers must not learn whose they are.
            let isPass = if case .pass = scanned { true } else { false }
            let (state, found) = try admit(scanned, asksFirst: true, by: link, transaction)
            return Outcome(
                state: state, name: isPass && state.isIn ? found.person?.name ?? found.attendee?.name : nil)
        case .found(let id, let name, let ending):
            guard let attendee = try rows.attendee(id), attendee.sessionID == session,
                let match = name.match(attendee.name),
                ending.map({ match == .whole && Kiosk.isEnding($0, of: attendee.identity) }) ?? true
            else { throw .refused(.notFound(.attendee)) }
            if attendee.status == .excused { return Outcome(state: .askStaff) }
            let (state, _) = try admit(.attendee(id), asksFirst: false, by: link, transaction)
            return Outcome(state: state, name: state.isIn ? name.shown(of: attendee.name, match) : nil)
        }
    }

    /// Asks the door first whose pass or number it is, because an excused guest must speak with the staff.
    private func admit(
        _ guest: Admit.Guest, asksFirst: Bool, by link: PresenterLink, _ transaction: Transaction
    ) throws(JournalError) -> (KioskState, Admit.Outcome) {
        var outcome = Admit.Outcome(verdict: .notAPass)
        do throws(JournalError) {
            for onlyAsks in asksFirst ? [true, false] : [false] {
                outcome = try Admit(
                    guest, to: session, onlyAsks: onlyAsks, kiosk: link.id, actor: link.createdBy
                ).run(in: transaction)
                if outcome.verdict != .expected { break }
                if outcome.attendee?.status == .excused { return (.askStaff, outcome) }
            }
        } catch .refused(.checkInNotOpen), .refused(.checkInClosed) {
            return (.notNow, outcome)
        }
        switch outcome.verdict {
        case .admitted: return (.welcome, outcome)
        case .alreadyIn: return (.alreadyIn, outcome)
        case .returned: return (.returned, outcome)
        case .notAPass:
            if case .identity = guest { throw .refused(.notFound(.attendee)) }
            return (.noPass, outcome)
        case .sessionCode: return (.noPass, outcome)
        default: return (.askStaff, outcome)
        }
    }
}

extension KioskState {
    /// Whether the guest is checked in.
    fileprivate var isIn: Bool { [.welcome, .alreadyIn, .returned].contains(self) }
}
