import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// Handles the requests. After the head of a request, there are three possibilities. The loop refuses the
/// request at once, and the connection ends. Or the loop refuses the request, but first reads and ignores its
/// body. Or the loop accepts the request and collects its body. An accepted request is answered at once, or
/// its connection is suspended while a task prepares the response. The task sends its response to the inbox.
extension HTTPLoop {
    func beginRequest(on connection: Connection, target: UnsafePointer<CChar>?) {
        thread.preconditionOnLoop()
        let now = MonotonicTime.now
        let isFirst = connection.serial == 0
        latest = connection
        connection.begin(target: target, at: now)
        // The deadline of the first request began with the connection. The deadline of a later request begins
        // with its request line, because libmicrohttpd reports no earlier event.
        if !isFirst || connection.deadline == nil {
            connection.deadline = now + limits.request
        }
        counters.requests.add(1, ordering: .relaxed)
    }

    /// Handles a call of the access handler. If the result is false, libmicrohttpd ends the connection at
    /// once.
    func advance(
        _ connection: Connection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        piece: UnsafeRawBufferPointer
    ) -> Bool {
        thread.preconditionOnLoop()
        return switch connection.phase {
        case .head: readHead(of: connection, method: method, version: version)
        case .body where !piece.isEmpty: collect(piece, for: connection)
        case .refusedBody where !piece.isEmpty: swallow(piece.count, of: connection)
        case .body: answerComplete(connection)
        case .checked:
            if let answer = connection.answer {
                refuse(connection, with: answer)
            } else {
                beginBody(of: connection)
            }
        // This is the final call, after the connection was resumed or the refused body was read.
        case .refusedBody, .suspended: queueStored(on: connection)
        case .idle, .answering, .checking: false
        }
    }

    /// Ends a request. libmicrohttpd reports the end of every request whose request line it could read, even
    /// if the client disconnected early.
    func endRequest(on connection: Connection, isComplete: Bool) {
        thread.preconditionOnLoop()
        let now = MonotonicTime.now
        releaseShare(of: connection)
        if connection.status == nil {
            // If a status exists here, libmicrohttpd sent its own response.
            let status = cmhd_status(connection.library)
            if status != 0 {
                connection.status = Int(status)
                refusals -= 1
            }
        }
        if !isComplete { connection.isLast = true }
        if let head = connection.head ?? (connection.status == nil ? nil : outline(of: connection)) {
            responder.finished(
                HTTPExchange(
                    head: head, status: connection.status, bodyBytes: connection.answerBytes,
                    duration: .nanoseconds(Int64(now - connection.begunAt)),
                    isComplete: isComplete && connection.status != nil,
                    tag: connection.tag))
        }
        connection.end()
        connection.deadline = now + limits.idle
    }

    // MARK: The head

