#pragma once
/* The wide-character functions of ncurses, as plain functions for Swift. The original functions are macros,
   or use the global variables stdscr, COLORS and LINES, which Swift does not allow to share between threads.
   Only one thread may call these functions, except the functions for the guard process, because ncurses
   supports only one thread (curs_threads(3X)). */
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

/* Sets the locale, because ncurses writes characters in the encoding of the locale. If the system does not
   know the user's locale, C.UTF-8 is used, which has the same character widths. */
static inline void cncurses_use_locale(bool utf8) {
    const char *found = setlocale(LC_CTYPE, "");
    if (utf8 && (found == NULL || MB_CUR_MAX < 2)) setlocale(LC_CTYPE, "C.UTF-8");
}

/* Starts the screen. Each key is reported at once and without an echo, and the cursor is hidden. Returns
   false if the terminal is unknown. (initscr(3X) would end the process.) `escape_delay` is the time in
   milliseconds for which ncurses waits after Esc for the rest of a key's sequence. */
static inline bool cncurses_open(int escape_delay) {
    /* The size is the terminal's own. LINES and COLUMNS of the environment would be those of another one, or
       of the time before the window changed (use_tioctl(3X)). */
    use_env(FALSE);
    use_tioctl(TRUE);
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

/* Starts colours and returns their number, or 0 if the terminal has none. The default background is the
   terminal's own background. */
static inline int cncurses_start_colours(void) {
    if (!has_colors() || start_color() != OK) return 0;
    use_default_colors();
    return COLORS;
}
static inline int cncurses_pairs(void) { return COLOR_PAIRS; }
static inline void cncurses_set_pair(int pair, int ink, int ground) { init_extended_pair(pair, ink, ground); }

/* Makes the terminal report mouse events. `cncurses_mouse` then returns presses of the first button and
   turns of the wheel. */
static inline void cncurses_start_mouse(void) {
    /* All events are requested, because after an event that was not requested, such as a release, ncurses
       would wait for the next key although nodelay is set. */
    mousemask(ALL_MOUSE_EVENTS, NULL);
    mouseinterval(0);
}

static const uint32_t CNCURSES_BOLD = A_BOLD;
static const uint32_t CNCURSES_DIM = A_DIM;
static const uint32_t CNCURSES_REVERSED = A_REVERSE;

/* Writes one character with at most four combining characters. `count` is the number of scalars. */
static inline void cncurses_put(
    int row, int column, const uint32_t *scalars, int count, uint32_t attributes, int pair) {
    wchar_t text[6] = {0};
    for (int index = 0; index < count && index < 5; index++) text[index] = (wchar_t)scalars[index];
    cchar_t cell;
    /* If the extended colour pair is given, setcchar(3X) ignores the short colour pair. */
    if (setcchar(&cell, text, attributes, 0, &pair) == OK) mvadd_wch(row, column, &cell);
}
/* Returns the number of columns of a character in ncurses and in the C library, or -1 if it cannot be
   printed. */
static inline int cncurses_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

/* Writes the cells that have changed since the last refresh. */
static inline void cncurses_refresh(void) { refresh(); }
static inline void cncurses_clear(void) { erase(); }
/* Makes the next refresh write the whole screen, after another program has written to the terminal. */
static inline void cncurses_forget(void) { clearok(curscr, TRUE); }
static inline void cncurses_resize(int rows, int columns) { resizeterm(rows, columns); }
/* Restores the terminal for other programs. The next refresh starts the screen again. */
static inline void cncurses_close(void) { endwin(); }

/* A key code beyond those of ncurses: the terminal's answer that it is ready (ECMA-48 §8.3.35). */
static const int32_t CNCURSES_READY = KEY_MAX + 1;
static inline void cncurses_define_ready(void) { define_key("\033[0n", CNCURSES_READY); }

/* Reads a key. Returns 0 if there is none, 1 for a character, or 2 for one of the KEY_ codes. */
static inline int cncurses_key(uint32_t *key) {
    wint_t read = 0;
    int kind = get_wch(&read);
    *key = (uint32_t)read;
    return kind == OK ? 1 : kind == KEY_CODE_YES ? 2 : 0;
}

/* Reads the mouse event after KEY_MOUSE. Returns 1 for a press, 2 for wheel up, 3 for wheel down, or 0 for
   any other event. If a press and its release arrive together, ncurses reports them as a click, or as a
   double or triple click (curs_mouse(3X)). */
static inline int cncurses_mouse(int *row, int *column) {
    MEVENT event;
    if (getmouse(&event) != OK) return 0;
    *row = event.y;
    *column = event.x;
    if (event.bstate
        & (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED))
        return 1;
    if (event.bstate & BUTTON4_PRESSED) return 2;
    return event.bstate & BUTTON5_PRESSED ? 3 : 0;
}

/* Returns a string of the terminal's description, or NULL if the description does not contain it. */
static inline const char *cncurses_capability(const char *name) {
    const char *found = tigetstr(name);
    return found == (const char *)-1 ? NULL : found;
}

/* These declarations have other names and untyped pointers. If this header included <termios.h> or
   <signal.h>, their structs would belong to this module in some builds, and to Glibc in others. */
extern int cncurses_tcsetattr(int terminal, int when, const void *settings) __asm__("tcsetattr");
extern void *cncurses_signal(int number, void *handler) __asm__("signal");

/* Starts a child process that restores the terminal if this process dies (kill -9, a crash). The child blocks
   on `watched`, the read end of a pipe. If the pipe ends before a byte arrives, the child writes `restore`
   and sets the `settings` (a struct termios of `size` bytes). The child does not set them if the shell
   already controls the terminal. The child ignores the signals in `ignored`. It calls only functions that
   signal-safety(7) allows, because other threads may own any lock at the fork. `kept` is the write end of the
   pipe, which the child closes. Returns the child's id, or -1. */
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
    /* All other files are closed. Otherwise the connections of the dead process would stay open. */
    for (int file = 0; file < 4096; file++)
        if (file != watched && file != terminal) close(file);
    char word;
    ssize_t heard;
    do heard = read(watched, &word, 1);
    while (heard < 0);
    if (heard == 0) {
        if (write(terminal, restore, count) < 0) _exit(1);
        /* 0 is TCSANOW. The other values would wait for output that no program reads. */
        if (tcgetpgrp(terminal) == getpgrp()) cncurses_tcsetattr(terminal, 0, before);
    }
    _exit(0);
}
