"""Prints what was measured: a line for each row, for people and as JSON. Nothing is measured here."""
import json

HEAD = ("", "ours", "", "beside", "", "ratio", "aim", "")
WIDTHS = (42, 11, 12, 8, 11, 6, 5, 0)


def time_of(microseconds):
    return "" if microseconds is None else f"{microseconds:.1f} us"


def rate_of(row):
    """What our time comes to."""
    if not row["ours_us"]:
        return ""
    if row["operations"]:
        return f"{row['operations'] / row['ours_us'] / 1e6:.1f} TOP/s"
    return f"{row['moved'] / row['ours_us'] / 1e3:.0f} GB/s" if row["moved"] else ""


def ratio_of(row):
    """How much of the other's speed is ours."""
    return row["rival_us"] / row["ours_us"] if row["rival_us"] and row["ours_us"] else None


def verdict_of(row):
    ratio = ratio_of(row)
    if ratio is None or not row["aim"]:
        return ""
    if ratio < row["least"]:
        return f"MISSED, and below {row['least']}"
    return "met" if ratio >= row["aim"] else "MISSED"


def line_of(cells):
    left, *others = [str(cell) for cell in cells]
    shown = [f"{left:{WIDTHS[0]}}"]
    for cell, width in zip(others, WIDTHS[1:]):
        shown.append(f"{cell:>{width}}")
    return " ".join(shown).rstrip()


def print_head(about, out):
    for line in about:
        print(line, file=out)
    print(line_of(HEAD), file=out, flush=True)


def print_row(row, out):
    ratio = ratio_of(row)
    said, *more = (row["note"] or "").splitlines() or [""]
    notes = [verdict_of(row), said] + ([f"at {row['clock_mhz']} MHz"] if row["clock_mhz"] else [])
    cells = (row["name"], time_of(row["ours_us"]), rate_of(row), row["rival"] if row["rival_us"] else "", time_of(row["rival_us"]),
             "" if ratio is None else f"{ratio:.2f}", row["aim"] or "", "; ".join(note for note in notes if note))
    print("\n    ".join([line_of(cells), *more]), file=out, flush=True)


def as_json(about, gpu, rows):
    shown = [{**row, "ratio": ratio_of(row), "verdict": verdict_of(row)} for row in rows]
    return json.dumps({"about": about, "gpu": gpu, "rows": shown}, indent=1) + "\n"
