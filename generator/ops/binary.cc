// Implements elementwise operators of two tensors, which broadcast: arithmetic, comparison, logic,
// bits.
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::BinaryOp;

// An operand: a tensor, or a scalar as a tensor of one element.
struct Side {
  TensorInfo tensor;
  bool scalar = false;
};

absl::StatusOr<Side> SideOf(InferContext& c, const Call& call, int i) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, i));
  if (const auto* prim = c.InfoOf(call.args[i])->As<ir::PrimInfo>()) {
    Side side{.scalar = true};
    side.tensor.shape = std::vector<PrimRef>{};
    side.tensor.ndim = 0;
    side.tensor.dtype = prim->dtype;
    return side;
  }
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* tensor, TensorArg(c, call, i));
  return Side{*tensor, false};
}

absl::StatusOr<StructInfoRef> InferElementwise(InferContext& c, const Call& call, bool compares) {
  LATHE_ASSIGN_OR_RETURN(const Side a, SideOf(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const Side b, SideOf(c, call, 1));
  DType dtype = DType::Bool();
  if (!compares) {
    const DType x = a.tensor.dtype, y = b.tensor.dtype;
    const bool known = !x.is_void() && !y.is_void();
    // A bool is compatible with every dtype, as in TVM; the result has the dtype of the first
    // operand.
    if (known && x != y && !x.is_bool() && !y.is_bool()) {
      return c.Error("op-argument-dtype")
             << DescribeArg(c, call, 0) << " and " << DescribeArg(c, call, 1)
             << " must have equal dtypes, got " << ToString(x) << " and " << ToString(y);
    }
    dtype = known ? x : DType::Void();
  }
  if (a.scalar && b.scalar) return c.ir().Prim(dtype);
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, {&a.tensor, &b.tensor}));
  LATHE_ASSIGN_OR_RETURN(const BroadcastShape out, Broadcast(c, call, 0, a.tensor, 1, b.tensor));
  return TensorOf(c.ir(), out.shape, out.ndim, dtype, device);
}

// x ** n for integers, modulo the range of the dtype, by repeated squaring. A negative n gives 0
// unless x is 1 or -1.
PrimRef IntPower(ScalarMath& m, PrimRef x, PrimRef n) {
  const DType dtype = x->dtype();
  const PrimRef one = m.Const(1, dtype), zero = m.Const(0, dtype);
  const PrimRef bits = m.Cast(n, DType::Int(64));
  std::vector<std::pair<PrimRef, PrimRef>> lets;
  PrimRef square = x, power = one;
  for (int bit = 0; bit < dtype.bits - (dtype.is_int() ? 1 : 0); ++bit) {
    const PrimRef mask = m.Int(int64_t(uint64_t{1} << bit));
    const PrimRef set = m.Ne(m.Binary(BinaryOp::kBitAnd, bits, mask), m.Int(0));
    const PrimRef next_power = m.ir().NewVar("power", dtype);
    lets.emplace_back(next_power, m.Mul(power, m.Select(set, square, one)));
    power = next_power;
    const PrimRef next_square = m.ir().NewVar("square", dtype);
    lets.emplace_back(next_square, m.Mul(square, square));
    square = next_square;
  }
  PrimRef result = power;
  if (dtype.is_int()) {
    const PrimRef odd = m.Ne(m.Binary(BinaryOp::kBitAnd, bits, m.Int(1)), m.Int(0));
    const PrimRef minus = m.Const(-1, dtype);
    const PrimRef inverse =
        m.Select(m.Eq(x, one), one, m.Select(m.Eq(x, minus), m.Select(odd, minus, one), zero));
    result = m.Select(m.Lt(n, m.Const(0, n->dtype())), inverse, power);
  }
  for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
    result = m.ir().Make(dtype, ir::Let{let->first, let->second, result});
  }
  return result;
}

PrimRef LogAddExp(ScalarMath& m, PrimRef a, PrimRef b) {
  const PrimRef distance = m.Call("abs", {m.Sub(a, b)});
  const PrimRef apart = m.Add(m.Max(a, b), m.Call("log1p", {m.Call("exp", {m.Neg(distance)})}));
  // Equal infinities have no defined difference.
  return m.Select(m.Eq(a, b), m.Add(a, m.Call("log", {m.Const(2, a->dtype())})), apart);
}

PrimRef Logical(ScalarMath& m, BinaryOp op, PrimRef a, PrimRef b) {
  const PrimRef zero = m.Const(0, a->dtype());
  const PrimRef x = a->dtype().is_bool() ? a : m.Ne(a, zero);
  const PrimRef y = b->dtype().is_bool() ? b : m.Ne(b, zero);
  return m.Cast(m.Binary(op, x, y), a->dtype());
}

using BinaryElement = PrimRef (*)(ScalarMath&, PrimRef, PrimRef);
struct BinaryRow {
  absl::string_view name;
  BinaryElement element;
};
template <BinaryOp op>
PrimRef Plain(ScalarMath& m, PrimRef a, PrimRef b) {
  return m.Binary(op, a, b);
}
// On bool, bits are truth values.
template <BinaryOp op, BinaryOp on_bool>
PrimRef Bits(ScalarMath& m, PrimRef a, PrimRef b) {
  return m.Binary(a->dtype().is_bool() ? on_bool : op, a, b);
}
template <BinaryOp op>
PrimRef Truth(ScalarMath& m, PrimRef a, PrimRef b) {
  return Logical(m, op, a, b);
}

