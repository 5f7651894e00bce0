import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// The declared columns of records, against the tables of the database.
struct ColumnTests {
    private static let declared: [any Columns.Type] = [
        AccountCodeColumn.self, AccountColumn.self, ActionColumn.self, AttendeeColumn.self,
        AudienceQuestionColumn.self, AudienceSettingsColumn.self, CorrectionColumn.self, CounterColumn.self,
        EventColumn.self, ImageColumn.self, InvitationColumn.self, LinkColumn.self, MailColumn.self,
        MailingColumn.self, MatchPersonColumn.self, MatchReportColumn.self, MatchRequestColumn.self,
        MatchSettingsColumn.self, MeetingColumn.self, PersonColumn.self, QuestionSetColumn.self,
        ResponseColumn.self, SessionColumn.self, StoredResponseColumn.self, TokenColumn.self,
        TraceColumn.self,
    ]

    /// The columns that belong to no record: statements of their own read and write them.
    private static let others: [String: Set<String>] = [
        "match_settings": ["used"], "question_sets": ["sealed"], "responses": ["changes"],
        "sessions": ["holds_evidence", "names"],
    ]

    private func withConnection(_ body: (Connection) throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            try body(try #require(try engine.openWriter() as? SQLiteRows).connection)
        }
    }

    @Test func `every column of a record's table is declared`() async throws {
        try await withConnection { connection in
            var names: [String: Set<String>] = Self.others
            for columns in Self.declared { names[columns.table, default: []].formUnion(columns.names) }
            for (table, declared) in names {
                let stored = try connection.all(
                    Query("test", "SELECT name FROM pragma_table_info('\(table)')")
                ) { $0.text(0) }
                #expect(declared == Set(stored), "\(table)")
            }
        }
    }

    @Test func `every declared column is selected at its place, or written only, and INSERT writes it`()
        async throws
    {
        try await withConnection { connection in
            for columns in Self.declared { try check(columns, on: connection) }
        }
    }

    private func check<Column: Columns>(_ columns: Column.Type, on connection: Connection) throws {
        let all = Array(columns.allCases)
        let read = all.filter(\.isRead)
        #expect(read.map(\.rawValue) == Array(0..<columns.selectedCount), "\(columns)")
        let select = Query("test", "SELECT \(columns.selected()) FROM \(columns.table)")
        #expect(try connection.names(of: select) == read.map(\.name))
        let insert = Writing<Column>.insert("test")
        #expect(insert.columns.map(\.name) == all.map(\.name))
        _ = try connection.statement(insert.query)
        guard all.contains(where: { $0.writing == .key }) else { return }
        let update = Writing<Column>.update("test")
        #expect(Set(update.columns.map(\.name)) == Set(all.filter { $0.writing != .once }.map(\.name)))
        _ = try connection.statement(update.query)
    }
}

extension Columns {
    fileprivate static var names: [String] { allCases.map(\.name) }
}

extension Connection {
    /// The names of the columns that the query returns.
    fileprivate func names(of query: Query) throws -> [String] {
        let view = Query("test", "SELECT name FROM pragma_table_info('selected')")
        try execute("CREATE TEMP VIEW selected AS \(query.text)", "test")
        defer { try? execute("DROP VIEW selected", "test") }
        return try all(view) { $0.text(0) }
    }
}
