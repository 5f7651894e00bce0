import CLibWebSockets
import Glibc
import Synchronization

/// Handles the events that libwebsockets reports about connections. libwebsockets only transfers bytes. This
/// code and `FrameReader` interpret them.
extension ServerLoop {
    func handle(
        _ event: lws_callback_reasons, of connection: OpaquePointer, _ input: UnsafeMutableRawPointer?,
        _ length: Int
    ) -> CInt {
        events.preconditionOnLoop()
        guard let peer = peers[PeerID(lws_get_opaque_user_data(connection))] else { return 0 }
        switch event {
        case LWS_CALLBACK_RAW_RX:
            return received(UnsafeRawBufferPointer(start: input, count: length), peer, connection) ? 0 : -1
        case LWS_CALLBACK_RAW_WRITEABLE:
            becameWritable(peer)
        case LWS_CALLBACK_RAW_CLOSE, LWS_CALLBACK_WSI_DESTROY:
            gone(peer)
        default:
            break
        }
        return 0
    }

    /// Handles incoming bytes. If the result is false, libwebsockets closes the socket at once.
    private func received(_ bytes: UnsafeRawBufferPointer, _ peer: Peer, _ wsi: OpaquePointer) -> Bool {
        switch peer.stage {
        case .handshaking:
            return upgrade(peer, wsi, with: bytes)
        // A client of an event stream must not send anything after its request.
        case .open where peer.form == .events:
            return false
        case .open:
            readFrames(bytes[...], peer, wsi)
        case .closing:
            guard isEnd(bytes[...], of: peer) else { break }
            // Some clients close their side only when they connect again. Draining does not wait for them.
            if isDraining { return false }
            linger(peer, wsi)
        case .ending, .lingering:
            break
        }
        return true
    }

    private func upgrade(_ peer: Peer, _ wsi: OpaquePointer, with bytes: UnsafeRawBufferPointer) -> Bool {
        guard let request = peer.request else { return false }
        let before = request.head.count
        request.head += bytes
        let blankLine: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a]
        guard let end = request.head.firstRange(of: blankLine)?.upperBound else {
            return request.head.count < Handshake.longestHead
        }
        let handshake = Handshake(request.head[..<end], peer: request.peerName, settings: settings)
        guard let handshake else { return false }
        if handshake.form == .events, let refusal = handler.refusal(of: handshake.head) {
            // The client gets this response instead of a stream.
            peer.stage = .lingering
            peer.lastHeard = events.now
            counters.connections.add(1, ordering: .relaxed)
            if writeBeside(refusal, peer, wsi) { linger(peer, wsi) }
            return true
        }
        peer.form = handshake.form
        if peer.form == .events { watchForSilence(wsi) }
        if peer.form == .packets {
            peer.reader.acceptsBinary = true
            peer.getsHeartbeats = settings.getsHeartbeats(handshake.head)
        }
        peer.request = nil
        peer.stage = .open
        peer.lastHeard = events.now
        peer.lastPinged = events.now
        counters.connections.add(1, ordering: .relaxed)
        counters.opened.add(1, ordering: .relaxed)
        writeBeside(handshake.answer, peer, wsi)
        handler.opened(peer.handle, request: handshake.head)
        // A client may send its first frames before it receives the response.
        readFrames(bytes[(end - before)...], peer, wsi)
        return true
    }

    /// Ends the connection of a client that acknowledges nothing. A client of an event stream sends no
    /// messages and no pongs, so only the kernel notices that it is gone.
    private func watchForSilence(_ wsi: OpaquePointer) {
        var milliseconds = CInt(clamping: limits.silence)
        let size = socklen_t(MemoryLayout<CInt>.size)
        let descriptor = lws_get_socket_fd(wsi)
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
    }

    private func readFrames(_ bytes: Slice<UnsafeRawBufferPointer>, _ peer: Peer, _ wsi: OpaquePointer) {
        guard !bytes.isEmpty else { return }
        peer.lastHeard = events.now
        var rest = bytes
        var pongs: [UInt8] = []
        var ending: Ending?
        do throws(FrameReader.Breach) {
            while ending == nil, let event = try peer.reader.next(in: &rest) {
                peer.messageDeadline.read(isUnfinished: peer.reader.isUnfinished, at: events.now)
                switch event {
                case .text(let text):
                    peer.rateLimit.addMessage()
                    counters.messagesReceived.add(1, ordering: .relaxed)
                    handler.received(text, from: peer.handle)
                case .binary(let bytes):
                    peer.rateLimit.addMessage()
                    counters.messagesReceived.add(1, ordering: .relaxed)
                    handler.received(binary: bytes, from: peer.handle)
                case .ping(let payload): pongs += FrameFormat.encode(.pong, payload)
                case .pong: break
                case .close(let code): ending = .closed(code: code)
                }
            }
        } catch {
            ending = .breach(error)
        }
        peer.messageDeadline.read(isUnfinished: peer.reader.isUnfinished, at: events.now)
        peer.rateLimit.addOverhead(peer.reader.takeOverhead())
        if ending == nil, peer.rateLimit.isFlooded(within: settings, at: events.now) {
            counters.closedFlooding.add(1, ordering: .relaxed)
            ending = .breach(FrameReader.Breach(code: CloseCode.policy, reason: "too many frames"))
        }
        // One write sends the pongs for all pings of this read. The client is not blocked, because the server
        // reads nothing from a blocked client.
        if !pongs.isEmpty { writeBeside(pongs, peer, wsi) }
        guard let ending else { return }
        peer.stage = .ending
        post(.end(peer.id, ending))
    }

    /// Whether `bytes` contain the client's close frame, or break the protocol.
    private func isEnd(_ bytes: Slice<UnsafeRawBufferPointer>, of peer: Peer) -> Bool {
        // The connection is ending, so nobody limits this traffic any more.
        defer { _ = peer.reader.takeOverhead() }
        var rest = bytes
        do throws(FrameReader.Breach) {
            while let event = try peer.reader.next(in: &rest) {
                if case .close = event { return true }
            }
            return false
        } catch {
            return true
        }
    }
}
