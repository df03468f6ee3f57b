// Imports Pad, whose pads are constant or known only at run time.
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Returns the pads if they are constant or symbolic.
std::optional<Dims> KnownPads(NodeCall& n) {
  std::optional<Dims> pads;
  for (const char* name : {"pads", "paddings"}) {
    if (n.HasAttribute(name)) pads = n.DimsFrom(n.Ints(name));
  }
  if (n.Has(1)) pads = n.ElementsOf(1);
  return pads;
}

absl::Status CheckPads(NodeCall& n, const Dims& pads, size_t axes) {
  for (PrimRef pad : pads) {
    const int64_t size = NodeCall::IntOf(pad).value_or(0);
    LATHE_RETURN_IF_ERROR(n.NeedSizes({n.ir().Int(size < 0 ? ~size : size)}));
  }
  if (pads.size() == 2 * axes) return absl::OkStatus();
  return n.Error() << pads.size() << " pads for " << axes << " axes; two for each axis are needed";
}

// Where the kernel inputs hold dynamic pads, and the axes that these are for: the constant `along`
// or, if `axes_at` is not negative, `count` axes in an input.
struct PadInputs {
  int pads_at = -1, axes_at = -1;
  int64_t count = 0;
  std::vector<int> along;
};

// Reads the dynamic pads before and after each axis.
std::pair<Dims, Dims> DynamicPads(NodeCall& n, Te& te, const PadInputs& in, size_t rank) {
  ScalarMath& m = te.math();
  NeedSame(n, te, n.LengthOf(te.Input(in.pads_at)->shape), m.Int(2 * in.count),
           "the number of pads");
  if (in.axes_at >= 0) {
    NeedSame(n, te, n.LengthOf(te.Input(in.axes_at)->shape), m.Int(in.count), "the number of axes");
    NeedAxes(n, te, in.axes_at, in.count, static_cast<int64_t>(rank));
  }
  Dims before(rank, m.Int(0)), after(rank, m.Int(0));
  for (size_t a = 0; a < rank; ++a) {
    for (int64_t k = 0; k < in.count; ++k) {
      PrimRef here = m.ir().Bool(true);
      if (in.axes_at >= 0) {
        const PrimRef axis = Entry(te, in.axes_at, k);
        const auto which = static_cast<int64_t>(a);
        here =
            m.Or(m.Eq(axis, m.Int(which)), m.Eq(axis, m.Int(which - static_cast<int64_t>(rank))));
      } else if (static_cast<size_t>(in.along[static_cast<size_t>(k)]) != a) {
        continue;
      }
      before[a] = m.Select(here, Entry(te, in.pads_at, k), before[a]);
      after[a] = m.Select(here, Entry(te, in.pads_at, k + in.count), after[a]);
    }
  }
  return {before, after};
}

// Reads the dynamic pads before each axis, and checks that all pads lead to `dims`.
Dims FrontPads(NodeCall& n, Te& te, const PadInputs& in, const Dims& from, const Dims& dims) {
  ScalarMath& m = te.math();
  const auto [front, back] = DynamicPads(n, te, in, from.size());
  for (size_t a = 0; a < from.size(); ++a) {
    NeedSame(n, te, m.Add(from[a], m.Add(front[a], back[a])), dims[a],
             absl::StrCat("dimension ", a, ", padded,"));
  }
  return front;
}

// Checks that there are elements to repeat in the modes other than "constant".
void NeedPadded(Te& te, const std::string& mode, const Dims& from, const Dims& dims) {
  ScalarMath& m = te.math();
  for (size_t a = 0; a < from.size(); ++a) {
    if (dims[a] == from[a]) continue;
    te.Need(m.Or(m.Lt(m.Int(0), from[a]), m.Le(dims[a], m.Int(0))),
            absl::StrCat("Pad by mode '", mode, "' needs elements along dimension ", a));
  }
}

// Returns the number of axes, by the length of their list or of that of the pads.
absl::StatusOr<int64_t> CountPaddedAxes(NodeCall& n, int64_t rank) {
  const auto axes = n.CountOf(n.In(3), rank);
  if (axes) return *axes;
  const Dims pads = n.DimsOf(n.In(1));
  const auto twice = pads.empty() ? std::nullopt : NodeCall::IntOf(pads[0]);
  if (!twice) return n.Unsupported() << "a dynamic number of axes is not supported";
  // Axes do not repeat.
  if (*twice % 2 != 0 || *twice < 0 || *twice / 2 > rank) {
    return n.Error() << "its pads are " << *twice << " numbers, two for each of up to " << rank
                     << " axes";
  }
  return *twice / 2;
}