constexpr BinaryRow kBinaryRows[] = {
    {"relax.add", Plain<BinaryOp::kAdd>},
    {"relax.atan2",
     [](ScalarMath& m, PrimRef a, PrimRef b) {
       return m.Call("atan2", {a, b});
     }},
    {"relax.bitwise_and", Bits<BinaryOp::kBitAnd, BinaryOp::kAnd>},
    {"relax.bitwise_or", Bits<BinaryOp::kBitOr, BinaryOp::kOr>},
    {"relax.bitwise_xor", Bits<BinaryOp::kBitXor, BinaryOp::kNe>},
    {"relax.divide", Plain<BinaryOp::kDiv>},
    {"relax.equal", Plain<BinaryOp::kEq>},
    {"relax.floor_divide",
     [](ScalarMath& m, PrimRef a, PrimRef b) {
       return a->dtype().is_floating() ? m.Call("floor", {m.Div(a, b)}) : m.FloorDiv(a, b);
     }},
    {"relax.floor_mod",
     [](ScalarMath& m, PrimRef a, PrimRef b) {
       if (!a->dtype().is_floating()) return m.FloorMod(a, b);
       return m.Sub(a, m.Mul(m.Call("floor", {m.Div(a, b)}), b));
     }},
    {"relax.greater", Plain<BinaryOp::kGt>},
    {"relax.greater_equal", Plain<BinaryOp::kGe>},
    {"relax.left_shift", Plain<BinaryOp::kShl>},
    {"relax.less", Plain<BinaryOp::kLt>},
    {"relax.less_equal", Plain<BinaryOp::kLe>},
    {"relax.log_add_exp", LogAddExp},
    {"relax.logical_and", Truth<BinaryOp::kAnd>},
    {"relax.logical_or", Truth<BinaryOp::kOr>},
    {"relax.logical_xor", Truth<BinaryOp::kNe>},
    {"relax.maximum", Plain<BinaryOp::kMax>},
    {"relax.minimum", Plain<BinaryOp::kMin>},
    {"relax.mod",
     [](ScalarMath& m, PrimRef a, PrimRef b) {
       if (!a->dtype().is_floating()) return m.Binary(BinaryOp::kMod, a, b);
       return m.Call("fmod", {a, b});
     }},
    {"relax.multiply", Plain<BinaryOp::kMul>},
    {"relax.not_equal", Plain<BinaryOp::kNe>},
    {"relax.power",
     [](ScalarMath& m, PrimRef a, PrimRef b) {
       return a->dtype().is_floating() ? m.Call("pow", {a, b}) : IntPower(m, a, b);
     }},
    {"relax.right_shift", Plain<BinaryOp::kShr>},
    {"relax.subtract", Plain<BinaryOp::kSub>},
};

}  // namespace

absl::StatusOr<StructInfoRef> InferArithmetic(InferContext& c, const Call& call) {
  return InferElementwise(c, call, /*compares=*/false);
}

namespace {

absl::StatusOr<StructInfoRef> InferOf(InferContext& c, const Call& call, absl::string_view wanted,
                                      bool (*takes)(DType)) {
  for (int i : {0, 1}) {
    LATHE_ASSIGN_OR_RETURN(const Side side, SideOf(c, call, i));
    const DType dtype = side.tensor.dtype;
    if (dtype.is_void() || takes(dtype)) continue;
    return c.Error("op-argument-dtype") << DescribeArg(c, call, i) << " must be of " << wanted
                                        << " dtype, got " << ToString(dtype);
  }
  return InferElementwise(c, call, /*compares=*/false);
}

}  // namespace

absl::StatusOr<StructInfoRef> InferFloats(InferContext& c, const Call& call) {
  return InferOf(c, call, "a floating-point", [](DType t) { return t.is_floating(); });
}

absl::StatusOr<StructInfoRef> InferBits(InferContext& c, const Call& call) {
  return InferOf(c, call, "an integer or bool",
                 [](DType t) { return t.is_integer() || t.is_bool(); });
}

absl::StatusOr<StructInfoRef> InferShift(InferContext& c, const Call& call) {
  return InferOf(c, call, "an integer", [](DType t) { return t.is_integer(); });
}

absl::StatusOr<StructInfoRef> InferComparison(InferContext& c, const Call& call) {
  return InferElementwise(c, call, /*compares=*/true);
}

absl::StatusOr<ir::PrimFunc> ComputeBinary(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  BinaryElement element = nullptr;
  for (const BinaryRow& row : kBinaryRows) {
    if (row.name == call.op()->name) element = row.element;
  }
  const Dims& dims = te.result_dims();
  std::array<PrimRef, 2> scalars = {nullptr, nullptr};
  for (int i : {0, 1}) {
    if (c.InfoOf(call.args[i])->As<ir::PrimInfo>() == nullptr) continue;
    LATHE_ASSIGN_OR_RETURN(scalars[i], PrimValueOf(c, call, i));
  }
  const auto side = [&](int i, const Indices& at) {
    if (scalars[i] != nullptr) return scalars[i];
    return te.AtBroadcast(te.Input(i), at);
  };
  return te.Finish({te.Compute("out", dims, te.result_dtype(), [&](const Indices& at) {
    const PrimRef a = side(0, at), b = side(1, at);
    const bool as_second = a->dtype().is_bool() || scalars[0] != nullptr;
    const DType shared = as_second ? b->dtype() : a->dtype();
    return element(te.math(), te.math().Cast(a, shared), te.math().Cast(b, shared));
  })});
}

}  // namespace lathe::ops
