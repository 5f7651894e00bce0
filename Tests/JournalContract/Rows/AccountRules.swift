import Journal
import Meetings
import Testing

extension RowsRule {
    static let accounts: [RowsRule] = [
        RowsRule("an account is stored completely, and found by id and by its address in any letter case") {
            rows in
            var written = anAccount(1)
            written.profile = .init(
                birthDate: "2001-05-20", phone: "010", interests: ["뜨개질", "Go"], locale: "ko",
                nickname: "올빼미", searchable: true, ageRange: AgeRange(min: 20, max: 39), notifications: false)
            written.verified = true
            written.admin = true
            written.suspendedAt = at(3)
            try rows.batch { try rows.insert(written) }
            #expect(try rows.account(id(1)) == written)
            #expect(try rows.account(email: IdentityKey(" host1@EXAMPLE.org")) == written)
            #expect(try rows.account(email: IdentityKey("host2@example.org")) == nil)
            #expect(try rows.accountCount() == 1)
            written.email = "New@example.org"
            written.profile = .init()
            written.version = 2
            written.admin = false
            written.suspendedAt = nil
            try rows.batch { try rows.update(written) }
            #expect(try rows.account(id(1)) == written)
            #expect(try rows.account(email: IdentityKey("new@example.org")) == written)
            #expect(try rows.account(email: IdentityKey("host1@example.org")) == nil)
        },
        RowsRule("an account with a phone is found by its number, and two cannot have the same") { rows in
            var written = anAccount(1)
            (written.email, written.phone, written.passwordHash) = ("", "+821012345678", "")
            try rows.batch { try rows.insert(written) }
            #expect(try rows.account(id(1)) == written)
            #expect(try rows.account(email: IdentityKey("+821012345678")) == written)
            #expect(try rows.account(email: IdentityKey("")) == nil)
            var other = anAccount(2)
            (other.email, other.phone) = ("", "+821012345678")
            try rows.begin()
            try expectFailure(rows) { try rows.insert(other) }
            rows.rollBack()
            try rows.batch { try rows.hide(id(1) as AccountID) }
            try rows.batch { try rows.insert(other) }
            #expect(try rows.account(email: IdentityKey("+821012345678")) == other)
        },
        RowsRule("accounts are listed by id, and operators are found among them") { rows in
            var accounts = (1...5).map(anAccount)
            accounts[3].admin = true
            try rows.batch { for account in accounts.reversed() { try rows.insert(account) } }
            #expect(try rows.accounts(after: nil, limit: 3) == Array(accounts[..<3]))
            #expect(try rows.accounts(after: id(3), limit: 3) == Array(accounts[3...]))
            #expect(try rows.hasOperator(otherThan: id(1)))
            #expect(try rows.hasOperator(otherThan: id(4)) == false)
            accounts[3].suspendedAt = at(0)
            try rows.batch { try rows.update(accounts[3]) }
            #expect(try rows.hasOperator(otherThan: id(1)) == false)
        },
        RowsRule("the rows remember that an operator existed after the operator's account is deleted") {
            rows in
            #expect(try rows.hasHadOperator() == false)
            try rows.batch {
                try rows.insert(anAccount(1))
                try rows.noteOperator()
                try rows.noteOperator()
            }
            try rows.batch { try rows.delete(id(1) as AccountID) }
            #expect(try rows.hasHadOperator())
        },
        RowsRule("two accounts cannot have the same address") { rows in
            try rows.batch { try rows.insert(anAccount(1)) }
            try rows.begin()
            var other = anAccount(2)
            other.email = "HOST1@example.org"
            try expectFailure(rows) { try rows.insert(other) }
            try rows.insert(anAccount(2))
            try expectFailure(rows) { try rows.update(other) }
            try rows.commit()
            #expect(try rows.account(id(2)) == anAccount(2))
        },
        RowsRule("tokens are found by hash, and sign-ins are listed by refresh token, newest first") { rows in
            try rows.batch {
                try rows.insert(anAccount(1))
                try rows.insert(anAccount(2))
                try rows.insert(aToken(1))
                try rows.insert(aToken(2, kind: .refresh))
                try rows.insert(aToken(3, kind: .refresh, signIn: 2, created: 5))
                try rows.insert(aToken(4, of: 2, kind: .refresh, signIn: 3))
            }
            #expect(try rows.token(hash: hash(1)) == aToken(1))
            #expect(try rows.token(hash: hash(9)) == nil)
            #expect(
                try rows.signIns(of: id(1)) == [
                    aToken(3, kind: .refresh, signIn: 2, created: 5), aToken(2, kind: .refresh),
                ])
            try rows.batch { try rows.deleteTokens(signIn: id(1)) }
            #expect(try rows.token(hash: hash(1)) == nil)
            #expect(try rows.token(hash: hash(2)) == nil)
            #expect(try rows.token(hash: hash(3)) != nil)
        },
        RowsRule("a used refresh token stays, but the access tokens of its sign-in are deleted") { rows in
            let use = Token.Use(at: at(3), client: [1, 2, 3])
            try rows.batch {
                try rows.insert(anAccount(1))
                try rows.insert(aToken(1))
                try rows.insert(aToken(2, kind: .refresh))
                try rows.insert(aToken(3, signIn: 2))
                try rows.use(aToken(2, kind: .refresh), use, keeping: 1)
            }
            #expect(try rows.token(hash: hash(1)) == nil)
            #expect(try rows.token(hash: hash(2))?.use == use)
            #expect(try rows.token(hash: hash(3)) != nil)
            #expect(try rows.signIns(of: id(1)) == [])
            try rows.batch {
                try rows.insert(aToken(4, kind: .refresh, created: 5))
                try rows.use(aToken(4, kind: .refresh, created: 5), use, keeping: 1)
            }
            #expect(try rows.token(hash: hash(2)) == nil)
            #expect(try rows.token(hash: hash(4))?.use == use)
            try rows.batch { try rows.deleteTokens(signIn: id(1)) }
            #expect(try rows.token(hash: hash(4)) == nil)
        },
        RowsRule("a token that expires now is not yet expired") { rows in
            try rows.batch {
                try rows.insert(anAccount(1))
                try rows.insert(aToken(1, expires: 9))
                try rows.insert(aToken(2, expires: 10))
                try rows.deleteTokens(expiredBefore: at(10))
            }
            #expect(try rows.token(hash: hash(1)) == nil)
            #expect(try rows.token(hash: hash(2)) != nil)
        },
        RowsRule("an account's ended tokens leave the reason and nothing else, until they would expire") {
            rows in
            try rows.batch {
                for number in 1...3 { try rows.insert(anAccount(number)) }
                try rows.insert(aToken(1))
                try rows.insert(aToken(2, kind: .refresh, expires: 90))
                try rows.insert(aToken(3, of: 2, signIn: 2))
                try rows.insert(aToken(4, of: 3, signIn: 3))
                try rows.endTokens(of: id(1), because: .suspended)
                try rows.hide(id(2) as AccountID)
            }
            #expect(try rows.token(hash: hash(1)) == nil && rows.signIns(of: id(1)).isEmpty)
            #expect(
                try (1...4).map { try rows.tokenEnd(hash: hash($0)) } == [
                    .suspended, .suspended, .withdrawn, nil,
                ])
            try rows.batch {
                try rows.delete(id(2) as AccountID)
                try rows.delete(id(3) as AccountID)
                try rows.deleteTokens(expiredBefore: at(61))
            }
            #expect(try (1...4).map { try rows.tokenEnd(hash: hash($0)) } == [nil, .suspended, nil, nil])
        },
        RowsRule("a token's hash is unique, and its account must exist") { rows in
            try rows.begin()
            try rows.insert(anAccount(1))
            try rows.insert(aToken(1))
            try expectFailure(rows) { try rows.insert(aToken(1)) }
            try expectFailure(rows) { try rows.insert(aToken(2, of: 5)) }
            try rows.commit()
        },
        RowsRule("deleting an account deletes its tokens and memberships, but not its meetings") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(anAccount(2))
                try rows.insert(aToken(1))
                try rows.insert(aToken(2, of: 2))
                try rows.setRole(.host, of: id(2), in: id(1))
                try rows.delete(id(1) as AccountID)
            }
            #expect(try rows.account(id(1)) == nil)
            #expect(try rows.token(hash: hash(1)) == nil)
            #expect(try rows.role(of: id(1), in: id(1)) == nil)
            #expect(try rows.token(hash: hash(2)) != nil)
            #expect(try rows.role(of: id(2), in: id(1)) == .host)
            #expect(try rows.meeting(id(1)) != nil)
        },
    ]
}
