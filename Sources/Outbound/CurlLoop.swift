internal import CCurl
internal import Glibc
internal import OnDemand
internal import Synchronization
internal import Threads

/// An event loop that runs libcurl's multi interface on its own thread, for HTTP and SMTP. At most `parallel`
/// requests run at the same time, and any number of requests can wait in the queue. Later requests reuse idle
/// connections.
///
/// `@unchecked Sendable`: the inbox and the number are Sendable themselves, and the other `let`s are set
/// before the thread starts. Only the loop's thread uses `multi` and the `var`s (`preconditionOnLoop`).
/// `init` uses them before this thread exists.
final class CurlLoop: @unchecked Sendable {
    private enum Message {
        case start(Exchange)
        case cancel(UInt64)
        case stop
    }

    private let thread = LoopThread(named: "curl")
    private let inbox: PolledInbox<Message>
    private let lastNumber = Atomic<UInt64>(0)
    private let multi: UnsafeMutableRawPointer
    private let parallel: Int
    private let userAgent: String
    private let notProxied: String
    private let certificates: String?

    private var messages: [Message] = []
    private var waiting: [Exchange] = []
    private var nextWaiting = 0
    private var active: [UInt64: UnsafeMutableRawPointer] = [:]
    private var spare: [UnsafeMutableRawPointer] = []

