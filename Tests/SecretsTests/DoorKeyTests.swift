import Secrets
import Testing

@Suite struct DoorKeyTests {
    @Test func `a typed key opens what was encrypted for its public half, in any spelling`() throws {
        let (key, names) = (DoorKey(), Array("김민준, Ana".utf8))
        let sealed = try #require(DoorKey.seal(names, for: key.publicKey))
        #expect(key.text.count == DoorKey.textLength)
        let typed = key.text.lowercased().enumerated().map {
            $0.offset > 0 && $0.offset.isMultiple(of: 4) ? "- \($0.element)" : String($0.element)
        }
        #expect(DoorKey(text: typed.joined().replacing("- ", with: "-"))?.open(sealed) == names)
        #expect(DoorKey(text: " \(key.text)\n")?.open(sealed) == names)
        // Two sealed texts never tell that they hold the same names.
        #expect(DoorKey.seal(names, for: key.publicKey) != sealed)
    }

    @Test func `another key, a changed byte and a short text open nothing`() throws {
        let key = DoorKey()
        var sealed = try #require(DoorKey.seal([1, 2, 3], for: key.publicKey))
        #expect(DoorKey().open(sealed) == nil)
        #expect(key.open(Array(sealed.prefix(20))) == nil && key.open([]) == nil)
        sealed[sealed.count - 1] ^= 1
        #expect(key.open(sealed) == nil)
        #expect(DoorKey.seal([1], for: [1, 2]) == nil)
    }

    @Test func `a text of another length or alphabet is no key`() {
        for text in ["", "0", String(repeating: "0", count: 25), String(repeating: "U", count: 26)] {
            #expect(DoorKey(text: text) == nil)
        }
        #expect(DoorKey(text: String(repeating: "0", count: 27)) == nil)
        #expect(DoorKey(text: String(repeating: "-", count: 10_000)) == nil)
    }
}
