/// Where a command writes and asks: data to `out`, everything else to `err`.
package protocol Console: Sendable {
    var outIsTerminal: Bool { get }
    var inIsTerminal: Bool { get }
    var errIsTerminal: Bool { get }
    /// Columns of the terminal behind `out`; nil without one.
    var width: Int? { get }
    /// Columns of the terminal behind `err`.
    var errWidth: Int? { get }
    func out(_ bytes: [UInt8])
    func err(_ text: String)
    /// One line without its end; nil at the end of the input. `hidden` shows nothing of what is typed.
    func ask(_ prompt: String, hidden: Bool) async -> String?
    /// All of standard input.
    func readInput() async -> [UInt8]
    /// Called on an interrupt: gives the terminal its echo back. True where somebody was being asked.
    func giveBackTerminal() -> Bool
}

extension Console {
    package var errIsTerminal: Bool { false }
    package var errWidth: Int? { nil }
    package func out(_ text: String) { out(Array(text.utf8)) }
    package func outLine(_ text: String = "") { out(Array((text + "\n").utf8)) }
    package func errLine(_ text: String) { err(text + "\n") }
}
