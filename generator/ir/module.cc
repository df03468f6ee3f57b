#include "generator/ir/module.h"

namespace lathe::ir {

const AttrMap* Global::attrs() const {
  return Match(
      def, [](const Function& f) -> const AttrMap* { return &f.attrs; },
      [](const PrimFunc& f) -> const AttrMap* { return &f.attrs; },
      [](const ExternFunc&) -> const AttrMap* { return nullptr; });
}

std::optional<GlobalId> Module::Find(absl::string_view wanted) const {
  for (size_t i = 0; i < globals.size(); ++i) {
    const GlobalId id{static_cast<int32_t>(i)};
    if (globals[id].name == wanted) return id;
  }
  return std::nullopt;
}

std::vector<VDeviceRef> Module::vdevices() const {
  std::vector<VDeviceRef> devices;
  const auto it = global_infos.find("vdevice");
  if (it == global_infos.end()) return devices;
  for (const GlobalInfo& info : it->second) {
    if (const auto* device = std::get_if<VDeviceRef>(&info)) devices.push_back(*device);
  }
  return devices;
}

bool IsExported(const Global& g) {
  const AttrMap* attrs = g.attrs();
  return attrs != nullptr && FindAttr<std::string>(*attrs, kGlobalSymbol) != nullptr;
}

bool IsForcePure(const Function& f) {
  const auto it = f.attrs.find(kForcePure);
  if (it == f.attrs.end()) return false;
  if (const auto* flag = it->second.As<bool>()) return *flag;
  if (const auto* number = it->second.As<int64_t>()) return *number != 0;
  return false;
}

}  // namespace lathe::ir
