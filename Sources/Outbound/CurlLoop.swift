internal import CCurl
internal import Glibc
internal import Synchronization
internal import Threads

/// libcurl's multi interface on its own thread. Any number of requests can wait; at most `parallel` requests
/// are on the wire. Connections are kept alive for the next requests.
///
/// `@unchecked Sendable`: the inbox and the number are Sendable themselves, and the other `let`s are set
/// before the thread starts. `multi`, and every `var`, is touched on the loop's thread only
/// (`preconditionOnLoop`); `init` touches them before that thread exists.
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

    /// Returns nil if libcurl or the system has no memory, descriptor or thread left.
    ///
    /// - Parameters:
    ///   - parallel: the most requests at once.
    ///   - notProxied: CURLOPT_NOPROXY(3).
    ///   - certificates: a file of certificates to trust; nil means the system's.
    init?(parallel: Int, userAgent: String, notProxied: String, certificates: String?) {
        guard CurlLibrary.isReady, let inbox = PolledInbox<Message>(), let multi = curl_multi_init() else {
            return nil
        }
        self.inbox = inbox
        self.multi = multi
        self.parallel = parallel
        self.userAgent = userAgent
        self.notProxied = notProxied
        self.certificates = certificates
        // The cache of idle connections. By default it grows and shrinks with the number of handles, and
        // connections are lost.
        _ = qring_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, parallel)
        do throws(ThreadNotStarted) {
            try thread.start { self.run() }
        } catch {
            curl_multi_cleanup(multi)
            return nil
        }
    }

    /// A number for an exchange, unique in this loop. Any thread may call this and the next three.
    func number() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

    func start(_ exchange: Exchange) {
        if !inbox.post(.start(exchange)) { exchange.finish(.failure(.cancelled)) }
    }

    /// Does nothing if the exchange is over or was never started.
    func cancel(_ number: UInt64) { _ = inbox.post(.cancel(number)) }

    /// Ends the thread, and cancels the exchanges that are not over.
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
            // Sleeps until a message, a socket or a timeout of libcurl's; "the time-out … is the maximum"
            // (curl_multi_poll(3)).
            curl_multi_poll(multi, &wake, 1, 10_000, nil)
        }
    }

    /// Returns false if the loop must stop.
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
        // No signals for timeouts, because the process has other threads (CURLOPT_NOSIGNAL(3)).
        _ = qring_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = qring_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds(request.timeout))
        _ = qring_curl_set_long(
            handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(min(request.timeout, .seconds(10))))
        if let limits = request.limits { limit(handle, to: limits, context) }
        var list: UnsafeMutablePointer<curl_slist>?
        // An empty value removes the header: libcurl would wait for a 100 before larger bodies.
        list = curl_slist_append(list, "Expect:")
        for header in request.headers { list = curl_slist_append(list, "\(header.name): \(header.value)") }
        if let body = request.body {
            // COPYPOSTFIELDS makes it a POST, so that the method is set after it. An empty array needs an
            // address, too.
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

    private func limit(
        _ handle: UnsafeMutableRawPointer, to limits: PublicFetcher.Limits, _ context: UnsafeMutableRawPointer
    ) {
        _ = qring_curl_set_opener(handle, openCheckedSocket, context)
        // A proxy would connect to any address, and the address of an idle connection was checked for
        // somebody else.
        _ = qring_curl_set_text(handle, CURLOPT_NOPROXY, "*")
        _ = qring_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
        _ = qring_curl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
        _ = qring_curl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        _ = qring_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
        _ = qring_curl_set_long(handle, CURLOPT_MAXREDIRS, limits.mostRedirects)
        _ = qring_curl_set_long(handle, CURLOPT_MAXFILESIZE, limits.mostBytes)
    }

    private func milliseconds(_ duration: Duration) -> Int {
        max(
            1,
            Int(duration.components.seconds) * 1000
                + Int(duration.components.attoseconds / 1_000_000_000_000_000))
    }

    /// Finishes the exchanges that libcurl is done with. Returns whether there was any.
    private func collectFinished() -> Bool {
        preconditionOnLoop()
        var found = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else {
                continue
            }
            // Read the message before its handle is removed: it is invalid afterwards.
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

    /// Removes the handle from the multi handle, and returns the exchange that it carried.
    private func release(_ handle: UnsafeMutableRawPointer) -> Exchange? {
        var context: UnsafeMutableRawPointer?
        _ = qring_curl_get_private(handle, &context)
        curl_multi_remove_handle(multi, handle)
        guard let context else { return nil }
        let exchange = Unmanaged<Exchange>.fromOpaque(context).takeRetainedValue()
        active[exchange.number] = nil
        curl_slist_free_all(exchange.headerList)
        return exchange
    }

    /// Keeps the handle for the next exchange, because a new one is expensive. Connections, names and TLS
    /// sessions live in the multi handle.
    private func recycle(_ handle: UnsafeMutableRawPointer) {
        curl_easy_reset(handle)
        if spare.count < parallel { spare.append(handle) } else { curl_easy_cleanup(handle) }
    }

    /// Cancels an exchange if it is not over.
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

private enum CurlLibrary {
    /// libcurl's global state, made once per process: a static constant is initialised once, whichever
    /// thread is first.
    static let isReady = qring_curl_global_init() == CURLE_OK
}
