// Imports window functions and discrete Fourier transforms, computed as direct sums.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr double kPi = 3.14159265358979323846;
const DType kWide = DType::Float(64);

// The factor e^(-2 pi i * at * r / size), or its inverse.
struct Twiddle {
  PrimRef cosine, sine;
};
Twiddle TwiddleOf(ScalarMath& m, PrimRef at, PrimRef r, PrimRef size, bool inverse) {
  const PrimRef turns = m.FloorMod(m.Mul(at, r), size);
  const PrimRef angle =
      m.Div(m.Mul(m.Const(2 * kPi, kWide), m.Cast(turns, kWide)), m.Cast(size, kWide));
  const PrimRef sine = m.Call("sin", {angle});
  return {m.Call("cos", {angle}), inverse ? sine : m.Neg(sine)};
}

// A transform along one axis. An axis or a length that is not known is an input of the kernel.
struct DftPlan {
  Dims from;
  bool inverse = false, onesided = false, complex = false;
  std::optional<int> axis;
  PrimRef length = nullptr;
  int axis_at = -1, length_at = -1;

  bool gives_reals() const { return onesided && inverse; }
  size_t axes() const { return from.size() - 1; }
};

// Combines what `each` gives for the axis of the transform.
PrimRef AlongAxis(Te& te, const DftPlan& p, const std::function<PrimRef(size_t a)>& each) {
  if (p.axis) return each(static_cast<size_t>(*p.axis));
  ScalarMath& m = te.math();
  const PrimRef axis = OnlyEntry(te, p.axis_at);
  PrimRef value = each(0);
  for (size_t a = 1; a < p.axes(); ++a) {
    const auto which = static_cast<int64_t>(a);
    const PrimRef from_end = m.Int(which - std::ssize(p.from));
    value = m.IfThenElse(m.Or(m.Eq(axis, m.Int(which)), m.Eq(axis, from_end)), each(a), value);
  }
  return value;
}

// The length of the signal, to which the input is cut or padded with zeros.
PrimRef SignalLength(Te& te, const DftPlan& p) {
  if (p.length != nullptr) return p.length;
  if (p.length_at >= 0) return OnlyEntry(te, p.length_at);
  ScalarMath& m = te.math();
  return AlongAxis(te, p, [&](size_t a) {
    const PrimRef all = p.from[a];
    return p.gives_reals() ? m.Mul(m.Sub(all, m.Int(1)), m.Int(2)) : all;
  });
}

// The size of the result along dimension `a`.
PrimRef DftSize(Te& te, const DftPlan& p, size_t a) {
  ScalarMath& m = te.math();
  if (a == p.axes()) return m.Int(p.gives_reals() ? 1 : 2);
  return AlongAxis(te, p, [&](size_t axis) {
    if (axis != a) return p.from[a];
    const PrimRef length = SignalLength(te, p);
    const bool half = p.onesided && !p.inverse;
    return half ? m.Add(m.FloorDiv(length, m.Int(2)), m.Int(1)) : length;
  });
}

// One summand of the element at `at`, along axis `a`.
PrimRef DftTerm(Te& te, ir::BufferRef x, const DftPlan& p, size_t a, const Indices& at, PrimRef r,
                PrimRef size) {
  ScalarMath& m = te.math();
  const auto [c, s] = TwiddleOf(m, at[a], r, size, p.inverse);
  // The second half of a one-sided spectrum is the conjugate of the first.
  const PrimRef there = p.from[a];
  PrimRef place = r, mirrored = m.ir().Bool(false);
  if (p.gives_reals()) {
    mirrored = m.Le(m.Add(m.FloorDiv(size, m.Int(2)), m.Int(1)), r);
    place = m.Select(mirrored, m.Sub(size, r), r);
  }
  const auto part = [&](int64_t which) {
    Indices source = at;
    source[a] = place;
    source.back() = m.Int(which);
    const PrimRef value = m.Cast(te.At(x, source), kWide);
    return m.IfThenElse(m.Lt(place, there), value, m.Const(0, kWide));
  };
  const PrimRef re = part(0);
  PrimRef im = p.complex ? part(1) : m.Const(0, kWide);
  if (p.gives_reals()) im = m.Select(mirrored, m.Neg(im), im);
  const PrimRef real = m.Sub(m.Mul(re, c), m.Mul(im, s));
  if (p.gives_reals()) return real;
  const PrimRef imaginary = m.Add(m.Mul(re, s), m.Mul(im, c));
  return m.Select(m.Eq(at.back(), m.Int(0)), real, imaginary);
}

