// Imports the operators of TFLM's audio front end, in their integer arithmetic.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/custom_options.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/variables.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

const DType kSample = DType::Int(16), kCount32 = DType::UInt(32), kCount64 = DType::UInt(64);

PrimRef Shr(ScalarMath& m, PrimRef x, int64_t n) {
  return n == 0 ? x : m.Binary(ir::BinaryOp::kShr, x, m.ir().Int(n, x->dtype()));
}
absl::Status RequireType(OpCall& c, int input, DType dtype) {
  if (c.TypeOf(c.Arg(input)) == dtype) return absl::OkStatus();
  return c.Unsupported() << c.op() << " of " << TypeName(c.In(input).type) << " (input " << input
                         << "); " << ir::ToString(dtype) << " is supported";
}

int64_t Elements(const Tensor& tensor) {
  int64_t count = 1;
  for (const int64_t size : tensor.shape) count *= size;
  return count;
}

// [rows, last]: how the operators see their data.
struct Rows {
  int64_t rows = 1, length = 1;
};
Rows RowsOf(const Tensor& tensor) {
  Rows r;
  if (!tensor.shape.empty()) r.length = tensor.shape.back();
  r.rows = r.length == 0 ? 0 : Elements(tensor) / r.length;
  return r;
}

}  // namespace

absl::StatusOr<Results> ImportSignalWindow(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kSample));
  LATHE_RETURN_IF_ERROR(RequireType(c, 1, kSample));
  const int64_t shift = options.Int("shift");
  if (shift < 0 || shift > 31) return c.Error() << "the shift is " << shift << ", not 0 to 31";
  return c.Elementwise("window", {c.Arg(0), c.Arg(1)}, [&](ScalarMath& m, const Scalars& v) {
    const PrimRef product = m.Mul(m.Cast(v[0], kWhole), m.Cast(v[1], kWhole));
    return ops::ClippedTo(m, Shr(m, product, shift), -32768, 32767, kSample);
  });
}

// Shifts the samples so that the largest has 15 bits; the second result is the shift.
absl::StatusOr<Results> ImportSignalFftAutoScale(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kSample));
  const Dims dims = c.DimsOf(c.Arg(0));
  const Operand largest = c.Kernel("largest", {c.Arg(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", {}, dims, te.Max(kWhole), [&](const Indices&, const Indices& r) {
      const PrimRef x = m.Cast(te.At(te.Input(0), r), kWhole);
      return m.Max(x, m.Neg(x));
    });
  });
  const Operand shift =
      c.Elementwise("scale_bits", {largest}, [&](ScalarMath& m, const Scalars& v) {
        // 15 less the number of bits; TFLM does not shift silence.
        const PrimRef zero = m.ir().Int(0, kWhole);
        const PrimRef bits = m.Sub(m.ir().Int(32, kWhole), m.Call("clz", {v[0]}));
        const PrimRef room = m.Max(m.Sub(m.ir().Int(15, kWhole), bits), zero);
        return m.Select(m.Eq(v[0], zero), zero, room);
      });
  const Operand scaled =
      c.Elementwise("scale", {c.Arg(0), shift}, [&](ScalarMath& m, const Scalars& v) {
        const PrimRef up = m.Binary(ir::BinaryOp::kShl, m.ir().Int(1, kWhole), v[1]);
        return m.Cast(m.Mul(m.Cast(v[0], kWhole), up), kSample);
      });
  return Operands{scaled, shift};
}

// The squared magnitude of complex samples, in [start, end); TFLM leaves the rest unwritten.
absl::StatusOr<Results> ImportSignalEnergy(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kSample));
  const int64_t start = options.Int("start_index"), end = options.Int("end_index");
  const Rows in = RowsOf(c.In(0));
  const int64_t count = in.length / 2;
  const Operand x = c.Reshape(c.Arg(0), c.DimsFrom({in.rows, count, 2}));
  const Operand made = c.Kernel("energy", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsFrom({in.rows, count}), kCount32, [&](const Indices& at) {
      const auto square = [&](int64_t part) {
        const PrimRef v = m.Cast(te.At(te.Input(0), {at[0], at[1], m.Int(part)}), kWide);
        return m.Mul(v, v);
      };
      const PrimRef energy = m.Cast(m.Add(square(0), square(1)), kCount32);
      return m.Select(m.InRange(at[1], m.Int(start), m.Int(end)), energy, m.Const(0, kCount32));
    });
  });
  return c.Reshape(made, c.OutDims());
}

