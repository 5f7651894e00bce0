internal import CJQ
internal import OnDemand
internal import Synchronization

/// A program in the language of jq, which selects and changes JSON (libjq 1.6).
package struct JSONQuery: Sendable {
    private let program: String

    /// Compiles the program, to find its errors before any request is sent.
    /// - Throws: `.program` with the message of jq.
    package init(_ program: String) throws(JSONQueryError) {
        self.program = program
        try JQ.withState(for: program) { _ throws(JSONQueryError) in }
    }

    /// Runs the program on one JSON text. Programs run one at a time, because a state of libjq belongs to one
    /// thread.
    /// - Parameters:
    ///   - json: a JSON text in UTF-8. Numbers beyond 2^53 lose their last digits, because jq calculates in
    ///     floating point.
    ///   - take: receives each result. It returns false to stop the program.
    /// - Throws: `.run` with the message of jq, after the results that came before the error.
    package func run(on json: [UInt8], _ take: (Result) -> Bool) throws(JSONQueryError) {
        try JQ.withState(for: program) { state throws(JSONQueryError) in
            let input = json.withUnsafeBytes {
                jv_parse_sized($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: $0.count))
            }
            guard jv_get_kind(input) != JV_KIND_INVALID else { throw .run(JQ.message(of: input)) }
            jq_start(state, input, 0)
            while true {
                let value = jq_next(state)
                guard jv_get_kind(value) != JV_KIND_INVALID else {
                    if jv_invalid_has_msg(jv_copy(value)) != 0 { throw .run(JQ.message(of: value)) }
                    jv_free(value)
                    return
                }
                if !take(JQ.result(value)) { return }
            }
        }
    }

    /// One result of a program.
    package enum Result: Hashable, Sendable {
        /// The result is a text, without quotation marks.
        case text(String)
        /// Any other value as JSON without white space.
        case json([UInt8])
    }
}

/// The reason why a program of jq failed, in the words of jq.
package enum JSONQueryError: Error, Hashable, Sendable {
    /// The program is wrong.
    case program(String)
    /// The program does not fit the data.
    case run(String)
}

/// The calls of libjq. A `jv` is counted by references, and most functions consume their arguments (jv.h).
private enum JQ {
    /// Locked while a state exists.
    private static let turn = Mutex(())

    /// Calls `body` with a state in which the program is compiled, and frees the state afterwards.
    static func withState(
        for program: String, _ body: (OpaquePointer) throws(JSONQueryError) -> Void
    ) throws(JSONQueryError) {
        let result: Result<Void, JSONQueryError> = turn.withLock { _ in
            do throws(MissingLibrary) { try OnDemandLibrary.jq.open() } catch {
                return .failure(.run(error.reason))
            }
            var state = jq_init()
            guard let opened = state else { return .failure(.run("out of memory")) }
            defer { jq_teardown(&state) }
            let errors = Errors()
            jq_set_error_cb(
                opened,
                { data, error in
                    guard let data else { return jv_free(error) }
                    Unmanaged<Errors>.fromOpaque(data).takeUnretainedValue().add(error)
                }, Unmanaged.passUnretained(errors).toOpaque())
            // The state keeps the pointer, so the object must live as long as the state.
            return withExtendedLifetime(errors) {
                guard jq_compile(opened, program) != 0 else {
                    return .failure(.program(errors.first ?? "syntax error"))
                }
                do throws(JSONQueryError) { return .success(try body(opened)) } catch {
                    return .failure(error)
                }
            }
        }
        try result.get()
    }

    /// Consumes an invalid value, and returns its message.
    static func message(of invalid: jv) -> String {
        let message = jv_invalid_get_msg(invalid)
        guard jv_get_kind(message) == JV_KIND_STRING else { return text(jv_dump_string(message, 0)) }
        return text(message)
    }

    /// Consumes a value, and returns it as a result.
    static func result(_ value: jv) -> JSONQuery.Result {
        if jv_get_kind(value) == JV_KIND_STRING { return .text(text(value)) }
        return .json(Array(text(jv_dump_string(value, 0)).utf8))
    }

    /// Consumes a string value, and returns its text.
    static func text(_ string: jv) -> String {
        defer { jv_free(string) }
        let length = Int(jv_string_length_bytes(jv_copy(string)))
        guard let bytes = jv_string_value(string) else { return "" }
        return bytes.withMemoryRebound(to: UInt8.self, capacity: length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }

    /// Stores the first message that jq reports.
    final class Errors {
        private(set) var first: String?

        func add(_ error: jv) {
            let message = JQ.text(jq_format_error(error))
            // jq adds the position in its own notation and a second line for the shell.
            let line = message.split(separator: "\n").first.map(String.init) ?? message
            let said = line.hasPrefix("jq: error: ") ? String(line.dropFirst(11)) : line
            first = first ?? said.replacing(" (Unix shell quoting issues?)", with: "")
        }
    }
}