// Checks the values of the inputs that are known only at run time.
void NeedDft(NodeCall& n, Te& te, const DftPlan& p, const Dims& dims) {
  ScalarMath& m = te.math();
  if (!p.axis) {
    const PrimRef axis = OnlyEntry(te, p.axis_at);
    const int64_t rank = std::ssize(p.from);
    const PrimRef in_range = m.InRange(axis, m.Int(-rank), m.Int(rank));
    te.Need(m.And(in_range, m.And(m.Ne(axis, m.Int(-1)), m.Ne(axis, m.Int(rank - 1)))),
            "DFT needs an axis of its input other than the last");
  }
  if (p.length_at >= 0 || p.gives_reals()) {
    // The spectrum of one number has no other half, so that the signal is empty.
    const PrimRef least = m.Int(p.length_at >= 0 ? 1 : 0);
    te.Need(m.Le(least, SignalLength(te, p)), "DFT needs a signal that is not empty");
  }
  for (size_t a = 0; a < dims.size(); ++a) {
    NeedSame(n, te, n.Simplify(DftSize(te, p, a)), dims[a],
             absl::StrCat("dimension ", a, " of the spectrum"));
  }
}

// The length of the frames of an STFT; null where the model does not tell it.
PrimRef FrameLength(NodeCall& n, const std::optional<Dims>& declared, bool onesided) {
  if (n.Has(2)) return n.LengthOf(n.DimsOf(n.In(2)));
  if (const auto known = n.ConstantInts(3); known && known->size() == 1)
    return n.ir().Int((*known)[0]);
  if (!declared || declared->size() != 4) return nullptr;
  if (!onesided) return (*declared)[2];
  // Assumes an even length: bins = length / 2 + 1.
  const PrimRef less = n.math().Sub((*declared)[2], n.ir().Int(1));
  return n.Simplify(n.math().Mul(less, n.ir().Int(2)));
}

}  // namespace

absl::StatusOr<Results> ImportWindow(NodeCall& n) {
  std::optional<Dims> dims = n.ElementsOf(0);
  const bool at_run_time = !dims;
  if (at_run_time) dims = n.DeclaredDims(0);
  if (!dims) {
    dims = Dims{FoundDim(n, {n.In(0)}, [](Te& te) { return OnlyEntry(te, 0); })};
    LATHE_RETURN_IF_ERROR(n.status());
  }
  if (dims->size() != 1)
    return n.Error() << "the declared result must have rank 1, got " << dims->size();
  if (NodeCall::IntOf((*dims)[0]).value_or(0) < 0)
    return n.Error() << "the length must not be negative";
  Operands args;
  if (at_run_time) args.push_back(n.In(0));
  const DType dtype =
      DTypeOf(static_cast<int32_t>(n.Int("output_datatype", 1))).value_or(DType::Float(32));
  const bool periodic = n.Int("periodic", 1) != 0;
  const std::string& op = n.op();
  // a0 - a1 cos(x) + a2 cos(2x)
  const double a0 = op == "HannWindow" ? 0.5 : op == "HammingWindow" ? 25.0 / 46 : 0.42;
  const double a1 = op == "HannWindow" ? 0.5 : op == "HammingWindow" ? 1 - 25.0 / 46 : 0.5;
  const double a2 = op == "BlackmanWindow" ? 0.08 : 0;
  return n.Kernel("window", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (at_run_time) NeedSame(n, te, OnlyEntry(te, 0), (*dims)[0], "the length");
    return te.Compute("out", *dims, dtype, [&](const Indices& at) {
      const auto c = [&](double v) { return m.Const(v, kWide); };
      PrimRef length = m.Cast((*dims)[0], kWide);
      if (!periodic) length = m.Sub(length, c(1));
      const PrimRef turn = m.Div(m.Mul(c(2 * kPi), m.Cast(at[0], kWide)), length);
      const PrimRef once = m.Mul(c(a1), m.Call("cos", {turn}));
      const PrimRef twice = m.Mul(c(a2), m.Call("cos", {m.Mul(c(2), turn)}));
      return m.Cast(m.Add(m.Sub(c(a0), once), twice), dtype);
    });
  });
}

