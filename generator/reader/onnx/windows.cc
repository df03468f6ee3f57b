#include "generator/reader/onnx/windows.h"

#include <algorithm>

#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr int64_t kLimit = 1 << 24;  // limit of each window attribute

bool AllWithin(const std::vector<int64_t>& values, int64_t low, int64_t high) {
  return std::all_of(values.begin(), values.end(),
                     [&](int64_t v) { return low <= v && v <= high; });
}

// The number of windows of an axis of `size`, each `stride` after the one before, that start
// inside.
PrimRef StridesIn(NodeCall& n, PrimRef size, int64_t stride) {
  ScalarMath& m = n.math();
  return n.Simplify(m.FloorDiv(m.Add(size, m.Int(stride - 1)), m.Int(stride)));
}

void AddSymbolic(NodeCall& n, PrimRef size, bool upper, size_t i, Windows& w) {
  ScalarMath& m = n.math();
  w.symbolic_before.resize(w.rank(), nullptr);
  w.symbolic_total.resize(w.rank(), nullptr);
  w.before[i] = 0;
  w.after[i] = 0;
  const PrimRef last =
      m.Mul(m.Sub(StridesIn(n, size, w.strides[i]), m.Int(1)), m.Int(w.strides[i]));
  const PrimRef total = n.Simplify(m.Max(m.Int(0), m.Sub(m.Add(last, m.Int(w.span(i))), size)));
  const PrimRef less = m.FloorDiv(total, m.Int(2));
  w.symbolic_before[i] = n.Simplify(upper ? less : m.Sub(total, less));
  w.symbolic_total[i] = total;
}

}  // namespace

absl::StatusOr<Windows> WindowsOf(NodeCall& n, const Dims& space,
                                  const std::vector<int64_t>& kernel, bool symbolic_is_allowed) {
  const size_t rank = space.size();
  Windows w;
  w.kernel = n.Ints("kernel_shape", kernel);
  w.strides = n.Ints("strides", std::vector<int64_t>(rank, 1));
  w.dilations = n.Ints("dilations", std::vector<int64_t>(rank, 1));
  w.ceil = n.Int("ceil_mode", 0) != 0;
  const std::vector<int64_t> pads = n.Ints("pads", std::vector<int64_t>(2 * rank, 0));
  if (w.kernel.size() != rank || w.strides.size() != rank || w.dilations.size() != rank ||
      pads.size() != 2 * rank) {
    return n.Error() << "kernel, strides, dilations and pads do not match " << rank
                     << " spatial dimensions";
  }
  if (!AllWithin(w.kernel, 1, kLimit) || !AllWithin(w.strides, 1, kLimit) ||
      !AllWithin(w.dilations, 1, kLimit) || !AllWithin(pads, -kLimit, kLimit)) {
    return n.Error() << "a kernel, stride, dilation or pad is out of range";
  }
  w.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
  w.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
  const std::string automatic = n.String("auto_pad", "NOTSET");
  if (automatic == "VALID") {
    w.before.assign(rank, 0);
    w.after.assign(rank, 0);
  }
  if (automatic != "SAME_UPPER" && automatic != "SAME_LOWER") return w;
  for (size_t i = 0; i < rank; ++i) {
    const auto size = NodeCall::IntOf(space[i]);
    if (!size && w.strides[i] != 1) {
      if (!symbolic_is_allowed) {
        return n.Unsupported()
               << "padding that depends on a size that is not constant is not supported";
      }
      AddSymbolic(n, space[i], automatic == "SAME_UPPER", i, w);
      continue;
    }
    const int64_t count = size ? (*size + w.strides[i] - 1) / w.strides[i] : 1;
    const int64_t total =
        std::max<int64_t>(0, (count - 1) * w.strides[i] + w.span(i) - size.value_or(1));
    const int64_t less = total / 2;
    w.before[i] = automatic == "SAME_UPPER" ? less : total - less;
    w.after[i] = total - w.before[i];
  }
  return w;
}

absl::StatusOr<Dims> CountWindows(NodeCall& n, const Windows& w, const Dims& space) {
  ScalarMath& m = n.math();
  Dims counts;
  for (size_t i = 0; i < w.rank(); ++i) {
    if (w.is_symbolic(i)) {
      counts.push_back(StridesIn(n, space[i], w.strides[i]));
      continue;
    }
    const int64_t extra = w.before[i] + w.after[i] - w.span(i);
    const PrimRef room = m.Add(space[i], m.Int(extra));
    const PrimRef stride = m.Int(w.strides[i]);
    const auto size = NodeCall::IntOf(space[i]);
    if (size && *size + extra < 0) {
      return n.Error() << "the window of " << w.span(i) << " exceeds the padded dimension of "
                       << *size + w.before[i] + w.after[i];
    }
    if (w.ceil && size) {
      int64_t count = (*size + extra + w.strides[i] - 1) / w.strides[i] + 1;
      // Excludes windows that would start after the image and its leading padding.
      if ((count - 1) * w.strides[i] >= *size + w.before[i]) --count;
      counts.push_back(m.Int(count));
      continue;
    }
    PrimRef last = m.FloorDiv(room, stride);
    if (w.ceil) {
      last = m.Min(m.FloorDiv(m.Add(room, m.Int(w.strides[i] - 1)), stride),
                   m.FloorDiv(m.Add(space[i], m.Int(w.before[i] - 1)), stride));
    }
    counts.push_back(n.Simplify(m.Add(last, m.Int(1))));
  }
  return counts;
}

}  // namespace lathe::onnx
