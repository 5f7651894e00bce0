#pragma once

/// The hash of the commit that this program was built from, or an empty text.
const char *_Nonnull cbuild_commit(void);

/// The time of that commit (RFC 3339, UTC), or an empty text.
const char *_Nonnull cbuild_commit_date(void);
