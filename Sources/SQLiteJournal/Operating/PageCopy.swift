import CSQLite
import Journal

extension Connection {
    private static let integrity = Query("check the integrity", "PRAGMA integrity_check(10)")

    private static let quickly = Query("check the file", "PRAGMA quick_check(1)")

    /// Some megabytes at a time, so that progress moves.
    private static let pagesAtOnce: Int32 = 1024

    /// Copies every page of this database into `target`, which is empty.
    ///
    /// The caller has a read transaction open here. Without one, "if the source database is modified by an
    /// external process … the backup will be automatically restarted" (c3ref/backup_finish.html): under load
    /// it would never end. With one, all steps read one state.
    /// - Parameter progress: gets pages done and pages in all, and says whether to go on.
    /// - Returns: false where `progress` ended it.
    func copy(into target: Connection, progress: (_ done: Int, _ of: Int) -> Bool) throws(JournalError)
        -> Bool
    {
        guard let from = handle, let to = target.handle,
            let backup = sqlite3_backup_init(to, "main", from, "main")
        else {
            throw target.failure("begin the copy", SQLITE_ERROR)
        }
        var code = SQLITE_OK
        var goesOn = true
        while goesOn, code == SQLITE_OK {
            code = sqlite3_backup_step(backup, Self.pagesAtOnce)
            let all = Int(sqlite3_backup_pagecount(backup))
            goesOn = progress(all - Int(sqlite3_backup_remaining(backup)), all)
        }
        let finished = sqlite3_backup_finish(backup)
        if code == SQLITE_DONE, finished == SQLITE_OK { return goesOn }
        guard code == SQLITE_OK, finished == SQLITE_OK else {
            throw target.failure("copy", finished == SQLITE_OK ? code : finished)
        }
        return false
    }

    /// The first thing that is wrong with the structure of the file; nil if it is sound. Reads the whole
    /// file: about 0.1 s for 30 MB.
    func structuralFault() throws(JournalError) -> String? {
        let found = try first(Self.quickly) { $0.text(0) }
        return found == "ok" ? nil : found
    }

    /// What is wrong with the file, a line each; empty where nothing is.
    func integrityFaults() throws(JournalError) -> [String] {
        try all(Self.integrity) { $0.text(0) }.filter { $0 != "ok" }
    }
}
