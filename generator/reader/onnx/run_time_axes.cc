#include "generator/reader/onnx/run_time_axes.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/run_time_shapes.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// How an operator combines elements.
struct Fold {
  const char* op;
  char kind;     // '+', '*', '<' minimum, '>' maximum
  char element;  // ' ' unchanged, 'a' absolute, 's' squared, 'e' exp of the difference to the
                 // maximum
};
constexpr Fold kFolds[] = {
    {"ReduceSum", '+', ' '},       {"ReduceProd", '*', ' '},      {"ReduceMax", '>', ' '},
    {"ReduceMin", '<', ' '},       {"ReduceMean", '+', ' '},      {"ReduceL1", '+', 'a'},
    {"ReduceL2", '+', 's'},        {"ReduceSumSquare", '+', 's'}, {"ReduceLogSum", '+', ' '},
    {"ReduceLogSumExp", '+', 'e'},
};

class Reduction {
 public:
  Reduction(Te& te, const Dims& dims) : te_(te), m_(te.math()), dims_(dims) {}

  // Returns 1 if axis `a` is reduced, else 0.
  PrimRef IsReduced(size_t a) {
    const int64_t count = NodeCall::IntOf(te_.Input(1)->shape[0]).value_or(0);
    return IsNamed(te_, 1, count, static_cast<int64_t>(a), std::ssize(dims_));
  }

  // Checks that the remaining dimensions, with 1 for reduced ones if `keep`, equal `result`.
  void NeedResult(NodeCall& n, const Dims& result, bool keep) {
    const int64_t rank = std::ssize(dims_);
    NeedAxes(n, te_, 1, NodeCall::IntOf(te_.Input(1)->shape[0]).value_or(0), rank);
    PrimRef place = m_.Int(0);
    for (size_t a = 0; a < dims_.size(); ++a) {
      const PrimRef reduced = IsReduced(a), one = m_.Int(1);
      PrimRef size = m_.Int(-1);
      for (size_t i = 0; i < result.size(); ++i) {
        size = m_.Select(m_.Eq(place, m_.Int(static_cast<int64_t>(i))), result[i], size);
      }
      const PrimRef kept = m_.Eq(dims_[a], size);
      const PrimRef gone = keep ? m_.Eq(size, one) : m_.ir().Bool(true);
      te_.Need(m_.Select(reduced, gone, kept),
               absl::StrCat(n.op(), " needs axes that lead to the declared shape"));
      place = m_.Add(place, keep ? one : m_.Select(reduced, m_.Int(0), one));
    }
    te_.Need(m_.Eq(place, m_.Int(std::ssize(result))),
             absl::StrCat(n.op(), " needs axes that lead to the declared rank"));
  }

  // Returns the index in the result to which the element at `at` contributes.
  Indices Target(const Indices& at, const Dims& result) {
    PrimRef position = m_.Int(0);
    for (size_t a = 0; a < at.size(); ++a) {
      const PrimRef reduced = IsReduced(a);
      position = m_.Add(m_.Mul(position, m_.Select(reduced, m_.Int(1), dims_[a])),
                        m_.Select(reduced, m_.Int(0), at[a]));
    }
    return m_.Unflatten(position, result);
  }

  PrimRef Count() {
    PrimRef count = m_.Int(1);
    for (size_t a = 0; a < dims_.size(); ++a) {
      count = m_.Mul(count, m_.Select(IsReduced(a), dims_[a], m_.Int(1)));
    }
    return count;
  }

  ir::BufferRef Run(const std::string& name, const Dims& result, DType dtype, char kind,
                    const std::function<PrimRef(const Indices&, const Indices&)>& element) {
    const PrimRef start = kind == '+'   ? m_.Const(0, dtype)
                          : kind == '*' ? m_.Const(1, dtype)
                          : kind == '>' ? m_.Lowest(dtype)
                                        : m_.Highest(dtype);
    ir::BufferRef out = te_.Compute(name, result, dtype, [&](const Indices&) { return start; });
    te_.Accumulate(name + "_elements", out, dims_, [&](const Indices& at) {
      const Indices to = Target(at, result);
      const PrimRef old = te_.At(out, to), value = element(at, to);
      const bool boolean = dtype.is_bool();
      const PrimRef next = kind == '+'   ? m_.Add(old, value)
                           : kind == '*' ? m_.Mul(old, value)
                           : kind == '>' ? (boolean ? m_.Or(old, value) : m_.Max(old, value))
                                         : (boolean ? m_.And(old, value) : m_.Min(old, value));
      return Te::Store{to, next};
    });
    return out;
  }

