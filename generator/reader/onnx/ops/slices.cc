// Imports Slice, whose bounds are constant or known only at run time.
#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/ops/te/index_tensors.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr int64_t kFar = std::numeric_limits<int32_t>::max();

PrimRef Clamp(ScalarMath& m, PrimRef x, PrimRef low, PrimRef high) {
  return m.Min(m.Max(x, low), high);
}

// One axis of a slice whose bounds are constants or symbolic.
struct Piece {
  PrimRef begin = nullptr;
  int64_t step = 1;
  PrimRef size = nullptr;
};

Piece PieceOfNumbers(NodeCall& n, int64_t size, int64_t first, int64_t last, int64_t step) {
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  const auto within = [&](int64_t at) {
    return std::clamp(at < 0 ? std::max(at, -kFar * kFar) + size : at, low, high);
  };
  const int64_t a = within(first), b = within(last);
  const int64_t span = step > 0 ? b - a : a - b;
  const int64_t stride = step > 0 ? step : -std::max(step, -kFar * kFar);
  const int64_t count = span <= 0 ? 0 : (span - 1) / stride + 1;
  return {n.ir().Int(std::max<int64_t>(a, 0)), step, n.ir().Int(count)};
}

// Normalizes a bound of a symbolic size: adds the size if it is negative, and clamps it to [low,
// high]. Omits what the sign of the bound decides.
PrimRef PlaceOf(NodeCall& n, PrimRef dim, PrimRef bound, PrimRef low, PrimRef high) {
  ScalarMath& m = n.math();
  if (const auto value = NodeCall::IntOf(bound)) {
    if (*value >= kFar) return high;
    if (*value < -kFar) return low;
    return *value < 0 ? m.Max(m.Add(dim, bound), low) : m.Min(bound, high);
  }
  if (analysis::ProveLessEqual(n.ir(), m.Int(0), bound) == ir::Tri::kYes) return m.Min(bound, high);
  return Clamp(m, ops::WrapIndex(m, bound, dim), low, high);
}

// Computes a - b, simplified if one of them is a minimum or maximum.
PrimRef Apart(ScalarMath& m, PrimRef a, PrimRef b) {
  const auto* bounded = b->As<ir::Binary>();
  if (bounded != nullptr && bounded->op == ir::BinaryOp::kMax) {
    return m.Min(m.Sub(a, bounded->lhs), m.Sub(a, bounded->rhs));
  }
  return m.Sub(a, b);
}

Piece PieceOf(NodeCall& n, PrimRef dim, PrimRef start, PrimRef end, int64_t step) {
  const auto size = NodeCall::IntOf(dim), first = NodeCall::IntOf(start),
             last = NodeCall::IntOf(end);
  if (size && first && last) return PieceOfNumbers(n, *size, *first, *last, step);
  ScalarMath& m = n.math();
  const bool up = step > 0;
  const PrimRef low = m.Int(up ? 0 : -1), high = up ? dim : m.Sub(dim, m.Int(1));
  const PrimRef a = n.Simplify(PlaceOf(n, dim, start, low, high));
  const PrimRef b = n.Simplify(PlaceOf(n, dim, end, low, high));
  const int64_t stride = std::min(kFar, up ? step : -std::max(step, -kFar));
  const PrimRef span = m.Add(up ? Apart(m, b, a) : Apart(m, a, b), m.Int(stride - 1));
  const PrimRef count = m.Max(m.FloorDiv(n.Simplify(span), m.Int(stride)), m.Int(0));
  return {a, up ? stride : -stride, n.Simplify(count)};
}

// Kernel inputs with the bounds, -1 if omitted, and the number of axes.
struct Bounds {
  int64_t count;
  int axes, ends, steps;
};

struct RunTimePiece {
  PrimRef begin, step, size;
};

