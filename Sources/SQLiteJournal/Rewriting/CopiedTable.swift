import Journal
import SQLJournal

/// The statements that copy one table: from the attached database `old` to the database `main`, or from the
/// database `main` to that of another connection.
struct CopiedTable {
    let name: String
    /// The positions of the primary key's columns among the table's columns, in the order of the key.
    let keyColumns: [Int32]
    /// Finds the key that is `n` rows after the beginning of the table, or after a key.
    let boundary: (first: Query, next: Query)
    /// The statements that copy all rows, the rows up to a key, the rows after a key, or the rows between two
    /// keys.
    let copy: (all: Query, upTo: Query, after: Query, between: Query)
    let deleteRow: Query
    let copyRow: Query
    /// Reads all rows of the database `main`, in the order of the key.
    let rows: Query
    /// Counts the rows of the table itself. A damaged index of the key finds fewer.
    let count: Query

    private static let tables = Query(
        "list tables to copy",
        """
        SELECT t.name, c.name, c.cid FROM pragma_table_list t JOIN pragma_table_xinfo(t.name, t.schema) c
        WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.pk > 0
        ORDER BY t.name, c.pk
        """)
    private static let withoutKey = Query(
        "find a table without a primary key",
        """
        SELECT t.name FROM pragma_table_list t
        WHERE t.schema = 'main' AND t.type <> 'view' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name, t.schema) c
                WHERE c.pk > 0 AND (c."notnull" = 1 OR c.type = 'INTEGER'))
        """)

    /// Returns the tables of the connection's main database, by name.
    /// - Throws: `.other` if a table has no primary key without NULLs. Its rows could not be distinguished.
    static func all(_ connection: Connection) throws(JournalError) -> [CopiedTable] {
        if let name = try connection.first(withoutKey, read: { $0.text(0) }) {
            throw .failed(
                StorageFailure(.other, operation: "rewrite the file", detail: "no primary key: \(name)"))
        }
        var columns: [(table: String, name: String, position: Int32)] = []
        for column in try connection.all(tables, read: { ($0.text(0), $0.text(1), $0.int(2)) }) {
            columns.append((column.0, column.1, Int32(column.2)))
        }
        var found: [CopiedTable] = []
        while let name = columns.first?.table {
            let key = columns.prefix { $0.table == name }
            columns.removeFirst(key.count)
            found.append(CopiedTable(name: name, key: key.map(\.name), keyColumns: key.map(\.position)))
        }
        return found
    }

    private init(name: String, key: [String], keyColumns: [Int32]) {
        (self.name, self.keyColumns) = (name, keyColumns)
        let table = Self.quoted(name)
        let columns = key.map(Self.quoted)
        let list = columns.joined(separator: ", ")
        let parameters = columns.map { _ in "?" }.joined(separator: ", ")
        let isKey = columns.map { "\($0) = ?" }.joined(separator: " AND ")
        let after = "(\(list)) > (\(parameters))"
        let upTo = "(\(list)) <= (\(parameters))"
        func boundary(_ condition: String) -> Query {
            Query(
                "find a slice",
                "SELECT \(list) FROM old.\(table)\(condition) ORDER BY \(list) LIMIT 1 OFFSET ?")
        }
        // If the copy has another row with the same unique value, that row has changed since it was copied.
        // The writer has recorded its key, so it is copied again.
        let insert = "INSERT OR REPLACE INTO main.\(table) SELECT * FROM old.\(table)"
        func copy(_ condition: String) -> Query {
            Query("copy a slice", "\(insert)\(condition) ORDER BY \(list)")
        }
        self.boundary = (boundary(""), boundary(" WHERE \(after)"))
        self.copy = (
            copy(""), copy(" WHERE \(upTo)"), copy(" WHERE \(after)"), copy(" WHERE \(after) AND \(upTo)")
        )
        count = Query("count \(name)", "SELECT count(*) FROM main.\(table) NOT INDEXED")
        rows = Query("read \(name)", "SELECT * FROM main.\(table) ORDER BY \(list)")
        deleteRow = Query("delete a copied row", "DELETE FROM main.\(table) WHERE \(isKey)")
        copyRow = Query("copy a row", "\(insert) WHERE \(isKey)")
    }

    /// Returns the statement that inserts a row of this number of columns into the database `main`.
    func insert(columns: Int) -> Query {
        let parameters = Array(repeating: "?", count: columns).joined(separator: ", ")
        return Query("copy \(name)", "INSERT INTO main.\(Self.quoted(name)) VALUES (\(parameters))")
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}
