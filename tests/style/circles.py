#!/usr/bin/env python3
"""Who calls whom, from the compiled objects. Prints TAP.

usage: circles.py NM ARCHIVE... (from the ground floor up)

No object may need another that needs it in turn, and none may need one of a higher floor. The
last two archives, the screen and the verbs, stand side by side.
"""

import re
import subprocess
import sys

nm, archives = sys.argv[1], sys.argv[2:]
defined, needed, floor = {}, {}, {}
for level, archive in enumerate(archives):
    output = subprocess.run([nm, "-A", archive], capture_output=True, text=True, check=True)
    for line in output.stdout.splitlines():
        match = re.match(r".*:([^:\s]+\.o):\s*[0-9a-f]*\s+(\w)\s+(\S+)$", line)
        if not match:
            continue
        thing, kind, symbol = match.groups()
        floor[thing] = level
        if kind == "U":
            needed.setdefault(thing, set()).add(symbol)
        elif kind.isupper():
            defined[symbol] = thing
graph = {
    thing: {defined[s] for s in symbols if s in defined and defined[s] != thing}
    for thing, symbols in needed.items()
}

circles, done = [], set()


def walk(thing, trail):
    if thing in trail:
        circles.append(" -> ".join(trail[trail.index(thing):] + [thing]))
        return
    if thing in done:
        return
    for target in sorted(graph.get(thing, ())):
        walk(target, trail + [thing])
    done.add(thing)


for thing in sorted(graph):
    walk(thing, [])
upward = [
    f"{thing} needs {target}"
    for thing, targets in sorted(graph.items())
    for target in sorted(targets)
    if floor[target] > floor[thing]
    or (floor[target] == len(archives) - 2 and floor[thing] == len(archives) - 1)
]
print("1..3")
for number, (name, found) in enumerate(
    [
        ("objects were read", [] if len(graph) > 40 else [f"only {len(graph)}"]),
        ("no object needs itself in a circle", circles),
        ("no object needs a higher floor", upward),
    ],
    1,
):
    print(f"{'not ok' if found else 'ok'} {number} - {name}")
    for line in found[:20]:
        print(f"# {line}")
