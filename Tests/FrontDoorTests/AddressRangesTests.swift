import Testing

@testable import FrontDoor

struct AddressRangesTests {
    @Test func `the word unix means the peers of Unix sockets and no IP address`() throws {
        let unix = try AddressRanges("unix")
        #expect(unix.contains("unix") && !unix.contains("127.0.0.1") && !unix.contains("::1"))
        #expect(try !AddressRanges("loopback,0.0.0.0/0").contains("unix"))
    }

    @Test(arguments: [
        ("0.0.0.0/0", ["0.0.0.0/0"]), ("::/0", ["::/0"]), ("::ffff:0:0/96", ["0.0.0.0/0"]),
        ("0.0.0.0/1,128.0.0.0/1", ["0.0.0.0/1", "128.0.0.0/1"]), ("10.0.0.0/7", ["10.0.0.0/7"]),
        ("10.0.0.0/8", []),
        ("2000::/3", ["2000::/3"]), ("2001::/16", []), ("loopback,192.0.2.1", []),
    ])
    func `ranges that are too wide for a network of proxies are returned as text`(
        text: String, wide: [String]
    ) throws {
        #expect(try AddressRanges(text).wider(thanIPv4: 8, ipv6: 16) == wide)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("::1,127.3.0.0/16", true), ("126.0.0.0/7", false), ("::/127", false),
        ("127.0.0.1,10.0.0.1", false),
    ])
    func `isWithin is true only if the other ranges contain every address`(text: String, isWithin: Bool)
        throws
    {
        #expect(try AddressRanges(text).isWithin(AddressRanges("loopback")) == isWithin)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.0/8", "9.255.255.255", false),
        ("172.17.0.1/16", "172.17.200.3", true), ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.2", false),
        ("192.0.2.1/32", "192.0.2.1", true), ("0.0.0.0/0", "203.0.113.7", true), ("0.0.0.0/0", "::1", false),
        ("::/0", "203.0.113.7", true),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("2001:db8::/65", "2001:db8::1", true),
        ("2001:db8::/65", "2001:db8:0:0:8000::1", false), ("::1", "::1", true), ("::1", "::2", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.0/104", "10.1.2.3", true),
        ("loopback", "127.200.0.1", true),
        ("loopback", "::1", true), ("loopback", "128.0.0.1", false), (" 10.0.0.0/8 , ::1", "::1", true),
        ("10.0.0.0/8", "nonsense", false),
        ("10.0.0.0/8", "", false), ("10.0.0.0/8", "10.0.0.1:80", false),
    ])
    func `a range contains exactly the addresses that share its first bits`(
        ranges: String, address: String, isIn: Bool
    )
        throws
    {
        #expect(try AddressRanges(ranges).contains(address) == isIn)
    }

    @Test(arguments: [
        "", "x", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0/8", "::/129",
        "10.0.0.0/8,", "10.0.0.0/8/8", "[::1]",
        "localhost",
    ])
    func `a malformed list of ranges is rejected`(text: String) {
        #expect(throws: AddressRanges.Fault.self) { try AddressRanges(text) }
    }

    @Test func `an empty list of ranges contains no address`() {
        #expect(!AddressRanges().contains("127.0.0.1") && AddressRanges().isEmpty)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0::7", "2001:db8::7"),
        ("::", "::"),
        ("::ffff:0.0.0.0", "0.0.0.0"),
    ])
    func `every spelling of an address gives the same canonical text`(text: String, written: String) throws {
        #expect(try #require(NumericAddress(text)).description == written)
    }

    @Test func `connections are counted for each IPv6 network of 64 bits, or each IPv4 address`() throws {
        let counts = ConnectionCounts(limit: 2)
        func slot(_ text: String) throws -> ConnectionSlot? {
            counts.slot(for: try #require(NumericAddress(text)))
        }
        var held = [try slot("2001:db8::1"), try slot("2001:db8::ffff:1")]
        #expect(held.allSatisfy { $0 != nil })
        #expect(try slot("2001:db8::2") == nil)
        #expect(try slot("2001:db8:0:1::1") != nil)
        let others = [try slot("192.0.2.1"), try slot("192.0.2.1")]
        #expect(try slot("::ffff:192.0.2.1") == nil)
        #expect(try slot("192.0.2.2") != nil)
        held.removeLast()
        #expect(try slot("2001:db8::2") != nil)
        withExtendedLifetime((held, others)) {}
    }
}