// Returns the dimensions after padding by dynamic pads: the declared ones or, without them, new
// shape variables.
Dims PaddedDims(NodeCall& n, const Dims& from, const std::vector<int>& along, int64_t entries) {
  if (auto declared = n.DeclaredDims(0); declared && declared->size() == from.size()) {
    return *declared;
  }
  Operands args = {n.In(1)};
  PadInputs in{0, -1, std::ssize(along), along};
  if (n.Has(3) && !n.ConstantInts(3)) {
    in.axes_at = 1;
    in.count = entries;
    args.push_back(n.In(3));
  }
  return FoundDims(n, args, from.size(), [&](Te& te) {
    const auto [before, after] = DynamicPads(n, te, in, from.size());
    Dims sizes;
    for (size_t a = 0; a < from.size(); ++a) {
      sizes.push_back(te.math().Add(from[a], te.math().Add(before[a], after[a])));
    }
    return sizes;
  });
}

// Maps the index of an element of the padded tensor, less the padding before the axis, to that of
// the source, for the modes other than "constant".
PrimRef SourceIndex(ScalarMath& m, const std::string& mode, PrimRef index, PrimRef size) {
  const PrimRef last = m.Sub(size, m.Int(1));
  if (mode == "edge") return m.Min(m.Max(index, m.Int(0)), last);
  if (mode == "wrap") return m.FloorMod(index, size);
  // Reflects repeatedly if the padding exceeds the size.
  const PrimRef period = m.Max(m.Mul(last, m.Int(2)), m.Int(1));
  const PrimRef along_period = m.FloorMod(index, period);
  return NodeCall::IntOf(size) == 1 ? m.Int(0) : m.Min(along_period, m.Sub(period, along_period));
}

}  // namespace

absl::StatusOr<Results> ImportPad(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const size_t rank = from.size();
  const DType dtype = n.TypeOf(x);
  const std::string mode = n.String("mode", "constant");
  const std::optional<std::vector<int64_t>> axes = n.ConstantInts(3);
  const std::optional<Dims> pads = n.Has(3) && !axes ? std::nullopt : KnownPads(n);
  std::vector<int64_t> named;
  if (axes) named = *axes;
  for (size_t a = 0; !axes && a < rank; ++a) named.push_back(static_cast<int64_t>(a));
  LATHE_ASSIGN_OR_RETURN(const auto along, n.Axes(named, static_cast<int>(rank)));
  int64_t entries = 0;
  if (n.Has(3)) {
    LATHE_ASSIGN_OR_RETURN(entries, CountPaddedAxes(n, static_cast<int64_t>(rank)));
  }
  LATHE_RETURN_IF_ERROR(n.status());
  if (pads) LATHE_RETURN_IF_ERROR(CheckPads(n, *pads, along.size()));
  Dims dims = from;
  std::vector<PrimRef> before(rank, n.ir().Int(0));  // constant, or read by the kernel
  if (pads) {
    for (size_t k = 0; k < along.size(); ++k) {
      const auto a = static_cast<size_t>(along[k]);
      before[a] = (*pads)[k];
      const PrimRef both = n.math().Add((*pads)[k], (*pads)[k + along.size()]);
      dims[a] = n.Simplify(n.math().Add(from[a], both));
    }
  } else {
    dims = PaddedDims(n, from, along, entries);
    LATHE_RETURN_IF_ERROR(n.status());
  }
  for (PrimRef dim : dims) {
    if (NodeCall::IntOf(dim).value_or(0) < 0)
      return n.Error() << "negative pads exceed the dimension";
  }
  Operands args = {x};
  const int value_at = n.Has(2) && mode == "constant" ? 1 : -1;
  if (value_at > 0) args.push_back(n.In(2));
  PadInputs in{-1, -1, std::ssize(along), along};
  if (!pads) {
    in.pads_at = static_cast<int>(args.size());
    args.push_back(n.In(1));
  }
  if (!pads && !axes && n.Has(3)) {
    in.axes_at = static_cast<int>(args.size());
    in.count = entries;
    args.push_back(n.In(3));
  }
  return n.Kernel("pad", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (in.pads_at > 0) {
      before = FrontPads(n, te, in, from, dims);
    }
    if (mode != "constant") NeedPadded(te, mode, from, dims);
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      Indices source;
      PrimRef inside = m.ir().Bool(true);
      for (size_t a = 0; a < rank; ++a) {
        const PrimRef begin = before[a];
        if (NodeCall::IntOf(begin) == 0 && dims[a] == from[a]) {
          source.push_back(at[a]);
          continue;
        }
        PrimRef index = m.Sub(at[a], begin);
        if (mode == "edge" || mode == "wrap" || mode == "reflect") {
          index = SourceIndex(m, mode, index, from[a]);
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
