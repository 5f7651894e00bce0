internal import CQREncode

/// How much of a code may be lost or dirty and still be read (ISO/IEC 18004 §7.5): more correction, larger
/// code.
package enum ErrorCorrection: Sendable, CaseIterable {
    /// About 7 %.
    case low
    /// About 15 %: the default, for paper and screens.
    case medium
    /// About 25 %.
    case quartile
    /// About 30 %.
    case high

    var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }

    /// The most bytes that the largest code, version 40, holds in one segment (ISO/IEC 18004, table 7).
    func limit(alphanumeric: Bool) -> Int {
        switch self {
        case .low: alphanumeric ? 4296 : 2953
        case .medium: alphanumeric ? 3391 : 2331
        case .quartile: alphanumeric ? 2420 : 1663
        case .high: alphanumeric ? 1852 : 1273
        }
    }
}