// Weighted sums of neighbouring channels. What a channel leaves over goes to the next one.
absl::StatusOr<Results> ImportSignalFilterBank(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kCount32));
  for (int i = 1; i <= 5; ++i) LATHE_RETURN_IF_ERROR(RequireType(c, i, kSample));
  const int64_t channels = options.Int("num_channels");
  if (channels <= 0 || channels > 4096) return c.Error() << "it has " << channels << " channels";
  std::vector<std::vector<int64_t>> tables;
  for (int i = 1; i <= 5; ++i) {
    LATHE_ASSIGN_OR_RETURN(tables.emplace_back(), c.NeedInts(i, "the tables of the filter bank"));
  }
  const std::vector<int64_t>&starts = tables[2], &weight_starts = tables[3], &widths = tables[4];
  const int64_t all = Elements(c.In(0));
  for (const auto* table : {&starts, &weight_starts, &widths}) {
    if (std::ssize(*table) < channels + 1) return c.Error() << "a table has too few channels";
  }
  for (size_t k = 0; k <= static_cast<size_t>(channels); ++k) {
    const int64_t weights = std::min(std::ssize(tables[0]), std::ssize(tables[1]));
    if (starts[k] < 0 || widths[k] < 0 || weight_starts[k] < 0 || starts[k] + widths[k] > all ||
        weight_starts[k] + widths[k] > weights) {
      return c.Error() << "channel " << k << " reads outside of its tables";
    }
  }
  // A channel adds its weighted samples to what the channel before it left over.
  const int64_t widest = *std::max_element(widths.begin(), widths.end());
  const auto constant = [&](const std::vector<int64_t>& v) {
    return c.builder().Constant(kWide, {channels + 1},
                                std::vector<double>(v.begin(), v.begin() + channels + 1));
  };
  const Operand x = c.Reshape(c.Arg(0), c.DimsFrom({all}));
  const Operands args = {
      x, c.Arg(1), c.Arg(2), constant(starts), constant(weight_starts), constant(widths)};
  return c.Kernel("filter_bank", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef out = te.Allocate("out", c.DimsFrom({channels}), kCount64);
    const BufferRef weighted = te.Allocate("weighted", {}, kCount64);
    const BufferRef rest = te.Allocate("rest", {}, kCount64);
    te.Run("channels", {}, [&](ops::Statements& s, const Indices&) {
      s.Store(rest, {}, m.Const(0, kCount64));
      s.For("channel", m.Int(channels + 1), [&](PrimRef channel) {
        s.Store(weighted, {}, te.At(rest, {}));
        s.Store(rest, {}, m.Const(0, kCount64));
        const auto of = [&](int input) { return te.At(te.Input(input), {channel}); };
        s.For("k", m.Int(widest), [&](PrimRef k) {
          s.If(m.Lt(k, of(5)), [&] {
            const auto at = [&](PrimRef i, int64_t size) {
              return m.Max(m.Min(i, m.Int(size - 1)), m.Int(0));
            };
            const PrimRef sample = m.Cast(te.At(te.Input(0), {at(m.Add(of(3), k), all)}), kCount64);
            const PrimRef place = m.Add(of(4), k);
            const auto weight = [&](int input) {
              const int64_t size = Elements(c.In(input));
              return m.Cast(te.At(te.Input(input), {at(place, size)}), kCount64);
            };
            s.Store(weighted, {}, m.Add(te.At(weighted, {}), m.Mul(weight(1), sample)));
            s.Store(rest, {}, m.Add(te.At(rest, {}), m.Mul(weight(2), sample)));
          });
        });
        // The first channel only leaves its rest to the next.
        s.If(m.Lt(m.Int(0), channel), [&] {
          const PrimRef before = m.Max(m.Sub(channel, m.Int(1)), m.Int(0));
          s.Store(out, {before}, te.At(weighted, {}));
        });
      });
    });
    return out;
  });
}

