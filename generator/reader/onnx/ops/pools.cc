// Imports pooling operators.
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/windows.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

struct Place {
  Indices at;      // in the image
  PrimRef inside;  // true inside the image
  PrimRef padded;  // true inside the image or its padding
};

Place PlaceIn(ScalarMath& m, const Windows& w, const Dims& dims, const Indices& at,
              const Indices& k) {
  Place place{{at[0], at[1]}, m.ir().Bool(true), m.ir().Bool(true)};
  for (size_t i = 0; i < w.rank(); ++i) {
    const PrimRef start = m.Mul(at[i + 2], m.Int(w.strides[i]));
    const PrimRef padded = m.Add(start, m.Mul(k[i], m.Int(w.dilations[i])));
    const bool symbolic = w.is_symbolic(i);
    const PrimRef before = symbolic ? w.symbolic_before[i] : m.Int(w.before[i]);
    const PrimRef total = symbolic ? w.symbolic_total[i] : m.Int(w.before[i] + w.after[i]);
    const PrimRef index = m.Sub(padded, before);
    place.at.push_back(index);
    place.padded = m.And(place.padded, m.Lt(padded, m.Add(dims[i + 2], total)));
    if (!symbolic && w.before[i] == 0 && w.after[i] == 0 && !w.ceil) continue;
    place.inside = m.And(place.inside, m.InRange(index, m.Int(0), dims[i + 2]));
  }
  return place;
}

ir::BufferRef MaxPool(Te& te, const Windows& w, const Dims& dims, const Dims& out,
                      const Dims& over) {
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  return te.Reduce("out", out, over, te.Max(x->dtype), [&](const Indices& at, const Indices& k) {
    const Place place = PlaceIn(m, w, dims, at, k);
    return m.IfThenElse(place.inside, te.At(x, place.at), m.Lowest(x->dtype));
  });
}

// Returns the maximum and the index of its first occurrence.
std::vector<ir::BufferRef> MaxPoolWithIndices(Te& te, const Windows& w, const Dims& dims,
                                              const Dims& out, const Dims& over, bool by_column) {
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const ops::Reducer reducer = {
      {m.Lowest(x->dtype), m.Int(-1)}, [&](const Indices& acc, const Indices& v) {
        const PrimRef found = m.Le(m.Int(0), v[1]);
        const PrimRef more = m.Or(m.Lt(acc[0], v[0]), m.Lt(acc[1], m.Int(0)));
        const PrimRef better = m.And(found, more);
        return std::vector<PrimRef>{m.Select(better, v[0], acc[0]), m.Select(better, v[1], acc[1])};
      }};
  return te.ReduceSeveral(
      {"out", "index"}, out, over, reducer, [&](const Indices& at, const Indices& k) {
        const Place place = PlaceIn(m, w, dims, at, k);
        PrimRef position = m.Flatten({at[0], at[1]}, {dims[0], dims[1]});
        if (by_column) {
          PrimRef inner = m.Int(0);
          for (size_t i = w.rank(); i-- > 0;) {
            inner = m.Add(m.Mul(inner, dims[i + 2]), place.at[i + 2]);
          }
          PrimRef area = m.Int(1);
          for (size_t i = 2; i < dims.size(); ++i) area = m.Mul(area, dims[i]);
          position = m.Add(m.Mul(position, area), inner);
        } else {
          position = m.Flatten(place.at, dims);
        }
        const PrimRef value = m.IfThenElse(place.inside, te.At(x, place.at), m.Lowest(x->dtype));
        return std::vector<PrimRef>{value, m.Select(place.inside, position, m.Int(-1))};
      });
}

ir::BufferRef AveragePool(NodeCall& n, Te& te, const Windows& w, const Dims& dims, const Dims& out,
                          const Dims& over) {
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const DType dtype = x->dtype;
  const DType wide = dtype.bits < 32 ? DType::Float(32) : dtype;
  const bool with_pads = n.Int("count_include_pad", 0) != 0;
  ir::BufferRef sum =
      te.Reduce("sum", out, over, te.Sum(wide), [&](const Indices& at, const Indices& k) {
        const Place place = PlaceIn(m, w, dims, at, k);
        return m.IfThenElse(place.inside, m.Cast(te.At(x, place.at), wide), m.Const(0, wide));
      });
  if (!w.ceil && (with_pads || !w.has_padding())) {
    double elements = 1;
    for (int64_t k : w.kernel) elements *= static_cast<double>(k);
    return te.Compute("out", out, dtype, [&](const Indices& at) {
      return m.Cast(m.Div(te.At(sum, at), m.Const(elements, wide)), dtype);
    });
  }
  ir::BufferRef count =
      te.Reduce("count", out, over, te.Sum(wide), [&](const Indices& at, const Indices& k) {
        const Place place = PlaceIn(m, w, dims, at, k);
        return m.Select(with_pads ? place.padded : place.inside, m.Const(1, wide),
                        m.Const(0, wide));
      });
  return te.Compute("out", out, dtype, [&](const Indices& at) {
    return m.Cast(m.Div(te.At(sum, at), te.At(count, at)), dtype);
  });
}

// The order of a norm, which was a float in operator set 1.
double NormOrder(NodeCall& n) {
  return n.opset() < 2 ? n.Float("p", 2) : static_cast<double>(n.Int("p", 2));
}

ir::BufferRef LpPool(NodeCall& n, Te& te, const Windows& w, const Dims& dims, const Dims& out,
                     const Dims& over) {
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const DType dtype = x->dtype;
  const PrimRef power = m.Const(NormOrder(n), dtype);
  ir::BufferRef sum =
      te.Reduce("sum", out, over, te.Sum(dtype), [&](const Indices& at, const Indices& k) {
        const Place place = PlaceIn(m, w, dims, at, k);
        const PrimRef value = m.Call("pow", {m.Call("abs", {te.At(x, place.at)}), power});
        return m.IfThenElse(place.inside, value, m.Const(0, dtype));
      });
  return te.Compute("out", out, dtype, [&](const Indices& at) {
    return m.Call("pow", {te.At(sum, at), m.Div(m.Const(1, dtype), power)});
  });
}

