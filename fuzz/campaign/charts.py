"""Charts as inline SVG: steps over time. Colours come from the page, so they follow light and dark.
"""
from html import escape

WIDTH, HEIGHT = 460, 190
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 14, 34


def nice(most):
    """A round number at or above, for the end of an axis."""
    step = 1
    while True:
        for factor in (1, 2, 2.5, 5):
            if step * factor >= most:
                return step * factor
        step *= 10


def short(number):
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if number >= size:
            return f"{number / (1000 if sign == 'k' else size):g}{sign}"
    return f"{number:g}"


def steps(points, scale_x, scale_y):
    """A path that stays at a value until the next one is known."""
    words, last = [], None
    for x, y in points:
        if last is None:
            words.append(f"M{scale_x(x):.1f} {scale_y(y):.1f}")
        else:
            words.append(f"H{scale_x(x):.1f}V{scale_y(y):.1f}")
        last = (x, y)
    return "".join(words)


def spark(title, points, most):
    """A small SVG of one line over time, without axes: as high as `most`."""
    end_x = points[-1][0] or 1
    scale_x = lambda x: 120 * x / end_x
    scale_y = lambda y: 25 - 24 * y / (most or 1)
    return ('<svg class="spark" viewBox="0 0 120 26" role="img">'
            f'<title>{escape(title)}</title><path class="line0" '
            f'd="{steps([*points, (end_x, points[-1][1])], scale_x, scale_y)}"/></svg>')


def chart(title, x_title, lines, most=None):
    """An SVG of lines over time. lines: (name, [(x, y)]); four have a style of their own."""
    lines = [(name, points) for name, points in lines if points]
    if not lines:
        return f"<p>{escape(title)}: nothing was measured.</p>"
    end_x = max(points[-1][0] for _, points in lines) or 1
    end_y = nice(most or max(y for _, points in lines for _, y in points) or 1)
    scale_x = lambda x: LEFT + (WIDTH - LEFT - RIGHT) * x / end_x
    scale_y = lambda y: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / end_y
    out = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    for part in range(5):
        y = scale_y(end_y * part / 4)
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" '
                   f'y2="{y:.1f}"/>'
                   f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
                   f'{short(end_y * part / 4)}</text>')
    for part in range(5):
        x = end_x * part / 4
        out.append(f'<text x="{scale_x(x):.1f}" y="{HEIGHT - BOTTOM + 14}" text-anchor="middle">'
                   f'{x:.3g}</text>')
    for number, (name, points) in enumerate(lines):
        full = [*points, (end_x, points[-1][1])]
        out.append(f'<path class="line{number % 4}" d="{steps(full, scale_x, scale_y)}">'
                   f'<title>{escape(name)}</title></path>')
    out.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">{escape(x_title)}'
               '</text></svg>')
    key = "" if len(lines) < 2 else "<p class=key>" + " ".join(
        f'<span class="key{i % 4}">{escape(name)}</span>' for i, (name, _) in enumerate(lines)) \
        + "</p>"
    return f"<figure><figcaption>{escape(title)}</figcaption>{''.join(out)}{key}</figure>"
