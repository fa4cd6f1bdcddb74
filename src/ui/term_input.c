#include "ui/term_input.h"
#include "session/action.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 8192 };

static struct {
    unsigned char bytes[ROOM];
    size_t start, end;
    unsigned long consumed;
    bool settled; /* read an unfinished sequence as it stands */
    bool mouse;
    bool pasting;
    size_t paste_size;
    char paste[ACT_PASTE_MAX + 1];
} input;

static const char paste_start[] = "\033[200~";
static const char paste_end[] = "\033[201~";

unsigned long act_input_consumed(void)
{
    return input.consumed;
}

void act_input_feed(const char *bytes, size_t size)
{
    if (input.start > 0) {
        memmove(input.bytes, input.bytes + input.start, input.end - input.start);
        input.end -= input.start;
        input.start = 0;
    }
    size = size < ROOM - input.end ? size : ROOM - input.end;
    memcpy(input.bytes + input.end, bytes, size);
    input.end += size;
    input.settled = false;
}

bool act_input_read(void)
{
    char bytes[4096];
    size_t room = ROOM - (input.end - input.start);
    size_t want = room < sizeof bytes ? room : sizeof bytes;
    ssize_t got = read(STDIN_FILENO, bytes, want);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got == 0)
        return false;
    act_input_feed(bytes, (size_t)got);
    return true;
}

static size_t have(void)
{
    return input.end - input.start;
}

int act_input_patience(void)
{
    static const char report[] = "\033[<";
    if (input.pasting)
        return ACT_PASTE_MS;
    if (have() >= sizeof report - 1 &&
        memcmp(input.bytes + input.start, report, sizeof report - 1) == 0)
        return ACT_REPORT_MS;
    return input.end > input.start ? ACT_ESCAPE_MS : 0;
}

void act_input_settle(void)
{
    input.settled = true;
}

void act_input_mouse(bool on)
{
    input.mouse = on;
}

static void consume(size_t size)
{
    input.start += size;
    input.consumed += size;
}

static int key_of_letter(unsigned char letter)
{
    switch (letter) {
    case 'A':
        return ACT_KEY_UP;
    case 'B':
        return ACT_KEY_DOWN;
    case 'C':
        return ACT_KEY_RIGHT;
    case 'D':
        return ACT_KEY_LEFT;
    case 'H':
        return ACT_KEY_HOME;
    case 'F':
        return ACT_KEY_END;
    case 'P':
        return ACT_KEY_F1;
    case 'Z':
        return ACT_KEY_BACK_TAB;
    case 'M':
        return ACT_KEY_ENTER;
    default:
        return ACT_KEY_NONE;
    }
}

static int key_of_number(int number)
{
    switch (number) {
    case 1:
    case 7:
        return ACT_KEY_HOME;
    case 2:
        return ACT_KEY_INSERT;
    case 3:
        return ACT_KEY_DELETE;
    case 4:
    case 8:
        return ACT_KEY_END;
    case 5:
        return ACT_KEY_PAGE_UP;
    case 6:
        return ACT_KEY_PAGE_DOWN;
    case 11:
        return ACT_KEY_F1;
    case 15:
        return ACT_KEY_F5;
    default:
        return ACT_KEY_NONE;
    }
}

/* ESC [ parameters letter, or ESC O letter. Returns its length, 0 when unfinished. */
static size_t sequence(const unsigned char *at, size_t size, int *ret_key)
{
    *ret_key = ACT_KEY_NONE;
    if (at[1] == 'O') {
        if (size < 3)
            return 0;
        *ret_key = key_of_letter(at[2]);
        return 3;
    }
    int number = 0;
    bool first = true;
    for (size_t i = 2; i < size; i++) {
        if (at[i] >= '0' && at[i] <= '9') {
            if (first && number < 10000)
                number = 10 * number + (at[i] - '0');
        } else if (at[i] == ';' || at[i] == ':') {
            first = false;
        } else if (at[i] >= 0x40 && at[i] <= 0x7e) {
            *ret_key = at[i] == '~' ? key_of_number(number) : key_of_letter(at[i]);
            if (at[i] != '~' && at[2] == '[') /* the Linux console's ESC [ [ A is F1 */
                *ret_key = ACT_KEY_NONE;
            return i + 1;
        } else if (at[i] < 0x20 || at[i] > 0x7e) {
            return i; /* broken off by something else */
        }
    }
    return size >= 64 ? size : 0;
}

/* ESC [ < button ; column ; row M (press, or motion while pressed) or m (release). Returns its
 * length, 0 when unfinished; the event stays none unless it is a press that means something.
 * Modifiers are not asked about. */
