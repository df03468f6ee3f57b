#include "generator/analysis/derive/derive_prim_func.h"

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/intrinsic.h"

namespace lathe::analysis {

using ir::PrimRef;
using ir::StructInfoRef;

namespace {

bool IsEffectFreeIntrinsic(absl::string_view name) {
  constexpr absl::string_view kKnown[] = {"if_then_else", "likely", "large_uint_imm", "reinterpret",
                                          "ret"};
  const ir::IntrinsicInfo* info = ir::FindIntrinsic(name);
  return (info != nullptr && info->is_math) || absl::c_linear_search(kKnown, name);
}

bool CallsEffects(PrimRef e) {
  const auto* call = e->As<ir::Intrinsic>();
  bool calls = call != nullptr && !IsEffectFreeIntrinsic(call->name);
  ir::ForEachOperand(e, [&](PrimRef operand) { calls = calls || CallsEffects(operand); });
  return calls;
}

// Returns true if the statements write only memory that they allocate, and call functions without
// effects only.
bool IsEffectFree(ir::StmtRef body) {
  absl::flat_hash_set<PrimRef> own;
  bool free = true;
  const auto calls = [&](PrimRef e) { free = free && (e == nullptr || !CallsEffects(e)); };
  ir::ForEachStmt(body, [&](ir::StmtRef stmt) {
    if (const auto* alloc = stmt->As<ir::AllocStmt>()) own.insert(alloc->buffer->data);
    if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (ir::BufferRef buffer : block->allocs) own.insert(buffer->data);
    }
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      free = free && own.contains(store->buffer->data);
      calls(store->value);
      for (PrimRef index : store->indices) calls(index);
    }
    if (const auto* let = stmt->As<ir::LetStmt>()) calls(let->value);
    if (const auto* branch = stmt->As<ir::IfStmt>()) calls(branch->cond);
    if (const auto* loop = stmt->As<ir::WhileStmt>()) calls(loop->cond);
    if (const auto* check = stmt->As<ir::AssertStmt>()) calls(check->cond);
    if (const auto* ret = stmt->As<ir::ReturnStmt>()) calls(ret->value);
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      calls(loop->min);
      calls(loop->extent);
      free = free && loop->kind != ir::LoopKind::kThreadBinding;
    }
    free = free && stmt->As<ir::EvaluateStmt>() == nullptr && stmt->As<ir::AttrStmt>() == nullptr;
  });
  return free;
}

}  // namespace

bool IsPurePrimFunc(const ir::PrimFunc& f) {
  return f.ret && f.body != nullptr && IsEffectFree(f.body);
}

StructInfoRef DerivePrimFunc(ir::Context& context, const ir::PrimFunc& f) {
  std::vector<StructInfoRef> params;
  params.reserve(f.params.size());
  for (const ir::PrimParam& param : f.params) {
    if (param.buffer == nullptr) {
      const ir::DType dtype = param.var->dtype();
      params.push_back(dtype.is_handle() ? context.Object() : context.Prim(dtype));
      continue;
    }
    // Relax dimensions are int64, those of PrimFuncs may be int32; constants are converted.
    std::vector<PrimRef> dims = param.buffer->shape;
    for (PrimRef& dim : dims) {
      if (const auto* imm = dim->As<ir::IntImm>()) dim = context.Int(imm->value);
    }
    params.push_back(context.Tensor(std::move(dims), param.buffer->dtype));
  }
  StructInfoRef ret = f.ret ? context.Prim(*f.ret) : context.Tuple({});
  return context.Make(ir::StructInfo::Node(
      ir::FuncInfo{std::move(params), ret, IsPurePrimFunc(f), ir::Derive::kNone}));
}

}  // namespace lathe::analysis