// The rounded square root of uint64, shifted right by input 1.
absl::StatusOr<Results> ImportSignalFilterBankSquareRoot(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kCount64));
  LATHE_RETURN_IF_ERROR(RequireType(c, 1, kWhole));
  const Dims dims = c.DimsOf(c.Arg(0));
  const Operand shift = c.Reshape(c.Arg(1), {});
  return c.Kernel("square_root", {c.Arg(0), shift}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef out = te.Allocate("out", dims, kCount32);
    const BufferRef rest = te.Allocate("rest", {}, kCount64);
    const BufferRef root = te.Allocate("root", {}, kCount64);
    te.Run("elements", dims, [&](ops::Statements& s, const Indices& at) {
      const auto value = [&](BufferRef b) { return te.At(b, {}); };
      const auto number = [&](double v) { return m.Const(v, kCount64); };
      s.Store(rest, {}, te.At(te.Input(0), at));
      s.Store(root, {}, number(0));
      s.For("bit", m.Int(32), [&](PrimRef bit) {
        const PrimRef n = m.Cast(m.Sub(m.Int(31), bit), kCount64);
        const PrimRef unit = s.Let("unit", m.Binary(ir::BinaryOp::kShl, number(1), n));
        const PrimRef twice = m.Mul(value(root), number(2));
        const PrimRef step = s.Let("step", m.Binary(ir::BinaryOp::kShl, m.Add(twice, unit), n));
        s.If(m.Le(step, value(rest)), [&] {
          s.Store(rest, {}, m.Sub(value(rest), step));
          s.Store(root, {}, m.Add(value(root), unit));
        });
      });
      // Rounds up if the rest is larger than the root; roots of 32-bit values stay in 16 bits.
      const PrimRef small = m.Lt(te.At(te.Input(0), at), number(std::ldexp(1.0, 32)));
      const PrimRef limit = m.Select(small, number(65535), number(std::ldexp(1.0, 32) - 1));
      const PrimRef up = m.And(m.Lt(value(root), value(rest)), m.Ne(value(root), limit));
      const PrimRef rounded =
          s.Let("rounded", m.Add(value(root), m.Select(up, number(1), number(0))));
      const PrimRef by = m.Cast(te.At(te.Input(1), {}), kCount32);
      s.Store(out, at, m.Binary(ir::BinaryOp::kShr, m.Cast(rounded, kCount32), by));
    });
    return out;
  });
}

// Subtracts a running estimate of the noise, which is the state.
absl::StatusOr<Results> ImportSignalSpectralSubtraction(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kCount32));
  const int64_t bits = options.Int("spectral_subtraction_bits");
  const int64_t smoothing_bits = options.Int("smoothing_bits");
  if (bits < 0 || bits > 31 || smoothing_bits < 0 || smoothing_bits > 31) {
    return c.Error() << "a shift is not 0 to 31";
  }
  const int64_t even = options.Int("smoothing"), odd = options.Int("alternate_smoothing");
  const int64_t even_rest = options.Int("one_minus_smoothing");
  const int64_t odd_rest = options.Int("alternate_one_minus_smoothing");
  const int64_t least = options.Int("min_signal_remaining");
  const bool clamping = options.Int("clamping") != 0;
  const Dims dims = c.DimsOf(c.Arg(0));
  const std::string key = c.graph().OperatorKey(c.node());
  std::map<std::string, Operand>& variables = c.graph().model().variables;
  if (variables.count(key) == 0) return c.Error() << "its second result, the noise, is missing";
  const Operand noise = c.Reshape(variables[key], dims);
  const Operands made = c.Kernels("subtract_noise", {c.Arg(0), noise}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](int64_t v) { return m.Const(static_cast<double>(v), kCount64); };
    const auto estimate = [&](const Indices& at) {
      const PrimRef is_even = m.Eq(m.FloorMod(at.back(), m.Int(2)), m.Int(0));
      const PrimRef up =
          m.Cast(m.Mul(m.Cast(te.At(te.Input(0), at), kCount32),
                       m.Const(std::ldexp(1.0, static_cast<int>(smoothing_bits)), kCount32)),
                 kCount64);
      const PrimRef now = m.Mul(up, m.Select(is_even, number(even), number(odd)));
      const PrimRef before = m.Mul(m.Cast(te.At(te.Input(1), at), kCount64),
                                   m.Select(is_even, number(even_rest), number(odd_rest)));
      return std::pair(up, m.Cast(Shr(m, m.Add(now, before), bits), kCount32));
    };
    const BufferRef next = te.Compute("noise", dims, kCount32, [&](const Indices& at) {
      const auto [up, value] = estimate(at);
      return clamping ? m.Min(value, m.Cast(up, kCount32)) : value;
    });
    const BufferRef out = te.Compute("out", dims, kCount32, [&](const Indices& at) {
      const auto [up, value] = estimate(at);
      const PrimRef lowest = m.Cast(
          Shr(m, m.Mul(m.Cast(te.At(te.Input(0), at), kCount64), number(least)), bits), kCount32);
      const PrimRef narrow = m.Cast(up, kCount32);
      const PrimRef left = Shr(m, m.Sub(narrow, m.Min(value, narrow)), smoothing_bits);
      return m.Max(left, lowest);
    });
    return std::vector<BufferRef>{out, next};
  });
  c.graph().model().variables[key] = c.Reshape(made[1], c.DimsOf(c.graph().model().variables[key]));
  return made;
}

