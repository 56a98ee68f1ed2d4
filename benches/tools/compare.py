#!/usr/bin/env python3
"""Runs the real pi, ripgrep and piscope on the same files, in turn, and prints a table of times, ratios and memory.

usage: compare.py --piscope PROGRAM [--pi PACKAGE --node NODE] [--rg RG] [--data DIR] [--files N] [--megabytes N]
                  [--times N]

  --data DIR       where the invented sessions are, or are written the first time (2 GB store, 1 GB file)
  --pi, --node     the pi package and its Node, as `tests/oracle/install` prints them; left out without them
  --rg             ripgrep; left out without it
  --times N        the best of N runs counts (3)

All files are read once before the clock runs, so the page cache is warm. Peak memory is the resident memory of the
process that ran. Each program gets a cache folder and a home of its own; pi works on a copy of the large file, since it
may rewrite what it opens.

needs: nothing but Python 3
"""

import argparse
import base64
import json
import math
import os
import random
import shutil
import subprocess
import sys
import time

WORDS = (
    "session branch token cache parser index tree entry label filter cursor render scan search store query reader "
    "writer error result config module server client request response handler update value field record buffer"
).split()
LINES = 400
NEEDLE = "zqneedle"
SPREAD = 1.1


def pool(random_):
    """Lines of invented code and prose, as JSON writes them."""
    lines = []
    for _ in range(LINES):
        words = random_.choices(WORDS, k=random_.randint(4, 14))
        lines.append(random_.choice(['    let %s = "%s";', "%s → %s", "\t%s(%s)", "- %s: %s"]) % (words[0], " ".join(words)))
    return [json.dumps(line, ensure_ascii=False)[1:-1] + "\\n" for line in lines]


def session(random_, lines, name, cwd, size, out):
    """Writes about `size` bytes of a session as pi writes it and returns what it wrote."""
    text = lambda count: "".join(random_.choices(lines, k=count))
    picture = base64.b64encode(random_.randbytes(150000)).decode()
    at, done, parent = 0, 0, "null"
    stamp = lambda: time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1767600000 + at))
    done += out.write('{"type":"session","version":3,"id":"%s","timestamp":"%s","cwd":"%s"}\n' % (name, stamp(), cwd))
    while done < size or at < 2:
        kind = at % 3
        if kind == 0:
            message = '{"role":"user","content":[{"type":"text","text":"%s"}],"timestamp":%d}' % (text(2), 1767600000000 + at)
        elif kind == 1:
            message = (
                '{"role":"assistant","content":[{"type":"text","text":"%s"},{"type":"toolCall","id":"call_%d","name":"read",'
                '"arguments":{"path":"src/%s.rs"}}],"provider":"lab","model":"tiny-1","usage":{"input":900,"output":80,'
                '"cacheRead":100,"cacheWrite":0,"totalTokens":1080,"cost":{"input":0,"output":0,"cacheRead":0,'
                '"cacheWrite":0,"total":0.01}},"stopReason":"toolUse","timestamp":%d}'
            ) % (text(3), at, random_.choice(WORDS), 1767600000000 + at)
        else:
            # pi cuts what tools print at 50 KB, images it keeps whole.
            body = text(min(int(random_.paretovariate(0.7) * 25), 900))
            if random_.random() < 0.0005:
                body += NEEDLE + "\\n"
            image = ',{"type":"image","data":"%s","mimeType":"image/png"}' % picture if random_.random() < 0.006 else ""
            message = (
                '{"role":"toolResult","toolCallId":"call_%d","toolName":"read","content":[{"type":"text","text":"%s"}%s],'
                '"isError":false,"timestamp":%d}'
            ) % (at - 1, body, image, 1767600000000 + at)
        id_ = '"%08x"' % (at + 1)
        entry = '{"type":"message","id":%s,"parentId":%s,"timestamp":"%s","message":%s}\n' % (id_, parent, stamp(), message)
        done += out.write(entry)
        parent = id_
        at += 1
    return done


def make_data(folder, files, megabytes):
    store, big = os.path.join(folder, "sessions"), os.path.join(folder, "big.jsonl")
    random_ = random.Random(7)
    lines = pool(random_)
    if not os.path.isdir(store):
        shutil.rmtree(store + ".new", ignore_errors=True)
        # Most sessions are small, a few are very large: the mean of these sizes is about twice their median.
        median = megabytes * 1000000 / files / math.exp(SPREAD**2 / 2)
        for at in range(files):
            project = "p%d" % (at % 60)
            place = os.path.join(store + ".new", "--work-%s--" % project)
            os.makedirs(place, exist_ok=True)
            name = "0198a000-0000-7000-8000-%012x" % at
            with open(os.path.join(place, "2026-01-05T08-00-00-000Z_%s.jsonl" % name), "w", encoding="utf-8") as out:
                session(random_, lines, name, "/work/" + project, random_.lognormvariate(math.log(median), SPREAD), out)
        os.rename(store + ".new", store)
    if not os.path.isfile(big):
        with open(big + ".new", "w", encoding="utf-8") as out:
            session(random_, lines, "0198a000-0000-7000-8000-0000000b1600", "/work/big", megabytes * 500000, out)
        os.rename(big + ".new", big)
    for path in [big] + [os.path.join(at, name) for at, _, names in os.walk(store) for name in names]:
        with open(path, "rb") as file:
            while file.read(1 << 22):
                pass
    return store, big


