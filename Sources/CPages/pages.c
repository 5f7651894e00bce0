// Compiled in with C23's #embed (N3220 §6.10.4): at once, where an array of numbers in Swift takes a second for every 4 KB, and the compiler
// notes each file as a dependency. A new file of `Public` needs an array and a line here.
#include "CPages.h"

static const unsigned char feedback_js[] = {
#embed "../../Public/feedback.js"
};
static const unsigned char host_html[] = {
#embed "../../Public/host.html"
};
static const unsigned char host_account_js[] = {
#embed "../../Public/host/account.js"
};
static const unsigned char host_address_js[] = {
#embed "../../Public/host/address.js"
};
static const unsigned char host_api_js[] = {
#embed "../../Public/host/api.js"
};
static const unsigned char host_bar_js[] = {
#embed "../../Public/host/bar.js"
};
static const unsigned char host_chips_js[] = {
#embed "../../Public/host/chips.js"
};
static const unsigned char host_counts_js[] = {
#embed "../../Public/host/counts.js"
};
static const unsigned char host_dom_js[] = {
#embed "../../Public/host/dom.js"
};
static const unsigned char host_fields_js[] = {
#embed "../../Public/host/fields.js"
};
static const unsigned char host_home_js[] = {
#embed "../../Public/host/home.js"
};
static const unsigned char host_host_css[] = {
#embed "../../Public/host/host.css"
};
static const unsigned char host_live_js[] = {
#embed "../../Public/host/live.js"
};
static const unsigned char host_main_js[] = {
#embed "../../Public/host/main.js"
};
static const unsigned char host_meeting_members_js[] = {
#embed "../../Public/host/meeting-members.js"
};
static const unsigned char host_meeting_roster_js[] = {
#embed "../../Public/host/meeting-roster.js"
};
static const unsigned char host_meeting_js[] = {
#embed "../../Public/host/meeting.js"
};
static const unsigned char host_new_meeting_js[] = {
#embed "../../Public/host/new-meeting.js"
};
static const unsigned char host_plots_js[] = {
#embed "../../Public/host/plots.js"
};
static const unsigned char host_presenter_links_js[] = {
#embed "../../Public/host/presenter-links.js"
};
static const unsigned char host_session_live_js[] = {
#embed "../../Public/host/session-live.js"
};
static const unsigned char host_session_model_js[] = {
#embed "../../Public/host/session-model.js"
};
static const unsigned char host_session_people_js[] = {
#embed "../../Public/host/session-people.js"
};
static const unsigned char host_session_questions_js[] = {
#embed "../../Public/host/session-questions.js"
};
static const unsigned char host_session_results_js[] = {
#embed "../../Public/host/session-results.js"
};
static const unsigned char host_session_review_js[] = {
#embed "../../Public/host/session-review.js"
};
static const unsigned char host_session_settings_js[] = {
#embed "../../Public/host/session-settings.js"
};
static const unsigned char host_session_js[] = {
#embed "../../Public/host/session.js"
};
static const unsigned char host_sign_in_js[] = {
#embed "../../Public/host/sign-in.js"
};
static const unsigned char host_sign_up_js[] = {
#embed "../../Public/host/sign-up.js"
};
static const unsigned char host_tally_js[] = {
#embed "../../Public/host/tally.js"
};
static const unsigned char host_time_js[] = {
#embed "../../Public/host/time.js"
};
static const unsigned char host_localized_js[] = {
#embed "../../Public/host/localized.js"
};
static const unsigned char host_rule_editor_js[] = {
#embed "../../Public/host/rule-editor.js"
};
static const unsigned char host_session_tallies_js[] = {
#embed "../../Public/host/session-tallies.js"
};
static const unsigned char host_sets_js[] = {
#embed "../../Public/host/sets.js"
};
static const unsigned char host_person_add_js[] = {
#embed "../../Public/host/person-add.js"
};
static const unsigned char host_person_edit_js[] = {
#embed "../../Public/host/person-edit.js"
};
static const unsigned char host_question_editor_js[] = {
#embed "../../Public/host/question-editor.js"
};
static const unsigned char host_journal_js[] = {
#embed "../../Public/host/journal.js"
};
static const unsigned char host_overlap_js[] = {
#embed "../../Public/host/overlap.js"
};
static const unsigned char host_meeting_continue_js[] = {
#embed "../../Public/host/meeting-continue.js"
};
static const unsigned char host_invitations_js[] = {
#embed "../../Public/host/invitations.js"
};
static const unsigned char host_words_account_js[] = {
#embed "../../Public/host/words-account.js"
};
static const unsigned char host_words_meeting_js[] = {
#embed "../../Public/host/words-meeting.js"
};
static const unsigned char host_words_session_js[] = {
#embed "../../Public/host/words-session.js"
};
static const unsigned char host_words_js[] = {
#embed "../../Public/host/words.js"
};
static const unsigned char own_js[] = {
#embed "../../Public/own.js"
};
static const unsigned char page_css[] = {
#embed "../../Public/page.css"
};
// One file for a phone, so that a check-in takes three requests.
static const unsigned char page_js[] = {
#embed "../../Public/page-fields.js"
    ,
#embed "../../Public/page-device.js"
    ,
#embed "../../Public/page.js"
};
static const unsigned char present_css[] = {
#embed "../../Public/present.css"
};
static const unsigned char present_html[] = {
#embed "../../Public/present.html"
};
static const unsigned char present_names_js[] = {
#embed "../../Public/present-names.js"
};
static const unsigned char present_results_js[] = {
#embed "../../Public/present-results.js"
};
static const unsigned char present_js[] = {
#embed "../../Public/present.js"
};
static const unsigned char rooms_js[] = {
#embed "../../Public/rooms.js"
};
static const unsigned char tallies_js[] = {
#embed "../../Public/tallies.js"
};

