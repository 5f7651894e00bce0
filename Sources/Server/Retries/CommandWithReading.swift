import Journal

/// A command, and what its answer is told with. That is read in the command's own transaction, since what a
/// key keeps is made there.
struct CommandWithReading<Inner: Command, More: Sendable>: Command {
    private let command: Inner
    private let read: @Sendable (Inner.Answer, any ReadableRows) throws(JournalError) -> More

    init(
        _ command: Inner,
        with read: @escaping @Sendable (Inner.Answer, any ReadableRows) throws(JournalError) -> More
    ) {
        self.command = command
        self.read = read
    }

    func run(in transaction: Transaction) throws(JournalError) -> (answer: Inner.Answer, more: More) {
        let answer = try command.run(in: transaction)
        return (answer, try read(answer, transaction.rows))
    }

    func takesKey(in transaction: Transaction) throws(JournalError) -> Bool {
        try command.takesKey(in: transaction)
    }
}