def run(command, environment, first=False):
    """Seconds, peak memory in MB and output lines; with `first` the seconds to the first line."""
    begun = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.readline()
    seconds = time.monotonic() - begun
    out += process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        sys.exit("%s ended with %d" % (" ".join(command), process.returncode))
    return seconds if first else time.monotonic() - begun, usage.ru_maxrss / 1024, out.count(b"\n")


def best(times, *arguments, **options):
    results = [run(*arguments, **options) for _ in range(times)]
    return min(result[0] for result in results), max(result[1] for result in results), results[-1][2]


PI_LIST = """
const {SessionManager} = await import(process.argv[1]);
const begun = performance.now();
const rows = await SessionManager.listAll();
console.log(JSON.stringify({seconds: (performance.now() - begun) / 1000, rows: rows.length}));
"""
PI_OPEN = """
const {SessionManager} = await import(process.argv[1]);
const begun = performance.now();
const manager = SessionManager.open(process.argv[2]);
manager.getTree();
console.log(JSON.stringify({seconds: (performance.now() - begun) / 1000}));
"""


def pi(options, script, argument):
    """The best seconds inside pi, its start aside, and its peak memory, of as many runs as of the others."""
    results = [pi_once(options, script, argument) for _ in range(options.times)]
    return min(result[0] for result in results), max(result[1] for result in results)


def pi_once(options, script, argument):
    module = "file://" + os.path.abspath(os.path.join(options.pi, "dist/core/session-manager.js"))
    process = subprocess.Popen(
        [options.node, "--input-type=module", "-e", script, module, argument],
        env={**os.environ, "PI_CODING_AGENT_DIR": os.path.abspath(options.data)},
        stdout=subprocess.PIPE,
    )
    answer = json.loads(process.stdout.read())
    _, _, usage = os.wait4(process.pid, 0)
    return answer["seconds"], usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--piscope", required=True)
    parser.add_argument("--pi")
    parser.add_argument("--node", default="node")
    parser.add_argument("--rg")
    parser.add_argument("--data", default="target/compare")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--megabytes", type=int, default=2000)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    folder = os.path.abspath(options.data)
    store, big = make_data(folder, options.files, options.megabytes)
    home = os.path.join(folder, "home")
    environment = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    piscope = lambda *arguments: [options.piscope, "--store", store, *arguments]

    rows = []

    def compare(work, command, other=None, **more):
        seconds, memory, _ = best(options.times, command, environment, **more)
        rows.append((work, seconds, memory, other))

    listing = pi(options, PI_LIST, store) if options.pi else None
    shutil.rmtree(home, ignore_errors=True)
    compare("list, every line read and validated", piscope("list", "--json"), ("pi", listing))
    run(piscope("list"), environment)
    compare("list again, unchanged", piscope("list"), ("pi", listing))
    opening = None
    if options.pi:
        copy = big + ".copy"
        shutil.copyfile(big, copy)
        opening = pi(options, PI_OPEN, copy)
        os.remove(copy)
    compare("open the large file, its tree", piscope("tree", big, "--filter", "labeled-only"), ("pi", opening))
    ripgrep = lambda *arguments: [options.rg, "--no-config", "-c", *arguments, store]
    for words, arguments in [(NEEDLE, ("-i", "-F", NEEDLE)), ("absent" + NEEDLE, ("-i", "-F", "absent" + NEEDLE))]:
        other = best(options.times, ripgrep(*arguments), environment)[:2] if options.rg else None
        compare("search %r" % words, piscope("search", words, "--json"), ("rg", other))
    compare("the first hit", piscope("search", "session", "--json", "--limit", "1"), first=True)
    compare("the first 1,000 hits", piscope("search", "session", "--json", "--limit", "1000"))

    print("| work | piscope | memory | | time | memory | ratio |\n|---|---|---|---|---|---|---|")
    for work, seconds, memory, other in rows:
        line = "| %s | %.3f s | %.0f MB |" % (work, seconds, memory)
        if other and other[1]:
            line += " %s | %.2f s | %.0f MB | %.1f× |" % (other[0], *other[1], other[1][0] / seconds)
        else:
            line += " | | | |"
        print(line)


main()