// The natural logarithm in fixed point, by a table of the fractions of log2.
absl::StatusOr<Results> ImportSignalFilterBankLog(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kCount32));
  const int64_t scale = options.Int("output_scale");
  const int64_t correction = options.Int("input_correction_bits");
  if (correction < 0 || correction > 31) return c.Error() << "a shift is not 0 to 31";
  constexpr int kSegments = 128, kUnitBits = 16;
  constexpr int64_t kLn2 = 45426;  // in 2^-16
  std::vector<double> table;
  for (int i = 0; i <= kSegments; ++i) {
    const double x = static_cast<double>(i) / kSegments;
    table.push_back(std::round(65536.0 * (std::log2(1.0 + x) - x)));
  }
  const Dims dims = c.DimsOf(c.Arg(0));
  const Operand logs = c.builder().Constant(kCount32, {kSegments + 1}, table);
  return c.Kernel("log", {c.Arg(0), logs}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, kSample, [&](const Indices& at) {
      const auto number = [&](int64_t v) { return m.Int(v); };
      const PrimRef x =
          m.Cast(m.Mul(te.At(te.Input(0), at),
                       m.Const(std::ldexp(1.0, static_cast<int>(correction)), kCount32)),
                 kWide);
      const PrimRef power = m.Sub(number(31), m.Cast(m.Call("clz", {m.Cast(x, kCount32)}), kWide));
      const PrimRef safe = m.Max(power, number(0));
      // The fraction of x / 2^power, in 2^-16.
      const PrimRef rest = m.Sub(x, m.Binary(ir::BinaryOp::kShl, number(1), safe));
      const PrimRef lifted =
          m.Binary(ir::BinaryOp::kShr, m.Mul(rest, number(int64_t{1} << kUnitBits)), safe);
      const PrimRef fraction = m.Max(m.Min(lifted, number(65535)), number(0));
      const PrimRef segment = Shr(m, fraction, kUnitBits - 7);
      const PrimRef base = m.Mul(segment, number(1 << (kUnitBits - 7)));
      const PrimRef c0 = m.Cast(te.At(te.Input(1), {segment}), kWide);
      const PrimRef c1 = m.Cast(te.At(te.Input(1), {m.Add(segment, number(1))}), kWide);
      const PrimRef slope = Shr(m, m.Mul(m.Sub(c1, c0), m.Sub(fraction, base)), kUnitBits);
      const PrimRef log2 =
          m.Add(m.Mul(safe, number(int64_t{1} << kUnitBits)), m.Add(fraction, m.Add(c0, slope)));
      const PrimRef rounding = number(int64_t{1} << (kUnitBits - 1));
      const PrimRef ln = Shr(m, m.Add(m.Mul(log2, number(kLn2)), rounding), kUnitBits);
      const PrimRef scaled = Shr(m, m.Add(m.Mul(ln, number(scale)), rounding), kUnitBits);
      const PrimRef value = m.Select(m.Le(x, number(1)), number(0), scaled);
      return m.Cast(m.Min(value, number(32767)), kSample);
    });
  });
}

