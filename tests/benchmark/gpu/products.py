"""Lists the matrix products of a CUDA bundle in launch order, with the kind of each kernel."""
import collections
import re

# Runtime functions and the kind of kernel that calls them; the first match counts.
KINDS = (("lathe_sum_mma_tile", "on tensor cores"), ("lathe_attend_mma", "attention on tensor cores"), ("lathe_attend", "attention by threads"),
         ("lathe_sum_tile", "by threads"), ("lathe_multiply_", "of few vectors"), (r"relax\.(?:matmul|nn\.conv)", "in loops"))


def kinds_of_kernels(text):
    """What each function that enqueues a kernel of this file multiplies by, where it does."""
    kinds = {}
    for section in re.split(r"^(?=/\* )", text, flags=re.M):
        enqueues = re.search(r"^int (\w+_launch_\w+)\(", section, flags=re.M)
        kind = next((kind for call, kind in KINDS if re.search(call, section)), None)
        if enqueues and kind:
            kinds[enqueues[1]] = kind
    return kinds


def products_of(bundle):
    """How many products of each kind a run enqueues."""
    kinds = {}
    for source in sorted(bundle.glob("net_*.cu")):
        kinds |= kinds_of_kernels(source.read_text())
    calls = re.findall(r"= (\w+_launch_\w+)\(", (bundle / "net.cpp").read_text())
    return dict(collections.Counter(kinds[call] for call in calls if call in kinds))


def in_words(products):
    return ", ".join(f"{count} {kind}" for kind, count in sorted(products.items())) or "no products"
