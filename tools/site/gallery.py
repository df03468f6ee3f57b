"""The gallery: reports of samples as pages of their own, with pictures where a browser takes them."""
import html
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
import browser  # noqa: E402

# Title, file name, and the words after `lathe`.
REPORTS = (("A convolution network on a Cortex-M4", "cnn", ("report", "samples/cnn/cnn.py", "-t", "cortex-m4f")),
           ("The same network on a board, beside its memories", "board", ("report", "samples/cnn/cnn.py", "-t", "cortex-m4f", "--board", "mps2-an386")),
           ("A multilayer perceptron for x86-64", "mlp", ("report", "samples/mlp/mlp.py", "-t", "x86-64-v3", "-D", "batch=4")),
           ("A network for two targets, compared", "targets", ("diff", "samples/cnn/cnn.py", "-t", "cortex-m0", "-t", "cortex-m55")))
SIZES = ((1280, 900), (390, 844))


def write(site, pictures):
    program = browser.find_browser() if pictures else None
    if pictures and program is None:
        print("no pictures: chromium is not installed")
    parts = ["<h1>Gallery</h1>", '<p>Pages of <a href="report.html"><code>lathe report</code> and <code>lathe diff</code></a>. Each is one file, which opens without a server.</p>']
    if program is None:
        parts.append("<p>This copy has no pictures: it was built without <code>--pictures</code>, or without a browser.</p>")
    (site.folder / "docs/gallery").mkdir(parents=True, exist_ok=True)
    headings = []
    for title, name, words in REPORTS:
        path = site.folder / "docs/gallery" / (name + ".html")
        done = subprocess.run([site.lathe, *words, "-o", str(path)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit("lathe %s: %s" % (" ".join(words), done.stdout))
        headings.append((2, title, name))
        parts.append('<h2 id="%s">%s</h2>\n<pre><code>$ lathe %s -o %s.html\n</code></pre>\n<p><a href="gallery/%s.html">Open the page</a></p>' % (
            name, html.escape(title), html.escape(" ".join(words)), name, name))
        if program is not None:
            parts += take_pictures(program, path, name, title)
    site.write("docs/gallery.html", "Gallery", "\n".join(parts), headings)


def take_pictures(program, path, name, title):
    parts = []
    with browser.Browser(program) as page:
        for width, height in SIZES:
            picture = path.with_name("%s_%d.png" % (name, width))
            page.size(width, height)
            page.open(path)
            page.screenshot(picture, whole=False)
            parts.append('<p><img src="gallery/%s" alt="%s, %d pixels wide" width="%d" height="%d" loading="lazy"></p>' % (picture.name, html.escape(title), width, width, height))
    return parts
