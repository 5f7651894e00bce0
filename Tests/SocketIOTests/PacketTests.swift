import SocketIO
import Testing

@Suite struct EnginePacketTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: EngineVersion.allCases)
    func `a packet survives its text`(version: EngineVersion) {
        for kind in EnginePacket.Kind.allCases {
            let packet = EnginePacket(kind, bytes("배움 €"))
            #expect(EnginePacket(text: packet.text(version)) == packet)
        }
        #expect(EnginePacket(.message, bytes("hi")).text(version) == bytes("4hi"))
    }

    @Test(arguments: ["", "7", "x", "/", " 4"])
    func `a text without a kind is no packet`(text: String) {
        #expect(EnginePacket(text: bytes(text)) == nil)
    }

    @Test func `a binary message is a frame of its bytes, in version 3 after its kind`() {
        let packet = EnginePacket(binary: [1, 2, 3])
        #expect(packet.binaryFrame(.four) == [1, 2, 3])
        #expect(packet.binaryFrame(.three) == [4, 1, 2, 3])
        #expect(EnginePacket(binaryFrame: [4, 1, 2, 3], .three) == packet)
        #expect(EnginePacket(binaryFrame: [1, 2, 3], .four) == packet)
        #expect(EnginePacket(binaryFrame: [3, 1], .three) == nil)
        #expect(EnginePacket(binaryFrame: [], .three) == nil)
        #expect(packet.text(.four) == bytes("bAQID"))
        #expect(packet.text(.three) == bytes("b4AQID"))
    }

    @Test func `a payload survives being joined and split`() {
        let packets = [
            EnginePacket(.message, bytes("a:1")), EnginePacket(.ping), EnginePacket(binary: [0, 255, 30]),
            EnginePacket(.message, bytes("배움 € 😀")), EnginePacket(binary: []),
        ]
        for version in EngineVersion.allCases {
            let joined = EnginePayload.join(packets.map { $0.text(version) }, version)
            #expect(EnginePayload.split(joined, version) == packets, "\(version)")
        }
    }

    @Test func `version 3 counts UTF-16 code units, and version 4 separates by 0x1e`() {
        let texts = [bytes("4😀"), bytes("2")]
        #expect(EnginePayload.join(texts, .three) == bytes("3:4😀1:2"))
        #expect(EnginePayload.join(texts, .four) == bytes("4😀\u{1e}2"))
    }

    @Test func `version 3 also reads a binary payload`() {
        let payload: [UInt8] =
            [0, 3, 255] + bytes("4hi") + [1, 1, 2, 255, 4] + [UInt8](repeating: 9, count: 11)
        #expect(
            EnginePayload.split(payload, .three) == [
                EnginePacket(.message, bytes("hi")), EnginePacket(binary: [UInt8](repeating: 9, count: 11)),
            ])
        for count in 1..<payload.count where count != 6 {
            #expect(EnginePayload.split(Array(payload.prefix(count)), .three) == nil, "\(count) bytes")
        }
    }

    @Test(arguments: [
        "", "4hi", ":4", "x:4", "2:4", "1:45:4hello", "0:", "9999999:4", "-1:4", "1:7", "2:4😀", "3:b5A",
    ])
    func `a malformed payload of version 3 is none`(text: String) {
        #expect(EnginePayload.split(bytes(text), .three) == nil)
    }

    @Test(arguments: [
        "", "\u{1e}", "4a\u{1e}", "7", "bA", "bAQI", "bAQ=D", "bA===", "b AQI=", "bAR==", "bAQJ=",
    ])
    func `a malformed payload of version 4 is none`(text: String) {
        #expect(EnginePayload.split(bytes(text), .four) == nil)
    }

    @Test func `a payload has at most 256 packets`() {
        for version in EngineVersion.allCases {
            let ping = EnginePacket(.ping).text(version)
            let most = [[UInt8]](repeating: ping, count: EnginePayload.mostPackets)
            #expect(EnginePayload.split(EnginePayload.join(most, version), version)?.count == most.count)
            #expect(EnginePayload.split(EnginePayload.join(most + [ping], version), version) == nil)
        }
    }
}

