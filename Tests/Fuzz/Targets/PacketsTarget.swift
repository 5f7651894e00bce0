import SocketIO

/// Reads the input as a payload of Engine.IO in both versions, and its messages as packets of Socket.IO.
func fuzzPackets(_ bytes: [UInt8]) {
    for version in EngineVersion.allCases {
        guard let packets = EnginePayload.split(bytes, version) else { continue }
        must((1...EnginePayload.mostPackets).contains(packets.count), "a payload has a bound")
        must(packets.reduce(0) { $0 + $1.data.count } <= bytes.count, "packets are a part of the payload")
        let again = EnginePayload.join(packets.map { $0.text(version) }, version)
        // Only text that is UTF-8 has a length in version 3.
        if packets.allSatisfy({ $0.isBinary || String(validating: $0.data, as: UTF8.self) != nil }) {
            must(EnginePayload.split(again, version) == packets, "a payload survives being joined")
        }
        var assembly = PacketAssembly()
        for packet in packets where packet.kind == .message {
            switch assembly.add(packet) {
            case .incomplete: break
            case .malformed: assembly = PacketAssembly()
            case .complete(let packet, let attachments):
                must(packet.attachments == attachments.count, "a packet has its attachments")
                must(SocketPacket(packet.bytes) == packet, "a packet survives its text")
            }
        }
    }
}
