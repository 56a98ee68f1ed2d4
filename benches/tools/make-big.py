#!/usr/bin/env python3
"""Writes large session files of extreme shapes. All content is invented.

usage: make-big.py KIND OUT [N]

  deep OUT [20000]     one chain of N messages
  wide OUT [5000]      N children under one entry
  comb OUT [2000]      a branch at every one of N steps
  longline OUT [8]     one tool result of N MiB
  images OUT [200]     N image blocks of 1 MiB
  header OUT [2]       a header line of N MiB
  labels OUT [2000]    N labels on the path
  many DIR [3000]      N small sessions in 40 projects

needs: nothing but Python 3
"""

import json
import os
import sys
from datetime import datetime, timezone

START = 1767600000000
CALL = {"toolCallId": "c", "toolName": "bash", "isError": False}


def line(value):
    return json.dumps(value, separators=(",", ":")) + "\n"


def iso(second):
    moment = datetime.fromtimestamp(START / 1000 + second, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def header(session="0198a000-0000-7000-8000-0000000b1600", cwd="/home/dev/big", second=0, **more):
    return line({"type": "session", "version": 3, "id": session, "timestamp": iso(second), "cwd": cwd, **more})


def ident(n):
    return None if n is None else f"{n:08x}"


def message(n, parent, role, content, second=None, **more):
    second = n if second is None else second
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    body = {"role": role, "content": blocks, "timestamp": START + second * 1000}
    if role == "assistant":
        cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
        usage = {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2, "cost": cost}
        body.update(provider="lab", model="tiny-1", stopReason="stop", usage=usage)
    body.update(more)
    place = {"id": ident(n), "parentId": ident(parent), "timestamp": iso(second)}
    return line({"type": "message", **place, "message": body})


def speaker(n):
    return "user" if n % 2 == 0 else "assistant"


def deep(n):
    yield header()
    for at in range(n):
        yield message(at, at - 1 if at else None, speaker(at), f"step {at}")


def wide(n):
    yield header()
    yield message(0, None, "user", "root")
    for at in range(1, n + 1):
        yield message(at, 0, "assistant", f"variant {at}")


def comb(n):
    yield header()
    yield message(0, None, "user", "root")
    parent = 0
    for step in range(n):
        dead, alive = 2 * step + 1, 2 * step + 2
        yield message(dead, parent, "assistant", f"dead end {step}")
        yield message(alive, parent, "user", f"go on {step}")
        parent = alive


def longline(n):
    yield header()
    yield message(0, None, "user", "cat the bundle")
    yield message(1, 0, "toolResult", "var a=1;" * ((n << 20) // 8), **CALL)
    yield message(2, 1, "assistant", "one very long line")


def images(n):
    yield header()
    yield message(0, None, "user", "look at these")
    block = {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo" + "A" * (1 << 20)}
    for at in range(1, n + 1):
        yield message(at, at - 1, "toolResult", [block], toolCallId=f"c{at}", toolName="shot", isError=False)


def long_header(n):
    yield header(pad="x" * (n << 20))
    yield message(0, None, "user", "after a huge header")


def labels(n):
    yield header()
    yield message(0, None, "user", "root")
    for at in range(1, n + 1):
        place = {"id": ident(at), "parentId": ident(at - 1), "timestamp": iso(at)}
        yield line({"type": "label", **place, "targetId": ident(0), "label": f"mark {at}"})
    yield message(n + 1, n, "assistant", "after the labels")


def small(session):
    yield header(f"s{session}", f"/home/dev/p{session % 40}", session)
    for at in range(6):
        text = f"session {session} line {at} " + "lorem " * 30
        yield message(at, at - 1 if at else None, speaker(at), text, session + at)


KINDS = {
    "deep": (deep, 20000),
    "wide": (wide, 5000),
    "comb": (comb, 2000),
    "longline": (longline, 8),
    "images": (images, 200),
    "header": (long_header, 2),
    "labels": (labels, 2000),
    "many": (None, 3000),
}


def write_many(out, n):
    for session in range(n):
        folder = os.path.join(out, f"--home-dev-p{session % 40}--")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"2026-01-05T08-00-00-000Z_s{session}.jsonl"), "w") as file:
            file.writelines(small(session))


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    make, usual = KINDS[sys.argv[1]]
    out, n = sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else usual
    if make is None:
        write_many(out, n)
        return
    with open(out, "w") as file:
        file.writelines(make(n))


if __name__ == "__main__":
    main()
