#include "generator/reader/onnx/convolve_in_phases.h"

#include <algorithm>
#include <cstring>

namespace lathe::onnx {
namespace {

// Height and width of the kernel, of the strides, and of the taps of one phase.
struct Phases {
  int64_t in = 0, out = 0;  // channels
  int64_t size[2] = {}, step[2] = {}, taps[2] = {};
};

// Splits a kernel (in, out, size, size) into the taps of each phase, flipped for a convolution and
// padded with zeros: (out * phases, in, taps, taps).
ir::Constant SplitTaps(const ir::Constant& w, const Phases& p) {
  const int64_t count = p.out * p.step[0] * p.step[1] * p.in * p.taps[0] * p.taps[1];
  auto bytes = std::make_shared<std::vector<uint8_t>>(static_cast<size_t>(count) * sizeof(float));
  size_t to = 0;
  const auto put = [&](int64_t in, int64_t out, int64_t y, int64_t x) {
    if (y < p.size[0] && x < p.size[1]) {
      const int64_t from = ((in * p.out + out) * p.size[0] + y) * p.size[1] + x;
      std::memcpy(bytes->data() + to, w.bytes->data() + static_cast<size_t>(from) * sizeof(float),
                  sizeof(float));
    }
    to += sizeof(float);
  };
  for (int64_t channel = 0; channel < p.out * p.step[0] * p.step[1]; ++channel) {
    const int64_t out = channel / (p.step[0] * p.step[1]);
    const int64_t row = channel / p.step[1] % p.step[0], column = channel % p.step[1];
    for (int64_t in = 0; in < p.in; ++in) {
      for (int64_t y = p.taps[0] - 1; y >= 0; --y) {
        for (int64_t x = p.taps[1] - 1; x >= 0; --x) {
          put(in, out, y * p.step[0] + row, x * p.step[1] + column);
        }
      }
    }
  }
  const std::vector<int64_t> shape = {p.out * p.step[0] * p.step[1], p.in, p.taps[0], p.taps[1]};
  return {w.dtype, shape, std::move(bytes)};
}

ir::AttrList Pair(int64_t a, int64_t b) {
  ir::AttrList list;
  for (int64_t v : {a, b}) list.emplace_back(v);
  return list;
}

}  // namespace

std::optional<Operand> ConvolveInPhases(NodeCall& n, const Windows& windows, const Dims& out) {
  const Operand x = n.In(0);
  const std::optional<ir::Constant> w = ConstantOf(n.import(), n.term(1));
  if (!w || w->dtype != DType::Float(32) || n.TypeOf(x) != w->dtype || w->shape.size() != 4) {
    return std::nullopt;
  }
  const bool plain = std::all_of(windows.dilations.begin(), windows.dilations.end(),
                                 [](int64_t d) { return d == 1; });
  const auto channels = NodeCall::IntOf(n.DimsOf(x)[1]);
  if (!plain || n.Int("group", 1) != 1 || channels != w->shape[0]) return std::nullopt;
  Phases p{w->shape[0], w->shape[1]};
  const std::vector<int64_t> more = n.Ints("output_padding");
  for (size_t i = 0; i < 2; ++i) {
    p.size[i] = w->shape[i + 2];
    p.step[i] = windows.strides[i];
    p.taps[i] = (p.size[i] + p.step[i] - 1) / p.step[i];
    // Output padding beyond all taps is rare; the direct definition handles it.
    const int64_t beyond = i < more.size() ? more[i] : 0;
    const bool reached = p.size[i] + beyond - windows.after[i] <= p.taps[i] * p.step[i];
    if (windows.before[i] < 0 || beyond < 0 || !reached || p.taps[i] < 1) return std::nullopt;
  }
  // Padding taps are multiplied too; they may at most double the work.
  if (p.taps[0] * p.taps[1] * p.step[0] * p.step[1] > 2 * p.size[0] * p.size[1])
    return std::nullopt;
  const int64_t rows = p.taps[0] - 1, columns = p.taps[1] - 1;
  ir::AttrList around = Pair(rows, columns);
  for (int64_t v : {rows, columns}) around.emplace_back(v);
  const Operand parts = n.Op("relax.nn.conv2d", {x, n.builder().Constant(SplitTaps(*w, p))},
                             {{"strides", Pair(1, 1)},
                              {"padding", std::move(around)},
                              {"dilation", Pair(1, 1)},
                              {"groups", int64_t{1}},
                              {"data_layout", "NCHW"},
                              {"kernel_layout", "OIHW"}});
  return n.Kernel("phases", {parts}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", out, w->dtype, [&](const Indices& at) {
      PrimRef channel = at[1];
      Indices from = {at[0], nullptr};
      for (size_t i = 0; i < 2; ++i) {
        const PrimRef place = m.Add(at[i + 2], m.Int(windows.before[i])), step = m.Int(p.step[i]);
        channel = m.Add(m.Mul(channel, step), m.FloorMod(place, step));
        from.push_back(m.FloorDiv(place, step));
      }
      from[1] = channel;
      return te.At(te.Input(0), from);
    });
  });
}

}  // namespace lathe::onnx
