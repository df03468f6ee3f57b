// Generates single bindings: casts, tuples, scalars, aliases, calls of kernels and external
// functions.
#include <algorithm>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/transform/call_to_tir.h"
#include "tests/random/op_rows.h"
#include "tests/random/statements.h"

namespace lathe::random {
namespace {

using ops::Indices;
using ops::Te;

StructInfoRef InfoOf(Sketch& s, const Tensor& x) { return s.context.Tensor(x.dims, x.dtype); }

// Knows nothing of the dimensions, then learns them as new shape variables.
void Forget(Sketch& s) {
  const Tensor x = s.Any(Kind::kNumber, 1);
  s.Note("match_cast: rank only");
  const Operand vague = s.builder.MatchCast(x.value, s.context.Tensor(x.ndim(), x.dtype));
  const Operand changed = s.Keep(s.builder.Op("relax.negative", {vague}));
  random::Dims dims;
  for (PrimRef dim : x.dims) dims.push_back(s.NewVar("m", s.SizeOf(dim)));
  s.Note("match_cast: new shape variables");
  s.Keep(s.builder.MatchCast(changed, s.context.Tensor(dims, x.dtype)));
}

void Rename(Sketch& s) {
  const Tensor x = s.Any(Kind::kAny, 1);
  random::Dims dims = x.dims;
  dims[0] = s.NewVar("m", s.SizeOf(dims[0]));
  s.Note("match_cast: new shape variables");
  s.Keep(s.builder.MatchCast(x.value, s.context.Tensor(dims, x.dtype)));
}

void CastTuple(Sketch& s) {
  const Tensor x = s.Any(Kind::kAny, 1), y = s.Any(Kind::kAny);
  const Operand tuple = s.Emit(s.builder.Tuple({x.value, y.value}));
  random::Dims dims = x.dims;
  dims[0] = s.NewVar("m", s.SizeOf(dims[0]));
  s.Note("match_cast: tuple");
  const Operand cast = s.Keep(
      s.builder.MatchCast(tuple, s.context.Tuple({s.context.Tensor(dims, x.dtype), InfoOf(s, y)})));
  s.Keep(s.builder.Field(cast, 0));
}

// A kernel that makes its output from one tensor: a sum, a product, what it is but turned.
ir::BufferRef Element(Te& te, ir::BufferRef x, bool turned) {
  auto& m = te.math();
  Dims shape = x->shape;
  if (turned && shape.size() == 2) std::swap(shape[0], shape[1]);
  return te.Compute("out", shape, x->dtype, [&](const Indices& at) {
    Indices from = at;
    if (turned && from.size() == 2) std::swap(from[0], from[1]);
    const PrimRef element = te.At(x, from);
    return turned ? element : m.Add(element, element);
  });
}

void CallOwnKernel(Sketch& s) {
  const Tensor x = s.Any(Kind::kNumber);
  const bool several = s.dice.Percent(35), turned = s.dice.Percent(40);
  s.Note(several ? "call_tir of several results" : "call_tir");
  const Operand result = s.Keep(s.builder.EmitTe("kernel", {x.value}, [&](Te& te) {
    std::vector<ir::BufferRef> out = {Element(te, te.Input(0), turned)};
    if (several) out.push_back(Element(te, te.Input(0), !turned));
    return out;
  }));
  if (several) s.Keep(s.builder.Field(result, static_cast<int>(s.dice.Below(2))));
}

// Sizes that no tensor has as a dimension are passed along.
void CallSized(Sketch& s) {
  const Tensor x = s.Any(Kind::kFloat, 0, 0);
  const PrimRef size =
      analysis::Simplify(s.context, s.context.Make(ir::BinaryOp::kAdd, s.Dim(), s.Int(1)));
  s.Note("call_tir with sizes");
  s.Keep(s.builder.EmitTe("sized", {x.value}, [&](Te& te) {
    auto& m = te.math();
    const ir::BufferRef from = te.Input(0);
    return std::vector{te.Compute("out", {size}, x.dtype, [&](const Indices& at) {
      return m.Add(te.At(from, {}), m.Cast(at[0], x.dtype));
    })};
  }));
}

void CallWithGradient(Sketch& s, bool local) {
  const Tensor x = s.Any(Kind::kFloat);
  std::vector<Te::NamedInfo> inputs = {{"x", InfoOf(s, x)}};
  absl::StatusOr<Te> te = Te::Of(s.context, inputs);
  if (!te.ok()) return;
  const ir::BufferRef out = Element(*te, te->Input(0), false);
  ir::PrimFunc func = te->Finish({out});
  const auto sizes = transform::AddSizeParams(func);
  if (!sizes.ok()) return;
  const ir::GlobalId id = s.builder.PrimFunc("twice", std::move(func));
  ir::Call call = transform::CallTir(id, {x.value}, *sizes, InfoOf(s, x));
  if (call.args.size() == 2 && local) {
    s.Invoke("relax.dist.call_tir_local_view", call.args, InfoOf(s, x));
    return;
  }
  s.Invoke("relax.call_tir_with_grad", call.args, InfoOf(s, x),
           {{"te_grad_name", AttrValue("twice_grad")}});
}

}  // namespace

void Cast(Sketch& s, const Place&) {
  switch (s.dice.Below(4)) {
    case 0:
      return Forget(s);
    case 1:
      return CastTuple(s);
    case 2:
      return void(s.Static(s.Any(Kind::kAny, 1)));
    default:
      return Rename(s);
  }
}

void TupleAndField(Sketch& s, const Place&) {
  s.Note("tuple");
  s.AllowSoft(true);
  Operands fields;
  for (size_t n = 1 + s.dice.Below(3); n > 0; --n) fields.push_back(s.Any(Kind::kAny).value);
  if (s.dice.Percent(30)) {
    s.Note("nested tuple");
    fields.push_back(s.builder.Tuple({fields[0], s.builder.Shape(s.SomeDims(2))}));
  }
  const auto some = [&](size_t size) { return static_cast<int>(s.dice.Below(size)); };
  const size_t size = fields.size();
  const Operand tuple = s.Emit(s.builder.Tuple(std::move(fields)));
  s.Note("field");
  const Operand field = s.Keep(s.builder.Field(tuple, some(size)));
  if (s.dice.Percent(20)) s.Keep(s.builder.Field(tuple, some(size)));
  const auto* inner = s.builder.InfoOf(field)->As<ir::TupleInfo>();
  if (inner != nullptr) s.Keep(s.builder.Field(field, some(inner->fields.size())));
}

void Scalar(Sketch& s, const Place&) {
  s.Note("scalar");
  const PrimRef value = analysis::Simplify(
      s.context, s.context.Make(ir::BinaryOp::kMul, s.Dim(), s.Int(s.dice.Between(1, 3))));
  const Operand scalar = s.Emit(Operand{ir::PrimValue{value}});
  if (!s.dice.Percent(40)) return;
  const PrimRef var = s.NewVar("p", s.SizeOf(value));
  s.Note("match_cast: scalar");
  s.Keep(s.builder.MatchCast(scalar, s.context.Prim(DType::Int(64), var)));
}

void Alias(Sketch& s, const Place&) {
  s.Note("another name");
  s.AllowSoft(true);
  const Operand value = s.Any(Kind::kAny).value;
  s.Emit(value);
}

void CallKernel(Sketch& s, const Place&) {
  switch (s.dice.Below(4)) {
    case 0:
      return CallSized(s);
    case 1:
      return CallWithGradient(s, s.dice.Percent(40));
    default:
      return CallOwnKernel(s);
  }
}

// x = x + y. The overwritten tensor is generated for this call and has no other use.
void CallInPlace(Sketch& s, const Place&) {
  const Tensor x = s.Any(Kind::kNumber);
  if (x.dtype.is_void()) return;
  const StructInfoRef info = InfoOf(s, x);
  absl::StatusOr<Te> te = Te::Of(s.context, {{"x", info}, {"y", info}});
  if (!te.ok()) return;
  const ir::BufferRef to = te->Input(0), from = te->Input(1);
  te->Assign("sum", to, to->shape, [&](const Indices& at) {
    return Te::Store{at, te->math().Add(te->At(to, at), te->At(from, at))};
  });
  ir::PrimFunc func = te->Finish({});
  const auto sizes = transform::AddSizeParams(func);
  if (!sizes.ok()) return;
  s.Note("call_tir_inplace");
  const ir::GlobalId id = s.builder.PrimFunc("grow", std::move(func));
  const Operand y = s.Like(x.dtype, x.dims);
  // Often like something that is there already, which must not be overwritten with it.
  const Operand fresh =
      s.builder.Op(s.dice.Of({"relax.negative", "relax.abs", "relax.nn.relu"}), {x.value});
  ir::Call call = transform::CallTir(id, {fresh, y}, *sizes, info);
  s.Invoke("relax.call_tir_inplace", call.args, info, {{"inplace_indices", Ints({0})}});
}

namespace {

void CallPure(Sketch& s) {
  const Tensor x = s.Any(Kind::kFloat);
  s.Note("call_pure_packed");
  s.Invoke("relax.call_pure_packed", {Operand{ir::ExternFunc{"vm.builtin.copy"}}, x.value},
           InfoOf(s, x));
}

void CallIntoResult(Sketch& s) {
  const Tensor x = s.Any(Kind::kFloat);
  s.Note("call_dps_packed");
  s.Invoke("relax.call_dps_packed",
           {Operand{ir::ExternFunc{"random.twice"}}, s.builder.Tuple({x.value})}, InfoOf(s, x));
}

void CallOverArgument(Sketch& s) {
  const Tensor x = s.Any(Kind::kFloat);
  s.Note("call_inplace_packed");
  const Operand fresh = s.builder.Op("relax.negative", {x.value});
  s.Invoke("relax.call_inplace_packed", {Operand{ir::ExternFunc{"random.grow"}}, fresh},
           InfoOf(s, x), {{"inplace_indices", Ints({0})}});
}

}  // namespace

void CallPacked(Sketch& s, const Place&) {
  constexpr void (*kCalls[])(Sketch&) = {CallPure, CallIntoResult, CallOverArgument};
  s.dice.From(kCalls)(s);
}

namespace {

void Print(Sketch& s) {
  s.builder.Op("relax.print", {Operand{ir::StringImm{"{}"}}, s.Any(Kind::kAny).value});
}

void Assert(Sketch& s) {
  const Operand yes = s.Constant(DType::Bool(), {}, {1});
  s.builder.Op("relax.assert_op", {yes, Operand{ir::StringImm{"no"}}});
}

void CallDirectly(Sketch& s) {
  s.Note("call of a packed function");
  const Tensor x = s.Any(Kind::kAny);
  ir::Call call;
  call.callee = ir::ExternFunc{"vm.builtin.copy"};
  call.args = {x.value};
  call.sinfo_args = {InfoOf(s, x)};
  s.Emit(std::move(call));
}

void CallBuiltin(Sketch& s) {
  const Tensor x = s.Any(Kind::kAny);
  s.Invoke("relax.call_builtin_with_ctx",
           {Operand{ir::ExternFunc{"vm.builtin.copy"}}, s.builder.Tuple({x.value})}, InfoOf(s, x));
}

void InvokeClosure(Sketch& s) {
  const Tensor x = s.Any(Kind::kNumber);
  const StructInfoRef info = InfoOf(s, x);
  const auto body = [&](const Operands& in, const Operand&) {
    s.builder.Op("relax.print", {Operand{ir::StringImm{"called with {}"}}, in[0]});
    return s.builder.Op("relax.add", {in[0], in[1]});
  };
  const Operand function =
      s.builder.LocalFunction("show", {{"u", info}, {"v", info}}, body, {.pure = false});
  const Operand bound = s.Op("relax.make_closure", {function, s.builder.Tuple({x.value})});
  s.Invoke("relax.invoke_closure", {bound, s.builder.Tuple({s.Like(x.dtype, x.dims)})}, info);
}

// A tensor in memory of its own, which a kernel fills; then it is freed.
void FillAndKill(Sketch& s) {
  const Tensor x = s.Any(Kind::kNumber);
  absl::StatusOr<Te> te = Te::Of(s.context, {{"x", InfoOf(s, x)}});
  if (!te.ok()) return;
  ir::PrimFunc func = te->Finish({Element(*te, te->Input(0), false)});
  const auto sizes = transform::AddSizeParams(func);
  if (!sizes.ok() || !sizes->empty()) return;
  const ir::GlobalId id = s.builder.PrimFunc("fill", std::move(func));
  const Operand zero = s.builder.Number(0), scope{ir::StringImm{"global"}};
  const Operand bytes{ir::DTypeImm{DType::UInt(8)}}, dtype{ir::DTypeImm{x.dtype}};
  const auto size = static_cast<int64_t>(Count(s.SizesOf(x.dims))) * 8;
  const Operand storage =
      s.builder.Op("relax.memory.alloc_storage",
                   {s.builder.Shape({s.Int(std::max<int64_t>(size, 65536))}), zero, scope, bytes});
  const Operand out =
      s.builder.Op("relax.memory.alloc_tensor", {storage, zero, s.builder.Shape(x.dims), dtype});
  s.builder.Op("relax.vm.call_tir_dyn", {Operand{id}, s.builder.Tuple({x.value, out})});
  s.Op("relax.negative", {out});
  s.builder.Op("relax.memory.kill_tensor", {out});
  s.builder.Op("relax.vm.kill_object", {out});
  s.builder.Op("relax.memory.kill_storage", {storage});
}

}  // namespace

void Effect(Sketch& s, const Place&) {
  s.Note("effect");
  constexpr void (*kEffects[])(Sketch&) = {Print,       Print,         Assert,     CallDirectly,
                                           CallBuiltin, InvokeClosure, FillAndKill};
  s.dice.From(kEffects)(s);
}

namespace {

using CallForm = void (*)(Sketch&);
template <CallForm form>
void CallRow(Sketch& s, const std::string&) {
  form(s);
}

void CallWithGradient(Sketch& s, const std::string& op) {
  CallWithGradient(s, op == "relax.dist.call_tir_local_view");
}
void CallOverwriting(Sketch& s, const std::string&) { CallInPlace(s, Place{}); }
void CallBound(Sketch& s, const std::string&) { BoundClosure(s, Place{}); }

constexpr OpRow kCallRows[] = {
    {"relax.assert_op", CallRow<Assert>, false, false},
    {"relax.call_builtin_with_ctx", CallRow<CallBuiltin>, false, false},
    {"relax.call_dps_packed", CallRow<CallIntoResult>},
    {"relax.call_inplace_packed", CallRow<CallOverArgument>},
    {"relax.call_pure_packed", CallRow<CallPure>},
    {"relax.call_tir", CallRow<CallOwnKernel>},
    {"relax.call_tir_inplace", CallOverwriting},
    {"relax.call_tir_with_grad", CallWithGradient},
    {"relax.dist.call_tir_local_view", CallWithGradient},
    {"relax.invoke_closure", CallRow<InvokeClosure>, false, false},
    {"relax.invoke_pure_closure", CallBound},
    {"relax.make_closure", CallRow<InvokeClosure>, false, false},
    {"relax.memory.kill_storage", CallRow<FillAndKill>, false, false},
    {"relax.memory.kill_tensor", CallRow<FillAndKill>, false, false},
    {"relax.print", CallRow<Print>, false, false},
    {"relax.vm.call_tir_dyn", CallRow<FillAndKill>, false, false},
    {"relax.vm.kill_object", CallRow<FillAndKill>, false, false},
};

}  // namespace

absl::Span<const OpRow> CallRows() { return kCallRows; }

}  // namespace lathe::random
