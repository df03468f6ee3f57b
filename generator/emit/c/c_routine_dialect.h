// Implements the routine dialect of plain C: the steps run sequentially in memory that the caller
// provides.
#ifndef LATHE_EMIT_C_C_ROUTINE_DIALECT_H_
#define LATHE_EMIT_C_C_ROUTINE_DIALECT_H_

#include <string>
#include <vector>

#include "generator/emit/c/routine_dialect.h"

namespace lathe::emit {

class CRoutineDialect final : public RoutineDialect {
 public:
  const ExternRules& extern_rules() const override { return kCExternRules; }
  PoolNames NamesOf(const plan::PoolUse&) const override { return {"frame_size", "top", ""}; }
  std::vector<std::string> ReservedNames(const Model&) const override { return {}; }
  bool PassesWeights() const override { return true; }
  std::vector<std::string> LastParams(const Model&, const std::vector<Port>&) const override {
    return {};
  }
  std::vector<std::string> LastArgs(const Model&) const override { return {}; }

  void UseDevice(CurrentDevice&, int, LineWriter&) const override {}
  void Wait(const ir::WaitStep&, LineWriter&) const override {}  // steps are in order

  void Copy(Model& model, CurrentDevice& current, const TensorCopy& copy,
            LineWriter& out) const override;
  absl::Status Fill(MovePrinter& moves, ir::TensorId tensor, const std::string& target,
                    const std::string& bytes, LineWriter& out) const override;
  absl::Status Return(MovePrinter& moves, const std::vector<ir::TensorId>& tensors,
                      LineWriter& out) const override;
  CText Read(Model& model, CNames& names, const ElementRead& read, LineWriter& out) const override;

  absl::Status BeforeWrite(MovePrinter& moves, ir::TensorId tensor, LineWriter& out) const override;
  void CallKernel(const Model& model, const KernelCall& call, LineWriter& out) const override;

  void IncludePacked(CNeeds& needs) const override;
  void CallPacked(CNames& names, const PackedCall& call, LineWriter& out) const override;
  std::string TakeTensor(const std::string& args, int device) const override;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_C_ROUTINE_DIALECT_H_
