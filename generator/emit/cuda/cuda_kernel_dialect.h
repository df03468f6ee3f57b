// Prints the parts of a kernel that differ between CUDA and C: thread bindings, memory spaces, GPU
// intrinsics and external functions.
#ifndef LATHE_EMIT_CUDA_CUDA_KERNEL_DIALECT_H_
#define LATHE_EMIT_CUDA_CUDA_KERNEL_DIALECT_H_

#include <optional>
#include <string>

#include "generator/emit/c/kernel/kernel_dialect.h"
#include "generator/emit/cuda/cuda_names.h"

namespace lathe::emit {

// Implements KernelDialect (c/kernel/kernel_dialect.h) for kernels that run on a GPU.
class CudaKernelDialect final : public KernelDialect {
 public:
  const ExternRules& extern_rules() const override { return kCudaExternRules; }
  void ReserveNames(CNames& names) const override { ReserveCudaNames(names); }
  absl::string_view CalleeSpecifiers() const override { return "static __device__ inline "; }
  void IncludeCallees(CNeeds& needs) const override;
  void DeclareExtern(CNeeds& needs, const CName& name, const std::string& prototype) const override;
  ThreadBinding BindThread(CScope& scope, const schedule::ThreadLoop& loop,
                           LineWriter& out) const override;
  void DeclareArray(CScope& scope, const ir::Buffer& buffer, const std::string& name,
                    int64_t elements, LineWriter& out) const override;
  absl::StatusOr<std::optional<CText>> PrintIntrinsic(CScope& scope, ir::PrimRef e,
                                                      const ir::Intrinsic& call) const override;
  absl::StatusOr<bool> PrintStatement(CScope& scope, ir::PrimRef e, const ir::Intrinsic& call,
                                      const ir::CommReducer* reducer,
                                      LineWriter& out) const override;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CUDA_KERNEL_DIALECT_H_