// Uses R.nn.*_pool2d, which requires 2-D images and complete windows.
Operand ImagePool(NodeCall& n, const Operand& x, const Windows& w) {
  const auto list = [](const std::vector<int64_t>& values) {
    ir::AttrList out;
    for (int64_t v : values) out.emplace_back(v);
    return out;
  };
  std::vector<int64_t> pads = w.before;
  pads.insert(pads.end(), w.after.begin(), w.after.end());
  const bool average = n.op() == "AveragePool";
  return n.Op(average ? "relax.nn.avg_pool2d" : "relax.nn.max_pool2d", {x},
              {{"pool_size", list(w.kernel)},
               {"strides", list(w.strides)},
               {"padding", list(pads)},
               {"dilation", list(w.dilations)},
               {"count_include_pad", average && n.Int("count_include_pad", 0) != 0}});
}

}  // namespace

absl::StatusOr<Results> ImportPool(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 3));
  const Dims dims = n.DimsOf(x), space(dims.begin() + 2, dims.end());
  LATHE_ASSIGN_OR_RETURN(const Windows w, WindowsOf(n, space, {}, true));
  LATHE_ASSIGN_OR_RETURN(const Dims counts, CountWindows(n, w, space));
  Dims out = {dims[0], dims[1]};
  out.insert(out.end(), counts.begin(), counts.end());
  const Dims over = n.DimsFrom(w.kernel);
  if (n.op() == "MaxPool" && n.Wants(1)) {
    const bool by_column = n.Int("storage_order", 0) != 0;
    return n.Kernels("max_pool", {x},
                     [&](Te& te) { return MaxPoolWithIndices(te, w, dims, out, over, by_column); });
  }
  if (n.op() != "LpPool" && n.Rank(x) == 4 && !w.ceil && !w.has_symbolic())
    return ImagePool(n, x, w);
  if (n.op() == "MaxPool") {
    return n.Kernel("max_pool", {x}, [&](Te& te) { return MaxPool(te, w, dims, out, over); });
  }
  return n.Kernel("pool", {x}, [&](Te& te) {
    return n.op() == "LpPool" ? LpPool(n, te, w, dims, out, over)
                              : AveragePool(n, te, w, dims, out, over);
  });
}

absl::StatusOr<Results> ImportGlobalPool(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 3));
  ir::AttrList axes;
  for (int axis = 2; axis < n.Rank(x); ++axis) axes.emplace_back(axis);
  const ir::AttrMap attrs = {{"axis", axes}, {"keepdims", true}};
  if (n.op() == "GlobalAveragePool") return n.Op("relax.mean", {x}, attrs);
  if (n.op() == "GlobalMaxPool") return n.Op("relax.max", {x}, attrs);
  const DType dtype = n.TypeOf(x);
  const double p = NormOrder(n);
  const Operand powers = n.Op("relax.power", {n.Op("relax.abs", {x}), n.Number(p, dtype)});
  const Operand sum = n.Op("relax.sum", {powers}, attrs);
  return n.Op("relax.power", {sum, n.Number(1.0 / p, dtype)});
}

// Scatters the elements to their indices; all other elements are zero.
absl::StatusOr<Results> ImportMaxUnpool(NodeCall& n) {
  const Operand x = n.In(0), indices = n.In(1);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 3));
  const Dims dims = n.DimsOf(x), space(dims.begin() + 2, dims.end());
  LATHE_ASSIGN_OR_RETURN(const Windows w, WindowsOf(n, space, {}));
  Dims inner = {dims[0], dims[1]};
  for (size_t i = 0; i < space.size(); ++i) {
    const PrimRef last =
        n.math().Mul(n.math().Sub(space[i], n.ir().Int(1)), n.ir().Int(w.strides[i]));
    const int64_t more = w.kernel[i] - w.before[i] - w.after[i];
    inner.push_back(n.Simplify(n.math().Add(last, n.ir().Int(more))));
  }
  Dims out = inner;
  bool at_run_time = false;
  if (n.Has(2)) {
    if (const auto known = n.ElementsOf(2)) {
      out = *known;
    } else if (const auto declared = n.DeclaredDims(0)) {
      out = *declared;
      at_run_time = true;
    } else if (const auto sizes = SizesIn(n, 2)) {
      out = *sizes;
    } else {
      return n.Unsupported() << "an output shape of dynamic length is not supported";
    }
  }
  if (out.size() != dims.size())
    return n.Error() << "the output shape and the input must have the same rank";
  if (n.Rank(indices) != n.Rank(x)) return n.Error() << "indices and input must have the same rank";
  Operands args = {x, indices};
  if (at_run_time) args.push_back(n.In(2));
  return n.Kernel("max_unpool", args, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSameDims(n, te, n.DimsOf(indices), dims, "the indices");
    if (at_run_time) NeedEntries(n, te, 2, out, "the output shape");
    const DType dtype = te.Input(0)->dtype;
    ir::BufferRef result =
        te.Compute("out", out, dtype, [&](const Indices&) { return m.Const(0, dtype); });
    te.Accumulate("unpool", result, dims, [&](const Indices& at) {
      const PrimRef place = m.Cast(te.At(te.Input(1), at), DType::Int(64));
      return Te::Store{m.Unflatten(place, inner), te.At(te.Input(0), at)};
    });
    return result;
  });
}

}  // namespace lathe::onnx
