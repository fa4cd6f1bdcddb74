#!/usr/bin/env python3
"""Writes preset files into one C source.

usage: embed.py OUT.c FILE...

Each FILE is .../{models,frameworks,hardware,scenarios}/NAME.yaml. The result depends on nothing
but names and contents of the files, in whatever order they are given.
"""

import os
import sys

# The order of enum act_preset_kind (presets.h).
KINDS = ("models", "frameworks", "hardware", "scenarios")
SUFFIX = ".yaml"
NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")
SIZE_MAX = 256 * 1024  # what the loader accepts
ROW = 16  # bytes a line


def fail(path, text):
    sys.exit(f"embed.py: {path}: {text}")


def read(path):
    """Kind, name and contents of one preset file."""
    folder, base = os.path.split(path)
    kind = os.path.basename(folder)
    if kind not in KINDS:
        fail(path, f"lies in {kind or 'no folder'}; a preset lies in one of {', '.join(KINDS)}")
    name = base[: -len(SUFFIX)]
    if not base.endswith(SUFFIX) or not name or not NAME_CHARACTERS.issuperset(name):
        fail(path, "a preset is called NAME.yaml, NAME of a-z 0-9 . _ -")
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError as error:
        fail(path, error.strerror)
    if b"\0" in text or len(text) > SIZE_MAX:
        fail(path, f"holds a NUL byte or more than {SIZE_MAX} bytes")
    return kind, name, text


def identifier(kind, index):
    return f"{kind}_{index}"


def array(name, text):
    """A NUL-terminated array: string literals above 4095 bytes are beyond what C11 promises."""
    codes = list(text) + [0]
    lines = [
        "    " + " ".join(f"{code}," for code in codes[start : start + ROW])
        for start in range(0, len(codes), ROW)
    ]
    return [f"static const unsigned char {name}[] = {{", *lines, "};", ""]


def source(presets):
    lines = ["/* Written by embed.py from the presets; change those instead. */", ""]
    lines += ['#include "io/embedded.h"', ""]
    for kind in KINDS:
        for index, (_, text) in enumerate(presets[kind]):
            lines += array(identifier(kind, index), text)
    for kind in KINDS:
        lines.append(f"static const struct act_embedded {kind}[] = {{")
        for index, (name, text) in enumerate(presets[kind]):
            data = identifier(kind, index)
            lines.append(f'    {{"{name}", (const char *){data}, {len(text)}}},')
        # Keeps the array whole when a kind is empty; not counted.
        lines += ["    {0, 0, 0},", "};", ""]
    lines.append("const struct act_embedded *const act_embedded_presets[4] = {")
    lines += [f"    {kind}," for kind in KINDS] + ["};", ""]
    counts = ", ".join(str(len(presets[kind])) for kind in KINDS)
    lines.append(f"const int act_embedded_counts[4] = {{{counts}}};")
    return "\n".join(lines) + "\n"


def main(arguments):
    if len(arguments) < 2:
        sys.exit("usage: embed.py OUT.c FILE...")
    out, *paths = arguments
    presets = {kind: {} for kind in KINDS}
    for path in paths:
        kind, name, text = read(path)
        if name in presets[kind]:
            fail(path, f"a second preset {name} among {kind}")
        presets[kind][name] = text
    # Names are ASCII, so this is strcmp's order.
    written = source({kind: sorted(entries.items()) for kind, entries in presets.items()})
    try:
        with open(out, "w", encoding="ascii", newline="\n") as file:
            file.write(written)
    except OSError as error:
        fail(out, error.strerror)


if __name__ == "__main__":
    main(sys.argv[1:])
