import HTTPServer
import Journal
import Meetings
import Secrets

/// Encodes an answer for storage. The first byte is the format of the remaining bytes.
enum StoredContent {
    static let response: UInt8 = 1
    static let checkIn: UInt8 = 2

    /// Returns the whole answer, encrypted with the client's key; nil if the answer is not a success. The
    /// answer may contain names that are erased later. Only the client that received the answer can read it.
    static func of(_ answer: HTTPResponse, _ key: IdempotencyKey) -> [UInt8]? {
        guard (200..<300).contains(answer.status) else { return nil }
        var bytes = SignedBytes()
        bytes.put(UInt16(answer.status))
        bytes.put(UInt8(clamping: answer.headers.count))
        for (name, value) in answer.headers {
            for text in [name, value] {
                let utf8 = Array(text.utf8)
                bytes.put(UInt16(clamping: utf8.count))
                bytes.put(utf8)
            }
        }
        bytes.put(answer.body)
        return [response] + Sealed.seal(bytes.bytes, with: key.sealingKey)
    }

    /// Returns the stored answer; nil if `content` was not made by `of` with this key.
    static func answer(in content: [UInt8], _ key: IdempotencyKey) -> HTTPResponse? {
        guard content.first == response,
            let bytes = Sealed.open(Array(content.dropFirst()), with: key.sealingKey), bytes.count >= 3
        else {
            return nil
        }
        var reader = SignedReader(bytes)
        var answer = HTTPResponse(status: Int(reader.integer(UInt16.self)))
        for _ in 0..<reader.integer(UInt8.self) {
            let name = String(decoding: reader.take(Int(reader.integer(UInt16.self))), as: UTF8.self)
            let value = String(decoding: reader.take(Int(reader.integer(UInt16.self))), as: UTF8.self)
            answer.headers.append((name, value))
        }
        answer.body = Array(reader.rest)
        return answer
    }
}

/// The stored content of a check-in's answer: the receipt and the counts at that moment. The other parts of
/// the answer are read from the database again. The most frequent request therefore stores 58 bytes and no
/// name. If the attendee was renamed meanwhile, the answer has the new name; if the attendee was
/// erased, there is no answer.
struct CheckInReference {
    /// Returns nil if the check-in stored nothing, because a retry then gives the same result.
    static func bytes(of done: CheckIns.Done) -> [UInt8]? {
        var bytes = SignedBytes()
        bytes.put(StoredContent.checkIn)
        let record: SessionRecord
        var arrival: Int64 = 0
        switch done.outcome {
        case .checkedIn(let attendee, let found, let again):
            record = found
            bytes.put(again ? Kind.again.rawValue : Kind.new.rawValue)
            let receipt = done.receipt ?? Receipt(for: attendee)
            bytes.put(receipt.attendeeID)
            arrival = receipt.arrival
        case .elsewhere(let found):
            record = found
            bytes.put(Kind.elsewhere.rawValue)
            bytes.put(found.session.id)
        case .ended: return nil
        }
        bytes.put(done.moment.milliseconds)
        let count = record.headCount
        for number in [
            count.pending, count.present, count.late, count.absent, count.excused, count.walkIns,
            record.feedback.responses,
        ] {
            bytes.put(Int32(clamping: number))
        }
        bytes.put(UInt32(clamping: arrival))
        if count.left > 0 { bytes.put(Int32(clamping: count.left)) }
        return bytes.bytes
    }

    private enum Kind: UInt8 {
        case new, again, elsewhere
    }

    private let kind: Kind
    private let id: [UInt8]
    private let moment: Instant
    private let headCount: HeadCount
    private let responses: Int
    /// `Receipt.arrival`; 0 in the content of older servers.
    private let arrival: Int64

    init?(_ bytes: [UInt8]) {
        guard [54, 58, 62].contains(bytes.count), bytes[0] == StoredContent.checkIn,
            let kind = Kind(rawValue: bytes[1])
        else { return nil }
        self.kind = kind
        var reader = SignedReader(bytes.dropFirst(2))
        id = Array(reader.take(16))
        moment = Instant(milliseconds: reader.integer(Int64.self))
        var count = HeadCount()
        for path in [\HeadCount.pending, \.present, \.late, \.absent, \.excused, \.walkIns] {
            count[keyPath: path] = Int(reader.integer(Int32.self))
        }
        responses = Int(reader.integer(Int32.self))
        arrival = reader.rest.isEmpty ? 0 : Int64(reader.integer(UInt32.self))
        count.left = reader.rest.isEmpty ? 0 : Int(reader.integer(Int32.self))
        headCount = count
    }

    /// Returns the check-in with the counts of its first answer.
    /// - Parameter session: the session of the check-in; nil if the request does not lead to it any more.
    /// - Throws: `not_found` if the session was deleted; `receipt_not_valid` if the check-in was withdrawn,
    ///   or if a host has set the attendee back to awaited, because a late retry must not restore it.
    func done(in session: SessionID?, _ storage: RequestStorage) async throws -> CheckIns.Done {
        let found = try await storage.read { rows throws(JournalError) -> (Attendee?, SessionRecord)? in
            switch kind {
            case .new, .again:
                // A repeated check-in may have shown the receipt of a record that was merged before.
                guard let id = AttendeeID(bytes: id),
                    let attendee = try kind == .again ? rows.attendee(behind: id) : rows.attendee(id),
                    attendee.accepts(Receipt(for: id, arrival: arrival)),
                    let record = try rows.session(attendee.sessionID)
                else { return nil }
                return (attendee, record)
            case .elsewhere:
                guard let id = SessionID(bytes: id), let record = try rows.session(id) else { return nil }
                return (nil, record)
            }
        }
        guard let (attendee, current) = found else {
            let session = kind == .elsewhere ? SessionID(bytes: id) : session
            if let session, try await storage.session(session) == nil { throw Refusal.notFound(.session) }
            throw Refusal.receiptNotValid
        }
        var record = current
        record.headCount = headCount
        record.feedback.responses = responses
        let outcome: CheckIn.Outcome =
            if let attendee { .checkedIn(attendee, record, again: kind == .again) } else {
                .elsewhere(record)
            }
        return CheckIns.Done(
            outcome: outcome,
            receipt: attendee == nil
                ? nil : AttendeeID(bytes: id).map { Receipt(for: $0, arrival: arrival) },
            moment: moment, isReplayed: true)
    }
}
