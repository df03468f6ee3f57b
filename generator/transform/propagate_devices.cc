#include "generator/transform/propagate_devices.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/update_devices.h"
#include "generator/ir/op.h"

namespace lathe::transform {
namespace {

using ir::StructInfoRef;

class Propagation {
 public:
  Propagation(ir::Context& context, ir::Module& module, Diagnostics& diags)
      : context_(context), module_(module), diags_(diags) {}

  void InAll() {
    for (int32_t i = 0; i < std::ssize(module_.globals); ++i) pending_.push_back(ir::GlobalId{i});
    // Terminates, because a function is only revisited when a tensor of its result gets a device.
    while (!pending_.empty()) {
      ir::Function* f = module_.globals[pending_.back()].function();
      pending_.pop_back();
      if (f != nullptr) In(*f);
    }
  }

 private:
  // Rule 1, field by field for tuples.
  void In(ir::Function& f) {
    if (f.ret != nullptr) Want(f.body.result, f.ret, f.body.result_loc);
    In(f.body);
  }

  // Rule 3.
  void In(ir::Body& body) {
    for (auto block = body.blocks.rbegin(); block != body.blocks.rend(); ++block) {
      for (auto binding = block->bindings.rbegin(); binding != block->bindings.rend(); ++binding) {
        In(*binding);
      }
    }
  }

  void In(ir::Binding& binding) {
    StructInfoRef info = module_.values[binding.var].info;
    const Location& loc = binding.loc;
    if (info == nullptr) return;
    if (const auto* operand = std::get_if<ir::Operand>(&binding.rhs)) {
      Want(*operand, info, loc);
    } else if (auto* call = std::get_if<ir::Call>(&binding.rhs)) {
      In(*call, info, loc);
    } else if (const auto* get = std::get_if<ir::GetField>(&binding.rhs)) {
      In(*get, info, loc);
    } else if (auto* cast = std::get_if<ir::MatchCast>(&binding.rhs)) {
      cast->info = Take(cast->info, info, "the cast", loc);
      Want(cast->value, info, loc);
    } else if (auto* branch = std::get_if<ir::If>(&binding.rhs)) {
      Want(branch->then_body.result, info, branch->then_body.result_loc);
      Want(branch->else_body.result, info, branch->else_body.result_loc);
      In(branch->then_body);
      In(branch->else_body);
    } else if (auto* f = std::get_if<ir::Function>(&binding.rhs)) {
      // Its calls come later in the body and were visited before.
      const auto wanted = results_.find(binding.var.index);
      if (wanted != results_.end()) {
        Returns(*f, wanted->second, module_.values[binding.var].name, f->body.result_loc);
      }
      In(*f);
    }
  }

  // Rule 2. A copy to a device does not determine the device of its operand.
  void In(ir::Call& call, StructInfoRef info, const Location& loc) {
    const auto* tensor = info->As<ir::TensorInfo>();
    if (call.sinfo_args.size() == 1) {
      call.sinfo_args[0] = Take(call.sinfo_args[0], info, "the result", loc);
    } else if (const auto* tuple = info->As<ir::TupleInfo>()) {
      for (size_t i = 0; i < call.sinfo_args.size() && i < tuple->fields.size(); ++i) {
        call.sinfo_args[i] = Take(call.sinfo_args[i], tuple->fields[i], "the result", loc);
      }
    }
    Callee(call, info, loc);
    const ir::Op* op = call.op();
    if (tensor == nullptr || tensor->vdevice == nullptr) return;
    if (op != nullptr && op->name == "relax.to_vdevice") return;
    // The form after TVM's LowerRuntimeBuiltin.
    const auto* packed = std::get_if<ir::ExternFunc>(&call.callee);
    if (packed != nullptr && packed->name == "vm.builtin.to_device") return;
    for (const ir::Operand& arg : call.args) WantOn(arg, tensor->vdevice, loc);
  }

  // The device required of a call's result is required of the function's result.
  void Callee(const ir::Call& call, StructInfoRef info, const Location& loc) {
    if (const auto* var = std::get_if<ir::ValueId>(&call.callee)) {
      results_.try_emplace(var->index, info);
    } else if (const auto* id = std::get_if<ir::GlobalId>(&call.callee)) {
      ir::Global& global = module_.globals[*id];
      ir::Function* f = global.function();
      if (f != nullptr && Returns(*f, info, global.name, loc)) pending_.push_back(*id);
    }
  }

