#!/usr/bin/env python3
"""Measures how fast a full-screen program answers: the first picture, then every key, in a pseudo-terminal.

usage: latency.py [-c COLS] [-r ROWS] [--until TEXT] [-k KEYS] [-n TIMES] [--json] -- COMMAND [ARG ...]

  --until TEXT  the start counts as done when TEXT is on screen; without it, when the first output that
                follows the switch to the alternate screen has arrived
  KEYS          keys separated by spaces: single characters, C-x, or one of the names below; the whole list
                is pressed -n times. The clock of a key runs from the write to the last byte of the answer
                (30 ms of silence end an answer, and are not counted)

prints: start in ms; minimum, median, 95th percentile and maximum in ms of the answered keys; the number of keys
        without an answer; peak resident memory in MB; CPU seconds over 2 idle seconds at the end

needs: Python 3; for --until, `pip install pyte`
"""

import argparse
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

NAMES = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "pgup": "\x1b[5~", "pgdn": "\x1b[6~", "enter": "\r", "esc": "\x1b", "tab": "\t", "backtab": "\x1b[Z",
    "space": " ", "backspace": "\x7f",
}  # fmt: skip
ALTERNATE_SCREEN = b"\x1b[?1049h"
SILENCE = 0.03


def key_bytes(key):
    if key in NAMES:
        return NAMES[key].encode()
    if len(key) == 3 and key.startswith("C-"):
        return bytes([ord(key[2].lower()) & 31])
    if len(key) == 1:
        return key.encode()
    sys.exit(f"latency: unknown key {key!r}: single characters, C-x, or {' '.join(NAMES)}")


class Program:
    """A program in a pseudo-terminal that answers the questions a terminal answers."""

    def __init__(self, command, cols, rows):
        size = struct.pack("HHHH", rows, cols, 0, 0)
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, size)

    def age(self):
        return time.perf_counter() - self.started

    def write(self, data):
        os.write(self.fd, data)

    def read(self, wait):
        """What arrived within `wait` seconds: None when nothing did, b"" when the program has ended."""
        if not select.select([self.fd], [], [], wait)[0]:
            return None
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return b""
        if b"\x1b[c" in data or b"\x1b[0c" in data:
            self.write(b"\x1b[?62;22c")
        if b"\x1b[6n" in data:
            self.write(b"\x1b[1;1R")
        return data

    def resources(self):
        """Peak resident memory in MB and CPU seconds so far."""
        peak = 0
        with open(f"/proc/{self.pid}/status") as status:
            for row in status:
                if row.startswith("VmHWM"):
                    peak = int(row.split()[1]) / 1024
        with open(f"/proc/{self.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return peak, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        time.sleep(0.1)
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)


def wait_for_start(program, options):
    """Milliseconds until the first picture."""
    stream, screen, seen = None, None, b""
    if options.until:
        import pyte

        screen = pyte.Screen(options.c, options.r)
        stream = pyte.ByteStream(screen)
    while program.age() < options.timeout:
        data = program.read(1.0)
        if data == b"":
            sys.exit("latency: the program ended: " + seen[-400:].decode("utf8", "replace"))
        if not data:
            continue
        seen = (seen + data)[-65536:]
        if stream:
            stream.feed(data)
            done = any(options.until in row for row in screen.display)
        else:
            done = ALTERNATE_SCREEN in seen and len(seen.split(ALTERNATE_SCREEN)[-1]) > 8
        if done:
            return program.age() * 1000
    sys.exit(f"latency: no picture in {options.timeout} s")


def settle(program, options):
    """Lets background loading come to rest: half a second without output."""
    quiet = time.perf_counter()
    while time.perf_counter() - quiet < 0.5 and program.age() < options.timeout:
        if program.read(0.1):
            quiet = time.perf_counter()


def press(program, key):
    """Milliseconds from the key to the last byte of its answer, or None without an answer."""
    pressed, last = time.perf_counter(), None
    program.write(key_bytes(key))
    while last is None or last - pressed < 10:
        data = program.read(0.25 if last is None else SILENCE)
        if data == b"":
            sys.exit("latency: the program ended")
        if data is None:
            break
        last = time.perf_counter()
    return None if last is None else (last - pressed) * 1000


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog="key names: " + " ".join(NAMES)
    )
    parser.add_argument("-c", type=int, default=160)
    parser.add_argument("-r", type=int, default=50)
    parser.add_argument("--until")
    parser.add_argument("-k", default="down")
    parser.add_argument("-n", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    program = Program(options.command, options.c, options.r)
    start = wait_for_start(program, options)
    settle(program, options)
    answers = [press(program, key) for _ in range(options.n) for key in options.k.split()]
    times = sorted(answer for answer in answers if answer is not None)
    peak, before = program.resources()
    time.sleep(2)
    after = program.resources()[1]
    program.end()

    def at(share):
        return round(times[min(len(times) - 1, int(share * len(times)))], 2) if times else None

    report = {
        "start_ms": round(start, 1), "keys": len(times), "silent": len(answers) - len(times),
        "min": at(0), "median": at(0.5), "p95": at(0.95), "max": at(1),
        "peak_mb": round(peak, 1), "idle_cpu_s": round(after - before, 3),
    }  # fmt: skip
    print(json.dumps(report) if options.json else "  ".join(f"{name} {value}" for name, value in report.items()))


if __name__ == "__main__":
    main()
