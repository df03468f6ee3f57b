#include "generator/transform/desugar_device_hints.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ir/target_kind.h"
#include "generator/ops/ops.h"

namespace lathe::transform {
namespace {

// DLPack's device types, and the targets that run on them.
struct DeviceKind {
  int type;
  absl::string_view target;
};
constexpr DeviceKind kDeviceKinds[] = {
    {1, "llvm"},  {1, "c"},     {1, "cpu"},      {2, "cuda"},    {4, "opencl"},   {7, "vulkan"},
    {8, "metal"}, {10, "rocm"}, {12, "ext_dev"}, {15, "webgpu"}, {16, "hexagon"},
};

class Desugaring {
 public:
  Desugaring(ir::Context& context, ir::Module& module, Diagnostics& diags)
      : context_(context), module_(module), diags_(diags), devices_(module.vdevices()) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) In(binding);
    }
  }
  bool found() const { return found_; }

 private:
  void In(ir::Binding& binding) {
    if (auto* branch = std::get_if<ir::If>(&binding.rhs)) {
      In(branch->then_body);
      In(branch->else_body);
    } else if (auto* f = std::get_if<ir::Function>(&binding.rhs)) {
      In(f->body);
    } else if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) {
      if (call->op() == nullptr || call->op()->name != "relax.hint_on_device") return;
      if (call->args.size() == 1) Replace(binding, *call);
    }
  }

  void Replace(ir::Binding& binding, const ir::Call& hint) {
    found_ = true;
    ir::Operand data = hint.args[0];
    const ir::VDeviceRef device = Meant(hint, binding.loc);
    const auto* tensor = analysis::KnownInfo(context_, module_, data)->As<ir::TensorInfo>();
    if (device == nullptr || (tensor != nullptr && tensor->vdevice == device)) {
      binding.rhs = std::move(data);
      return;
    }
    ir::Call copy;
    copy.callee = ops::FindOp("relax.to_vdevice");
    copy.args = {std::move(data)};
    copy.attrs["dst_vdevice"] = ir::AttrValue(device);
    binding.rhs = std::move(copy);
  }

  // Null after an error.
  ir::VDeviceRef Meant(const ir::Call& hint, const Location& loc) {
    const auto* device = ir::FindAttr<ir::AttrObject>(hint.attrs, "dst_vdevice");
    if (device == nullptr || device->fields == nullptr) return nullptr;
    const auto* type = ir::FindAttr<int64_t>(*device->fields, "device_type");
    const auto* index = ir::FindAttr<int64_t>(*device->fields, "index");
    const auto* scope = ir::FindAttr<std::string>(hint.attrs, "memory_scope");
    if (type == nullptr || index == nullptr) return nullptr;
    absl::string_view name = "a kind of its own";
    for (const DeviceKind& kind : kDeviceKinds) {
      if (kind.type != *type) continue;
      name = kind.target;
      for (ir::VDeviceRef candidate : devices_) {
        if (candidate->index == *index && ir::KindOfTarget(candidate->target) == kind.target &&
            (scope == nullptr || candidate->scope == *scope)) {
          return candidate;
        }
      }
    }
    diags_.Error(loc, "vdevice-not-declared")
        << "the module declares no device of kind " << name << " and index " << *index
        << (scope == nullptr ? "" : absl::StrCat(" with memory scope '", *scope, "'"));
    return nullptr;
  }

  ir::Context& context_;
  ir::Module& module_;
  Diagnostics& diags_;
  const std::vector<ir::VDeviceRef> devices_;
  bool found_ = false;
};

}  // namespace

bool DesugarDeviceHints(ir::Context& context, ir::Module& module, Diagnostics& diags) {
  Desugaring desugaring(context, module, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    if (ir::Function* f = module.globals[ir::GlobalId{i}].function()) desugaring.In(f->body);
  }
  return desugaring.found();
}

}  // namespace lathe::transform
