/// The errors of this target. Their descriptions never contain the encoded text, so that no check-in URL is
/// logged.
package enum QRCodeError: Error, Equatable, Sendable {
    /// The text is empty.
    case empty
    /// The text has `length` bytes, but the largest allowed code can contain only `limit` bytes.
    case tooLong(length: Int, limit: Int)
    /// The image is too small. The code with its quiet zone needs at least `minimum` pixels per side.
    case pictureTooSmall(pixels: Int, minimum: Int)
    /// The image would have more than `maximum` pixels per side.
    case pictureTooLarge(pixels: Int, maximum: Int)
    /// A C library failed, for example because there is not enough memory. `operation` is the name of the C
    /// function.
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
