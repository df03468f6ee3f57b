#include "generator/interp/kernel/compile_call.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/call_steps.h"
#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/compile_intrinsic.h"
#include "generator/ir/intrinsic.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ir::PrimRef;

constexpr absl::string_view kCalls[] = {
    "call_global",          "call_extern",          "call_pure_extern",
    "call_packed",          "call_cpacked",         "call_packed_lowered",
    "call_cpacked_lowered", "call_trace_packed",    "call_trace_packed_lowered",
    "call_llvm_intrin",     "call_llvm_pure_intrin"};

// tvm_stack_make_array(data, shape, strides, ndim, dtype, offset): creates a tensor for a call.
bool MadeArray(CodeBuilder& b, const ir::Intrinsic& n, CallArg* arg) {
  if (n.name != "tvm_stack_make_array" || n.args.size() < 5) return false;
  const auto* shape = n.args[1]->As<ir::Intrinsic>();
  if (shape == nullptr || shape->name != "tvm_stack_make_shape") return false;
  std::vector<uint32_t> dims;
  for (PrimRef dim : shape->args) dims.push_back(CompileScalarExpr(b, dim));
  arg->kind = CallArg::Kind::kTensor;
  arg->reg = CompileScalarExpr(b, n.args[0]);
  arg->dtype = n.args[4]->dtype();
  arg->ndim = static_cast<uint32_t>(dims.size());
  arg->shape = b.AddOperands(dims);
  return true;
}

CallArg WholeBuffer(CodeBuilder& b, ir::BufferRef buffer) {
  CallArg arg;
  std::vector<uint32_t> dims;
  for (PrimRef dim : buffer->shape) dims.push_back(CompileScalarExpr(b, dim));
  arg.kind = CallArg::Kind::kTensor;
  arg.reg = CompileScalarExpr(b, buffer->data);
  arg.dtype = buffer->dtype;
  arg.ndim = static_cast<uint32_t>(dims.size());
  arg.shape = b.AddOperands(dims);
  if (!buffer->strides.empty() || buffer->elem_offset != nullptr) {
    b.Unsupported("run-unsupported-intrinsic",
                  absl::StrCat("'", buffer->name,
                               "' has strides or an offset; only compact buffers can be passed"));
  }
  return arg;
}

CallArg CompileArg(CodeBuilder& b, PrimRef e) {
  CallArg arg;
  if (const auto* text = e->As<ir::StringImm>()) {
    arg.kind = CallArg::Kind::kString;
    arg.text = text->value;
    return arg;
  }
  if (const auto* region = e->As<ir::RegionArg>(); region != nullptr && region->mins.empty()) {
    return WholeBuffer(b, region->buffer);
  }
  if (const auto* made = e->As<ir::Intrinsic>(); made != nullptr && MadeArray(b, *made, &arg)) {
    return arg;
  }
  arg.reg = CompileScalarExpr(b, e);
  arg.dtype = e->dtype();
  if (e->dtype().is_handle()) {
    arg.kind = CallArg::Kind::kPointer;
    arg.dtype = PointeeOf(e);
  }
  return arg;
}

}  // namespace

bool IsCall(absl::string_view intrinsic) {
  for (absl::string_view name : kCalls) {
    if (name == intrinsic) return true;
  }
  return false;
}

Lanes CompileCall(CodeBuilder& b, const ir::Intrinsic& n, DType t) {
  const auto* name = n.args.empty() ? nullptr : n.args[0]->As<ir::StringImm>();
  if (name == nullptr) {
    return {b.Unsupported("run-unsupported-intrinsic",
                          absl::StrCat(n.name, " needs the name of the callee as a literal"))};
  }
  std::vector<PrimRef> args(n.args.begin() + 1, n.args.end());
  const std::optional<ir::Intrinsic> llvm = ir::LlvmMath(n);
  const bool by_name = n.name == "call_extern" || n.name == "call_pure_extern";
  if ((llvm || (by_name && t.is_floating())) && !args.empty()) {
    const std::string& math = llvm ? llvm->name : name->value;
    const std::vector<PrimRef>& given = llvm ? llvm->args : args;
    if (std::optional<Lanes> lanes = CompileScalarIntrinsic(b, math, given, t)) return *lanes;
  }
  if (absl::StartsWith(n.name, "call_llvm")) {
    return {b.Unsupported(
        "run-unsupported-intrinsic",
        absl::StrCat("the LLVM intrinsic '", name->value,
                     "' cannot be evaluated by the interpreter; mathematical ones can"))};
  }
  CallInfo call;
  call.kind = n.name == "call_global" ? CallInfo::Kind::kGlobal : CallInfo::Kind::kExtern;
  call.name = name->value;
  for (PrimRef arg : args) call.args.push_back(CompileArg(b, arg));
  call.ret = t;
  b.code().calls.push_back(std::move(call));
  Instr instr{CallStep, b.NewReg(), static_cast<uint32_t>(b.code().calls.size() - 1)};
  instr.to = t;
  b.Emit(instr);
  if (LaneCount(t) > 1) {
    b.Unsupported("run-unsupported-intrinsic",
                  absl::StrCat("'", name->value,
                               "' returns a vector; external functions must return scalars"));
  }
  return Lanes(static_cast<size_t>(LaneCount(t)), instr.dst);
}

DType PointeeOf(PrimRef e) {
  if (const auto* var = e->As<ir::SymVar>()) return var->pointee;
  const auto* n = e->As<ir::Intrinsic>();
  if (n == nullptr || n->args.empty()) return DType::Void();
  if (n->name == "address_of") {
    const auto* load = n->args[0]->As<ir::Load>();
    return load == nullptr ? DType::Void() : load->buffer->dtype;
  }
  if (n->name == "tvm_access_ptr") return n->args[0]->dtype();
  if (n->name == "ptr_byte_offset" || n->name == "handle_add_byte_offset") {
    return PointeeOf(n->args[0]);
  }
  return DType::Void();
}

}  // namespace lathe::interp
