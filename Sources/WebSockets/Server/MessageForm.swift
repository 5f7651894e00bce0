/// The form in which a connection gets its messages and the frames of its channels.
package enum MessageForm: UInt8, Sendable, CaseIterable {
    /// Websocket text frames (RFC 6455). The client offered the subprotocol of the settings.
    case plain
    /// Server-sent events (HTML Living Standard §9.2), as the response to a GET request. The client sends
    /// nothing after its request.
    case events
    /// Websocket frames with the packets of another protocol. `WebSocketSettings.packet` makes a packet from
    /// the frame of a channel. Messages must be packets already.
    case packets
    /// Packets that wait in memory until the client polls them by HTTP (`WebSocketChannels.openPolled`).
    case polled
}

/// The bytes of server-sent events.
enum EventStream {
    /// The response's head. `X-Accel-Buffering` makes nginx pass each event on at once.
    static let head = Array(
        """
        HTTP/1.1 200 OK\r
        Content-Type: text/event-stream\r
        Cache-Control: no-store\r
        X-Accel-Buffering: no\r
        X-Content-Type-Options: nosniff\r
        Connection: close\r
        \r

        """.utf8)

    /// An event that shows that the stream is alive. A script cannot see a comment.
    static let heartbeat = Array("event: ping\ndata: {}\n\n".utf8)

    /// Encodes one event. `data` must be text without line breaks, such as JSON.
    static func event(_ data: some Collection<UInt8>, id: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 64)
        if let id { bytes += Array("id: \(id)\n".utf8) }
        bytes += Array("data: ".utf8)
        bytes += data
        bytes += [0x0a, 0x0a]
        return bytes
    }

    /// The last event of a stream, with the code and the reason that a close frame would have. `reason` must
    /// need no escape in JSON.
    static func closing(code: UInt16, reason: String) -> [UInt8] {
        Array("event: closed\ndata: {\"code\":\(code),\"reason\":\"\(reason)\"}\n\n".utf8)
    }
}

extension WebSocketSettings {
    /// Returns the bytes that carry a message to a client.
    func bytes(of message: [UInt8], in form: MessageForm) -> [UInt8] {
        switch form {
        case .plain, .packets, .polled: FrameFormat.encode(.text, message)
        case .events: EventStream.event(message)
        }
    }

    /// Returns the bytes that carry a frame to a client.
    func bytes(of frame: Frame, in form: MessageForm) -> [UInt8] {
        switch form {
        case .plain: frame.bytes
        case .events: EventStream.event(frame.text, id: eventID(frame.to))
        case .packets, .polled: FrameFormat.encode(.text, packet(frame.text, frame.to))
        }
    }
}

extension FrameRun {
    /// Returns the same frames in another form.
    func inForm(_ form: MessageForm, _ settings: WebSocketSettings) -> FrameRun {
        frames.dropFirst().reduce(into: FrameRun(frames[0].inForm(form, settings))) { run, frame in
            run.add(frame.inForm(form, settings))
        }
    }
}

extension Frame {
    fileprivate func inForm(_ form: MessageForm, _ settings: WebSocketSettings) -> Frame {
        Frame(bytes: settings.bytes(of: self, in: form), from: from, to: to)
    }
}
