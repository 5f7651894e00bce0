import CLibWebSockets
import Glibc
import Synchronization

/// The reason why the server parses no more frames of a client.
enum Ending: Sendable {
    /// The client sent a close frame with this code. The server's close frame has the same code.
    case closed(code: UInt16)
    /// The client broke the protocol.
    case breach(FrameReader.Breach)
}

/// The closing handshake (RFC 6455 §7). The handshake may take at most 5 s. These functions never run within
/// the callback of a connection.
extension ServerLoop {
    /// Begins the closing handshake with a close frame. A connection without a complete upgrade is closed at
    /// once.
    func close(_ peer: Peer, code: UInt16, reason: String) {
        if let mailbox = peer.mailbox { return closePolled(peer, mailbox, code) }
        guard let wsi = peer.wsi else { return }
        switch peer.stage {
        case .handshaking:
            qring_lws_close(wsi)
        case .open, .ending:
            beginClosing(peer, code)
            if peer.form == .events {
                if writeBeside(EventStream.closing(code: code, reason: reason), peer, wsi) {
                    linger(peer, wsi)
                }
            } else {
                writeBeside(FrameFormat.close(code: code, reason: CloseCode.fitting(reason)), peer, wsi)
            }
        case .closing, .lingering:
            break
        }
    }

    /// Answers the client's close frame, or sends a close frame with the code of the breach.
    func end(_ peer: Peer, _ ending: Ending) {
        guard peer.stage == .ending, let wsi = peer.wsi else { return }
        let (code, reason) =
            switch ending {
            case .closed(let code): (code, "")
            case .breach(let breach): (breach.code, breach.reason)
            }
        beginClosing(peer, code)
        if writeBeside(FrameFormat.close(code: code, reason: CloseCode.fitting(reason)), peer, wsi) {
            linger(peer, wsi)
        }
    }

    /// Changes the stage to `closing`, and calls the handler's `closed`. After this call, the server sends
    /// only the close frame, and discards incoming messages.
    func beginClosing(_ peer: Peer, _ code: UInt16) {
        peer.leaveAll()
        peer.stage = .closing
        peer.lastHeard = events.now
        handler.closed(peer.handle, code: code)
    }

    /// Stops sending, and waits until the client closes its side.
    func linger(_ peer: Peer, _ wsi: OpaquePointer) {
        peer.stage = .lingering
        if lws_partial_buffered(wsi) == 0 { endWriting(wsi) }
    }

    /// Closes the socket's sending side, as the RFC recommends: "Use shutdown() with SHUT_WR, call recv()
    /// until obtaining a return value of 0" (§7.1.1).
    func endWriting(_ wsi: OpaquePointer) {
        shutdown(lws_get_socket_fd(wsi), CInt(SHUT_WR))
    }

    /// Closes the connections whose write failed. They get no close frame, because their sockets do not work
    /// any more.
    func closeBroken() {
        while let id = broken.popLast() {
            guard let peer = peers[id], let wsi = peer.wsi else { continue }
            if peer.stage == .open || peer.stage == .ending { beginClosing(peer, CloseCode.abnormal) }
            qring_lws_close(wsi)
        }
    }

    /// Removes a connection whose socket is closed. A second call has no effect: libwebsockets reports
    /// WSI_DESTROY for all connections, and RAW_CLOSE before it for most of them.
    func gone(_ peer: Peer) {
        if peer.stage == .open || peer.stage == .ending { beginClosing(peer, CloseCode.abnormal) }
        guard peers.remove(peer.id) != nil, peer.stage != .handshaking else { return }
        counters.connections.subtract(1, ordering: .relaxed)
    }
}
