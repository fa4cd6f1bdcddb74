/* A small full-screen program that speaks the frame marker: the harness is tested with it. */
#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t resized;
static unsigned long bytes_read, frames;
static int level;
static char last[64] = "none";

static void note_resize(int number)
{
    (void)number;
    resized = 1;
}

static void draw(void)
{
    erase();
    (void)mvprintw(0, 0, "toy %dx%d", LINES, COLS);
    attron(A_BOLD | COLOR_PAIR(1));
    (void)mvprintw(1, 0, "level %d", level);
    attroff(A_BOLD | COLOR_PAIR(1));
    (void)mvprintw(2, 0, "last %s", last);
    for (int i = 0; i < level && i < COLS; i++)
        (void)mvaddwstr(3, i, L"█");
    (void)mvaddwstr(4, 0, L"宽 wide");
    (void)mvchgat(4, 3, 4, A_REVERSE, 0, NULL);
    (void)move(1, 6);
    (void)refresh();
    printf("\033]7770;%lu;%lu\a", bytes_read, ++frames);
    (void)fflush(stdout);
}

static void handle(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        level += bytes[i] == '+' ? 1 : bytes[i] == '-' ? -1 : 0;
        if (bytes[i] == 'q' || bytes[i] == 'Q') {
            if (bytes[i] == 'q')
                (void)endwin();
            exit(3);
        }
        if (bytes[i] == 'c') {
            (void)signal(SIGSEGV, SIG_DFL); /* a sanitizer would report it in its own way */
            (void)raise(SIGSEGV);
        }
        if (bytes[i] == ('z' & 0x1f)) {
            (void)endwin();
            (void)raise(SIGTSTP);
            clearok(curscr, TRUE);
        }
        if (bytes[i] == 'm')
            printf("\033[?1002;1006h");
        if (bytes[i] == 'd')
            printf("\033[6n"); /* the terminal answers with the cursor's place */
        if (bytes[i] == 'l')
            clearok(curscr, TRUE);
    }
    (void)snprintf(last, sizeof last, "%.*s", (int)strcspn(bytes, "\033\r"), bytes);
}

int main(void)
{
    setlocale(LC_CTYPE, "");
    (void)initscr();
    (void)raw();
    (void)noecho();
    (void)start_color();
    (void)use_default_colors();
    (void)init_pair(1, COLOR_RED, -1);
    (void)signal(SIGWINCH, note_resize);
    /* Comes only while we wait: between the look at `resized` and the wait it would be lost. */
    sigset_t resize, before;
    (void)sigemptyset(&resize);
    (void)sigaddset(&resize, SIGWINCH);
    (void)sigprocmask(SIG_BLOCK, &resize, &before);
    draw();
    for (;;) {
        struct pollfd fd = {.fd = 0, .events = POLLIN};
        int ready = ppoll(&fd, 1, NULL, &before);
        if (resized) {
            struct winsize size;
            resized = 0;
            if (ioctl(0, TIOCGWINSZ, &size) == 0)
                (void)resizeterm(size.ws_row, size.ws_col);
        }
        if (ready > 0) {
            char bytes[4096];
            ssize_t size = read(0, bytes, sizeof bytes - 1);
            if (size <= 0)
                exit(4);
            bytes[size] = '\0';
            bytes_read += (unsigned long)size;
            handle(bytes, (size_t)size);
        }
        draw();
    }
}
