// Implements the gradient operators of Relax: of pooling, nll_loss and take. Each belongs to a
// forward operator, whose inference checks the attributes and shapes.
#include <string>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/ops.h"
#include "generator/ops/te/layout.h"
#include "generator/ops/te/pool_window.h"
#include "generator/ops/te/sum_dtype.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

constexpr std::pair<absl::string_view, absl::string_view> kForward[] = {
    {"relax.grad.avg_pool2d_backward", "relax.nn.avg_pool2d"},
    {"relax.grad.max_pool2d_backward", "relax.nn.max_pool2d"},
    {"relax.grad.nll_loss_backward", "relax.nn.nll_loss"},
    {"relax.grad.take_backward", "relax.take"},
};

ir::BufferRef Zeros(Te& te, ir::BufferRef like) {
  return te.Compute("out", like->shape, like->dtype,
                    [&](const Indices&) { return te.math().Const(0, like->dtype); });
}

}  // namespace

// The first argument is the gradient of the forward operator's result, the others are its
// arguments. The result has the info of the first of these.
absl::StatusOr<ir::StructInfoRef> InferGradient(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* gradient, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(TensorArg(c, call, 1).status());
  Call forward = call;
  for (const auto& [name, of] : kForward) {
    if (call.op()->name == name) forward.callee = FindOp(of);
  }
  forward.args.erase(forward.args.begin());
  LATHE_ASSIGN_OR_RETURN(ir::StructInfoRef result, forward.op()->infer(c, forward));
  const auto* wanted = result->As<TensorInfo>();
  if (wanted != nullptr && wanted->dims() != nullptr && gradient->dims() != nullptr) {
    bool same = wanted->ndim == gradient->ndim;
    for (int i = 0; same && i < wanted->ndim; ++i) {
      same = c.CanEqual((*wanted->dims())[i], (*gradient->dims())[i]);
    }
    if (!same) {
      return c.Error("op-argument-shape")
             << DescribeArg(c, call, 0) << " must have the type of the result of "
             << SurfaceName(forward) << ", " << ToString(result) << ", got "
             << ToString(c.InfoOf(call.args[0]));
    }
  }
  return c.InfoOf(call.args[1]);
}

// The gradient of a window goes to its first largest element, or is divided among all elements.
absl::StatusOr<ir::PrimFunc> ComputePoolGradient(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef gradient = te.Input(0), x = te.Input(1);
  const Layout in = *Layout::Parse(FindString(call, "layout"), PoolLayout(2));
  const Layout out = *Layout::Parse(FindString(call, "out_layout"), PoolLayout(2));
  const Dims image = in.ToCanonical(m, x->shape);
  const PoolWindow window = WindowOf(call);
  const Dims over = window.Over(m);
  const bool average = call.op()->name == "relax.grad.avg_pool2d_backward";
  const auto clamped = [&](Indices from) {
    for (size_t i = 2; i < from.size(); ++i) {
      from[i] = m.Max(m.Min(from[i], m.Sub(image[i], m.Int(1))), m.Int(0));
    }
    return in.IndicesFrom(m, from);
  };
  ir::BufferRef result = Zeros(te, x);
  Dims points = gradient->shape;
  points.insert(points.end(), over.begin(), over.end());
  const auto parts = [&](const Indices& point) {
    const auto split = point.end() - static_cast<std::ptrdiff_t>(over.size());
    return std::pair<Indices, Indices>{{point.begin(), split}, {split, point.end()}};
  };
  if (average) {
    const DType wide = SumDType(x->dtype);
    ir::BufferRef count = te.Reduce(
        "count", gradient->shape, over, te.Sum(wide), [&](const Indices& at, const Indices& r) {
          const bool pads = FindBool(call, "count_include_pad");
          return m.Cast(window.Counts(m, out.IndicesTo(m, at), r, image, pads), wide);
        });
    te.Accumulate("spread", result, points, [&](const Indices& point) {
      const auto [at, r] = parts(point);
      const auto [from, inside] = window.ElementAt(m, out.IndicesTo(m, at), r, image);
      const Indices to = clamped(from);
      const PrimRef whole = m.Cast(te.At(gradient, at), wide);
      const PrimRef share =
          m.Cast(m.Div(whole, m.Max(te.At(count, at), m.Const(1, wide))), x->dtype);
      return Te::Store{to, m.Add(te.At(result, to), m.Select(inside, share, m.Const(0, x->dtype)))};
    });
    return te.Finish({result});
  }
  const Reducer first_largest = {
      {m.Lowest(x->dtype), m.Int(0)}, [&](const Indices& acc, const Indices& value) {
        const PrimRef greater = m.Lt(acc[0], value[0]);
        return Indices{m.Select(greater, value[0], acc[0]), m.Select(greater, value[1], acc[1])};
      }};
  // The offset in the window, counted from 1; 0 for none.
  const std::vector<ir::BufferRef> found = te.ReduceSeveral(
      {"largest", "where"}, gradient->shape, over, first_largest,
      [&](const Indices& at, const Indices& r) {
        const auto [from, inside] = window.ElementAt(m, out.IndicesTo(m, at), r, image);
        const PrimRef value =
            m.IfThenElse(inside, te.At(x, in.IndicesFrom(m, from)), m.Lowest(x->dtype));
        return Indices{value, m.Add(m.Flatten(r, over), m.Int(1))};
      });
  te.Accumulate("hand", result, gradient->shape, [&](const Indices& at) {
    const PrimRef place = te.At(found[1], at);
    const Indices r = m.Unflatten(m.Max(m.Sub(place, m.Int(1)), m.Int(0)), over);
    const Indices to = clamped(window.ElementAt(m, out.IndicesTo(m, at), r, image).first);
    const PrimRef share =
        m.Select(m.Lt(m.Int(0), place), te.At(gradient, at), m.Const(0, x->dtype));
    return Te::Store{to, m.Add(te.At(result, to), share)};
  });
  return te.Finish({result});
}

