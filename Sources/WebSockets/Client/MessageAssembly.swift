/// Joins what the library hands over piece by piece into messages, within bounds.
struct MessageAssembly {
    enum Outcome: Equatable {
        case incomplete
        case message([UInt8])
        /// More than `longest` bytes, or announced to be.
        case tooBig
        case tooManyPieces
    }

    private var text: [UInt8] = []
    private var pieces = 0

    /// `announced`: how many bytes of the current fragment are still to come.
    mutating func add(
        _ piece: UnsafeRawBufferPointer, announced: Int, isLast: Bool, longest: Int, mostPieces: Int
    ) -> Outcome {
        guard text.count + piece.count + announced <= longest else { return .tooBig }
        if isLast, text.isEmpty {
            pieces = 0
            return .message(Array(piece))
        }
        pieces += 1
        guard pieces <= mostPieces else { return .tooManyPieces }
        text.append(contentsOf: piece)
        guard isLast else { return .incomplete }
        defer { self = MessageAssembly() }
        return .message(text)
    }
}
