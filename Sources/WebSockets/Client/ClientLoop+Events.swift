import CLibWebSockets

/// Handles the events that libwebsockets reports about a client's connections.
extension ClientLoop {
    func handle(
        _ event: lws_callback_reasons, of connection: OpaquePointer, _ input: UnsafeMutableRawPointer?,
        _ length: Int
    ) -> CInt {
        events.preconditionOnLoop()
        guard let link = links[UInt64(UInt(bitPattern: lws_get_opaque_user_data(connection)))] else {
            // The attempt to connect was abandoned before this event, so -1 makes libwebsockets close the
            // socket.
            return event == LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH
                || event == LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER ? -1 : 0
        }
        switch event {
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
            link.wsi = connection
            return appendHeaders(of: link.request, to: input, room: length)
        case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
            // This event is the last chance to read the headers of the server's response.
            guard lws_hdr_total_length(connection, WSI_TOKEN_PROTOCOL) > 0 else {
                finish(link, with: .subprotocolMissing)
                return -1
            }
        case LWS_CALLBACK_CLIENT_ESTABLISHED:
            link.wsi = connection
            link.stage = .open
            finish(link, with: nil)
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
            failed(link, connection, input, length)
        case LWS_CALLBACK_CLIENT_RECEIVE:
            return received(UnsafeRawBufferPointer(start: input, count: length), link, connection)
        case LWS_CALLBACK_CLIENT_WRITEABLE:
            if link.stage == .open { flush(link, connection) }
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            serverCloses(link, UnsafeRawBufferPointer(start: input, count: length))
        case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_WSI_DESTROY:
            gone(link)
        default:
            break
        }
        return 0
    }

    /// Writes the request's own headers into the handshake. `input` points to a pointer to the free space,
    /// which this function advances as libwebsockets requires ("you should advance the pointer"). Returns 0,
    /// or -1 if a header does not fit or is malformed.
    private func appendHeaders(of request: WebSocketRequest, to input: UnsafeMutableRawPointer?, room: Int)
        -> CInt
    {
        guard let place = input?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self),
            var end = place.pointee
        else { return -1 }
        var left = room
        for (name, value) in request.headers {
            let line = Array("\(name): \(value)\r\n".utf8)
            // A line break within a value would begin another header.
            guard line.count < left, !line.dropLast(2).contains(where: { $0 == 13 || $0 == 10 || $0 == 0 })
            else { return -1 }
            end.update(from: line, count: line.count)
            end += line.count
            left -= line.count
        }
        place.pointee = end
        return 0
    }

    private func failed(
        _ link: ClientLink, _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int
    ) {
        let status = Int(lws_http_client_http_response(wsi))
        if status != 0, status != 101 { return finish(link, with: .refused(status: status)) }
        let words = input.map {
            String(
                decoding: UnsafeRawBufferPointer(start: $0, count: length).prefix { $0 != 0 }, as: UTF8.self)
        }
        finish(link, with: .notConnected(words ?? "refused"))
    }

    private func received(_ piece: UnsafeRawBufferPointer, _ link: ClientLink, _ wsi: OpaquePointer) -> CInt {
        guard link.stage == .open else { return 0 }
        let outcome = link.assembly.add(
            piece, announced: Int(clamping: lws_remaining_packet_payload(wsi)),
            isLast: lws_is_final_fragment(wsi) != 0,
            longest: link.request.longestMessage, mostPieces: .max)
        switch outcome {
        case .incomplete: return 0
        case .message(let text):
            if lws_frame_is_binary(wsi) != 0 { return refuse(link, wsi, CloseCode.unsupportedData) }
            if link.incoming.add(text) == .pause { post(.adjustFlow(link)) }
            return 0
        case .tooBig, .tooManyPieces: return refuse(link, wsi, CloseCode.tooBig)
        }
    }

    private func refuse(_ link: ClientLink, _ wsi: OpaquePointer, _ code: UInt16) -> CInt {
        link.stage = .closing
        events.ticks = true
        link.close = WebSocketClose(code: code)
        link.incoming.finish(WebSocketClose(code: code))
        qring_lws_close_reason(wsi, code, nil, 0)
        return -1
    }

    private func serverCloses(_ link: ClientLink, _ payload: UnsafeRawBufferPointer) {
        guard link.close == nil else { return }
        let code = payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : CloseCode.noCode
        link.close = WebSocketClose(code: code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
        link.stage = .closing
        events.ticks = true
    }

    private func gone(_ link: ClientLink) {
        if link.connecting != nil { return finish(link, with: .notConnected("closed before it was open")) }
        links[link.slot] = nil
        link.wsi = nil
        link.stage = .gone
        for frame in link.unsent { link.release(frame.count) }
        link.unsent = []
        link.incoming.finish(link.close ?? WebSocketClose(code: CloseCode.abnormal))
    }
}