@Suite struct SocketPacketTests {
    private func packet(_ text: String) -> SocketPacket? { SocketPacket(Array(text.utf8)) }

    @Test(arguments: [
        ("0", SocketPacket(.connect)),
        ("0/custom,", SocketPacket(.connect, in: "/custom")),
        (#"0{"token":"x"}"#, SocketPacket(.connect, Array(#"{"token":"x"}"#.utf8))),
        ("1", SocketPacket(.disconnect)),
        (#"2["join","home"]"#, SocketPacket(.event, Array(#"["join","home"]"#.utf8))),
        (#"2/a,12["x"]"#, SocketPacket(.event, in: "/a", id: 12, Array(#"["x"]"#.utf8))),
        ("30[]", SocketPacket(.ack, id: 0, Array("[]".utf8))),
        (#"52-7["x"]"#, SocketPacket(.binaryEvent, id: 7, attachments: 2, Array(#"["x"]"#.utf8))),
        (#"61-/a,3[1]"#, SocketPacket(.binaryAck, in: "/a", id: 3, attachments: 1, Array("[1]".utf8))),
    ])
    func `a packet survives its text`(text: String, expected: SocketPacket) {
        #expect(packet(text) == expected)
        #expect(expected.bytes == Array(text.utf8))
    }

    @Test func `protocol 4 adds a query to the name of a namespace`() {
        #expect(packet("0/admin?token=1,") == SocketPacket(.connect, in: "/admin"))
        #expect(packet("0/admin?token=1") == SocketPacket(.connect, in: "/admin"))
    }

    @Test func `a malformed packet is none`() {
        let long = String(repeating: "a", count: SocketPacket.longestNamespace)
        for text in [
            "", "7", "x", "5", "5[1]", "5-[1]", "517-[1]", "5999999999999999999-[]",
            "29999999999999999[]", "2/\(long),[]",
        ] {
            #expect(packet(text) == nil, "\(text)")
        }
        #expect(packet("2/\(long.dropLast()),[]")?.payload == Array("[]".utf8))
        #expect(packet("2999999999999999[]")?.id == 999_999_999_999_999)
        #expect(packet("516-[1]")?.attachments == SocketPacket.mostAttachments)
    }

    @Test func `a packet is complete with its attachments, which have a limit`() {
        var assembly = PacketAssembly()
        func text(_ text: String) -> EnginePacket { EnginePacket(.message, Array(text.utf8)) }
        #expect(assembly.add(text("52-[1]")) == .incomplete)
        #expect(assembly.add(EnginePacket(binary: [1])) == .incomplete)
        #expect(
            assembly.add(EnginePacket(binary: [2]))
                == .complete(
                    SocketPacket(.binaryEvent, attachments: 2, Array("[1]".utf8)), [[1], [2]]))
        #expect(assembly.add(text("2[1]")) == .complete(SocketPacket(.event, Array("[1]".utf8)), []))
        #expect(assembly.add(text("50-[1]")) == .complete(SocketPacket(.binaryEvent, Array("[1]".utf8)), []))
        #expect(assembly.add(EnginePacket(binary: [1])) == .malformed)
        assembly = PacketAssembly()
        #expect(assembly.add(text("51-[1]")) == .incomplete)
        #expect(assembly.add(text("2[1]")) == .malformed)
        assembly = PacketAssembly()
        #expect(assembly.add(text("51-[1]")) == .incomplete)
        let most = [UInt8](repeating: 0, count: PacketAssembly.mostBytes)
        #expect(assembly.add(EnginePacket(binary: most + [0])) == .malformed)
        #expect(assembly.add(text("x")) == .malformed)
    }
}