 private:
  Te& te_;
  ScalarMath& m_;
  const Dims& dims_;
};

// Returns the shape of the result for `count` axes that the run reads, as new shape variables.
std::optional<Dims> FoundReduced(NodeCall& n, const Operand& axes, const Dims& dims,
                                 int64_t count) {
  if (n.Int("keepdims", 1) == 0) return FoundSqueezed(n, dims);
  return FoundDims(n, {axes}, dims.size(), [&](Te& te) {
    ScalarMath& m = te.math();
    Dims sizes;
    for (const PrimRef dim : dims) {
      const PrimRef named = IsNamed(te, 0, count, std::ssize(sizes), std::ssize(dims));
      sizes.push_back(m.Select(named, m.Int(1), dim));
    }
    return sizes;
  });
}

}  // namespace

PrimRef FiniteOrZero(ScalarMath& m, PrimRef v) {
  const DType dtype = v->dtype();
  const PrimRef finite = m.And(m.Lt(m.Lowest(dtype), v), m.Lt(v, m.Highest(dtype)));
  return m.Select(finite, v, m.Const(0, dtype));
}

absl::StatusOr<Results> ReduceAtRunTime(NodeCall& n, const Operand& x, const Operand& axes) {
  std::optional<Dims> result = n.DeclaredDims(0);
  const Dims dims = n.DimsOf(x);
  const auto count = n.CountOf(axes, std::ssize(dims));
  LATHE_RETURN_IF_ERROR(n.status());
  if (!result && count && *count > 0) result = FoundReduced(n, axes, dims, *count);
  if (!result || !count) {
    return n.Unsupported() << "a dynamic number of axes without a declared output shape is not "
                              "supported";
  }
  const Fold* fold = nullptr;
  for (const Fold& row : kFolds) {
    if (n.op() == row.op) fold = &row;
  }
  if (fold == nullptr) return n.Unsupported() << "dynamic axes are not supported here";
  const DType dtype = n.TypeOf(x);
  const DType wide = DType::Float(64);
  if (n.op() == "ReduceLogSumExp" && !dtype.is_floating()) {
    // As for constant axes, in float64.
    LATHE_ASSIGN_OR_RETURN(Results of_reals, ReduceAtRunTime(n, n.Cast(x, wide), axes));
    return n.Cast(Materialize(n.import(), of_reals.terms[0]), dtype);
  }
  return n.Kernel("reduce", {x, axes}, [&](Te& te) {
    ScalarMath& m = te.math();
    Reduction reduction(te, dims);
    reduction.NeedResult(n, *result, n.Int("keepdims", 1) != 0);
    const auto value = [&](const Indices& at) { return te.At(te.Input(0), at); };
    ir::BufferRef most = nullptr;
    if (fold->element == 'e') {
      most = reduction.Run("most", *result, dtype, '>',
                           [&](const Indices& at, const Indices&) { return value(at); });
      most = te.Compute("finite", *result, dtype,
                        [&](const Indices& at) { return FiniteOrZero(m, te.At(most, at)); });
    }
    ir::BufferRef sum = reduction.Run(
        "total", *result, dtype, fold->kind, [&](const Indices& at, const Indices& to) {
          const PrimRef v = value(at);
          if (fold->element == 'a') return m.Call("abs", {v});
          if (fold->element == 's') return m.Mul(v, v);
          return fold->element == 'e' ? m.Call("exp", {m.Sub(v, te.At(most, to))}) : v;
        });
    // Computes roots and logarithms of integers in float and truncates the result.
    const auto real = [&](const char* function, PrimRef v) {
      if (dtype.is_floating()) return m.Call(function, {v});
      return m.Cast(m.Call(function, {m.Cast(v, wide)}), dtype);
    };
    return te.Compute("out", *result, dtype, [&](const Indices& at) {
      const PrimRef v = te.At(sum, at);
      const std::string& op = n.op();
      if (op == "ReduceMean") return m.Div(v, m.Cast(reduction.Count(), dtype));
      if (op == "ReduceL2") return real("sqrt", v);
      if (op == "ReduceLogSum") return real("log", v);
      if (op == "ReduceLogSumExp") return m.Add(m.Call("log", {v}), te.At(most, at));
      return v;
    });
  });
}

}  // namespace lathe::onnx
