internal import CQREncode

/// The level of error correction, which is the share of a code that may be damaged without becoming
/// unreadable (ISO/IEC 18004 §7.5). A higher level makes the code larger.
package enum ErrorCorrection: Sendable, CaseIterable {
    /// About 7 % of the code may be damaged.
    case low
    /// About 15 % of the code may be damaged. This is the default, for paper and screens.
    case medium
    /// About 25 % of the code may be damaged.
    case quartile
    /// About 30 % of the code may be damaged.
    case high

    var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }

    /// Returns the most bytes that one segment of the largest code (version 40) can contain (ISO/IEC 18004,
    /// table 7).
    func limit(alphanumeric: Bool) -> Int {
        switch self {
        case .low: alphanumeric ? 4296 : 2953
        case .medium: alphanumeric ? 3391 : 2331
        case .quartile: alphanumeric ? 2420 : 1663
        case .high: alphanumeric ? 1852 : 1273
        }
    }
}
