#include "generator/emit/cuda/cuda_kernel_dialect.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/threads_synchronize.h"
#include "generator/emit/c/kernel/c_kernel_dialect.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_allreduce.h"
#include "generator/emit/cuda/print_device_call.h"
#include "generator/support/status.h"

namespace lathe::emit {

void CudaKernelDialect::IncludeCallees(CNeeds& needs) const {
  needs.headers.insert(FunctionsHeader(needs.prefix));
}

void CudaKernelDialect::DeclareExtern(CNeeds& needs, const CName& name,
                                      const std::string& prototype) const {
  if (IsCudaFunction(name.str())) return;
  needs.headers.insert(OutsideHeader(needs.prefix));
  needs.externs.try_emplace(name, absl::StrCat("extern \"C\" __device__ ", prototype));
}

ThreadBinding CudaKernelDialect::BindThread(CScope& scope, const schedule::ThreadLoop& loop,
                                            LineWriter& out) const {
  if (!schedule::IsGridThread(loop)) return ThreadBinding::kLoop;
  const ir::DType declared = scope.wide ? ir::DType::Int(64) : ir::DType::Int(32);
  const std::string name = scope.names.Unique(ir::ToString(loop.var));
  const analysis::Interval count = analysis::BoundsOf(scope.ir, loop.extent, scope.ranges);
  scope.ranges.Bound(loop.var, {0, count.hi == analysis::kPosInf ? count.hi : count.hi - 1});
  scope.vars[loop.var] = {name, declared};
  const int axis = analysis::ThreadAxis(loop.thread);
  if (axis >= 0) scope.threads.push_back({loop.var, axis, loop.extent});
  out.Line("const ", CType(declared), " ", name, " = (", CType(declared), ")", loop.thread, ";");
  return ThreadBinding::kThreads;
}

void CudaKernelDialect::DeclareArray(CScope& scope, const ir::Buffer& buffer,
                                     const std::string& name, int64_t elements,
                                     LineWriter& out) const {
  if (!schedule::IsOfLaunch(buffer)) {
    DeclareZeroedArray(scope, buffer, name, elements, out);
    return;
  }
  const bool shared = absl::StartsWith(buffer.scope, "shared");
  out.Line(scope.aligned.contains(buffer.data) ? "__align__(16) " : "", shared ? "__shared__ " : "",
           CType(buffer.dtype), " ", name, "[", CLength(buffer.dtype, elements), "];");
}

absl::StatusOr<std::optional<CText>> CudaKernelDialect::PrintIntrinsic(
    CScope& scope, ir::PrimRef e, const ir::Intrinsic& call) const {
  return PrintDeviceCall(scope, e, call);
}

absl::StatusOr<bool> CudaKernelDialect::PrintStatement(CScope& scope, ir::PrimRef e,
                                                       const ir::Intrinsic& call,
                                                       const ir::CommReducer* reducer,
                                                       LineWriter& out) const {
  if (call.name == "tvm_thread_allreduce") {
    LATHE_RETURN_IF_ERROR(PrintAllreduce(scope, reducer, call, out));
    return true;
  }
  LATHE_ASSIGN_OR_RETURN(const std::optional<CText> text, PrintDeviceCall(scope, e, call));
  if (text) out.Line(text->text, ";");
  return text.has_value();
}

}  // namespace lathe::emit
