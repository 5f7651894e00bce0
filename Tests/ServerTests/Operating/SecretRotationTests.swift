import Foundation
import Meetings
import Secrets
import Testing

@testable import Server

/// Tests of the secret's rotation: the old signatures live until the grace period ends, and then nowhere.
@Suite(.timeLimit(.minutes(1))) struct SecretRotationTests {
    @Test func `old receipts are valid until the grace period ends, which also ends their rooms`()
        async throws
    {
        try await Site.inFolder { folder in
            let (receipt, session) = try await Site.open(in: folder) { site in
                let cast = try await site.cast(to: 600)
                return (try #require(cast[.attendee]), cast.session)
            }
            let end = start + .hours(1)
            try ServerSecret.rotate(at: "\(folder)/secret", previousEndsAt: end.milliseconds)
            try await Site.open(in: folder) { site in
                #expect(Receipt(receipt, keys: site.keys.withoutPrevious) == nil)
                let known = try #require(Receipt(receipt, keys: site.keys))
                let fresh = known.text(keys: site.keys)
                #expect(Receipt(fresh, keys: site.keys.withoutPrevious) == known)
                let old = try await site.watch("audience:\(session)", bearer: receipt)
                let new = try await site.watch("audience:\(session)", bearer: fresh)
                await site.pass(to: end - .milliseconds(1))
                #expect(Receipt(receipt, keys: site.keys) != nil)
                await site.pass(to: end)
                #expect(Receipt(receipt, keys: site.keys) == nil)
                #expect(Receipt(fresh, keys: site.keys) == known)
                #expect(await old.end() == 4001)
                try new.say(#"{"ping": 1}"#)
                #expect(await new.hear("pong") != nil)
            }
        }
    }

    @Test func `unsubscribe links and marks of browsers outlive all rotations, also without grace`()
        async throws
    {
        try await Site.inFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = "\(folder)/secret"
            let address = IdentityKey("kim@example.org")
            func link(_ keys: Keys) -> UnsubscribeLink {
                UnsubscribeLink(
                    person: PersonID(high: 1, low: 2), meeting: MeetingID(high: 3, low: 4), address: address,
                    keys: keys)
            }
            func token(_ keys: Keys) -> String { String(link(keys).path(keys: keys).dropFirst(13)) }
            _ = try ServerSecret.loadOrCreate(at: path)
            let first = try Keys(folder: folder)
            let (old, mark) = (token(first), first.device.mac([1], length: 10))
            for end in [start.milliseconds, nil, nil] {
                try ServerSecret.rotate(at: path, previousEndsAt: end)
                let keys = try Keys(folder: folder)
                let read = try #require(UnsubscribeLink(old, keys: keys))
                #expect(read == link(keys) && read.isOf(address, keys: keys))
                #expect(token(keys) == old && keys.device.mac([1], length: 10) == mark)
                #expect(keys.receipt.mac([1], length: 16) != first.receipt.mac([1], length: 16))
            }
        }
    }

    @Test func `a first secret that an older version stored is replaced by its keys, and links stay valid`()
        async throws
    {
        try await Site.inFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let (path, lasting) = ("\(folder)/secret", "\(folder)/secret.lasting")
            func content() throws -> [UInt8] {
                Array(try #require(FileManager.default.contents(atPath: lasting)))
            }
            _ = try ServerSecret.loadOrCreate(at: path)
            let first = try Keys(folder: folder)
            let marks = { (keys: Keys) in
                [keys.device, keys.unsubscribe].map { $0.mac([1], length: 10) }
            }
            let secret = Array(try #require(FileManager.default.contents(atPath: path)))
            try ServerSecret.rotate(at: path, previousEndsAt: nil)
            let keys = try content()
            // As an older version left it.
            try Data(secret).write(to: URL(fileURLWithPath: lasting))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: lasting)
            #expect(try marks(Keys(folder: folder)) == marks(first))
            #expect(try content() == keys && keys.firstRange(of: secret) == nil)
            #expect(try marks(Keys(folder: folder)) == marks(first))
        }
    }

    @Test func `a rotation of all keys ends unsubscribe links and marks of browsers, too`() async throws {
        try await Site.inFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = "\(folder)/secret"
            _ = try ServerSecret.loadOrCreate(at: path)
            var seen: Set<[UInt8]> = []
            for endsLasting in [true, true, false, true] {
                let keys = try Keys(folder: folder)
                seen.insert(keys.unsubscribe.mac([1], length: 10))
                seen.insert(keys.device.mac([1], length: 10))
                try ServerSecret.rotate(at: path, previousEndsAt: nil, endsLasting: endsLasting)
            }
            #expect(seen.count == 6)
            #expect(!FileManager.default.fileExists(atPath: path + ".lasting"))
        }
    }

    @Test func `without a grace period, nothing that the old secret signed is valid`() async throws {
        try await Site.inFolder { folder in
            let path = "\(folder)/secret"
            let (code, invitation) = try await Site.open(in: folder) { site in
                let cast = try await site.cast()
                return (
                    MeetingCode.text(of: cast.record.meeting, keys: site.keys),
                    Invitation.text(for: "a@example.org", until: start + .hours(1), keys: site.keys)
                )
            }
            try ServerSecret.rotate(at: path, previousEndsAt: start.milliseconds + 1)
            #expect(FileManager.default.fileExists(atPath: path + ".previous"))
            try ServerSecret.rotate(at: path, previousEndsAt: nil)
            #expect(!FileManager.default.fileExists(atPath: path + ".previous"))
            try await Site.open(in: folder) { site in
                #expect(!Invitation.isGood(invitation, for: "a@example.org", at: start, keys: site.keys))
                let answer = try await site.send("GET", "/M/\(code)")
                #expect(answer.status != 200)
            }
        }
    }
}
