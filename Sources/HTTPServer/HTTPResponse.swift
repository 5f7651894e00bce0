/// An answer. The library adds `Date`, `Content-Length` and `Connection` itself, and ignores those given
/// here.
///
/// To a HEAD request, and with 304, give what GET would get: its length is announced, and the body is not
/// sent. With 204 there is neither.
package struct HTTPResponse: Sendable {
    /// 200–599.
    package var status: Int
    /// In order, repeats allowed. A name that is not a token, or a value with a line break, turns the answer
    /// into a 500: that is a handler's bug, and half of an answer would hide it.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether this is the last answer on its connection (`Connection: close`).
    package var closesConnection: Bool
    /// Not sent: what `HTTPExchange.tag` says once the request is over, such as the name under which it is
    /// logged.
    package var tag = ""

    package init(
        status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        closesConnection: Bool = false
    ) {
        (self.status, self.headers, self.body, self.closesConnection) = (
            status, headers, body, closesConnection
        )
    }
}
