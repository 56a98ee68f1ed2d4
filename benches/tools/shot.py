#!/usr/bin/env python3
"""Takes a picture of a terminal program: runs it in tmux, presses keys, saves what is on screen.

usage: shot.py [-c COLS] [-r ROWS] [-k KEYS] [-w SECONDS] [-t TERM] -o OUT.png -- COMMAND [ARG ...]

  KEYS  tmux key names separated by spaces, pressed one after another ("Down Down Enter C-d / h i"); a number
        such as 0.5 waits that many seconds; "+text" types the text literally

Beside OUT.png, OUT.txt holds the plain text of every row and OUT.ansi the coloured one.

needs: tmux, Python 3, `pip install pillow wcwidth`,
       `apt-get install tmux fonts-dejavu-core fonts-noto-cjk` (without the last, wide characters are boxes)
"""

import argparse
import glob
import os
import re
import shlex
import subprocess
import sys
import time

from PIL import Image, ImageDraw, ImageFont
from wcwidth import wcwidth

SIXTEEN = [
    (12, 12, 12), (205, 49, 49), (13, 188, 121), (229, 229, 16), (36, 114, 200), (188, 63, 188), (17, 168, 205), (204, 204, 204),
    (118, 118, 118), (241, 76, 76), (35, 209, 139), (245, 245, 67), (59, 142, 234), (214, 112, 214), (41, 184, 219), (242, 242, 242),
]  # fmt: skip
FOREGROUND, BACKGROUND = (220, 220, 220), (18, 18, 20)
FONTS = "/usr/share/fonts/**/"
SIZE = 16
PIECE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|(.)", re.S)


def palette(n):
    if n < 16:
        return SIXTEEN[n]
    if n < 232:
        steps = [0, 95, 135, 175, 215, 255]
        return (steps[(n - 16) // 36], steps[(n - 16) // 6 % 6], steps[(n - 16) % 6])
    return (8 + (n - 232) * 10,) * 3


class Style:
    """What the SGR sequences so far amount to."""

    ON = {1: "bold", 2: "dim", 4: "underline", 7: "reverse", 9: "strike"}
    OFF = {22: ("bold", "dim"), 24: ("underline",), 27: ("reverse",), 29: ("strike",)}

    def __init__(self):
        self.fg = self.bg = None
        self.bold = self.dim = self.underline = self.reverse = self.strike = False

    def apply(self, text):
        codes = [int(code or 0) for code in re.split("[;:]", text)]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in self.ON:
                setattr(self, self.ON[code], True)
            elif code in self.OFF:
                for name in self.OFF[code]:
                    setattr(self, name, False)
            elif code in (38, 48) and codes:
                colour = palette(codes.pop(1)) if codes[0] == 5 else tuple(codes[1:4])
                del codes[: 1 if codes[0] == 5 else 4]
                setattr(self, "fg" if code == 38 else "bg", colour)
            elif code in (39, 49):
                setattr(self, "fg" if code == 39 else "bg", None)
            else:
                self.named_colour(code)

    def named_colour(self, code):
        for name, base, shift in (("fg", 30, 0), ("bg", 40, 0), ("fg", 90, 8), ("bg", 100, 8)):
            if base <= code < base + 8:
                setattr(self, name, SIXTEEN[code - base + shift])

    def colours(self):
        fg, bg = self.fg or FOREGROUND, self.bg or BACKGROUND
        if self.reverse:
            fg, bg = bg, fg
        if self.dim:
            fg = tuple((a + b) // 2 for a, b in zip(fg, bg))
        return fg, bg


def fonts():
    """The plain, the bold and the wide font."""

    def first(*patterns):
        return next((found for pattern in patterns for found in sorted(glob.glob(FONTS + pattern, recursive=True))), None)

    plain = first("DejaVuSansMono.ttf")
    if not plain:
        sys.exit("shot: no DejaVuSansMono.ttf: apt-get install fonts-dejavu-core")
    bold = first("DejaVuSansMono-Bold.ttf") or plain
    wide = first("NotoSansMonoCJK*.ttc", "NotoSansCJK-Regular.ttc", "NotoSansCJK*.otf") or plain
    return [ImageFont.truetype(font, SIZE) for font in (plain, bold, wide)]


def draw(ansi, cols, rows, out):
    plain, bold, wide = fonts()
    width, height = round(plain.getlength("M")), SIZE + 5
    image = Image.new("RGB", (cols * width, rows * height), BACKGROUND)
    canvas = ImageDraw.Draw(image)
    style = Style()
    for row, line in enumerate(ansi.split("\n")[:rows]):
        column, top = 0, row * height
        for piece in PIECE.finditer(line):
            if piece.group(1) is not None:
                style.apply(piece.group(1))
                continue
            char = piece.group(2)
            cells = wcwidth(char) if char else 0
            if cells <= 0:
                continue
            fg, bg = style.colours()
            left, right = column * width, (column + cells) * width
            canvas.rectangle([left, top, right - 1, top + height - 1], fill=bg)
            if char != " ":
                font = wide if cells == 2 else bold if style.bold else plain
                canvas.text((left, top + 1), char, font=font, fill=fg)
            if style.underline:
                canvas.line([left, top + height - 2, right, top + height - 2], fill=fg)
            if style.strike:
                canvas.line([left, top + height // 2, right, top + height // 2], fill=fg)
            column += cells
    image.save(out)


def screen_of(options):
    """Runs the command, presses the keys and returns the screen as coloured and as plain text."""
    socket = f"shot-{os.getpid()}"

    def tmux(*words):
        return subprocess.run(["tmux", "-L", socket, "-f", "/dev/null", *words], capture_output=True, text=True).stdout

    command = f'env COLORTERM=truecolor {shlex.join(options.command)}; echo; echo "[exit $?]"; sleep 30'
    tmux("new-session", "-d", "-x", str(options.c), "-y", str(options.r), command)
    for name, value in (("status", "off"), ("default-terminal", options.t), ("escape-time", "0")):
        tmux("set", "-g", name, value)
    try:
        time.sleep(options.w)
        for key in options.k.split():
            if re.fullmatch(r"[0-9]*\.[0-9]+|[0-9]+\.", key):
                time.sleep(float(key))
                continue
            literal = key.startswith("+") and len(key) > 1
            tmux("send-keys", *(["-l", key[1:]] if literal else [key]))
            time.sleep(0.15)
        time.sleep(0.4)
        return tmux("capture-pane", "-e", "-p"), tmux("capture-pane", "-p")
    finally:
        tmux("kill-server")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-c", type=int, default=120)
    parser.add_argument("-r", type=int, default=36)
    parser.add_argument("-k", default="")
    parser.add_argument("-w", type=float, default=1.5)
    parser.add_argument("-t", default="xterm-256color")
    parser.add_argument("-o", required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    ansi, text = screen_of(options)
    stem = os.path.splitext(options.o)[0]
    for ending, content in ((".ansi", ansi), (".txt", text)):
        with open(stem + ending, "w") as file:
            file.write(content)
    draw(ansi, options.c, options.r, options.o)
    print(f"{options.o} ({options.c}x{options.r}), {stem}.txt, {stem}.ansi")


main()
