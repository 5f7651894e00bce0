import Testing

@testable import CommandLine

struct ShellLineTests {
    private let breaks = " \t\n\"'><=;|&(:@"

    @Test(
        arguments: [
            ("qring watch ", ["qring", "watch", ""]), ("qring  watch St", ["qring", "watch", "St"]),
            ("a\\ b c", ["a b", "c"]),
            ("qring \"Study gr", ["qring", "Study gr"]), ("x 'a\"b' \"c\\\"d", ["x", "a\"b", "c\"d"]),
            ("x \"\" y", ["x", "", "y"]),
            ("x \"a\\n", ["x", "a\\n"]), ("", [""]),
        ])
    func `a command line is split into the same words as in a shell`(line: String, words: [String]) {
        #expect(ShellLine(line).words == words)
    }

    @Test(
        arguments: [
            ("qring watch Stu", "Study group", "Study\\ group"),
            ("qring watch \"Stu", "Study $1", "Study \\$1"),
            ("qring watch 'Stu", "Study $1", "Study $1"),
            ("qring x --json=id,r", "--json=id,round", "id,round"),
            ("qring watch Study\\ g", "Study group", "Study\\ group"), ("qring watch ", "#1", "\\#1"),
            ("qring watch ", "@", "@"),
            ("qring watch @", "@", ""), ("qring x --name=\"a", "--name=a b", "a b"),
            ("qring watch stu", "Study", "Study"),
            ("qring watch a@", "A@b", "b"), ("qring watch ", "김 & 이", "김\\ \\&\\ 이"),
        ])
    func `a completion inserts only the text that readline replaces, with the line's quoting`(
        line: String, word: String, inserted: String
    ) {
        #expect(ShellLine(line).insertion(of: word, breaks: breaks) == inserted)
    }

    @Test func `a completion that begins differently from the typed word is not inserted`() {
        #expect(ShellLine("qring x --a=\"b").insertion(of: "--c=b", breaks: breaks) == nil)
        #expect(ShellLine("qring x --a=b").insertion(of: "--c=b", breaks: breaks) == nil)
    }
}