static size_t mouse_report(const unsigned char *at, size_t size, struct act_event *event)
{
    enum { MODIFIERS = 4 | 8 | 16, MOTION = 32, WHEEL = 64, LARGEST = 100000 };
    int number[3] = {0}, part = 0;
    event->kind = ACT_EVENT_NONE;
    for (size_t i = 3; i < size; i++) {
        if (at[i] >= '0' && at[i] <= '9') {
            if (number[part] < LARGEST)
                number[part] = 10 * number[part] + (at[i] - '0');
        } else if (at[i] == ';' && part < 2) {
            part++;
        } else if (at[i] == 'M' || at[i] == 'm') {
            int button = number[0] & ~MODIFIERS;
            bool known = button == 0 || button == MOTION || button == WHEEL || button == WHEEL + 1;
            if (input.mouse && at[i] == 'M' && part == 2 && known && number[1] > 0 && number[2] > 0)
                event->kind = ACT_EVENT_MOUSE;
            event->button = button == 0        ? ACT_BUTTON_LEFT
                            : button == MOTION ? ACT_BUTTON_DRAG
                            : button == WHEEL  ? ACT_BUTTON_WHEEL_UP
                                               : ACT_BUTTON_WHEEL_DOWN;
            event->column = number[1] - 1;
            event->row = number[2] - 1;
            return i + 1;
        } else {
            return i; /* broken off by something else */
        }
    }
    return size >= 64 ? size : 0;
}

/* A plain character, or 0 when its UTF-8 is unfinished. */
static size_t character(const unsigned char *at, size_t size, int *ret_key)
{
    unsigned char byte = at[0];
    size_t length = byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length == 0 || byte > 0xf4) {
        *ret_key = ACT_KEY_NONE;
        return 1;
    }
    if (length == 1) {
        *ret_key = byte == '\n' ? ACT_KEY_ENTER : byte == '\b' ? ACT_KEY_BACKSPACE : byte;
        return 1;
    }
    int sign = byte & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if (i >= size)
            return 0;
        if ((at[i] & 0xc0) != 0x80) {
            *ret_key = ACT_KEY_NONE;
            return i;
        }
        sign = sign << 6 | (at[i] & 0x3f);
    }
    *ret_key = sign;
    return length;
}

static bool end_paste(struct act_event *event)
{
    input.pasting = false;
    event->kind = ACT_EVENT_PASTE;
    event->paste_size = input.paste_size;
    memcpy(event->paste, input.paste, input.paste_size);
    event->paste[input.paste_size] = '\0';
    return true;
}

/* Text of a paste up to its end mark; what exceeds the room is dropped. */
static bool paste(struct act_event *event)
{
    const size_t mark = sizeof paste_end - 1;
    while (have() > 0) {
        const unsigned char *at = input.bytes + input.start;
        size_t left = have();
        size_t match = left < mark ? left : mark;
        bool ends = memcmp(at, paste_end, match) == 0;
        if (ends && match == mark) {
            consume(mark);
            return end_paste(event);
        }
        if (ends && !input.settled)
            return false;
        if (input.paste_size < ACT_PASTE_MAX)
            input.paste[input.paste_size++] = (char)at[0];
        consume(1);
    }
    return input.settled ? end_paste(event) : false;
}

bool act_input_next(struct act_event *ret_event)
{
    for (;;) {
        if (input.pasting)
            return paste(ret_event);
        if (have() == 0)
            return false;
        const unsigned char *at = input.bytes + input.start;
        size_t size = have(), used;
        int key;
        if (at[0] != ACT_KEY_ESC) {
            used = character(at, size, &key);
            if (used == 0 && !input.settled)
                return false;
            used = used == 0 ? size : used;
        } else if (size == 1) {
            if (!input.settled)
                return false;
            key = ACT_KEY_ESC;
            used = 1;
        } else if (at[1] == '[' || at[1] == 'O') {
            size_t mark = sizeof paste_start - 1;
            if (size >= mark && memcmp(at, paste_start, mark) == 0) {
                consume(mark);
                input.pasting = true;
                input.paste_size = 0;
                continue;
            }
            if (at[1] == '[' && size >= 3 && at[2] == '<') {
                used = mouse_report(at, size, ret_event);
                if (used == 0 && !input.settled)
                    return false;
                consume(used > 0 ? used : size);
                if (used > 0 && ret_event->kind == ACT_EVENT_MOUSE)
                    return true;
                ret_event->kind = ACT_EVENT_KEY;
                ret_event->key = ACT_KEY_NONE;
                return true;
            }
            /* The old form: three bytes that may look like anything. */
            if (at[1] == '[' && size >= 3 && at[2] == 'M' && input.mouse) {
                if (size < 6 && !input.settled)
                    return false;
                consume(size < 6 ? size : 6);
                ret_event->kind = ACT_EVENT_KEY;
                ret_event->key = ACT_KEY_NONE;
                return true;
            }
            used = sequence(at, size, &key);
            if (used == 0 && !input.settled)
                return false;
            if (used == 0) { /* Escape, and then something else */
                key = ACT_KEY_ESC;
                used = 1;
            }
        } else if (at[1] == ACT_KEY_ESC) {
            key = ACT_KEY_ESC;
            used = 1;
        } else {
            used = character(at + 1, size - 1, &key);
            if (used == 0 && !input.settled)
                return false;
            key = used == 0 || key == ACT_KEY_NONE ? ACT_KEY_NONE : key | ACT_KEY_ALT;
            used = used == 0 ? size : used + 1;
        }
        consume(used);
        ret_event->kind = ACT_EVENT_KEY;
        ret_event->key = key;
        return true;
    }
}
