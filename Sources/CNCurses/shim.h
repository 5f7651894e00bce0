#pragma once
/* The wide functions of ncurses with plain arguments: its own are macros, or take the variables stdscr,
   COLORS and LINES, which Swift may not share between threads. One thread calls all of them but those named
   `guard`, because the library is for one thread (curs_threads(3X)). */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <wchar.h>

/* The library writes characters in the encoding of the locale. If the system does not know the locale that is
   set, C.UTF-8 has the same widths. */
static inline void cncurses_use_locale(bool utf8) {
    const char *found = setlocale(LC_CTYPE, "");
    if (utf8 && (found == NULL || MB_CUR_MAX < 2)) setlocale(LC_CTYPE, "C.UTF-8");
}

/* Starts the screen: keys arrive one by one and without an echo, and there is no cursor. Returns NULL on
   an unknown terminal, where initscr(3X) would end the process. `escape_delay` is the time in milliseconds
   that a lone Esc waits for the rest of a key's sequence. */
static inline bool cncurses_open(int escape_delay) {
    if (newterm(NULL, stdout, stdin) == NULL) return false;
    set_escdelay(escape_delay);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    curs_set(0);
    return true;
}

/* The number of colours; 0 without any. The terminal's own ground stays where none is named. */
static inline int cncurses_start_colours(void) {
    if (!has_colors() || start_color() != OK) return 0;
    use_default_colors();
    return COLORS;
}
static inline int cncurses_pairs(void) { return COLOR_PAIRS; }
static inline void cncurses_set_pair(int pair, int ink, int ground) { init_extended_pair(pair, ink, ground); }

/* Presses of the first button and the wheel. */
static inline void cncurses_start_mouse(void) {
    /* All events: after an event that is not wanted, such as a release, ncurses reads on and waits for the
       next key, whatever nodelay says. */
    mousemask(ALL_MOUSE_EVENTS, NULL);
    mouseinterval(0);
}

static const uint32_t CNCURSES_BOLD = A_BOLD;
static const uint32_t CNCURSES_DIM = A_DIM;
static const uint32_t CNCURSES_REVERSED = A_REVERSE;

/* One character with what combines with it, at most four; `count` of them. */
static inline void cncurses_put(
    int row, int column, const uint32_t *scalars, int count, uint32_t attributes, int pair) {
    wchar_t text[6] = {0};
    for (int index = 0; index < count && index < 5; index++) text[index] = (wchar_t)scalars[index];
    cchar_t cell;
    /* setcchar(3X): where the extended colour pair is given, the short one is ignored. */
    if (setcchar(&cell, text, attributes, 0, &pair) == OK) mvadd_wch(row, column, &cell);
}
/* Columns that the library and the C library give to a character; -1 for what cannot be printed. */
static inline int cncurses_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

/* Writes what differs from the screen as it was. */
static inline void cncurses_refresh(void) { refresh(); }
static inline void cncurses_clear(void) { erase(); }
/* The next refresh writes everything: after others have written there. */
static inline void cncurses_forget(void) { clearok(curscr, TRUE); }
static inline void cncurses_resize(int rows, int columns) { resizeterm(rows, columns); }
/* Gives the terminal back; a refresh takes it again. */
static inline void cncurses_close(void) { endwin(); }

/* A key: 0 none, 1 a character, 2 one of the KEY_ codes. */
static inline int cncurses_key(uint32_t *key) {
    wint_t read = 0;
    int kind = get_wch(&read);
    *key = (uint32_t)read;
    return kind == OK ? 1 : kind == KEY_CODE_YES ? 2 : 0;
}

/* What the mouse did after KEY_MOUSE: 0 nothing of ours, 1 pressed, 2 wheel up, 3 wheel down. */
static inline int cncurses_mouse(int *row, int *column) {
    MEVENT event;
    if (getmouse(&event) != OK) return 0;
    *row = event.y;
    *column = event.x;
    if (event.bstate & BUTTON1_PRESSED) return 1;
    if (event.bstate & BUTTON4_PRESSED) return 2;
    return event.bstate & BUTTON5_PRESSED ? 3 : 0;
}

/* A string of the terminal's description; NULL if it has none. */
static inline const char *cncurses_capability(const char *name) {
    const char *found = tigetstr(name);
    return found == (const char *)-1 ? NULL : found;
}

/* These have other names and plain pointers: with <termios.h> or <signal.h>, the headers' structures would
   belong to this module in some builds, and to Glibc in others. */
extern int cncurses_tcsetattr(int terminal, int when, const void *settings) __asm__("tcsetattr");
extern void *cncurses_signal(int number, void *handler) __asm__("signal");

/* Starts a child process that restores the terminal if this process dies (kill -9, a crash): if `watched`
   ends before a byte comes, the child writes `restore` and the `settings` (a struct termios of `size` bytes).
   It does not change the settings if the shell has taken the terminal back already. The child ignores the
   signals in `ignored`. It makes only calls that signal-safety(7) allows, because other threads may hold any
   lock at the fork. `kept` is the write end of the pipe; the child closes it and blocks on the read end,
   `watched`. Returns the child's id, or -1. */
static inline pid_t cncurses_guard(
    int watched, int kept, int terminal, const void *settings, size_t size, const char *restore, size_t count,
    const int *ignored, size_t ignored_count) {
    char before[256];
    if (size > sizeof before) return -1;
    memcpy(before, settings, size);
    pid_t child = fork();
    if (child != 0) return child;
    close(kept);
    void *const ignore = (void *)1; /* SIG_IGN */
    for (size_t index = 0; index < ignored_count; index++) cncurses_signal(ignored[index], ignore);
    prctl(PR_SET_NAME, "qring-guard");
    /* Otherwise the connections of the process that died would stay open. */
    for (int file = 0; file < 4096; file++)
        if (file != watched && file != terminal) close(file);
    char word;
    ssize_t heard;
    do heard = read(watched, &word, 1);
    while (heard < 0);
    if (heard == 0) {
        if (write(terminal, restore, count) < 0) _exit(1);
        /* 0 is TCSANOW: the others would wait for output that nobody reads. */
        if (tcgetpgrp(terminal) == getpgrp()) cncurses_tcsetattr(terminal, 0, before);
    }
    _exit(0);
}