// Start, step and length of each axis, read from the kernel inputs.
std::vector<RunTimePiece> PiecesOf(NodeCall& n, Te& te, const Bounds& b, const Dims& from) {
  ScalarMath& m = te.math();
  const int64_t rank = std::ssize(from);
  const PrimRef zero = m.Int(0), one = m.Int(1);
  for (int input : {1, b.ends, b.axes, b.steps}) {
    if (input > 0) {
      NeedSame(n, te, n.LengthOf(te.Input(input)->shape), m.Int(b.count), "as many bounds");
    }
  }
  if (b.axes > 0) NeedAxes(n, te, b.axes, b.count, rank);
  std::vector<RunTimePiece> pieces;
  for (int64_t a = 0; a < rank; ++a) {
    const PrimRef dim = from[static_cast<size_t>(a)];
    RunTimePiece piece{zero, one, dim};
    for (int64_t k = 0; k < b.count; ++k) {
      if (b.axes <= 0 && k != a) continue;
      PrimRef here = m.ir().Bool(true);
      if (b.axes > 0) {
        const PrimRef axis = Entry(te, b.axes, k);
        here = m.Or(m.Eq(axis, m.Int(a)), m.Eq(axis, m.Int(a - rank)));
      }
      const PrimRef step = b.steps > 0 ? Entry(te, b.steps, k) : one;
      if (b.steps > 0) te.Need(m.Ne(step, zero), "Slice needs steps other than 0");
      // For negative steps, from the last element to the one before the first.
      const PrimRef forward = m.Lt(zero, step);
      const PrimRef low = m.Select(forward, zero, m.Int(-1));
      const PrimRef high = m.Select(forward, dim, m.Sub(dim, one));
      const auto place = [&](int input) {
        return Clamp(m, ops::WrapIndex(m, Entry(te, input, k), dim), low, high);
      };
      const PrimRef begin = place(1), end = place(b.ends);
      const PrimRef span = m.Select(forward, m.Sub(end, begin), m.Sub(begin, end));
      const PrimRef stride = m.Max(m.Select(forward, step, m.Sub(zero, step)), one);
      const PrimRef rounded = m.FloorDiv(m.Add(span, m.Sub(stride, one)), stride);
      piece.begin = m.Select(here, begin, piece.begin);
      piece.step = m.Select(here, step, piece.step);
      piece.size = m.Select(here, m.Max(rounded, zero), piece.size);
    }
    pieces.push_back(piece);
  }
  return pieces;
}

// Slices with axes, bounds and steps from inputs. The result has the declared shape or, without
// one, new shape variables.
absl::StatusOr<Results> SliceAtRunTime(NodeCall& n) {
  const Operand x = n.In(0);
  auto dims = n.DeclaredDims(0);
  const auto count = n.CountOf(n.In(1), n.Rank(x));
  LATHE_RETURN_IF_ERROR(n.status());
  if (!count) return n.Unsupported() << "a dynamic number of bounds is not supported";
  const Dims from = n.DimsOf(x);
  Operands args = {x, n.In(1), n.In(2)};
  const int axes = n.Has(3) ? std::ssize(args) : -1;
  if (axes > 0) args.push_back(n.In(3));
  const int steps = n.Has(4) ? std::ssize(args) : -1;
  if (steps > 0) args.push_back(n.In(4));
  const Bounds bounds{*count, axes, 2, steps};
  if (!dims || dims->size() != from.size()) {
    dims = FoundDims(n, args, from.size(), [&](Te& te) {
      Dims sizes;
      for (const RunTimePiece& piece : PiecesOf(n, te, bounds, from)) sizes.push_back(piece.size);
      return sizes;
    });
  }
  return n.Kernel("slice", args, [&](Te& te) {
    const std::vector<RunTimePiece> pieces = PiecesOf(n, te, bounds, from);
    for (size_t a = 0; a < from.size(); ++a) {
      NeedSame(n, te, pieces[a].size, (*dims)[a], absl::StrCat("dimension ", a, " of the slice"));
    }
    return te.Compute("out", *dims, n.TypeOf(x), [&](const Indices& at) {
      Indices source;
      for (size_t a = 0; a < at.size(); ++a) {
        source.push_back(te.math().Add(pieces[a].begin, te.math().Mul(at[a], pieces[a].step)));
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
    if (!n.Has(1)) return n.Error() << "'starts' is missing";
    return SliceAtRunTime(n);
  }
  std::vector<int64_t> named;
  if (axes) named = *axes;
  for (size_t k = 0; !axes && k < starts->size(); ++k) named.push_back(static_cast<int64_t>(k));
  LATHE_ASSIGN_OR_RETURN(const auto along, n.Axes(named, static_cast<int>(from.size())));
  if (along.size() != starts->size() || ends->size() != starts->size() ||
      (steps && steps->size() != starts->size())) {
    return n.Error() << "'starts', 'ends', 'axes' and 'steps' must have equal lengths";
  }
  Dims dims = from;
  std::vector<Piece> pieces(from.size());
  for (size_t k = 0; k < along.size(); ++k) {
    const auto a = static_cast<size_t>(along[k]);
    const int64_t step = steps ? (*steps)[k] : 1;
    if (step == 0) return n.Error() << "a step must not be 0";
    pieces[a] = PieceOf(n, from[a], (*starts)[k], (*ends)[k], step);
    dims[a] = pieces[a].size;
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

}  // namespace lathe::onnx
