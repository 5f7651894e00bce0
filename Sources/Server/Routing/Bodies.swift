import Journal
import Meetings
import Wire

/// From records to what is sent, with the codes that only some may see.
extension RequestContext {
    enum Audience {
        /// Members and presenters: with join code and check-in URL.
        case member
        case attendee
    }

    /// - Parameter moment: nil for the time of the request.
    func sessionBody(_ record: SessionRecord, for audience: Audience, at moment: Instant? = nil)
        -> SessionBody
    {
        let now = moment ?? now
        var body = SessionBody(
            record.session, of: record.meeting, headCount: record.headCount, feedback: record.feedback,
            at: now)
        switch audience {
        case .member:
            let code = code(of: record.session)
            body.joinCode = code.joinCode
            body.checkInUrl = code.url
        case .attendee:
            let isFixed = record.feedback.hasFixedAnonymity(in: record.session, at: now)
            body.feedback = SessionBody.Feedback(record.feedback, tellsAnonymity: isFixed)
        }
        return body
    }

    func meetingBody(_ record: SessionRecord, role: Role) -> MeetingBody {
        var body = MeetingBody(record.meeting, role: role, latest: record.session)
        body.meetingUrl = address.meetingURL(code: MeetingCode.text(of: record.meeting, keys: services.keys))
        return body
    }

    func code(of session: Session) -> CodeBody {
        Services.code(of: session, at: codeNow, address: address, keys: services.keys)
    }
}

extension Services {

    /// `moment` is by the clock of codes.
    static func code(of session: Session, at moment: Instant, address: PublicAddress, keys: Keys) -> CodeBody
    {
        let url = address.checkInURL(code: CheckInCode.text(of: session, at: moment, keys: keys))
        switch session.codeKind {
        case .static: return CodeBody(url: url, joinCode: session.joinCode, expiresInMs: nil)
        case .rotating:
            return CodeBody(
                url: url, joinCode: RotatingJoinCode.text(of: session, at: moment, keys: keys),
                expiresInMs: Int(CodeSchedule.remaining(at: moment).wholeMilliseconds))
        }
    }
}