  // Assigns the device of `like` to the result of `f`; true when it changed.
  bool Returns(ir::Function& f, StructInfoRef like, const std::string& name, const Location& loc) {
    if (f.ret != nullptr) {
      const StructInfoRef before =
          std::exchange(f.ret, Take(f.ret, like, absl::StrCat("the result of '", name, "'"), loc));
      return f.ret != before;
    }
    const auto* id = f.body.result.As<ir::ValueId>();
    if (id == nullptr) return false;
    const StructInfoRef before = module_.values[*id].info;
    Want(f.body.result, like, loc);
    return module_.values[*id].info != before;
  }

  void In(const ir::GetField& get, StructInfoRef info, const Location& loc) {
    const auto* id = get.tuple.As<ir::ValueId>();
    const auto* tuple = id == nullptr || module_.values[*id].info == nullptr
                            ? nullptr
                            : module_.values[*id].info->As<ir::TupleInfo>();
    if (tuple == nullptr || get.index < 0 || get.index >= std::ssize(tuple->fields)) return;
    std::vector<StructInfoRef> fields = tuple->fields;
    const std::string name = absl::StrCat("'", module_.values[*id].name, "'");
    fields[get.index] = Take(fields[get.index], info, name, loc);
    Set(*id, context_.Tuple(std::move(fields)));
  }

  void Want(const ir::Operand& operand, StructInfoRef like, const Location& loc) {
    if (const auto* id = operand.As<ir::ValueId>()) {
      const ir::Value& value = module_.values[*id];
      if (value.info != nullptr)
        Set(*id, Take(value.info, like, absl::StrCat("'", value.name, "'"), loc));
    } else if (const auto* tuple = operand.As<ir::TupleExpr>()) {
      const auto* infos = like->As<ir::TupleInfo>();
      if (infos == nullptr || infos->fields.size() != tuple->fields.size()) return;
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        Want(tuple->fields[i], infos->fields[i], loc);
      }
    }
  }

  void WantOn(const ir::Operand& operand, ir::VDeviceRef device, const Location& loc) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      const auto* id = leaf.As<ir::ValueId>();
      if (id == nullptr || module_.values[*id].info == nullptr) return;
      const ir::Value& value = module_.values[*id];
      const auto conflict = [&](ir::VDeviceRef is, ir::VDeviceRef wanted) {
        Report(absl::StrCat("'", value.name, "'"), is, wanted, loc);
      };
      Set(*id, analysis::AssignDevice(context_, value.info, device, conflict));
    });
  }

  StructInfoRef Take(StructInfoRef info, StructInfoRef from, const std::string& name,
                     const Location& loc) {
    const auto conflict = [&](ir::VDeviceRef is, ir::VDeviceRef wanted) {
      Report(name, is, wanted, loc);
    };
    return analysis::UpdateDevices(context_, info, from, conflict);
  }

  void Set(ir::ValueId id, StructInfoRef info) {
    ir::Value& value = module_.values[id];
    if (value.info == info) return;
    value.info = info;
    // User annotations keep everything except the device.
    value.annotation =
        value.annotation == nullptr
            ? info
            : analysis::UpdateDevices(context_, value.annotation, info, analysis::IgnoreConflict);
  }

  // Two memory scopes of one device are compatible: a kernel can read one and write the other.
  void Report(const std::string& name, ir::VDeviceRef is, ir::VDeviceRef wanted,
              const Location& loc) {
    if (is->target == wanted->target && is->index == wanted->index) return;
    (diags_.Error(loc, "vdevice-mismatch")
     << name << " is on " << ToString(*is) << ", but another operand is on " << ToString(*wanted))
        .Help("copy it with R.to_vdevice");
  }

  ir::Context& context_;
  ir::Module& module_;
  Diagnostics& diags_;
  absl::flat_hash_map<int32_t, StructInfoRef> results_;  // required results of local functions
  std::vector<ir::GlobalId> pending_;
};

}  // namespace

void PropagateDevicesBackward(ir::Context& context, ir::Module& module, Diagnostics& diags) {
  Propagation(context, module, diags).InAll();
}

}  // namespace lathe::transform
