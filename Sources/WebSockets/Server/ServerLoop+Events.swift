import CLibWebSockets
import Synchronization

/// What the library reports of connections.
extension ServerLoop {
    func handle(_ event: lws_callback_reasons, of connection: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int) -> CInt {
        guard let peer = peers[PeerID(lws_get_opaque_user_data(connection))] else { return 0 }
        switch event {
        case LWS_CALLBACK_RECEIVE:
            return received(UnsafeRawBufferPointer(start: input, count: length), peer, connection)
        case LWS_CALLBACK_RECEIVE_PONG:
            peer.lastHeard = events.now
        case LWS_CALLBACK_SERVER_WRITEABLE:
            becameWritable(peer)
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
            // An upgrade that offers no subprotocol gets this far, as if it had offered ours.
            guard lws_hdr_total_length(connection, WSI_TOKEN_PROTOCOL) > 0 else { return -1 }
            peer.wsi = connection
            peer.head = UpgradeHead(of: connection, peer: peer.peerName, listing: settings.headers)
        case LWS_CALLBACK_ESTABLISHED:
            return opened(peer)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            peerCloses(peer, UnsafeRawBufferPointer(start: input, count: length))
        case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
            libraryCloses(peer, connection)
        case LWS_CALLBACK_CLOSED, LWS_CALLBACK_WSI_DESTROY:
            gone(peer, connection)
        default:
            break
        }
        return 0
    }

    private func opened(_ peer: Peer) -> CInt {
        guard let head = peer.head else { return -1 }
        peer.head = nil
        peer.peerName = ""
        peer.stage = .open
        peer.lastHeard = events.now
        peer.lastPinged = events.now
        peer.intake.begin(peer.wsi, at: events.now)
        counters.connections.add(1, ordering: .relaxed)
        counters.opened.add(1, ordering: .relaxed)
        handler.opened(peer.handle, request: head)
        return 0
    }

    private func received(_ piece: UnsafeRawBufferPointer, _ peer: Peer, _ wsi: OpaquePointer) -> CInt {
        guard peer.stage == .open else { return 0 }
        peer.lastHeard = events.now
        peer.intake.took(piece.count)
        let remaining = lws_remaining_packet_payload(wsi)
        peer.masks.took(piece.count, isEnd: remaining == 0)
        guard lws_frame_is_binary(wsi) == 0 else { return refuse(peer, wsi, CloseCode.unsupportedData, "text only") }
        let outcome = peer.assembly.add(
            piece, announced: Int(clamping: remaining), isLast: lws_is_final_fragment(wsi) != 0,
            longest: settings.longestMessage, mostPieces: settings.mostFragments)
        switch outcome {
        case .incomplete: return 0
        case .message(let text):
            guard !peer.masks.isBroken(wsi) else { return refuse(peer, wsi, CloseCode.protocolError, "frames must be masked") }
            peer.intake.tookMessage()
            counters.messagesReceived.add(1, ordering: .relaxed)
            handler.received(text, from: peer.handle)
            return 0
        case .tooBig: return refuse(peer, wsi, CloseCode.tooBig, "too big")
        case .tooManyPieces: return refuse(peer, wsi, CloseCode.policy, "too many fragments")
        }
    }

    /// From within RECEIVE the answer -1 closes, with the frame prepared here.
    private func refuse(_ peer: Peer, _ wsi: OpaquePointer, _ code: UInt16, _ reason: String) -> CInt {
        beginClosing(peer, code)
        let reason = CloseCode.fitting(reason)
        qring_lws_close_reason(wsi, code, reason, reason.count)
        return -1
    }

    private func peerCloses(_ peer: Peer, _ payload: UnsafeRawBufferPointer) {
        guard peer.stage == .open else { return }
        let code = payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : CloseCode.noCode
        beginClosing(peer, code)
    }

    /// Nothing is written to it from now on, and nothing of what it still sends is handed on. The only way out of `open`.
    func beginClosing(_ peer: Peer, _ code: UInt16) {
        peer.leaveAll()
        peer.assembly = MessageAssembly()
        peer.stage = .closing
        handler.closed(peer.handle, code: code)
    }

    /// The library begins to close: for a breach of the protocol, with the code that it has prepared, or because the socket ended.
    private func libraryCloses(_ peer: Peer, _ wsi: OpaquePointer) {
        guard peer.stage == .open else { return }
        var code = CloseCode.abnormal
        if lws_get_close_length(wsi) >= 2, let payload = lws_get_close_payload(wsi) { code = UInt16(payload[0]) << 8 | UInt16(payload[1]) }
        beginClosing(peer, code)
    }

    /// CLOSED comes first, for those that were established; WSI_DESTROY comes for all.
    private func gone(_ peer: Peer, _ wsi: OpaquePointer) {
        libraryCloses(peer, wsi)
        _ = peers.remove(peer.id)
        if peer.stage == .closing { counters.connections.subtract(1, ordering: .relaxed) }
    }
}