// Per-channel automatic gain control: the gain is read from a table of quadratic pieces.
absl::StatusOr<Results> ImportSignalPcan(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  LATHE_RETURN_IF_ERROR(RequireType(c, 0, kCount32));
  LATHE_RETURN_IF_ERROR(RequireType(c, 1, kCount32));
  LATHE_RETURN_IF_ERROR(RequireType(c, 2, kSample));
  const int64_t shift = options.Int("snr_shift"), size = Elements(c.In(2));
  if (shift < 0 || shift > 31) return c.Error() << "a shift is not 0 to 31";
  const Dims dims = c.DimsOf(c.Arg(0));
  const Operand lut = c.Reshape(c.Arg(2), c.DimsFrom({size}));
  return c.Kernel("pcan", {c.Arg(0), c.Arg(1), lut}, [&](Te& te) {
    const BufferRef out = te.Allocate("out", dims, kCount32);
    te.Run("elements", dims, [&](ops::Statements& s, const Indices& at) {
      ScalarMath& m = te.math();
      const auto number = [&](int64_t v) { return m.Int(v); };
      const auto entry = [&](const char* name, PrimRef i) {
        const PrimRef inside = m.Max(m.Min(i, number(size - 1)), number(0));
        return s.Let(name, m.Cast(te.At(te.Input(2), {inside}), kWide));
      };
      const PrimRef noise = s.Let("noise", m.Cast(te.At(te.Input(1), at), kWide));
      // Entries 0 to 2 belong to the noises 0 to 2; then each power of two has three.
      const PrimRef msb =
          s.Let("msb", m.Sub(number(32), m.Cast(m.Call("clz", {m.Cast(noise, kCount32)}), kWide)));
      const PrimRef first = s.Let("first", m.Sub(m.Mul(msb, number(4)), number(6)));
      const PrimRef up = m.Max(m.Sub(number(11), msb), number(0));
      const PrimRef down = m.Max(m.Sub(msb, number(11)), number(0));
      const PrimRef moved = m.Binary(
          ir::BinaryOp::kShr, m.Mul(noise, m.Binary(ir::BinaryOp::kShl, number(1), up)), down);
      const PrimRef fraction =
          s.Let("fraction", m.Binary(ir::BinaryOp::kBitAnd, moved, number(1023)));
      const PrimRef c0 = entry("c0", first), c1 = entry("c1", m.Add(first, number(1)));
      const PrimRef c2 = entry("c2", m.Add(first, number(2)));
      const PrimRef slope = m.Add(Shr(m, m.Mul(c2, fraction), 5), m.Mul(c1, number(32)));
      // Sums of TFLM wrap at 32 bits, and the gain at 16. A negative gain becomes a large one.
      const PrimRef product =
          s.Let("product", m.Cast(m.Add(m.Mul(slope, fraction), number(1 << 14)), kWhole));
      const PrimRef piece = m.Cast(m.Add(c0, m.Cast(Shr(m, product, 15), kWide)), kSample);
      const PrimRef gain = s.Let(
          "gain", m.Select(m.Le(noise, number(2)), entry("start", noise), m.Cast(piece, kWide)));
      const PrimRef factor = m.Cast(m.Cast(gain, kCount32), kCount64);
      const PrimRef signal = m.Cast(te.At(te.Input(0), at), kCount64);
      const PrimRef snr =
          s.Let("snr", m.Cast(m.Cast(Shr(m, m.Mul(signal, factor), shift), kCount32), kWide));
      const PrimRef below = Shr(m, m.Mul(snr, snr), 20);
      const PrimRef above = m.Sub(Shr(m, snr, 6), number(64));
      s.Store(out, at, m.Cast(m.Select(m.Lt(snr, number(2 << 12)), below, above), kCount32));
    });
    return out;
  });
}

}  // namespace lathe::tflite
