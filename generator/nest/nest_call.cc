#include "generator/nest/nest_call.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/parse_nest.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/transform/legalize.h"

namespace lathe::nest {
namespace {

using ir::BufferRef;
using ir::PrimRef;

class CallMaker {
 public:
  CallMaker(ir::Context& context, RewriteScalar& rewrite) : ir_(context), rewrite_(rewrite) {}

  BufferRef NewBuffer(const ir::Buffer& from, const char* scope) {
    ir::Buffer buffer;
    buffer.name = from.name;
    buffer.dtype = from.dtype;
    buffer.scope = from.scope;
    for (PrimRef dim : from.shape) {
      buffer.shape.push_back(analysis::Simplify(ir_, rewrite_(dim)));
    }
    buffer.data = ir_.NewPointer(buffer.name, buffer.dtype, scope);
    return ir_.NewBuffer(std::move(buffer));
  }

  void Axes(std::vector<NestAxis>& axes) {
    for (NestAxis& axis : axes) {
      const PrimRef var = ir_.NewVar(ir::ToString(axis.var), axis.var->dtype());
      axis.extent = analysis::Simplify(ir_, rewrite_(axis.extent));
      rewrite_.Replace(axis.var, var);
      axis.var = var;
    }
  }
  void Lets(std::vector<NestLet>& lets) {
    for (NestLet& let : lets) {
      const PrimRef value = rewrite_(let.value);
      const PrimRef var = ir_.NewVar(ir::ToString(let.var), let.var->dtype());
      rewrite_.Replace(let.var, var);
      let = {var, value};
    }
  }
  void Stage(NestStage& stage) {
    Axes(stage.spatial);
    Axes(stage.reduce);
    if (stage.acc != nullptr) {
      const BufferRef acc = NewBuffer(*stage.acc, "local");
      rewrite_.Replace(stage.acc, acc);
      stage.acc = acc;
      stage.init = rewrite_(stage.init);
      Lets(stage.fold_lets);
      stage.update = rewrite_(stage.update);
    }
    Lets(stage.lets);
    stage.value = rewrite_(stage.value);
    stage.to = rewrite_(stage.to);
    stage.at = rewrite_(stage.at);
  }

 private:
  ir::Context& ir_;
  RewriteScalar& rewrite_;
};

bool IsCompact(const ir::Buffer& buffer) {
  return buffer.strides.empty() &&
         (buffer.elem_offset == nullptr || (buffer.elem_offset->As<ir::IntImm>() != nullptr &&
                                            buffer.elem_offset->As<ir::IntImm>()->value == 0));
}

}  // namespace

BufferRef NestCall::ParamOf(ir::TensorId tensor) const {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] == tensor) return params[i];
  }
  return nullptr;
}

PrimRef SharedScalars::Of(PrimRef formal, PrimRef value) {
  const PrimRef cast = analysis::Simplify(context_, context_.MakeCast(formal->dtype(), value));
  if (cast->As<ir::IntImm>() != nullptr) return cast;
  const auto [it, is_new] = vars_.try_emplace({cast, formal->dtype().bits}, nullptr);
  if (is_new) {
    it->second = context_.NewVarLike(formal);
    values_[it->second] = cast;
  }
  return it->second;
}

std::optional<NestCall> MakeNestCall(ir::Context& context, const ir::Program& program,
                                     const ir::KernelStep& step, SharedScalars& scalars) {
  const ir::Kernel& kernel = program.kernels[step.kernel];
  auto nest = ParseNest(context, kernel.func);
  if (!nest) return std::nullopt;
  NestCall call;
  RewriteScalar rewrite(context);
  for (size_t i = 0; i < kernel.scalars.size(); ++i) {
    rewrite.Replace(kernel.scalars[i], scalars.Of(kernel.scalars[i], step.scalars[i]));
  }
  CallMaker maker(context, rewrite);
  absl::flat_hash_set<BufferRef> own(nest->own.begin(), nest->own.end());
  std::vector<BufferRef> formals;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const BufferRef formal = kernel.buffers[i];
    if (own.contains(formal)) continue;
    if (!IsCompact(*formal)) return std::nullopt;
    formals.push_back(formal);
    BufferRef buffer = call.ParamOf(step.tensors[i]);
    if (buffer == nullptr) {
      buffer = maker.NewBuffer(*formal, "global");
      call.params.push_back(buffer);
      call.tensors.push_back(step.tensors[i]);
    }
    rewrite.Replace(formal, buffer);
  }
  for (BufferRef& buffer : nest->own) {
    if (!IsCompact(*buffer)) return std::nullopt;
    const BufferRef mine = maker.NewBuffer(*buffer, "global");
    rewrite.Replace(buffer, mine);
    buffer = mine;
  }
  for (NestStage& stage : nest->stages) maker.Stage(stage);
  call.nest = *std::move(nest);
  call.result = call.nest.stages.back().to;
  for (const NestStage& stage : call.nest.stages) {
    const bool is_own =
        std::find(call.nest.own.begin(), call.nest.own.end(), stage.to) != call.nest.own.end();
    if (!is_own && stage.to != call.result) return std::nullopt;
  }
  const auto result = std::find(call.params.begin(), call.params.end(), call.result);
  if (result == call.params.end()) return std::nullopt;
  const ir::TensorId written = call.tensors[static_cast<size_t>(result - call.params.begin())];
  int given = 0;  // occurrences of the result, under any name
  for (size_t i = 0; i < formals.size(); ++i) {
    if (program.Whole(step.tensors[i]) == program.Whole(written)) ++given;
  }
  if (given != 1) return std::nullopt;
  call.name = kernel.name;
  call.has_user_loops =
      ir::FindAttr<std::string>(kernel.func.attrs, transform::kOperatorName) == nullptr;
  call.origins = {{program.tensors[written].name, kernel.origin}};
  return call;
}

bool HasUserLoops(const ir::PrimFunc& func) {
  return ir::FindAttr<std::string>(func.attrs, transform::kOperatorName) == nullptr ||
         ir::FindAttr<std::string>(func.attrs, kUserLoops) != nullptr;
}

}  // namespace lathe::nest