absl::StatusOr<Results> ImportDft(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 2));
  DftPlan plan;
  plan.from = n.DimsOf(x);
  const int rank = n.Rank(x);
  plan.onesided = n.Int("onesided", 0) != 0;
  plan.inverse = n.Int("inverse", 0) != 0;
  const auto parts = NodeCall::IntOf(plan.from.back());
  if (!parts)
    return n.Unsupported()
           << "the last dimension of the input must be constant (1: real, 2: complex)";
  if (*parts != 1 && *parts != 2)
    return n.Error() << "the last dimension of the input must be 1 (real) or 2 (complex), got "
                     << *parts;
  plan.complex = *parts == 2;
  std::optional<int64_t> axis;
  if (const auto known = n.ConstantInts(2); known && known->size() == 1) axis = (*known)[0];
  if (!n.Has(2)) axis = n.Int("axis", n.opset() < 20 ? 1 : -2);
  Operands args;
  if (axis) {
    LATHE_ASSIGN_OR_RETURN(plan.axis, n.Axis(*axis, rank));
    if (*plan.axis == rank - 1) return n.Error() << "'axis' must not be the last";
  } else {
    plan.axis_at = static_cast<int>(args.size());
    args.push_back(n.In(2));
  }
  if (const auto length = n.ElementsOf(1); length && length->size() == 1) {
    plan.length = (*length)[0];
    if (const auto said = NodeCall::IntOf(plan.length); said && *said < 1)
      return n.Error() << "the length must be at least 1, got " << *said;
  } else if (n.Has(1)) {
    plan.length_at = static_cast<int>(args.size());
    args.push_back(n.In(1));
  }
  const auto declared = n.DeclaredDims(0);
  Dims dims;
  if (args.empty()) {
    LATHE_ASSIGN_OR_RETURN(Te te, Te::Of(n.ir(), {}));
    for (size_t a = 0; a < plan.from.size(); ++a) dims.push_back(n.Simplify(DftSize(te, plan, a)));
    if (NodeCall::IntOf(SignalLength(te, plan)).value_or(1) < 1 && !n.Has(1)) {
      return n.Error() << "the signal is empty";
    }
  } else if (declared && std::ssize(*declared) == rank) {
    dims = *declared;
  } else {
    dims = FoundDims(n, args, plan.from.size(), [&](Te& te) {
      Dims sizes;
      for (size_t a = 0; a < plan.from.size(); ++a) sizes.push_back(DftSize(te, plan, a));
      return sizes;
    });
  }
  const DType dtype = n.TypeOf(x);
  args.push_back(x);
  return n.Kernel("dft", args, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef in = te.Input(te.inputs() - 1);
    NeedDft(n, te, plan, dims);
    const PrimRef size = SignalLength(te, plan);
    const auto over = [&](const Indices&) { return Dims{size}; };
    const auto term = [&](const Indices& at, const Indices& r) {
      return AlongAxis(te, plan,
                       [&](size_t a) { return DftTerm(te, in, plan, a, at, r[0], size); });
    };
    ir::BufferRef sum = te.ReduceRagged("sum", dims, over, te.Sum(kWide), term);
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef v = te.At(sum, at);
      return m.Cast(plan.inverse ? m.Div(v, m.Cast(size, kWide)) : v, dtype);
    });
  });
}