// Minus the weight at the target class, divided by the sum of weights for the mean.
absl::StatusOr<ir::PrimFunc> ComputeNllLossGradient(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef gradient = te.Input(0), x = te.Input(1), targets = te.Input(2);
  ir::BufferRef weights = te.inputs() > 3 ? te.Input(3) : nullptr;
  const DType dtype = x->dtype;
  const PrimRef ignored = m.Int(IntAttr(call, "ignore_index"));
  const auto target = [&](const Indices& at) { return m.Cast(te.At(targets, at), DType::Int(64)); };
  const auto weight = [&](const Indices& at) {
    const PrimRef t = target(at);
    const PrimRef own = weights == nullptr ? m.Const(1, dtype) : te.At(weights, {t});
    return m.IfThenElse(m.Ne(t, ignored), own, m.Const(0, dtype));
  };
  const std::string reduction = FindString(call, "reduction");
  ir::BufferRef total =
      reduction != "mean" ? nullptr
                          : te.Reduce("total", {}, targets->shape, te.Sum(SumDType(dtype)),
                                      [&](const Indices&, const Indices& r) { return weight(r); });
  return te.Finish({te.Compute("out", x->shape, dtype, [&](const Indices& at) {
    const std::ptrdiff_t axis = at.size() > 1 ? 1 : 0;
    Indices place = at;
    place.erase(place.begin() + axis);
    PrimRef share = te.At(gradient, reduction == "none" ? place : Indices{});
    if (total != nullptr) {
      share = m.Cast(m.Div(m.Cast(share, total->dtype), te.At(total, {})), dtype);
    }
    const PrimRef value = m.Neg(m.Mul(weight(place), share));
    return m.Select(m.Eq(at[axis], target(place)), value, m.Const(0, dtype));
  })});
}

// Adds the gradient of each result element to its source element; repeated indices accumulate.
absl::StatusOr<ir::PrimFunc> ComputeTakeGradient(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef gradient = te.Input(0), x = te.Input(1), indices = te.Input(2);
  const int axis = FromFront(FindInt(call, "axis").value_or(0), static_cast<int>(x->shape.size()));
  const std::ptrdiff_t rank =
      indices == nullptr ? 0 : static_cast<std::ptrdiff_t>(indices->shape.size());
  PrimRef scalar = nullptr;
  if (indices == nullptr) {
    LATHE_ASSIGN_OR_RETURN(scalar, PrimValueOf(c, call, 2));
  }
  const std::string mode = FindString(call, "mode");
  PrimRef extent = x->shape[axis];
  ir::BufferRef result = Zeros(te, x);
  te.Accumulate("give", result, gradient->shape, [&](const Indices& at) {
    const Indices chosen(at.begin() + axis, at.begin() + axis + rank);
    PrimRef index = m.Cast(scalar == nullptr ? te.At(indices, chosen) : scalar, DType::Int(64));
    const PrimRef written = index;
    if (mode == "wrap") index = m.FloorMod(index, extent);
    if (mode == "clip" || mode == "nan") {
      index = m.Min(m.Max(index, m.Int(0)), m.Sub(extent, m.Int(1)));
    }
    PrimRef share = te.At(gradient, at);
    if (mode == "nan") {
      share = m.Select(m.InRange(written, m.Int(0), extent), share, m.Const(0, x->dtype));
    }
    Indices to(at.begin(), at.begin() + axis);
    to.push_back(index);
    to.insert(to.end(), at.begin() + axis + rank, at.end());
    return Te::Store{to, m.Add(te.At(result, to), share)};
  });
  return te.Finish({result});
}

}  // namespace lathe::ops
