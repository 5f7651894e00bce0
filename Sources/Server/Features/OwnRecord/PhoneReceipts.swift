import Meetings

/// The receipts of one session on one phone, which several people may share: kept in one cookie, the newest
/// first.
struct PhoneReceipts {
    /// More would not fit into the headers of a request beside everything else; the oldest goes.
    static let most = 12
    /// Is in no receipt.
    private static let separator: Character = "."

    private(set) var all: [Receipt]

    init(_ context: RequestContext, of session: SessionID) {
        let text = context.cookie(Cookies.receipt(for: session)) ?? ""
        all = text.split(separator: Self.separator).prefix(Self.most).compactMap {
            Receipt(String($0), keys: context.services.keys)
        }
    }

    mutating func add(_ receipt: Receipt) {
        remove(receipt.attendeeID)
        all = Array(([receipt] + all).prefix(Self.most))
    }

    mutating func remove(_ attendee: AttendeeID) { all.removeAll { $0.attendeeID == attendee } }

    /// `seconds` is how long the phone keeps them; with none left, not at all.
    func cookie(for session: SessionID, seconds: Int, _ context: RequestContext) -> String {
        let text = all.map { $0.text(keys: context.services.keys) }.joined(separator: String(Self.separator))
        return Cookies.set(
            Cookies.receipt(for: session), text, seconds: all.isEmpty ? 0 : seconds,
            secure: context.address.isSecure)
    }
}