#define PAGE(path, bytes) {path, bytes, sizeof(bytes)}

static const CPage pages[] = {
    PAGE("/feedback.js", feedback_js),
    PAGE("/host.html", host_html),
    PAGE("/host/account.js", host_account_js),
    PAGE("/host/address.js", host_address_js),
    PAGE("/host/api.js", host_api_js),
    PAGE("/host/bar.js", host_bar_js),
    PAGE("/host/chips.js", host_chips_js),
    PAGE("/host/counts.js", host_counts_js),
    PAGE("/host/dom.js", host_dom_js),
    PAGE("/host/fields.js", host_fields_js),
    PAGE("/host/home.js", host_home_js),
    PAGE("/host/host.css", host_host_css),
    PAGE("/host/live.js", host_live_js),
    PAGE("/host/main.js", host_main_js),
    PAGE("/host/meeting-members.js", host_meeting_members_js),
    PAGE("/host/meeting-roster.js", host_meeting_roster_js),
    PAGE("/host/meeting.js", host_meeting_js),
    PAGE("/host/new-meeting.js", host_new_meeting_js),
    PAGE("/host/plots.js", host_plots_js),
    PAGE("/host/presenter-links.js", host_presenter_links_js),
    PAGE("/host/session-live.js", host_session_live_js),
    PAGE("/host/session-model.js", host_session_model_js),
    PAGE("/host/session-people.js", host_session_people_js),
    PAGE("/host/session-questions.js", host_session_questions_js),
    PAGE("/host/session-results.js", host_session_results_js),
    PAGE("/host/session-review.js", host_session_review_js),
    PAGE("/host/session-settings.js", host_session_settings_js),
    PAGE("/host/session.js", host_session_js),
    PAGE("/host/sign-in.js", host_sign_in_js),
    PAGE("/host/sign-up.js", host_sign_up_js),
    PAGE("/host/tally.js", host_tally_js),
    PAGE("/host/time.js", host_time_js),
    PAGE("/host/localized.js", host_localized_js),
    PAGE("/host/rule-editor.js", host_rule_editor_js),
    PAGE("/host/session-tallies.js", host_session_tallies_js),
    PAGE("/host/sets.js", host_sets_js),
    PAGE("/host/person-add.js", host_person_add_js),
    PAGE("/host/person-edit.js", host_person_edit_js),
    PAGE("/host/question-editor.js", host_question_editor_js),
    PAGE("/host/journal.js", host_journal_js),
    PAGE("/host/overlap.js", host_overlap_js),
    PAGE("/host/meeting-continue.js", host_meeting_continue_js),
    PAGE("/host/invitations.js", host_invitations_js),
    PAGE("/host/words-account.js", host_words_account_js),
    PAGE("/host/words-meeting.js", host_words_meeting_js),
    PAGE("/host/words-session.js", host_words_session_js),
    PAGE("/host/words.js", host_words_js),
    PAGE("/own.js", own_js),
    PAGE("/page.css", page_css),
    PAGE("/page.js", page_js),
    PAGE("/present-names.js", present_names_js),
    PAGE("/present-results.js", present_results_js),
    PAGE("/present.css", present_css),
    PAGE("/present.html", present_html),
    PAGE("/present.js", present_js),
    PAGE("/rooms.js", rooms_js),
    PAGE("/tallies.js", tallies_js),
};

const CPage *cpages_at(size_t index) { return index < sizeof pages / sizeof *pages ? &pages[index] : 0; }