    /// Starts the loop. Returns nil if there is no memory, no file descriptor or no thread left.
    ///
    /// - Parameters:
    ///   - parallel: the most requests that run at the same time.
    ///   - notProxied: the hosts for which no proxy is used, in the format of CURLOPT_NOPROXY(3).
    ///   - certificates: the path of a file with trusted certificates. If nil, the system's certificates are
    ///     trusted.
    init?(parallel: Int, userAgent: String, notProxied: String, certificates: String?) {
        guard CurlLibrary.failure() == nil, let inbox = PolledInbox<Message>(),
            let multi = curl_multi_init()
        else { return nil }
        self.inbox = inbox
        self.multi = multi
        self.parallel = parallel
        self.userAgent = userAgent
        self.notProxied = notProxied
        self.certificates = certificates
        // Sets the size of the cache of idle connections. By default, this size follows the number of
        // handles, and libcurl would close connections that could be reused.
        _ = qring_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, parallel)
        do throws(ThreadNotStarted) {
            try thread.start { self.run() }
        } catch {
            curl_multi_cleanup(multi)
            return nil
        }
    }

    /// Returns a number for an exchange, which is unique in this loop. Any thread may call this function and
    /// the next three.
    func number() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

    func start(_ exchange: Exchange) {
        if !inbox.post(.start(exchange)) { exchange.finish(.failure(.cancelled)) }
    }

    /// Cancels an exchange. Has no effect if the exchange has ended or was never started.
    func cancel(_ number: UInt64) { _ = inbox.post(.cancel(number)) }

    /// Ends the thread, and cancels the exchanges that have not ended.
    func stop() { _ = inbox.post(.stop) }

    private func preconditionOnLoop() { thread.preconditionOnLoop() }

    private func run() {
        var wake = curl_waitfd(fd: inbox.wake.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        while true {
            if wake.revents != 0 { inbox.wake.clear() }
            guard takeMessages() else { return end() }
            startWaiting()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if collectFinished(), nextWaiting < waiting.count { continue }
            // Sleeps until a message arrives, a socket is ready, or a timeout of libcurl expires, but at most
            // 10 s: "the time-out … is the maximum" (curl_multi_poll(3)).
            curl_multi_poll(multi, &wake, 1, 10_000, nil)
        }
    }

    /// Handles the messages in the inbox. Returns false if the loop must stop.
    private func takeMessages() -> Bool {
        preconditionOnLoop()
        inbox.take(into: &messages)
        defer { messages.removeAll(keepingCapacity: messages.count < 4096) }
        var isStopped = false
        for message in messages {
            switch message {
            case .start(let exchange): waiting.append(exchange)
            case .cancel(let number): drop(number)
            case .stop: isStopped = true
            }
        }
        return !isStopped
    }

    private func startWaiting() {
        preconditionOnLoop()
        while active.count < parallel, nextWaiting < waiting.count {
            let exchange = waiting[nextWaiting]
            nextWaiting += 1
            guard let handle = spare.popLast() ?? curl_easy_init() else {
                exchange.finish(.failure(.unreachable(detail: "out of memory")))
                continue
            }
            prepare(handle, for: exchange)
            active[exchange.number] = handle
            curl_multi_add_handle(multi, handle)
        }
        if nextWaiting == waiting.count, nextWaiting > 0 {
            waiting.removeAll(keepingCapacity: waiting.count < 4096)
            nextWaiting = 0
        }
    }

    private func prepare(_ handle: UnsafeMutableRawPointer, for exchange: Exchange) {
        let request = exchange.request
        let context = Unmanaged.passRetained(exchange).toOpaque()
        _ = qring_curl_set_private(handle, context)
        _ = qring_curl_set_sinks(handle, takeResponseBody, takeResponseHeader, context)
        _ = qring_curl_set_error_buffer(handle, exchange.errorText)
        _ = qring_curl_set_text(handle, CURLOPT_URL, request.url)
        _ = qring_curl_set_text(handle, CURLOPT_USERAGENT, userAgent)
        _ = qring_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = qring_curl_set_text(handle, CURLOPT_NOPROXY, notProxied)
        if let certificates { _ = qring_curl_set_text(handle, CURLOPT_CAINFO, certificates) }
        // libcurl must not use signals for timeouts, because the process has several threads
        // (CURLOPT_NOSIGNAL(3)).
        _ = qring_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = qring_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds(request.timeout))
        _ = qring_curl_set_long(
            handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(min(request.timeout, .seconds(10))))
        if let mail = request.mail { return prepare(handle, toSend: mail, for: exchange, context) }
        if let path = request.unixSocket { _ = qring_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, path) }
        if let limits = request.limits { limit(handle, to: limits, context) }
        var list: UnsafeMutablePointer<curl_slist>?
        // An empty value removes the `Expect` header. With this header, libcurl would wait for a 100 response
        // before it sends a larger body.
        list = curl_slist_append(list, "Expect:")
        for header in request.headers { list = curl_slist_append(list, "\(header.name): \(header.value)") }
        if let body = request.body {
            // COPYPOSTFIELDS changes the method to POST, so the method is set afterwards. An empty body needs
            // a valid address too.
            _ = qring_curl_set_body(handle, body.isEmpty ? [0] : body, curl_off_t(body.count))
        }
        if request.method == "HEAD" {
            _ = qring_curl_set_long(handle, CURLOPT_NOBODY, 1)
        } else if request.method != "GET" || request.body != nil {
            _ = qring_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        }
        _ = qring_curl_set_headers(handle, list)
        exchange.headerList = list
    }

    /// Prepares the handle to hand over a mail (everything.curl.dev, "SMTP"). libcurl authenticates, quotes
    /// lines that begin with a dot, and ends the mail.
    private func prepare(
        _ handle: UnsafeMutableRawPointer, toSend mail: SMTPRequest, for exchange: Exchange,
        _ context: UnsafeMutableRawPointer
    ) {
        _ = qring_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        _ = qring_curl_set_text(handle, CURLOPT_PROXY, "")
        _ = qring_curl_set_long(
            handle, CURLOPT_USE_SSL,
            Int(mail.server.requiresTLS ? CURLUSESSL_ALL.rawValue : CURLUSESSL_TRY.rawValue))
        if let user = mail.server.user {
            _ = qring_curl_set_text(handle, CURLOPT_USERNAME, user)
            _ = qring_curl_set_text(handle, CURLOPT_PASSWORD, mail.server.password ?? "")
        }
        _ = qring_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(mail.sender)>")
        let recipients = curl_slist_append(nil, "<\(mail.recipient)>")
        exchange.recipientList = recipients
        _ = qring_curl_set_recipients(handle, recipients)
        _ = qring_curl_set_source(handle, giveMailBytes, context, curl_off_t(mail.bytes.count))
        // The names of the commands tell which of them a reply refuses.
        _ = qring_curl_set_debug(handle, takeDebugText, context)
    }

    private func limit(
        _ handle: UnsafeMutableRawPointer, to limits: PublicFetcher.Limits, _ context: UnsafeMutableRawPointer
    ) {
        _ = qring_curl_set_opener(handle, openCheckedSocket, context)
        // No proxy is used, because a proxy could connect to any address. No idle connection is reused,
        // because its address was checked for another request.
        _ = qring_curl_set_text(handle, CURLOPT_NOPROXY, "*")
        _ = qring_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
        _ = qring_curl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
        _ = qring_curl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        if limits.mostRedirects > 0 {
            _ = qring_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
            _ = qring_curl_set_long(handle, CURLOPT_MAXREDIRS, limits.mostRedirects)
        }
        if !limits.ignoresRest { _ = qring_curl_set_long(handle, CURLOPT_MAXFILESIZE, limits.mostBytes) }
        // Otherwise the loop, and with it all requests, would wait for a look-up that has taken too long.
        _ = qring_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
    }

    private func milliseconds(_ duration: Duration) -> Int {
        max(
            1,
            Int(duration.components.seconds) * 1000
                + Int(duration.components.attoseconds / 1_000_000_000_000_000))
    }

    /// Finishes the exchanges that libcurl has completed. Returns whether there was at least one.
    private func collectFinished() -> Bool {
        preconditionOnLoop()
        var found = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else {
                continue
            }
            // The message must be read before its handle is removed, because it is invalid afterwards.
            let code = message.pointee.data.result
            found = true
            if let exchange = release(handle) { exchange.finish(result(code, of: exchange, handle)) }
            recycle(handle)
        }
        return found
    }

    private func result(_ code: CURLcode, of exchange: Exchange, _ handle: UnsafeMutableRawPointer) -> Result<
        OutboundResponse, TransportError
    > {
        guard code == CURLE_OK else {
            if exchange.request.mail != nil, let failure = exchange.dialogue.failure {
                return .failure(.mailNotTaken(failure))
            }
            if exchange.overflowed || code == CURLE_FILESIZE_EXCEEDED { return .failure(.responseTooLarge) }
            if exchange.addressWasRefused { return .failure(.addressRefused) }
            if code == CURLE_OPERATION_TIMEDOUT { return .failure(.timedOut) }
            let text = String(cString: exchange.errorText)
            return .failure(
                .unreachable(detail: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text))
        }
        var status = 0
        _ = qring_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return .success(OutboundResponse(status: status, headers: exchange.headers, body: exchange.body))
    }

    /// Removes a handle from the multi handle, and returns the exchange of the handle.
    private func release(_ handle: UnsafeMutableRawPointer) -> Exchange? {
        var context: UnsafeMutableRawPointer?
        _ = qring_curl_get_private(handle, &context)
        curl_multi_remove_handle(multi, handle)
        guard let context else { return nil }
        let exchange = Unmanaged<Exchange>.fromOpaque(context).takeRetainedValue()
        active[exchange.number] = nil
        curl_slist_free_all(exchange.headerList)
        curl_slist_free_all(exchange.recipientList)
        return exchange
    }

    /// Stores a handle for the next exchange, because a new handle is expensive. The multi handle stores the
    /// connections, the resolved names and the TLS sessions.
    private func recycle(_ handle: UnsafeMutableRawPointer) {
        curl_easy_reset(handle)
        if spare.count < parallel { spare.append(handle) } else { curl_easy_cleanup(handle) }
    }

    /// Cancels an exchange. Has no effect if the exchange has ended.
    private func drop(_ number: UInt64) {
        if let handle = active[number] {
            release(handle)?.finish(.failure(.cancelled))
            recycle(handle)
        } else if let index = waiting[nextWaiting...].firstIndex(where: { $0.number == number }) {
            waiting.remove(at: index).finish(.failure(.cancelled))
        }
    }

    private func end() {
        preconditionOnLoop()
        for case .start(let exchange) in inbox.close() { exchange.finish(.failure(.cancelled)) }
        for handle in active.values {
            release(handle)?.finish(.failure(.cancelled))
            curl_easy_cleanup(handle)
        }
        for exchange in waiting[nextWaiting...] { exchange.finish(.failure(.cancelled)) }
        for handle in spare { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi)
    }
}

enum CurlLibrary {
    /// Opens libcurl and initialises its global state, unless both are done. Returns nil, or the reason.
    static func failure() -> String? {
        do throws(MissingLibrary) { try OnDemandLibrary.curl.open() } catch { return error.reason }
        return isReady ? nil : "libcurl could not start"
    }

    /// Swift initialises a static constant only once per process, even if several threads use it first.
    private static let isReady = qring_curl_global_init() == CURLE_OK
}
