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
may rewrite what it opens. What is on a screen is timed in a terminal of 160 by 50, from the start of the program to the
last byte of the picture that shows it; keys as latency.py does. The invented sessions stay in the folder, 3 GB of them.

needs: nothing but Python 3
"""

import argparse
import base64
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import time

import latency

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = (
    "session branch token cache parser index tree entry label filter cursor render scan search store query reader "
    "writer error result config module server client request response handler update value field record buffer"
).split()
LINES = 400
NEEDLE = "zqneedle"
SPREAD = 1.1


class Pool:
    """Lines of invented code and prose as JSON writes them, and a picture."""

    def __init__(self, random_):
        forms = ['    let %s = "%s";', "%s → %s", "\t%s(%s)", "- %s: %s"]
        self.lines = []
        for _ in range(LINES):
            words = random_.choices(WORDS, k=random_.randint(4, 14))
            line = random_.choice(forms) % (words[0], " ".join(words))
            self.lines.append(json.dumps(line, ensure_ascii=False)[1:-1] + "\\n")
        self.picture = base64.b64encode(random_.randbytes(150000)).decode()


def session(random_, pool, name, cwd, size, out):
    """Writes about `size` bytes of a session as pi writes it, and at least a prompt and its answer."""
    text = lambda count: "".join(random_.choices(pool.lines, k=count))
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
            image = ',{"type":"image","data":"%s","mimeType":"image/png"}' % pool.picture if random_.random() < 0.006 else ""
            message = (
                '{"role":"toolResult","toolCallId":"call_%d","toolName":"read","content":[{"type":"text","text":"%s"}%s],'
                '"isError":false,"timestamp":%d}'
            ) % (at - 1, body, image, 1767600000000 + at)
        id_ = '"%08x"' % (at + 1)
        entry = '{"type":"message","id":%s,"parentId":%s,"timestamp":"%s","message":%s}\n' % (id_, parent, stamp(), message)
        done += out.write(entry)
        parent = id_
        at += 1


def make_store(random_, pool, root, files, size_of):
    """Writes a store unless it is there, in one step."""
    if os.path.isdir(root):
        return
    shutil.rmtree(root + ".new", ignore_errors=True)
    for at in range(files):
        project = "p%d" % (at % 60)
        place = os.path.join(root + ".new", "--work-%s--" % project)
        os.makedirs(place, exist_ok=True)
        name = "0198a000-0000-7000-8000-%012x" % at
        path = os.path.join(place, "2026-01-05T08-00-00-000Z_%s.jsonl" % name)
        with open(path, "w", encoding="utf-8") as out:
            session(random_, pool, name, "/work/" + project, size_of(), out)
    os.rename(root + ".new", root)


def make_data(folder, files, megabytes):
    """The store, a store of many small sessions, the large session, and one of 100,000 entries."""
    store, many, big, deep = (os.path.join(folder, name) for name in ("sessions", "many", "big.jsonl", "deep.jsonl"))
    os.makedirs(folder, exist_ok=True)
    random_ = random.Random(7)
    pool = Pool(random_)
    # Most sessions are small, a few are very large: the mean of these sizes is about twice their median.
    median = megabytes * 1000000 / files / math.exp(SPREAD**2 / 2)
    make_store(random_, pool, store, files, lambda: random_.lognormvariate(math.log(median), SPREAD))
    make_store(random_, pool, many, 13700, lambda: 0)
    if not os.path.isfile(big):
        with open(big + ".new", "w", encoding="utf-8") as out:
            session(random_, pool, "0198a000-0000-7000-8000-0000000b1600", "/work/big", megabytes * 500000, out)
        os.rename(big + ".new", big)
    if not os.path.isfile(deep):
        subprocess.run([sys.executable, os.path.join(HERE, "make-big.py"), "deep", deep, "100000"], check=True)
    for path in [big, deep] + [os.path.join(at, name) for root in (store, many) for at, _, names in os.walk(root) for name in names]:
        with open(path, "rb") as file:
            while file.read(1 << 22):
                pass
    return store, many, big, deep


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


def shows(times, command, text):
    """The best seconds from the start until `text` is drawn in a terminal of 160 by 50, and the peak memory."""
    results = []
    for _ in range(times):
        program, seen = latency.Program(command, 160, 50), b""
        while not re.search(text, seen):
            data = program.read(60)
            if not data:
                sys.exit("%s never showed %r" % (" ".join(command), text))
            seen += data
        seconds = program.age()
        latency.settle(program, argparse.Namespace(timeout=60))
        results.append((seconds, program.resources()[0]))
        program.end()
    return min(result[0] for result in results), max(result[1] for result in results)


def keys(command, pressed, times):
    """Median and 95th percentile of the seconds from a key to its picture, peak memory, and CPU seconds of two idle ones."""
    program = latency.Program(command, 160, 50)
    options = argparse.Namespace(timeout=60, until=None)
    latency.wait_for_start(program, options)
    latency.settle(program, options)
    answers = [latency.press(program, key) for _ in range(times) for key in pressed.split()]
    answers = sorted(answer / 1000 for answer in answers if answer is not None)
    latency.settle(program, options)
    peak, before = program.resources()
    time.sleep(2)
    idle = program.resources()[1] - before
    program.end()
    return answers[len(answers) // 2], answers[int(0.95 * len(answers))], peak, idle


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
    store, many, big, deep = make_data(folder, options.files, options.megabytes)
    home = os.path.join(folder, "home")
    environment = {"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    os.environ.update(environment)
    piscope = lambda *arguments, store=store: [options.piscope, "--store", store, *arguments]
    forget = lambda: shutil.rmtree(home, ignore_errors=True)
    times = options.times

    rows = []

    def tell(work, seconds, memory, other=None):
        rows.append((work, seconds, memory, other))
        print(".", end="", flush=True, file=sys.stderr)

    def compare(work, command, other=None, **more):
        tell(work, *best(times, command, environment, **more)[:2], other)

    listing = pi(options, PI_LIST, store) if options.pi else None
    forget()
    compare("list, every line validated", piscope("list", "--json"), ("pi", listing))
    run(piscope("list"), environment)
    compare("list again, unchanged", piscope("list"), ("pi", listing))
    forget()
    first = [shows(1, piscope(), rb"/work/p\d") for _ in range(times) if not forget()]
    tell("screen: first rows, nothing kept", min(row[0] for row in first), max(row[1] for row in first))
    rows_of_all = ("%s sessions" % format(options.files, ",")).encode()
    every = [shows(1, piscope(), rows_of_all) for _ in range(times) if not forget()]
    tell("screen: all rows, every line validated", min(row[0] for row in every), max(row[1] for row in every), ("pi", listing))
    first = [shows(1, piscope(store=many), rb"/work/p\d") for _ in range(times) if not forget()]
    tell("screen: the same of 13,700 sessions", min(row[0] for row in first), max(row[1] for row in first))
    opening = None
    if options.pi:
        copy = big + ".copy"
        shutil.copyfile(big, copy)
        opening = pi(options, PI_OPEN, copy)
        os.remove(copy)
    compare("read the large session, every line", piscope("info", big), ("pi", opening))
    tell("screen: its tree at its leaf", *shows(times, piscope(big), rb"\[read: src"), ("pi", opening))
    ripgrep = lambda *arguments: [options.rg, "--no-config", "-c", *arguments, store]
    for words, arguments in [(NEEDLE, ("-i", "-F", NEEDLE)), ("absent" + NEEDLE, ("-i", "-F", "absent" + NEEDLE))]:
        other = best(times, ripgrep(*arguments), environment)[:2] if options.rg else None
        compare("search %r" % words, piscope("search", words, "--json"), ("rg", other))
    compare("search 'session': the first hit", piscope("search", "session", "--json", "--limit", "1"), first=True)
    compare("the first 1,000 hits", piscope("search", "session", "--json", "--limit", "1000"))
    median, late, peak, idle = keys(piscope(deep), "up up pgup pgup down j k g G", 10)
    tell("key to picture, tree of 100,000 entries: median", median, peak)
    tell("the same: 95 of 100 keys", late, peak)
    median, late, peak, idle_here = keys(piscope(), "down down down pgdn down tab down pgdn tab pgdn pgup tab", 25)
    tell("key to picture, walking through the store: median", median, peak)
    print(file=sys.stderr)

    print("| work | piscope | memory | | time | memory | ratio |\n|---|---|---|---|---|---|---|")
    for work, seconds, memory, other in rows:
        line = "| %s | %s | %.0f MB |" % (work, in_words(seconds), memory)
        if other and other[1]:
            line += " %s | %s | %.0f MB | %.1f× |" % (other[0], in_words(other[1][0]), other[1][1], other[1][0] / seconds)
        else:
            line += " | | | |"
        print(line)
    print("\nAt rest: %.2f s of CPU in two seconds with the tree, %.2f s with the store." % (idle, idle_here))


def in_words(seconds):
    return "%.2f s" % seconds if seconds >= 1 else "%.1f ms" % (1000 * seconds) if seconds < 0.01 else "%.0f ms" % (1000 * seconds)


if __name__ == "__main__":
    main()