absl::StatusOr<Results> ImportStft(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 2));
  if (from.size() > 3) return n.Error() << "the signal must have rank 2 or 3, got " << from.size();
  const auto declared = n.DeclaredDims(0);
  const bool onesided = n.Int("onesided", 1) != 0;
  const auto step = n.ConstantInts(1), known = n.ConstantInts(3);
  const PrimRef length = FrameLength(n, declared, onesided);
  if (length == nullptr || (!step && !declared)) {
    return n.Unsupported() << "frames of dynamic length are not supported";
  }
  if (NodeCall::IntOf(length).value_or(1) < 1)
    return n.Error() << "the frame length must be at least 1";
  if (step && (step->size() != 1 || (*step)[0] < 1))
    return n.Error() << "'frame_step' must be at least 1";
  const auto frames_by = [&](ScalarMath& m, PrimRef by) {
    return m.Add(m.FloorDiv(m.Sub(from[1], length), by), m.Int(1));
  };
  const PrimRef half = n.math().Add(n.math().FloorDiv(length, n.ir().Int(2)), n.ir().Int(1));
  const PrimRef bins = onesided ? n.Simplify(half) : length;
  Dims dims = {from[0], nullptr, bins, n.ir().Int(2)};
  if (step) {
    dims[1] = n.Simplify(frames_by(n.math(), n.ir().Int((*step)[0])));
  } else if (declared->size() == 4) {
    dims[1] = (*declared)[1];
  } else {
    return n.Error() << "the declared result must have rank 4, got " << declared->size();
  }
  // A sample is a real number, or has a real and an imaginary part.
  const PrimRef parts = from.size() == 3 ? from[2] : n.ir().Int(1);
  const auto known_parts = NodeCall::IntOf(parts);
  if (known_parts.value_or(1) < 1 || known_parts.value_or(1) > 2)
    return n.Error() << "the last dimension of the signal must be 1 (real) or 2 (complex), got "
                     << *known_parts;
  const DType dtype = n.TypeOf(x);
  Operands args = {x, n.In(1)};
  const auto also = [&](bool used, int input) {
    if (!used) return -1;
    args.push_back(n.In(input));
    return static_cast<int>(args.size()) - 1;
  };
  const int window = also(n.Has(2), 2), length_in = also(n.Has(3) && !known, 3);
  return n.Kernel("stft", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef by = OnlyEntry(te, 1);
    if (!step) {
      te.Need(m.Lt(m.Int(0), by), "STFT needs a step of at least 1");
      NeedSame(n, te, frames_by(m, m.Max(by, m.Int(1))), dims[1], "the number of frames");
    }
    te.Need(m.Le(length, from[1]), "STFT needs a signal of at least one frame");
    if (!known_parts) {
      te.Need(m.InRange(parts, m.Int(1), m.Int(3)),
              "STFT needs a signal whose last dimension is 1 or 2");
    }
    if (length_in > 0) NeedSame(n, te, OnlyEntry(te, length_in), length, "the frame's length");
    if (window > 0) {
      NeedSame(n, te, te.Input(window)->shape[0], length, "the window's length");
    }
    ir::BufferRef sum =
        te.Reduce("sum", dims, {length}, te.Sum(kWide), [&](const Indices& at, const Indices& r) {
          const auto [c, s] = TwiddleOf(m, at[2], r[0], length, false);
          const PrimRef place = m.Add(m.Mul(at[1], by), r[0]);
          const auto part = [&](int64_t which) {
            Indices source = {at[0], place};
            if (from.size() == 3) source.push_back(m.Int(which));
            PrimRef value = m.Cast(te.At(te.Input(0), source), kWide);
            if (window > 0) value = m.Mul(value, m.Cast(te.At(te.Input(window), {r[0]}), kWide));
            return value;
          };
          const PrimRef re = part(0), none = m.Const(0, kWide);
          const PrimRef im =
              known_parts == 1 ? none : m.IfThenElse(m.Lt(m.Int(1), parts), part(1), none);
          return m.Select(m.Eq(at[3], m.Int(0)), m.Sub(m.Mul(re, c), m.Mul(im, s)),
                          m.Add(m.Mul(re, s), m.Mul(im, c)));
        });
    return te.Compute("out", dims, dtype,
                      [&](const Indices& at) { return m.Cast(te.At(sum, at), dtype); });
  });
}

}  // namespace lathe::onnx