    private func readHead(
        of connection: Connection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> Bool {
        let size = cmhd_head_size(connection.library)
        guard size <= settings.headLimit else {
            return refuseAtOnce(connection, .headTooLarge, method: method)
        }
        // The headers begin after the 8 bytes of "HTTP/1.1" and the 2 bytes of CRLF.
        let headers = HTTPHeaders(
            of: connection.library, from: UInt(bitPattern: version) + 10,
            to: UInt(bitPattern: method) + UInt(size))
        // libmicrohttpd cuts the method and the target at a NUL without an error. In this case, the next part
        // of the request line does not begin where the cut part ends.
        let isWhole =
            UInt(bitPattern: method) + UInt(strlen(method)) + 1 == connection.targetAddress
            && connection.targetAddress + UInt(connection.target.count) + 1 == UInt(bitPattern: version)
        let minor = version[7]
        let isHTTP10 = minor == CChar(bitPattern: UInt8(ascii: "0"))
        guard
            isWhole, RequestMethod.isWellFormed(method),
            isHTTP10 || minor == CChar(bitPattern: UInt8(ascii: "1")),
            let headers, let target = RequestTarget(connection.target), headers.areWellFormed,
            headers.count(of: "host") == 1 || (isHTTP10 && headers.count(of: "host") == 0)
        else { return refuseAtOnce(connection, .malformed, method: method) }
        let head = HTTPRequestHead(
            method: String(cString: method), path: target.path, rawQuery: target.query, headers: headers,
            peer: connection.peer, isFirst: connection.serial == 1)
        connection.head = head
        connection.isLast =
            isHTTP10 || headers.all("connection").contains { $0.lowercased().contains("close") }
        do throws(MessageFraming.Fault) {
            let framing = try MessageFraming(headers, isHTTP10: isHTTP10)
            if framing == .chunked {
                connection.chunks = ChunkFraming(start: UInt(bitPattern: method) + UInt(size))
            }
            return admit(head, on: connection, framing: framing)
        } catch {
            return refuseAtOnce(
                connection, error == .ambiguousLength ? .ambiguousLength : .unsupportedCoding, method: method)
        }
    }

    /// Returns a head for the log of a request whose head was rejected. This head contains no headers, and
    /// "-" in place of a malformed method or path.
    func outline(of connection: Connection, method: String = "-") -> HTTPRequestHead {
        let target = connection.phase == .idle ? nil : RequestTarget(connection.target)
        return HTTPRequestHead(
            method: RequestMethod.isWellFormed(method) ? method : "-", path: target?.path ?? "-",
            rawQuery: target?.query ?? "", peer: connection.peer)
    }

    /// Answers a request whose `Content-Length` libmicrohttpd is about to reject. Version 0.9.75 would send
    /// the head of its own response twice. The connection ends after the response of this function.
    func refuseLength(_ reason: HTTPRefusal) {
        thread.preconditionOnLoop()
        // Only the affected connection has a complete head that libmicrohttpd has not passed to the access
        // handler.
        func isMeant(_ connection: Connection) -> Bool {
            connection.phase == .head && cmhd_head_size(connection.library) > 0
        }
        guard let connection = latest.flatMap({ isMeant($0) ? $0 : nil }) ?? connections.first(where: isMeant)
        else { return }
        connection.head = outline(of: connection)
        // `hearLibrary` will count this request again, so it is subtracted here.
        refusals -= 1
        respondRaw(reason, on: connection)
        connection.sever()
    }

    /// Writes the response directly to the socket. libmicrohttpd then ends the connection.
    private func respondRaw(_ reason: HTTPRefusal, on connection: Connection) {
        let answer = refusal(reason, head: connection.head)
        (connection.status, connection.tag, connection.answerBytes) = (
            answer.status, answer.tag, answer.body.count
        )
        RawResponse.sendLast(answer, on: connection.descriptor)
    }

    private func admit(_ head: HTTPRequestHead, on connection: Connection, framing: MessageFraming) -> Bool {
        connection.announced =
            switch framing {
            case .none: 0
            case .length(let length): length
            case .chunked: nil
            }
        switch responder.admit(head) {
        case .refuse(let answer): return refuse(connection, with: answer)
        case .accept(let bodyLimit, let context, let check, let waits, let isShort):
            connection.context = context
            connection.waits = waits
            connection.isShort = isShort
            connection.bodyLimit = max(0, bodyLimit)
            guard connection.largestBody <= UInt64(connection.bodyLimit) else {
                return refuse(connection, with: refusal(.bodyTooLarge, head: head))
            }
            if let check, connection.largestBody > UInt64(settings.smallBody) {
                return begin(check, on: connection)
            }
            return beginBody(of: connection)
        }
    }

    /// Starts the check of a request whose body has not been read. The client's further bytes wait in the
    /// kernel.
    private func begin(_ check: @escaping @Sendable () async -> HTTPResponse?, on connection: Connection)
        -> Bool
    {
        guard takesMore(connection) else {
            return refuse(connection, with: refusal(.tooManyInFlight, head: connection.head))
        }
        connection.phase = .checking
        suspend(connection, for: .check(check))
        return true
    }

    private func beginBody(of connection: Connection) -> Bool {
        let size = Int(connection.announced ?? 0)
        // A body that cannot be stored is refused before the client sends it.
        if let share = bodies.share(forBodyOf: size), !bodies.hasRoom(for: size, in: share) {
            counters.overloads.add(1, ordering: .relaxed)
            return refuse(connection, with: refusal(.tooManyBodyBytes, head: connection.head))
        }
        connection.phase = .body
        if size > 0 { connection.body.reserveCapacity(size) }
        return true
    }

    /// Refuses a request before its body is read.
    private func refuse(_ connection: Connection, with answer: HTTPResponse) -> Bool {
        connection.answer = answer
        connection.phase = .refusedBody
        // The body is not read if the client waits for 100 (Continue), because such a client does not send a
        // refused body, or if the body is too large. libmicrohttpd closes the connection if the response
        // comes before the body.
        let isWorthReading =
            connection.announced.map { $0 <= UInt64(max(settings.swallowLimit, connection.bodyLimit)) }
            ?? true
        let isWaiting = connection.head?.headers.first("expect") != nil
        guard connection.announced != 0, !isWorthReading || isWaiting else { return true }
        connection.isLast = true
        return queueStored(on: connection)
    }

    // MARK: The body

    /// Returns whether the chunk lines before `piece` are well-formed. If they are malformed, this function
    /// first sends the response.
    private func isInForm(_ piece: UnsafeRawBufferPointer, of connection: Connection) -> Bool {
        guard connection.chunks?.accepts(piece, in: turn) == false else { return true }
        respondRaw(.malformed, on: connection)
        return false
    }

    private func collect(_ piece: UnsafeRawBufferPointer, for connection: Connection) -> Bool {
        guard isInForm(piece, of: connection) else { return false }
        guard connection.body.count + piece.count <= connection.bodyLimit else {
            // Only a chunked body can exceed the limit here. The response is queued later, because "queueing
            // an answer inside the body fails".
            return refuse(connection, amid: piece, .bodyTooLarge)
        }
        guard takesShare(connection, for: piece.count) else {
            counters.overloads.add(1, ordering: .relaxed)
            return refuse(connection, amid: piece, .tooManyBodyBytes)
        }
        connection.body.append(contentsOf: piece)
        return true
    }

    private func refuse(
        _ connection: Connection, amid piece: UnsafeRawBufferPointer, _ reason: HTTPRefusal
    ) -> Bool {
        connection.swallowed = connection.body.count
        connection.body = []
        releaseShare(of: connection)
        connection.answer = refusal(reason, head: connection.head)
        connection.phase = .refusedBody
        return swallow(piece.count, of: connection)
    }

    /// Counts the next bytes of a body in their share. Returns false if the share has no room. Only
    /// bytes that have arrived are counted, so that a client cannot fill a share by announcing a large body.
    private func takesShare(_ connection: Connection, for count: Int) -> Bool {
        let size = connection.body.count + count
        guard size > settings.smallBody,
            let share = bodies.share(forBodyOf: Int(connection.largestBody))
        else { return true }
        let added = size - connection.sharedBytes
        guard bodies.hasRoom(for: added, in: share) else { return false }
        bodies.add(added, to: share)
        connection.sharedBytes = size
        counters.bodyBytes.store(bodies.bytes, ordering: .relaxed)
        return true
    }

    private func releaseShare(of connection: Connection) {
        guard connection.sharedBytes > 0,
            let share = bodies.share(forBodyOf: Int(connection.largestBody))
        else { return }
        bodies.remove(connection.sharedBytes, from: share)
        connection.sharedBytes = 0
        counters.bodyBytes.store(bodies.bytes, ordering: .relaxed)
    }

    private func swallow(_ count: Int, of connection: Connection) -> Bool {
        connection.swallowed += count
        guard connection.swallowed > connection.bodyLimit + settings.swallowLimit else { return true }
        if let answer = connection.answer {
            connection.status = answer.status
            connection.tag = answer.tag
            RawResponse.send(answer, on: connection.descriptor)
        }
        return false
    }

    // MARK: The answer

    private func answerComplete(_ connection: Connection) -> Bool {
        guard let head = connection.head else { return false }
        guard connection.chunks?.acceptsEnd(in: turn) != false else {
            return queue(refusal(.malformed, head: head), on: connection)
        }
        let request = HTTPRequest(head: head, body: connection.body, context: connection.context)
        connection.body = []
        connection.context = nil
        if let answer = responder.respondAtOnce(to: request) { return queue(answer, on: connection) }
        guard takesMore(connection) else {
            return queue(refusal(.tooManyInFlight, head: head), on: connection)
        }
        connection.phase = .suspended
        suspend(connection, for: .answer(request))
        return true
    }

    /// Counts one more task, or returns false if too many tasks are running.
    private func takesMore(_ connection: Connection) -> Bool {
        if connection.waits {
            guard waiting < settings.waitingLimit else {
                counters.overloads.add(1, ordering: .relaxed)
                return false
            }
            waiting += 1
            return true
        }
        guard inFlight < settings.inFlightLimit else {
            counters.overloads.add(1, ordering: .relaxed)
            return false
        }
        inFlight += 1
        counters.inFlight.store(inFlight, ordering: .relaxed)
        return true
    }

    private func suspend(_ connection: Connection, for kind: Work.Kind) {
        connection.deadline = nil
        // The connection is suspended before the task starts, because the task may answer at once.
        MHD_suspend_connection(connection.library)
        starting.append(
            Work(
                kind: kind, connection: connection, serial: connection.serial,
                isOnLoop: connection.isShort && connection.largestBody <= UInt64(settings.smallBody)))
    }

    /// Starts the tasks of all requests that the loop has read in one iteration. The tasks start together, so
    /// that the threads of Swift's pool are woken only once, and each thread finds the next task when it has
    /// finished one. The loop's thread runs the tasks of short requests itself.
    func startTasks() {
        for work in starting {
            Task(executorPreference: work.isOnLoop ? executor : nil) { [responder, inbox] in
                // If the inbox is closed, the server and the connection have ended, and the response is
                // discarded.
                switch work.kind {
                case .answer(let request):
                    let answer = await responder.respond(to: request)
                    _ = inbox.post(.answer(answer, to: work.connection, serial: work.serial))
                case .check(let check):
                    _ = inbox.post(.checked(await check(), work.connection, serial: work.serial))
                }
            }
        }
        starting.removeAll(keepingCapacity: true)
    }

    /// Handles a task's response from the inbox, and resumes the connection.
    func resume(_ connection: Connection, serial: UInt64, with answer: HTTPResponse) {
        thread.preconditionOnLoop()
        // If the drain deadline has passed, the loop has answered this request already.
        guard connection.phase == .suspended, connection.serial == serial, connection.answer == nil else {
            return
        }
        resume(connection, with: answer)
    }

    /// Handles the result of a check from the inbox, and resumes the connection before its body.
    func resume(_ connection: Connection, serial: UInt64, checked refusal: HTTPResponse?) {
        thread.preconditionOnLoop()
        guard connection.phase == .checking, connection.serial == serial else { return }
        connection.phase = .checked
        connection.deadline = MonotonicTime.now + limits.request
        resume(connection, with: refusal)
    }

    private func resume(_ connection: Connection, with answer: HTTPResponse?) {
        if connection.waits { waiting -= 1 } else { inFlight -= 1 }
        counters.inFlight.store(inFlight, ordering: .relaxed)
        connection.answer = answer
        MHD_resume_connection(connection.library)
    }

    private func queueStored(on connection: Connection) -> Bool {
        // Without a response, libmicrohttpd would repeat the final call forever. The result false ends the
        // connection instead.
        guard let answer = connection.answer else { return false }
        connection.answer = nil
        return queue(answer, on: connection)
    }

    private func refuseAtOnce(_ connection: Connection, _ reason: HTTPRefusal, method: UnsafePointer<CChar>)
        -> Bool
    {
        if connection.head == nil {
            connection.head = outline(of: connection, method: String(cString: method))
        }
        return queue(refusal(reason, head: connection.head), on: connection)
    }

    private func queue(_ answer: HTTPResponse, on connection: Connection) -> Bool {
        let closes = answer.closesConnection || draining != nil || !connection.keepsAlive
        releaseShare(of: connection)
        var sent = answer
        var response =
            (200...599).contains(answer.status) ? LibraryResponse(answer, closesConnection: closes) : nil
        if response == nil {
            sent = refusal(.unsendableAnswer, head: connection.head)
            response = LibraryResponse(sent, closesConnection: closes)
        }
        connection.phase = .answering
        if closes { connection.isLast = true }
        let time = draining?.isForced == true ? Draining.lastMoment.nanoseconds : limits.answer
        connection.deadline = MonotonicTime.now + time
        guard let response, response.queue(on: connection.library, status: sent.status) else { return false }
        connection.status = sent.status
        connection.tag = sent.tag
        connection.answerBytes =
            connection.head?.method == "HEAD" || sent.status == 204 || sent.status == 304
            ? 0 : sent.body.count
        return true
    }

    /// Returns the responder's response for a refusal, with the headers that HTTP requires.
    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse {
        var answer = responder.refusal(reason, head: head)
        if reason.endsConnection { answer.closesConnection = true }
        if reason.status == 503, !answer.headers.contains(where: { $0.name.lowercased() == "retry-after" }) {
            answer.headers.append(("Retry-After", "\(max(1, settings.retryAfter.components.seconds))"))
        }
        return answer
    }
}
