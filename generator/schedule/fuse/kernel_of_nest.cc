#include "generator/schedule/fuse/kernel_of_nest.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/lower/make_kernel.h"
#include "generator/nest/build_nest.h"
#include "generator/schedule/fuse/join_rows.h"
#include "generator/schedule/fuse/nest_key.h"
#include "generator/schedule/fuse/store_in_result.h"
#include "generator/support/check.h"
#include "generator/transform/legalize.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;

constexpr size_t kMaxOthersNamed = 8;

// Returns the shared scalars of the nest in order of first use.
std::vector<PrimRef> ScalarsIn(const nest::NestCall& call, const nest::SharedScalars& scalars) {
  std::vector<PrimRef> found;
  const auto add = [&](PrimRef e) {
    if (e == nullptr) return;
    for (PrimRef var : analysis::VarsIn(e)) {
      if (scalars.Has(var) && std::find(found.begin(), found.end(), var) == found.end()) {
        found.push_back(var);
      }
    }
  };
  const auto add_all = [&](const std::vector<PrimRef>& list) {
    for (PrimRef e : list) add(e);
  };
  for (BufferRef param : call.params) add_all(param->shape);
  for (BufferRef own : call.nest.own) add_all(own->shape);
  for (const ir::NestRows& rows : call.nest.rows) {
    for (const ir::NestAxis& axis : rows.axes) add(axis.extent);
  }
  for (const ir::NestStage& stage : call.nest.stages) {
    for (const ir::NestAxis& axis : stage.spatial) add(axis.extent);
    for (const ir::NestAxis& axis : stage.reduce) add(axis.extent);
    for (const ir::NestLet& let : stage.fold_lets) add(let.value);
    for (const ir::NestLet& let : stage.lets) add(let.value);
    for (PrimRef e : {stage.init, stage.update, stage.value}) add(e);
    add_all(stage.at);
  }
  return found;
}

}  // namespace

ir::KernelId NestKernels::KernelOf(const nest::NestCall& call, const std::vector<PrimRef>& vars,
                                   std::optional<ir::KernelForm> form) {
  const auto [it, is_new] = by_text_.try_emplace(NestKey(call, vars, !on_gpu_), made_.size());
  if (!is_new) {
    made_[it->second].also.push_back(call.origins.back().first);
    return made_[it->second].kernel;
  }
  ir::PrimFunc func;
  for (BufferRef param : call.params) func.params.push_back({param->data, param, {}});
  for (PrimRef var : vars) func.params.push_back({var, nullptr, {}});
  func.body = nest::BuildNest(ir_, call.nest);
  func.attrs[transform::kOperatorName] = ir::AttrValue(call.origins.back().second);
  if (call.has_user_loops) func.attrs[nest::kUserLoops] = ir::AttrValue(std::string("yes"));
  auto kernel = lower::MakeKernel(call.name, func, call.origins.back().second);
  LATHE_CHECK(kernel.ok(), "a nest that is no kernel");
  kernel->form = std::move(form);
  const ir::KernelId id = program_.kernels.Add(*std::move(kernel));
  made_.push_back({id, call.origins, {}, call.fused});
  return id;
}

ir::KernelStep NestKernels::StepOf(nest::NestCall call, const nest::SharedScalars& scalars) {
  std::optional<ir::KernelForm> form = chooser_.Choose(call);
  if (!on_gpu_) {
    StoreInResult(ir_, call.nest, form ? &*form : nullptr);
    JoinRows(ir_, call.nest, form ? &*form : nullptr);
  }
  const std::vector<PrimRef> vars = ScalarsIn(call, scalars);
  ir::KernelStep step{KernelOf(call, vars, std::move(form)), call.tensors, {}};
  const ir::Kernel& kernel = program_.kernels[step.kernel];
  analysis::ShapeVarMap values;
  for (size_t i = 0; i < vars.size(); ++i) {
    const PrimRef value = scalars.ValueOf(vars[i]);
    values[kernel.scalars[i]] = value;
    step.scalars.push_back(value);
  }
  for (size_t i = step.tensors.size(); i < kernel.buffers.size(); ++i) {
    const ir::Buffer& own = *kernel.buffers[i];
    ir::Tensor scratch{own.name, own.dtype, {}, ir::Home::kArena, {}, {}};
    for (PrimRef dim : own.shape) {
      const PrimRef size = analysis::Substitute(ir_, dim, values);
      scratch.shape.push_back(analysis::Simplify(ir_, ir_.MakeCast(ir::DType::Int(64), size)));
    }
    step.tensors.push_back(program_.tensors.Add(std::move(scratch)));
  }
  return step;
}

void NestKernels::Finish() {
  for (const Made& made : made_) {
    if (!made.fused) continue;
    std::vector<std::string> lines;
    for (const auto& [binding, origin] : made.origins) {
      lines.push_back(absl::StrCat(binding, " = ", origin));
    }
    if (!made.also.empty()) {
      std::vector<std::string> named = made.also;
      named.resize(std::min(named.size(), kMaxOthersNamed));
      const size_t others = made.also.size() - named.size();
      lines.push_back(absl::StrCat("and so ", absl::StrJoin(named, ", "),
                                   others > 0 ? absl::StrCat(" and ", others, " more") : ""));
    }
    program_.kernels[made.kernel].origin = absl::StrJoin(lines, "\n");
  }
}

}  // namespace lathe::schedule
