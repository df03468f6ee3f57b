// Slice and Pad, whose bounds are known when the model is compiled or inputs of the model.
#include <algorithm>
#include <limits>

#include "generator/ops/places.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr int64_t kFar = std::numeric_limits<int32_t>::max();

PrimRef Clamp(ScalarMath& m, PrimRef x, PrimRef low, PrimRef high) {
  return m.Min(m.Max(x, low), high);
}

// One axis of a slice whose numbers are known.
struct Piece {
  PrimRef begin = nullptr;
  int64_t step = 1;
  PrimRef size = nullptr;
};

std::optional<Piece> PieceOf(NodeCall& n, PrimRef dim, PrimRef start, PrimRef end, int64_t step) {
  ScalarMath& m = n.math();
  const auto size = NodeCall::IntOf(dim), first = NodeCall::IntOf(start),
             last = NodeCall::IntOf(end);
  if (size && first && last) {
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? *size : *size - 1;
    const auto within = [&](int64_t at) {
      return std::clamp(at < 0 ? std::max(at, -kFar * kFar) + *size : at, low, high);
    };
    const int64_t a = within(*first), b = within(*last);
    const int64_t span = step > 0 ? b - a : a - b;
    const int64_t stride = step > 0 ? step : -step;
    const int64_t count = span <= 0 ? 0 : (span - 1) / stride + 1;
    return Piece{n.ir().Int(std::max<int64_t>(a, 0)), step, n.ir().Int(count)};
  }
  // Sizes that are not numbers: bounds from the front are taken to lie in the tensor, as they do
  // where what they say is a shape.
  if (step != 1) return std::nullopt;
  const auto from_front = [&](PrimRef at) -> PrimRef {
    const auto value = NodeCall::IntOf(at);
    if (value && *value >= kFar) return dim;
    if (value && *value < 0) return m.Add(dim, at);
    return value && *value == 0 ? at : m.Min(at, dim);
  };
  const PrimRef a = from_front(start), b = from_front(end);
  return Piece{n.Simplify(a), 1, n.Simplify(m.Max(m.Sub(b, a), m.Int(0)))};
}

// The entry of a small integer tensor that is read when the model runs.
PrimRef Entry(Te& te, int input, int64_t k) {
  return te.math().Cast(te.At(te.Input(input), {te.math().Int(k)}), DType::Int(64));
}

