#!/usr/bin/env python3
"""House rules that a compiler does not check. Prints TAP.

usage: check.py SOURCE_ROOT
"""

import os
import re
import subprocess
import sys

root = sys.argv[1]
os.chdir(root)

# Floors from the ground up (README, "How it is built"). A file may include its own floor and
# those below; cli and ui stand side by side.
FLOORS = {"core": 1, "io": 2, "session": 3, "ui": 4, "cli": 4}
BANNED = re.compile(
    r"\b(sprintf|vsprintf|strcpy|strcat|strncpy|atoi|atol|atoll|atof|gets|strtol|strtod|sscanf|"
    r"scanf|alloca|system|popen|setlocale|asctime|ctime|gmtime|localtime|rand|srand|"
    r"to(lower|upper)|strn?casecmp|is(alnum|alpha|digit|space|upper|lower|punct|print))\s*\("
)
# ctype and strcasecmp follow the locale: core/letters.h does not. setlocale once, for characters; strtod and strtol only ever see digits and an exponent there,
# which no locale changes.
ALLOWED = {
    ("src/main.c", "setlocale"),
    ("src/core/units_parse.c", "strtod"),
    ("src/core/units.c", "strtod"),
    ("src/core/units.c", "strtol"),
}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|not implemented)\b", re.IGNORECASE)
MACHINE = re.compile(r"(^|[\s\"'=(])/(home|work|root|Users)/")
LINES_MAX = 600


def files(*folders):
    out = []
    for folder in folders:
        for base, _, names in os.walk(folder):
            out += [os.path.join(base, name) for name in sorted(names)]
    return sorted(out)


def text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def code(path):
    """Text without comments and string contents, lines kept."""
    source = text(path)
    keep_lines = lambda match: "\n" * match.group(0).count("\n") or " "
    source = re.sub(r"/\*.*?\*/|//[^\n]*", keep_lines, source, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', source)


sources = [path for path in files("src", "include") if path.endswith((".c", ".h"))]
tests = [path for path in files("tests") if path.endswith((".c", ".h"))]
results = []


def check(name, problems):
    results.append((name, problems))


def floor_of(path):
    parts = path.split("/")
    if parts[0] == "include":
        return "core"
    return parts[1] if len(parts) > 2 else None


def includes(path):
    return re.findall(r'^\s*#\s*include\s*[<"]([^">]+)[">]', text(path), flags=re.M)


problems = []
for path in sources:
    own = floor_of(path)
    for name in includes(path):
        other = "core" if name.startswith("actuary/") else name.split("/")[0]
        if own is None or other not in FLOORS or "/" not in name:
            continue
        if FLOORS[other] > FLOORS[own] or {own, other} == {"ui", "cli"}:
            problems.append(f"{path} ({own}) includes {name} ({other})")
check("arrows point down", problems)

problems = []
for path in sources:
    own = floor_of(path)
    for name in includes(path):
        if "curses" in name and own != "ui":
            problems.append(f"{path} includes {name}: curses is for src/ui")
        if own == "core" and name in ("yaml.h", "jansson.h", "stdio.h") and name != "stdio.h":
            problems.append(f"{path} includes {name}: the engine is pure")
check("libraries stay on their floor", problems)

problems = []
for path in sources:
    for number, line in enumerate(code(path).split("\n"), 1):
        match = BANNED.search(line)
        if match and (path, match.group(1)) not in ALLOWED:
            problems.append(f"{path}:{number}: {match.group(1)}")
check("no banned calls", problems)

problems = []
for path in [p for p in sources if floor_of(p) == "core" and p.startswith("src/")]:
    for number, line in enumerate(code(path).split("\n"), 1):
        if re.search(r"\b(malloc|calloc|realloc|free|fopen|open|printf|fprintf|getenv)\s*\(", line):
            problems.append(f"{path}:{number}: {line.strip()}")
check("the engine allocates nothing and does no input or output", problems)

problems = []
for path in sources + tests:
    lines = text(path).count("\n")
    if lines > LINES_MAX:
        problems.append(f"{path} has {lines} lines: look for the two jobs in it")
check(f"no source beyond {LINES_MAX} lines", problems)

problems = []
for path in sources + tests:
    for number, line in enumerate(text(path).split("\n"), 1):
        if len(line) > 110 or line.rstrip() != line or "\t" in line:
            problems.append(f"{path}:{number}: too long, trailing blank or tab")
check("lines are short and clean", problems)

problems = []
for path in sources:
    for number, line in enumerate(text(path).split("\n"), 1):
        if UNFINISHED.search(line):
            problems.append(f"{path}:{number}: {line.strip()}")
check("nothing is marked unfinished", problems)

problems = []
for path in files("src", "include", "presets", "tests") + ["README.md", "meson.build"]:
    if path.endswith((".frame", ".py")) or "/corpus/" in path:
        continue
    for number, line in enumerate(text(path).split("\n"), 1):
        if MACHINE.search(line):
            problems.append(f"{path}:{number}: {line.strip()[:90]}")
check("no path of a machine", problems)

allowed = {"src", "include", "presets", "tests", "meson.build", "README.md", "LICENSE"}
listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True)
tops = {path.split("/")[0] for path in listed.stdout.split("\n") if path}
check(
    "the top level is as agreed",
    sorted(top for top in tops if not top.startswith(".") and top not in allowed),
)

problems = []
for path in files("include/actuary"):
    guard = "ACTUARY_" + os.path.basename(path)[:-2].upper() + "_H"
    if f"#ifndef {guard}" not in text(path):
        problems.append(f"{path}: no guard {guard}")
    if not text(path).startswith("/*"):
        problems.append(f"{path}: does not begin with what it is for")
check("public headers say what they are for", problems)

print(f"1..{len(results)}")
for number, (name, found) in enumerate(results, 1):
    print(f"{'not ok' if found else 'ok'} {number} - {name}")
    for problem in found[:20]:
        print(f"# {problem}")

