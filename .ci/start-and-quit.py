#!/usr/bin/env python3
"""Starts a full-screen program in a pseudo-terminal, waits for its first picture, presses q and checks that it
leaves the terminal as it found it and exits with status 0.

usage: start-and-quit.py COMMAND [ARG ...]
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
BUILD_SECONDS, ANSWER_SECONDS = 900, 20


def fail(why, output):
    sys.exit(f"{why}; the last output was:\n{output[-2000:].decode('utf8', 'replace')}")


def main():
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
        os.environ.update(TERM="xterm-256color")
        os.execvp(sys.argv[1], sys.argv[1:])
    output, quit_at = b"", None
    deadline = time.monotonic() + BUILD_SECONDS
    while True:
        ready = select.select([terminal], [], [], 0.5)[0]
        try:
            data = os.read(terminal, 1 << 16) if ready else b""
        except OSError:
            break
        output += data
        if b"\x1b[c" in data:
            os.write(terminal, b"\x1b[?62;22c")
        drawn = ENTER in output and len(output.split(ENTER)[-1]) > 500
        if drawn and not ready and quit_at is None:
            quit_at = len(output)
            os.write(terminal, b"q")
            deadline = time.monotonic() + ANSWER_SECONDS
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            fail("no first picture" if quit_at is None else "q did not end it", output)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != 0:
        fail(f"exit status {status}", output)
    if quit_at is None or LEAVE not in output[quit_at:]:
        fail("it did not show a picture and leave the alternate screen", output)
    print(f"first picture of {quit_at} bytes, then q, exit status 0")


main()