// Axes, starts and steps as the model runs; the result has the declared shape.
absl::StatusOr<Results> SliceAtRunTime(NodeCall& n) {
  const Operand x = n.In(0);
  const auto dims = n.DeclaredDims(0);
  const auto count = NodeCall::IntOf(n.DimsOf(n.In(1))[0]);
  if (!dims || dims->size() != n.DimsOf(x).size() || !count) {
    return n.Unsupported() << "bounds that show only when the model runs, and no declared shape";
  }
  const Dims from = n.DimsOf(x);
  Operands args = {x, n.In(1)};
  const int axes = n.Has(3) ? std::ssize(args) : -1;
  if (axes > 0) args.push_back(n.In(3));
  const int steps = n.Has(4) ? std::ssize(args) : -1;
  if (steps > 0) args.push_back(n.In(4));
  return n.Kernel("slice", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", *dims, n.TypeOf(x), [&](const Indices& at) {
      Indices source;
      for (size_t a = 0; a < at.size(); ++a) {
        PrimRef begin = m.Int(0), step = m.Int(1);
        for (int64_t k = 0; k < *count; ++k) {
          PrimRef axis = axes > 0 ? Entry(te, axes, k) : m.Int(k);
          if (axes > 0) axis = ops::Wrapped(m, axis, m.Int(std::ssize(at)));
          const PrimRef here = m.Eq(axis, m.Int(static_cast<int64_t>(a)));
          const PrimRef start = Entry(te, 1, k);
          const PrimRef wrapped = ops::Wrapped(m, start, from[a]);
          const PrimRef last = m.Sub(from[a], m.Int(1));
          begin = m.Select(here, Clamp(m, wrapped, m.Int(0), last), begin);
          if (steps > 0) step = m.Select(here, Entry(te, steps, k), step);
        }
        const PrimRef index = m.Add(begin, m.Mul(at[a], step));
        source.push_back(Clamp(m, index, m.Int(0), m.Sub(from[a], m.Int(1))));
      }
      return te.At(te.Input(0), source);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportSlice(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const auto entries = [&](int input, const char* attribute) -> std::optional<Dims> {
    if (n.Has(input)) return n.ElementsOf(input);
    if (n.HasAttribute(attribute)) return n.DimsFrom(n.Ints(attribute));
    return std::nullopt;
  };
  const auto starts = entries(1, "starts"), ends = entries(2, "ends");
  const auto axes = n.IntsOf(3, "axes"), steps = n.ConstantInts(4);
  if (!starts || !ends || (n.Has(3) && !axes) || (n.Has(4) && !steps)) {
    if (!n.Has(1)) return n.Error() << "it has no starts";
    return SliceAtRunTime(n);
  }
  std::vector<int64_t> named;
  if (axes) named = *axes;
  for (size_t k = 0; !axes && k < starts->size(); ++k) named.push_back(static_cast<int64_t>(k));
  LATHE_ASSIGN_OR_RETURN(const auto along, n.Axes(named, static_cast<int>(from.size())));
  if (along.size() != starts->size() || ends->size() != starts->size() ||
      (steps && steps->size() != starts->size())) {
    return n.Error() << "starts, ends, axes and steps are not of one length";
  }
  Dims dims = from;
  std::vector<Piece> pieces(from.size());
  for (size_t k = 0; k < along.size(); ++k) {
    const auto a = static_cast<size_t>(along[k]);
    const int64_t step = steps ? (*steps)[k] : 1;
    if (step == 0) return n.Error() << "a step of 0";
    const auto piece = PieceOf(n, from[a], (*starts)[k], (*ends)[k], step);
    if (!piece) return n.Unsupported() << "a step of " << step << " along a size that is no number";
    pieces[a] = *piece;
    dims[a] = piece->size;
  }
  return n.Kernel("slice", {x}, [&](Te& te) {
    return te.Compute("out", dims, n.TypeOf(x), [&](const Indices& at) {
      Indices source = at;
      for (size_t a = 0; a < at.size(); ++a) {
        if (pieces[a].begin == nullptr) continue;
        source[a] =
            te.math().Add(pieces[a].begin, te.math().Mul(at[a], te.math().Int(pieces[a].step)));
      }
      return te.At(te.Input(0), source);
    });
  });
}

absl::StatusOr<Results> ImportPad(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const size_t rank = from.size();
  const DType dtype = n.TypeOf(x);
  const std::string mode = n.String("mode", "constant");
  std::optional<Dims> pads;
  for (const char* name : {"pads", "paddings"}) {
    if (n.HasAttribute(name)) pads = n.DimsFrom(n.Ints(name));
  }
  if (n.Has(1)) pads = n.ElementsOf(1);
  const std::optional<std::vector<int64_t>> axes = n.ConstantInts(3);
  if (n.Has(3) && !axes && pads) pads.reset();
  std::vector<int64_t> named;
  if (axes) named = *axes;
  for (size_t a = 0; !axes && a < rank; ++a) named.push_back(static_cast<int64_t>(a));
  LATHE_ASSIGN_OR_RETURN(const auto along, n.Axes(named, static_cast<int>(rank)));
  const int64_t entries = n.Has(3) ? NodeCall::IntOf(n.DimsOf(n.In(3))[0]).value_or(0) : 0;
  if (pads && pads->size() != 2 * along.size()) {
    return n.Error() << pads->size() << " pads for " << along.size() << " axes";
  }
  Dims dims = from;
  std::vector<PrimRef> before(rank, n.ir().Int(0));
  if (pads) {
    for (size_t k = 0; k < along.size(); ++k) {
      const auto a = static_cast<size_t>(along[k]);
      before[a] = (*pads)[k];
      const PrimRef both = n.math().Add((*pads)[k], (*pads)[k + along.size()]);
      dims[a] = n.Simplify(n.math().Add(from[a], both));
    }
  } else if (const auto declared = n.DeclaredDims(0); declared && declared->size() == rank) {
    dims = *declared;
  } else {
    return n.Unsupported() << "pads that show only when the model runs, and no declared shape";
  }
  Operands args = {x};
  const int value_at = n.Has(2) && mode == "constant" ? 1 : -1;
  if (value_at > 0) args.push_back(n.In(2));
  const int pads_at = pads ? -1 : static_cast<int>(args.size());
  if (!pads) args.push_back(n.In(1));
  const int axes_at = pads || axes || !n.Has(3) ? -1 : static_cast<int>(args.size());
  if (axes_at > 0) args.push_back(n.In(3));
  return n.Kernel("pad", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      Indices source;
      PrimRef inside = m.ir().Bool(true);
      for (size_t a = 0; a < rank; ++a) {
        PrimRef begin = before[a];
        for (int64_t k = 0; axes_at > 0 && k < entries; ++k) {
          const PrimRef axis = Entry(te, axes_at, k);
          const auto which = static_cast<int64_t>(a), from_end = which - static_cast<int64_t>(rank);
          const PrimRef here = m.Or(m.Eq(axis, m.Int(which)), m.Eq(axis, m.Int(from_end)));
          begin = m.Select(here, Entry(te, pads_at, k), begin);
        }
        for (size_t k = 0; axes_at < 0 && pads_at > 0 && k < along.size(); ++k) {
          if (static_cast<size_t>(along[k]) == a)
            begin = Entry(te, pads_at, static_cast<int64_t>(k));
        }
        if (NodeCall::IntOf(begin) == 0 && dims[a] == from[a]) {
          source.push_back(at[a]);
          continue;
        }
        PrimRef index = m.Sub(at[a], begin);
        const PrimRef last = m.Sub(from[a], m.Int(1));
        if (mode == "edge") {
          index = Clamp(m, index, m.Int(0), last);
        } else if (mode == "wrap") {
          index = m.FloorMod(index, from[a]);
        } else if (mode == "reflect") {
          // There and back again, as often as it takes.
          const PrimRef period = m.Max(m.Mul(last, m.Int(2)), m.Int(1));
          const PrimRef along_period = m.FloorMod(index, period);
          index = m.Min(along_period, m.Sub(period, along_period));
          if (NodeCall::IntOf(from[a]) == 1) index = m.Int(0);
        } else {
          inside = m.And(inside, m.InRange(index, m.Int(0), from[a]));
        }
        source.push_back(index);
      }
      const PrimRef value =
          value_at > 0
              ? te.At(te.Input(value_at), Indices(te.Input(value_at)->shape.size(), m.Int(0)))
              : m.Const(n.Float("value", 0), dtype);
      return m.IfThenElse(inside, te.At(te.Input(0), source), value);
    });
  });
}

}  // namespace lathe::onnx
