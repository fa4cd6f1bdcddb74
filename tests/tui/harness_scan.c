/* Follows escape sequences in the program's output: frame markers, the harness's own echo, and
 * private modes, which libvterm 0.1.4 neither counts nor all knows. */
#include "harness_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void finish_string(struct tui_scan *scan)
{
    scan->string[scan->string_size] = '\0';
    scan->state = SCAN_GROUND;
    if (!scan->osc)
        return;
    unsigned long bytes_read = 0, frame = 0;
    int fields = sscanf(scan->string, "7770;%lu;%lu", &bytes_read, &frame);
    if (fields >= 1) {
        scan->bytes_read = bytes_read;
        scan->frame = fields == 2 ? frame : scan->frame + 1;
        scan->markers++;
        scan->own_bytes += scan->sequence_size;
    } else if (sscanf(scan->string, "7771;%lu", &bytes_read) == 1) {
        scan->echo = bytes_read;
        scan->own_bytes += scan->sequence_size;
    }
}

static void finish_csi(struct tui_scan *scan, char final)
{
    scan->state = SCAN_GROUND;
    scan->repeated = final == 'b' && !scan->private_mode;
    if (!scan->private_mode || (final != 'h' && final != 'l'))
        return;
    for (int i = 0; i < scan->parameter_count; i++) {
        int mode = scan->parameters[i];
        if (mode >= TUI_MODES)
            continue;
        scan->mode_set[mode] = final == 'h';
        if (final == 'h')
            scan->mode_seen[mode] = true;
    }
}

static void scan_csi(struct tui_scan *scan, char c)
{
    int last = scan->parameter_count - 1;
    if (c == '?') {
        scan->private_mode = true;
    } else if (c >= '0' && c <= '9') {
        if (scan->parameters[last] < 100000)
            scan->parameters[last] = scan->parameters[last] * 10 + (c - '0');
    } else if (c == ';' || c == ':') {
        if (scan->parameter_count < (int)(sizeof scan->parameters / sizeof *scan->parameters))
            scan->parameters[scan->parameter_count++] = 0;
    } else if (c >= 0x40 && c <= 0x7e) {
        finish_csi(scan, c);
    }
}

static void scan_escape(struct tui_scan *scan, char c)
{
    switch (c) {
    case '[':
        scan->state = SCAN_CSI;
        scan->private_mode = false;
        scan->parameter_count = 1;
        scan->parameters[0] = 0;
        break;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
        scan->state = SCAN_STRING;
        scan->osc = c == ']';
        scan->string_size = 0;
        break;
    default:
        /* Intermediate bytes as in ESC ( 0 keep the sequence open; all else ends it. */
        if (c < 0x20 || c > 0x2f)
            scan->state = SCAN_GROUND;
    }
}

size_t tui_scan_bytes(struct tui_scan *scan, const char *bytes, size_t size)
{
    size_t i = 0;
    scan->repeated = false;
    while (i < size && !scan->repeated) {
        char c = bytes[i++];
        scan->sequence_size++;
        switch (scan->state) {
        case SCAN_STRING_ESCAPE:
            if (c == '\\') {
                finish_string(scan);
                break;
            }
            scan->sequence_size = 2;
            scan_escape(scan, c);
            break;
        case SCAN_STRING:
            if (c == '\a')
                finish_string(scan);
            else if (c == '\033')
                scan->state = SCAN_STRING_ESCAPE;
            else if (scan->string_size < sizeof scan->string - 1)
                scan->string[scan->string_size++] = c;
            break;
        case SCAN_GROUND:
        case SCAN_ESCAPE:
        case SCAN_CSI:
            if (c == '\033') {
                scan->state = SCAN_ESCAPE;
                scan->sequence_size = 1;
            } else if (scan->state == SCAN_ESCAPE) {
                scan_escape(scan, c);
            } else if (scan->state == SCAN_CSI) {
                scan_csi(scan, c);
            }
            break;
        }
    }
    return i;
}
