#include "generator/reader/relax_text/relax/elaborate_module_info.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/relax/elaborate_attribute.h"
#include "generator/reader/relax_text/relax/elaborate_device.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

// R.device_mesh((2, 2), I.Range(0, 4)): the shape and the devices of a mesh.
absl::StatusOr<ir::GlobalInfo> ReadMesh(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.device_mesh", "shape device_ids"));
  auto fields = std::make_shared<ir::AttrMap>();
  for (const char* name : {"shape", "device_ids"}) {
    LATHE_ASSIGN_OR_RETURN(ir::AttrValue value, ElaborateAttribute(frame, args[name]));
    fields->emplace(name, std::move(value));
  }
  return ir::GlobalInfo(ir::AttrObject{"device_mesh", std::move(fields)});
}

absl::StatusOr<ir::GlobalInfo> ReadInfo(Frame& frame, const ast::Expr& e) {
  if (IsVDeviceCall(frame.el, e)) {
    LATHE_ASSIGN_OR_RETURN(const ir::VDeviceRef device, ElaborateVDevice(frame, e));
    return ir::GlobalInfo(device);
  }
  const auto* call = e.As<ast::Call>();
  const std::optional<Qualified> name =
      call == nullptr ? std::nullopt : frame.el.namespaces().Qualify(*call->callee);
  if (name && (name->name == "device_mesh" || name->name == "dist.device_mesh" ||
               name->name == "distributed.DeviceMesh")) {
    return ReadMesh(frame, e);
  }
  if (name && name->space == Space::kIr && name->name == "dummy_global_info") {
    return ir::GlobalInfo(
        ir::AttrObject{"dummy_global_info", std::make_shared<const ir::AttrMap>()});
  }
  const std::optional<std::string> written =
      call == nullptr ? std::nullopt : ast::DottedName(*call->callee);
  DiagnosticBuilder error = frame.el.Unsupported(e, "unknown-global-info");
  error << (written ? absl::StrCat(*written, "(...)") : std::string(ast::Describe(e)))
        << " is not a global info"
        << (written ? DidYouMean(*written, {"I.vdevice", "R.device_mesh", "I.dummy_global_info"})
                    : std::string());
  return std::move(error).Help("supported: I.vdevice, R.device_mesh and I.dummy_global_info");
}

void ReadGlobalInfos(Frame& frame, const ast::Expr& e) {
  const auto* dict = e.As<ast::Dict>();
  if (dict == nullptr) {
    frame.el.Error(e, "wrong-kind-of-value")
        << "expected a dictionary of lists, got " << ast::Describe(e);
    return;
  }
  for (const ast::DictItem& item : dict->items) {
    const auto* key = item.key == nullptr ? nullptr : item.key->As<ast::Str>();
    const ast::ExprList* list = ElementsOf(*item.value);
    if (key == nullptr || list == nullptr) {
      frame.el.Error(*item.value, "wrong-kind-of-value")
          << "each entry of the global infos must be a name and a list";
      continue;
    }
    if (list->size() > static_cast<size_t>(kMaxGlobalInfos)) {
      frame.el.diags().LimitExceeded(item.value->span(), "limit-global-infos")
          << "a module has at most " << kMaxGlobalInfos << " global infos of a kind, got "
          << list->size();
      continue;
    }
    std::vector<ir::GlobalInfo>& infos = frame.el.module().global_infos[std::string(key->value)];
    for (ast::ExprRef element : *list) {
      absl::StatusOr<ir::GlobalInfo> info = ReadInfo(frame, *element);
      if (info.ok()) infos.push_back(*std::move(info));
    }
  }
}

}  // namespace

bool ReadModuleInfo(Elaboration& el, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  if (call == nullptr) return false;
  const std::optional<Qualified> name = el.namespaces().Qualify(*call->callee);
  if (!name || name->space != Space::kIr) return false;
  const bool attrs = name->name == "module_attrs";
  if (!attrs && name->name != "module_global_infos") return false;
  if (call->args.size() != 1 || !call->keywords.empty()) {
    el.Error(e, "wrong-arguments") << "I." << name->name << " takes one dictionary";
    return true;
  }
  Frame frame(el, nullptr);
  frame.scopes.Push(ScopeKind::kFunction);
  if (!attrs) {
    ReadGlobalInfos(frame, *call->args[0]);
    return true;
  }
  absl::StatusOr<ir::AttrMap> map = ElaborateAttributeMap(frame, *call->args[0]);
  if (!map.ok()) return true;
  for (auto& [key, value] : *map) el.module().attrs.insert_or_assign(key, std::move(value));
  return true;
}

}  // namespace lathe::relax_text
