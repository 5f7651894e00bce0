import Foundation
import Testing

@testable import Secrets

@Suite struct SealedFileTests {
    private func withFiles(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sealed-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    private func read(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: path)))
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func `an encrypted file has the same content after decryption, and only its owner can read it`(size: Int)
        throws
    {
        try withFiles { folder in
            let (key, content) = (OpeningKey(), Secrets.randomBytes(size))
            try write(content, to: folder + "/plain")
            try SealedFile.seal(folder + "/plain", into: folder + "/sealed", for: key.sealingKey)
            #expect(SealedFile.isSealed(folder + "/sealed") && !SealedFile.isSealed(folder + "/plain"))
            try SealedFile.open(folder + "/sealed", into: folder + "/opened", with: key)
            #expect(try read(folder + "/opened") == content)
            let chunks = max(1, (size + SealedFile.chunk - 1) / SealedFile.chunk)
            #expect(try read(folder + "/sealed").count == SealedFile.headerLength + size + 17 * chunks)
            for name in ["sealed", "opened"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `a file that was cut off, extended, changed or reordered is rejected`() throws {
        try withFiles { folder in
            let key = OpeningKey()
            try write(Secrets.randomBytes(3 * SealedFile.chunk), to: folder + "/plain")
            try SealedFile.seal(folder + "/plain", into: folder + "/sealed", for: key.sealingKey)
            let whole = try read(folder + "/sealed")
            let (start, length) = (SealedFile.headerLength, SealedFile.chunk + 17)
            func part(_ number: Int) -> ArraySlice<UInt8> {
                whole[(start + number * length)..<(start + (number + 1) * length)]
            }
            var faulty: [[UInt8]] = [
                Array(whole.dropLast()), Array(whole.prefix(start + length)), Array(whole.prefix(start)),
                Array(whole.prefix(20)), [], whole + [0], whole + part(2),
                Array(whole.prefix(start)) + part(1) + part(0) + part(2),
                Array(whole.prefix(start)) + part(0) + part(2), Array(whole.prefix(start)) + part(2),
                Array(whole.prefix(start)) + part(0) + part(0) + part(1) + part(2),
            ]
            // One changed bit in each field of the header, and in each chunk. A changed public key is another
            // error.
            for place in [0, 45, 100, 125, 144, start, start + length, start + 2 * length, whole.count - 1] {
                var bytes = whole
                bytes[place] ^= 1
                faulty.append(bytes)
            }
            for (number, bytes) in faulty.enumerated() {
                try write(bytes, to: "\(folder)/faulty-\(number)")
                let error = #expect(throws: SecretsError.self) {
                    try SealedFile.open(
                        "\(folder)/faulty-\(number)", into: "\(folder)/opened-\(number)", with: key)
                }
                guard case .sealedFileDamaged = error else {
                    Issue.record("\(number): \(String(describing: error))")
                    continue
                }
            }
            var newer = whole
            newer[8] = 2
            try write(newer, to: folder + "/newer")
            #expect(throws: SecretsError.newerSealedFile(path: folder + "/newer")) {
                try SealedFile.open(folder + "/newer", into: folder + "/no", with: key)
            }
        }
    }

    @Test func `a header of one file does not fit the chunks of another, even for the same key`() throws {
        try withFiles { folder in
            let key = OpeningKey()
            try write([1, 2, 3], to: folder + "/plain")
            for name in ["a", "b"] {
                try SealedFile.seal(folder + "/plain", into: "\(folder)/\(name)", for: key.sealingKey)
            }
            let (one, other) = (try read(folder + "/a"), try read(folder + "/b"))
            try write(
                Array(one.prefix(SealedFile.headerLength) + other.dropFirst(SealedFile.headerLength)),
                to: folder + "/c")
            #expect(throws: SecretsError.self) {
                try SealedFile.open(folder + "/c", into: folder + "/opened", with: key)
            }
        }
    }

    @Test func `another key opens nothing, and a cancelled encryption ends`() throws {
        try withFiles { folder in
            try write([1], to: folder + "/plain")
            try SealedFile.seal(folder + "/plain", into: folder + "/sealed", for: OpeningKey().sealingKey)
            #expect(throws: SecretsError.sealedForAnotherKey(path: folder + "/sealed")) {
                try SealedFile.open(folder + "/sealed", into: folder + "/opened", with: OpeningKey())
            }
            #expect(throws: SecretsError.cancelled) {
                try SealedFile.seal(folder + "/plain", into: folder + "/no", for: OpeningKey().sealingKey) {
                    false
                }
            }
        }
    }

    @Test func `a key's text is read again, and a typing error or the private key is refused`() throws {
        try withFiles { folder in
            let key = OpeningKey()
            let text = key.sealingKey.text
            #expect(try SealingKey(" \(text)\n") == key.sealingKey)
            try key.write(to: folder + "/key")
            #expect(try OpeningKey(file: folder + "/key").sealingKey == key.sealingKey)
            let written = String(decoding: try read(folder + "/key"), as: UTF8.self)
            #expect(throws: SecretsError.keyIsPrivate) { try SealingKey(written) }
            for place in text.indices where place > text.firstIndex(of: "c")! {
                var typed = text
                typed.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
                #expect(throws: SecretsError.malformedKey, "\(typed)") { try SealingKey(typed) }
            }
            for typed in ["", "qring-public-", String(text.dropLast()), text + "0", "\(text) \(text)"] {
                #expect(throws: SecretsError.malformedKey, "\(typed)") { try SealingKey(typed) }
            }
            #expect(throws: SecretsError.self) { try key.write(to: folder + "/key") }
            try write(Array(text.utf8), to: folder + "/public")
            #expect(throws: SecretsError.malformedKey) { _ = try OpeningKey(file: folder + "/public") }
            #expect("\(key)" == "<redacted>")
        }
    }
}
