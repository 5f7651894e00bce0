import Journal
import Meetings
import Testing

extension RowsRule {
    static let storedResponses: [RowsRule] = [
        RowsRule("a response is stored under its id, and storing it again replaces it") { rows in
            try rows.batch {
                try rows.store(answer(1, until: 10))
                try rows.store(answer(2, until: 20))
            }
            #expect(try rows.storedResponse(hash(1)) == answer(1, until: 10))
            #expect(try rows.storedResponse(hash(3)) == nil)
            let other = StoredResponse(
                key: RetryKey(id: hash(1), fingerprint: hash(9)), content: [], expiresAt: at(30))
            try rows.batch { try rows.store(other) }
            #expect(try rows.storedResponse(hash(1)) == other)
            #expect(try rows.storedResponse(hash(2)) == answer(2, until: 20))
        },
        RowsRule("expired responses are deleted oldest first, at most as many as requested") { rows in
            try rows.batch { for number in 1...5 { try rows.store(answer(number, until: number)) } }
            #expect(try !rows.hasStoredResponse(expiredAt: at(1) - .milliseconds(1)))
            #expect(try rows.hasStoredResponse(expiredAt: at(1)))
            try rows.batch { try rows.deleteStoredResponses(expiredAt: at(4), limit: 3) }
            #expect(
                try (1...5).map { try rows.storedResponse(hash($0)) != nil } == [
                    false, false, false, true, true,
                ])
            try rows.batch { try rows.deleteStoredResponses(expiredAt: at(4), limit: 3) }
            #expect(try (4...5).map { try rows.storedResponse(hash($0)) != nil } == [false, true])
        },
    ]
}

private func answer(_ number: Int, until minute: Int) -> StoredResponse {
    StoredResponse(
        key: RetryKey(id: hash(number), fingerprint: hash(number + 100)), content: [UInt8(number), 0, 255],
        expiresAt: at(minute))
}
