#!/usr/bin/env python3
"""Opens pages of `lathe report` and `lathe diff` in a headless browser: check_pages.py LATHE FOLDER

Checks that no page logs an error, requests anything, or is wider than the window at 1280 and 390 pixels; that keys
and clicks work; and the time until a model of 10,000 steps is shown. Screenshots go to FOLDER.
"""
import pathlib
import shutil
import subprocess
import sys
import time

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = ((1280, 900, False), (390, 844, True))
MOST_SECONDS = 3.0  # until a large model is shown
MOST_FRAME = 0.1  # seconds of a frame with 1,000 steps in view, on a machine that others use too


def long_model(steps):
    """A program of `steps` kernels with short residual connections."""
    lines = ["from tvm.script import ir as I, relax as R", "", "", "@I.ir_module", "class Long:", "    @R.function",
             '    def main(x: R.Tensor((4, 8), "float32")):', "        with R.dataflow():"]
    before = "x"
    for i in range(steps):
        value = "R.add(%s, v%d)" % (before, i - 3) if i % 8 == 5 else before
        lines.append("            v%d = R.cumsum(%s, axis=%d)" % (i, value, i % 2))
        before = "v%d" % i
    return "\n".join(lines + ["            R.output(%s)" % before, "        return %s" % before, ""])


