import Glibc

package enum TerminalSize {
    /// The size of the terminal behind standard output; nil without a terminal, or if the terminal does not
    /// report its size.
    package static var now: Size? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
