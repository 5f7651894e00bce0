/// A terminal to draw on. Only one thread may use it.
protocol ScreenDevice: AnyObject {
    var size: Size { get }
    func draw(_ grid: Grid)
    /// Returns the keys and mouse events that have arrived, without waiting.
    func read() -> [ScreenEvent]
    /// Adapts to the terminal's new size.
    func resize()
    /// Makes the next drawing draw every cell.
    func forget()
    /// Restores the terminal. A later drawing takes the terminal again, so this function is also suitable
    /// before a suspension (Ctrl-Z).
    func close()
}
