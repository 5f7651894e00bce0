/// What can go wrong with a code. The text to encode is never part of a description: check-in URLs stay out
/// of logs.
package enum QRCodeError: Error, Equatable, Sendable {
    /// Nothing to encode.
    case empty
    /// `length` bytes do not fit into the largest code (or the largest that was allowed); `limit` would.
    case tooLong(length: Int, limit: Int)
    /// Not even one pixel a module: the code with its quiet zone needs `minimum` pixels.
    case pictureTooSmall(pixels: Int, minimum: Int)
    /// More pixels than `maximum` on a side.
    case pictureTooLarge(pixels: Int, maximum: Int)
    /// A library ran out of memory or gave up; `operation` is the C function.
    case library(operation: String, reason: String)
}

extension QRCodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "there is no text to encode"
        case .tooLong(let length, let limit):
            "the text has \(length) bytes, and a code of this kind holds \(limit)"
        case .pictureTooSmall(let pixels, let minimum):
            "the code needs a picture of \(minimum) pixels at least, not \(pixels)"
        case .pictureTooLarge(let pixels, let maximum):
            "a picture has \(maximum) pixels a side at most, not \(pixels)"
        case .library(let operation, let reason): "\(operation): \(reason)"
        }
    }
}