class Checks:
    def __init__(self, lathe, folder, page):
        self.lathe, self.folder, self.page, self.wrong = lathe, folder, page, []

    def run(self, *words):
        ran = subprocess.run([self.lathe, *map(str, words)], capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise SystemExit("lathe %s: exit code %d\n%s" % (" ".join(map(str, words)), ran.returncode, ran.stderr))

    def expect(self, what, holds):
        if not holds:
            self.wrong.append(what)

    def open(self, path, width, height, dark):
        """Opens a page and says what is wrong with it as it is. Returns the seconds until it is drawn."""
        where = "%s at %d pixels" % (path.name, width)
        self.page.problems.clear()
        self.page.requests.clear()
        self.page.size(width, height, dark)
        seconds = self.page.open(path)
        self.wrong += ["%s: %s" % (where, problem) for problem in self.page.problems]
        self.wrong += ["%s requests %s" % (where, url) for url in self.page.requests if not url.startswith("file:")]
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.expect("%s is %s pixels too wide" % (where, wide), wide <= 0)
        return seconds

    def both_sizes(self, path):
        for width, height, dark in SIZES:
            self.open(path, width, height, dark)
            self.page.screenshot(path.with_name("%s_%d.png" % (path.stem, width)))

    def keys(self, path):
        """Walks through a report by keys."""
        self.open(path, *SIZES[0])
        script, text = self.page.evaluate, "document.getElementById('%s').textContent"
        self.expect("the report is not ready", script("document.documentElement.dataset.ready") == "1")
        script("document.getElementById('graph-canvas').focus()")
        for _ in range(3):
            self.page.press("ArrowDown")
        self.page.frame()
        self.expect("the arrow keys select no step of the graph", "step 1 of main" in script(text % "selected"))
        self.expect("the table does not show the selected step",
                    script("document.querySelector('#layers-body .chosen td').textContent") == "1")
        self.page.press("+", "+")
        self.page.press("0", "0")
        script("document.getElementById('memory-canvas').focus()")
        self.page.press("ArrowRight")
        self.expect("the arrow keys select no tensor of the memory", "at offset" in script(text % "memory-selected"))
        script("document.querySelectorAll('#layers-head button')[3].click()")
        macs = script("[...document.querySelectorAll('#layers-body tr td:nth-child(4)')].slice(0, 2).map(cell =>"
                      " Number(cell.textContent.replace(/\\D/g, '')))")
        self.expect("the table is not sorted by MACs: %s" % macs, macs[0] >= macs[1] and macs[0] > 0)
        script("const filter = document.getElementById('layers-filter'); filter.value = 'softmax';"
               "filter.dispatchEvent(new Event('input'))")
        self.expect("the filter does not filter", script(text % "layers-count").startswith("1 of"))
        script("document.getElementById('kernels-list').focus()")
        before = script(text % "kernel-source")
        self.page.press("ArrowDown")
        self.expect("the arrow keys select no kernel", script(text % "kernel-source") != before)
        self.expect("the source of a kernel is not shown", "static void" in before)
        script("document.getElementById('theme').click()")
        self.expect("the button does not change the theme", script("document.documentElement.dataset.theme") == "dark")
        self.page.frame()
        self.wrong += ["%s after keys: %s" % (path.name, problem) for problem in self.page.problems]

    def large(self, steps):
        """Shows a model of `steps` steps, in time, and zooms and scrolls with all blocks unfolded."""
        model, path = self.folder / ("long_%d.py" % steps), self.folder / ("long_%d.html" % steps)
        model.write_text(long_model(steps))
        self.run("report", model, "-o", path)
        model.unlink()
        seconds = self.open(path, *SIZES[0])
        self.expect("%d steps are shown after %.2f s" % (steps, seconds), seconds < MOST_SECONDS)
        self.page.evaluate("document.getElementById('graph-canvas').scrollIntoView({behavior: 'instant'})")
        begin = time.monotonic()
        self.page.evaluate("document.getElementById('graph-unfold').click()")
        self.page.frame()
        unfolded = time.monotonic() - begin
        frame = self.page.evaluate("""new Promise(done => {
          let count = 0, begin = performance.now();
          const next = () => {
            document.getElementById(count % 2 ? 'graph-in' : 'graph-fit').click();
            if (++count < 20) requestAnimationFrame(next);
            else done((performance.now() - begin) / count / 1000);
          };
          requestAnimationFrame(next);
        })""")
        self.expect("%d steps are unfolded after %.2f s" % (steps, unfolded), unfolded < MOST_SECONDS)
        if steps <= 1000:
            self.expect("a frame with %d steps takes %.3f s" % (steps, frame), frame < MOST_FRAME)
        self.wrong += ["%s: %s" % (path.name, problem) for problem in self.page.problems]
        print("%d steps: %.2f s to show, %.2f s to unfold, %.3f s a frame" % (steps, seconds, unfolded, frame))

    def planted(self):
        """Pages with each kind of fault, which the checks must find."""
        faults = {"error": "<script>console.error('planted')</script>", "thrown": "<script>missing()</script>",
                  "wide": "<div style='width: 3000px'>x</div>", "request": "<img src='http://localhost:9/planted.png' alt=''>"}
        for name, text in faults.items():
            path = self.folder / ("planted_%s.html" % name)
            path.write_text("<!DOCTYPE html><title>planted</title>" + text)
            before, self.wrong = self.wrong, []
            self.open(path, *SIZES[0])
            found, self.wrong = self.wrong, before
            path.unlink()
            self.expect("the planted fault '%s' is not found" % name, bool(found))


def main():
    lathe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    program = browser.find_browser()
    if program is None:
        print("skipped: there is no browser; Debian's package chromium has one")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with browser.Browser(program) as page:
        checks = Checks(lathe, folder, page)
        checks.planted()
        samples = ROOT / "samples"
        for name, words in (("cnn", ["cnn/cnn.py", "--max-ram", "4K", "--board", "microbit"]), ("forest", ["forest/forest.relay"]),
                            ("control_flow", ["control_flow/control_flow.py"]), ("symbolic", ["symbolic_batch/symbolic_batch.py"]),
                            ("cuda", ["mlp/mlp.py", "-t", "cuda:sm_80"])):
            checks.run("report", samples / words[0], *words[1:], "-o", folder / (name + ".html"))
            checks.both_sizes(folder / (name + ".html"))
        checks.keys(folder / "cnn.html")
        for name, words in (("diff_targets", ["cnn/cnn.py", "-t", "generic-c99", "-t", "x86-64-v3"]),
                            ("diff_models", ["cnn/cnn.py", str(samples / "mlp/mlp.py")])):
            checks.run("diff", samples / words[0], *words[1:], "-o", folder / (name + ".html"))
            checks.both_sizes(folder / (name + ".html"))
        for steps in (1000, 10000):
            checks.large(steps)
    print("\n".join(checks.wrong + ["%d problems; the screenshots are in %s" % (len(checks.wrong), folder)]))
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
