#include "generator/transform/check_devices_known.h"

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/show_operand.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"

namespace lathe::transform {
namespace {

using ir::StructInfoRef;

class Check {
 public:
  Check(const ir::Module& module, Diagnostics& diags)
      : module_(module), diags_(diags), reported_(module.values.size(), false) {}

  void In(const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || !Counts(*call)) return;
    for (const ir::Operand& arg : call->args) {
      ir::ForEachLeaf(arg, [&](const ir::Operand& leaf) { Argument(*call, leaf, binding.loc); });
    }
  }

 private:
  bool Counts(const ir::Call& call) const {
    if (call.op() != nullptr) return call.op()->name != "relax.to_vdevice";
    const auto* id = std::get_if<ir::GlobalId>(&call.callee);
    return id != nullptr && module_.globals[*id].prim_func() != nullptr;
  }

  void Argument(const ir::Call& call, const ir::Operand& leaf, const Location& loc) {
    const auto* id = leaf.As<ir::ValueId>();
    if (id == nullptr || reported_[*id]) return;
    const ir::Value& value = module_.values[*id];
    seen_.clear();
    if (value.info == nullptr || IsKnown(value.info)) return;
    reported_[*id] = true;
    (diags_.Error(loc, "vdevice-unknown")
     << "the device of '" << value.name << "', an argument of '"
     << analysis::ShowCallee(module_, call) << "', is unknown in a module that declares devices")
        .Note(value.loc, "bound here")
        .Help("declare it in an annotation, vdevice=..., or copy the tensor with R.to_vdevice");
  }

  bool IsKnown(StructInfoRef info) {
    if (const auto* tensor = info->As<ir::TensorInfo>()) return tensor->vdevice != nullptr;
    const auto* tuple = info->As<ir::TupleInfo>();
    if (tuple == nullptr || !seen_.insert(info).second) return true;
    for (StructInfoRef field : tuple->fields) {
      if (!IsKnown(field)) return false;
    }
    return true;
  }

  const ir::Module& module_;
  Diagnostics& diags_;
  IdVector<ir::ValueId, char> reported_;
  absl::flat_hash_set<StructInfoRef> seen_;
};

}  // namespace

void CheckDevicesKnown(const ir::Module& module, Diagnostics& diags) {
  Check check(module, diags);
  ForEachFunction(module, [&](const ir::Function& f) {
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& b) { check.In(b); });
  });
}

}  // namespace lathe::transform
