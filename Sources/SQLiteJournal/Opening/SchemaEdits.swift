/// What an edit of a session changed, beside the names of its fields (`FieldChange`, as JSON).
let schemaEdits = Migration("ALTER TABLE events ADD COLUMN changes TEXT;")
