// Implements the kernel dialect of plain C, which has no threads.
#ifndef LATHE_EMIT_C_KERNEL_C_KERNEL_DIALECT_H_
#define LATHE_EMIT_C_KERNEL_C_KERNEL_DIALECT_H_

#include <optional>
#include <string>

#include "generator/emit/c/kernel/kernel_dialect.h"

namespace lathe::emit {

class CKernelDialect final : public KernelDialect {
 public:
  const ExternRules& extern_rules() const override { return kCExternRules; }
  void ReserveNames(CNames&) const override {}
  absl::string_view CalleeSpecifiers() const override { return "static "; }
  void IncludeCallees(CNeeds&) const override {}  // they are in the file
  void DeclareExtern(CNeeds& needs, const CName& name, const std::string& prototype) const override;
  ThreadBinding BindThread(CScope&, const schedule::ThreadLoop&, LineWriter&) const override {
    return ThreadBinding::kUnsupported;
  }
  void DeclareArray(CScope& scope, const ir::Buffer& buffer, const std::string& name,
                    int64_t elements, LineWriter& out) const override;
  absl::StatusOr<std::optional<CText>> PrintIntrinsic(CScope&, ir::PrimRef,
                                                      const ir::Intrinsic&) const override {
    return std::nullopt;
  }
  absl::StatusOr<bool> PrintStatement(CScope&, ir::PrimRef, const ir::Intrinsic&,
                                      const ir::CommReducer*, LineWriter&) const override {
    return false;
  }
};

// Prints the declaration of a zero-initialized array that is local to the function, or to each
// thread. Adds it to scope.arrays.
void DeclareZeroedArray(CScope& scope, const ir::Buffer& buffer, const std::string& name,
                        int64_t elements, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_C_KERNEL_DIALECT_H_
