internal import CCurl
internal import Glibc
internal import Synchronization

/// libcurl's multi interface on a thread of its own: any number of waiting requests, `parallel` of them on
/// the wire, connections kept.
///
/// `@unchecked Sendable`: `multi` and everything under "the thread alone" belongs to the loop's thread. From
/// elsewhere only `curl_multi_wakeup` is called on it ("this function can be called from any thread",
/// curl_multi_wakeup(3)), and always under the inbox's lock, under which the thread also learns that it must
/// stop, so that no wake-up can come after the clean-up.
final class CurlLoop: @unchecked Sendable {
    private struct Inbox {
        var arrived: [Exchange] = []
        var cancelled: [UInt64] = []
        var stopping = false
        var nextNumber: UInt64 = 0
        var isEmpty: Bool { arrived.isEmpty && cancelled.isEmpty && !stopping }
    }

    private let inbox = Mutex(Inbox())
    private let multi: UnsafeMutableRawPointer
    private let parallel: Int
    private let userAgent: String
    private let notProxied: String
    private let certificates: String?

    // The thread alone:
    private var waiting: [Exchange] = []
    private var nextWaiting = 0
    private var active: [UInt64: UnsafeMutableRawPointer] = [:]
    private var spare: [UnsafeMutableRawPointer] = []

    /// Nil where libcurl or the system has no memory or thread left.
    ///
    /// - Parameter certificates: a file of those that servers are trusted by; nil takes the system's.
    init?(parallel: Int, userAgent: String, notProxied: String, certificates: String?) {
        guard CurlLibrary.isReady, let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.parallel = parallel
        self.userAgent = userAgent
        self.notProxied = notProxied
        self.certificates = certificates
        // The cache of idle connections; by default it grows with the handles and shrinks with them, and
        // connections are lost.
        _ = qring_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, parallel)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        guard pthread_create(&thread, nil, runCurlLoop, context) == 0 else {
            Unmanaged<CurlLoop>.fromOpaque(context).release()
            curl_multi_cleanup(multi)
            return nil
        }
        pthread_detach(thread)
    }

    func number() -> UInt64 {
        inbox.withLock { inbox in
            inbox.nextNumber += 1
            return inbox.nextNumber
        }
    }

    func start(_ exchange: Exchange) { post { $0.arrived.append(exchange) } }
    func cancel(_ number: UInt64) { post { $0.cancelled.append(number) } }
    func stop() { post { $0.stopping = true } }

    private func post(_ change: (inout sending Inbox) -> Void) {
        inbox.withLock { inbox in
            let wasEmpty = inbox.isEmpty
            change(&inbox)
            if wasEmpty { curl_multi_wakeup(multi) }
        }
    }

    fileprivate func run() {
        while true {
            let (arrived, cancelled, stopping) = inbox.withLock { inbox in
                let taken = (inbox.arrived, inbox.cancelled, inbox.stopping)
                inbox.arrived = []
                inbox.cancelled = []
                return taken
            }
            waiting.append(contentsOf: arrived)
            for number in cancelled { drop(number) }
            if stopping { return end() }
            startWaiting()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if collectFinished(), nextWaiting < waiting.count { continue }
            // Sleeps until a socket, a timeout of libcurl's or a wake-up; "the time-out … is the maximum"
            // (curl_multi_poll(3)).
            curl_multi_poll(multi, nil, 0, 10_000, nil)
        }
    }

    private func startWaiting() {
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
        _ = qring_curl_set_sinks(handle, takeAnswerBody, takeAnswerHeader, context)
        _ = qring_curl_set_error_buffer(handle, exchange.errorText)
        _ = qring_curl_set_text(handle, CURLOPT_URL, request.url)
        _ = qring_curl_set_text(handle, CURLOPT_USERAGENT, userAgent)
        _ = qring_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = qring_curl_set_text(handle, CURLOPT_NOPROXY, notProxied)
        if let certificates { _ = qring_curl_set_text(handle, CURLOPT_CAINFO, certificates) }
        // No signals for timeouts: there are other threads (CURLOPT_NOSIGNAL(3)).
        _ = qring_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = qring_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds(request.timeout))
        _ = qring_curl_set_long(
            handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(min(request.timeout, .seconds(10))))
        if let outside = request.outside { limit(handle, outside, context) }
        var list: UnsafeMutablePointer<curl_slist>?
        // An empty value takes the header away: libcurl would wait for a 100 before larger bodies.
        list = curl_slist_append(list, "Expect:")
        for header in request.headers { list = curl_slist_append(list, "\(header.name): \(header.value)") }
        if let body = request.body {
            // COPYPOSTFIELDS makes it a POST; the name of the method is set after it. An empty array still
            // needs an address.
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
        _ handle: UnsafeMutableRawPointer, _ limits: OutsideFetch.Limits, _ context: UnsafeMutableRawPointer
    ) {
        _ = qring_curl_set_opener(handle, openOutsideSocket, context)
        // A proxy would connect where it likes, and an idle connection was judged for somebody else.
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

    /// Whether anything finished.
    private func collectFinished() -> Bool {
        var found = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else {
                continue
            }
            // The message is gone once its handle is removed: read first.
            let code = message.pointee.data.result
            found = true
            if let exchange = release(handle) { exchange.finish(result(code, of: exchange, handle)) }
            recycle(handle)
        }
        return found
    }

    private func result(_ code: CURLcode, of exchange: Exchange, _ handle: UnsafeMutableRawPointer) -> Result<
        HTTPAnswer, TransportError
    > {
        guard code == CURLE_OK else {
            if exchange.overflowed || code == CURLE_FILESIZE_EXCEEDED { return .failure(.answerTooLarge) }
            if exchange.addressWasRefused { return .failure(.addressRefused) }
            if code == CURLE_OPERATION_TIMEDOUT { return .failure(.timedOut) }
            let text = String(cString: exchange.errorText)
            return .failure(
                .unreachable(detail: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text))
        }
        var status = 0
        _ = qring_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return .success(HTTPAnswer(status: status, headers: exchange.headers, body: exchange.body))
    }

    /// Takes the handle out of libcurl's hands, and the exchange back out of the handle.
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

    /// A handle is dear to make; resetting keeps connections, names and TLS sessions, which live in the multi
    /// handle anyway.
    private func recycle(_ handle: UnsafeMutableRawPointer) {
        curl_easy_reset(handle)
        if spare.count < parallel { spare.append(handle) } else { curl_easy_cleanup(handle) }
    }

    private func drop(_ number: UInt64) {
        if let handle = active[number] {
            release(handle)?.finish(.failure(.cancelled))
            recycle(handle)
        } else if let index = waiting[nextWaiting...].firstIndex(where: { $0.number == number }) {
            waiting.remove(at: index).finish(.failure(.cancelled))
        }
    }

    private func end() {
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
    /// Once a process; thread-safe as every static constant is.
    static let isReady = qring_curl_global_init() == CURLE_OK
}

private nonisolated func runCurlLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
