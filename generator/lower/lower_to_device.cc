#include "generator/lower/lower_to_device.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"

namespace lathe::lower {
namespace {

using ir::TensorId;

class ToDevice {
 public:
  ToDevice(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call)
      : b_(b), loc_(binding.loc), call_(call) {}

  Form Copied(Form form, const std::string& name) {
    if (auto* tuple = std::get_if<TupleForm>(&form.node)) {
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        tuple->fields[i] = Copied(std::move(tuple->fields[i]), absl::StrCat(name, "_", i));
      }
    }
    const auto* id = form.As<TensorId>();
    if (id == nullptr) return form;
    ir::Tensor copy = b_.lowering.program.tensors[*id];
    if (call_.op()->name == "relax.hint_on_device") {
      // Tensors that are in that memory already are not copied.
      const auto* scope = ir::FindAttr<std::string>(call_.attrs, "memory_scope");
      const ir::Tensor& whole = b_.lowering.program.tensors[b_.lowering.program.Whole(*id)];
      if (scope == nullptr || *scope == "global" || *scope == whole.scope) return form;
      copy.scope = *scope;
    } else if (const auto* device = ir::FindAttr<ir::VDeviceRef>(call_.attrs, "dst_vdevice")) {
      copy.scope = (*device)->scope;
      copy.vdevice = *device;
    }
    copy.name = name;
    copy.home = ir::Home::kArena;
    copy.constant = {};
    copy.base = {};
    const TensorId to = b_.NewTensor(std::move(copy), loc_);
    b_.Emit(ir::CopyStep{*id, to}, loc_);
    return Form{to};
  }

 private:
  RoutineBuilder& b_;
  const Location loc_;
  const ir::Call& call_;
};

}  // namespace

std::optional<Form> LowerToDevice(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call) {
  auto form = b.FormOf(call.args[0], binding.loc);
  if (!form) return std::nullopt;
  return ToDevice(b, binding, call)
      .Copied(*std::move(form), b.lowering.module.values[binding.var].name);
}

}  // namespace lathe::lower
