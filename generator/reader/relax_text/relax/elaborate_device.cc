#include "generator/reader/relax_text/relax/elaborate_device.h"

#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/relax/elaborate_attribute.h"
#include "generator/reader/relax_text/relax/elaborate_tensor_info.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

struct DeviceKind {
  absl::string_view name;
  int number;  // the DLPack device type
};
constexpr DeviceKind kDeviceKinds[] = {
    {"cpu", 1},   {"llvm", 1}, {"c", 1},     {"cuda", 2},     {"opencl", 4},   {"vulkan", 7},
    {"metal", 8}, {"vpi", 9},  {"rocm", 10}, {"ext_dev", 12}, {"hexagon", 16}, {"webgpu", 15},
};

// Returns the qualified name of the callee: "vdevice" of I, "device" or "cuda" of R or tvm.
std::optional<Qualified> CalleeOf(const Elaboration& el, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  if (call == nullptr) return std::nullopt;
  return el.namespaces().Qualify(*call->callee);
}

// Returns a target dictionary as JSON with sorted keys.
std::string JsonOf(const ir::AttrValue& value) {
  if (const auto* text = value.As<std::string>()) {
    return absl::StrCat("\"", absl::Utf8SafeCEscape(*text), "\"");
  }
  if (const auto* flag = value.As<bool>()) return *flag ? "true" : "false";
  if (const auto* number = value.As<int64_t>()) return absl::StrCat(*number);
  if (const auto* number = value.As<double>()) return absl::StrCat(*number);
  std::vector<std::string> parts;
  if (const auto* list = value.As<ir::AttrList>()) {
    for (const ir::AttrValue& item : *list) parts.push_back(JsonOf(item));
    return absl::StrCat("[", absl::StrJoin(parts, ", "), "]");
  }
  if (const auto* map = value.As<ir::AttrMap>()) {
    for (const auto& [key, item] : *map) {
      parts.push_back(absl::StrCat("\"", absl::Utf8SafeCEscape(key), "\": ", JsonOf(item)));
    }
    return absl::StrCat("{", absl::StrJoin(parts, ", "), "}");
  }
  return "null";
}

absl::StatusOr<int> SmallNumber(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const int64_t number, ElaborateNumber(frame, e));
  if (number >= 0 && number <= std::numeric_limits<int32_t>::max()) {
    return static_cast<int>(number);
  }
  return frame.el.Error(e, "number-out-of-range") << "device index out of range: " << number;
}

}  // namespace

bool IsVDeviceCall(const Elaboration& el, const ast::Expr& e) {
  const std::optional<Qualified> callee = CalleeOf(el, e);
  return callee && callee->space == Space::kIr &&
         (callee->name == "vdevice" || callee->name == "VDevice");
}

absl::StatusOr<ir::VDeviceRef> ElaborateVDevice(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(
      const CallArguments args,
      CallArguments::Bind(frame.el, e, "I.vdevice", "target? vdevice_id? memory_scope?"));
  ir::VDevice device;
  if (const ast::Expr* target = args.GetUnlessNone("target")) {
    LATHE_ASSIGN_OR_RETURN(const ir::AttrValue value, ElaborateAttribute(frame, *target));
    const auto* object = value.As<ir::AttrObject>();
    if (const auto* text = value.As<std::string>()) {
      device.target = *text;
    } else if (value.As<ir::AttrMap>() != nullptr) {
      device.target = JsonOf(value);
    } else if (object != nullptr && object->kind == "target" && object->fields != nullptr) {
      device.target = JsonOf(ir::AttrValue(*object->fields));
    } else {
      return frame.el.Error(*target, "wrong-kind-of-value")
             << "a target must be a string or a dictionary, got " << ast::Describe(*target);
    }
  }
  if (const ast::Expr* id = args.GetUnlessNone("vdevice_id")) {
    LATHE_ASSIGN_OR_RETURN(device.index, SmallNumber(frame, *id));
  }
  if (const ast::Expr* scope = args.GetUnlessNone("memory_scope")) {
    const auto* text = scope->As<ast::Str>();
    if (text == nullptr) {
      return frame.el.Error(*scope, "wrong-kind-of-value") << "a memory scope must be a string";
    }
    device.scope = std::string(text->value);
  }
  return frame.el.context().Make(std::move(device));
}

bool IsDeviceCall(const Elaboration& el, const ast::Expr& e) {
  const std::optional<Qualified> callee = CalleeOf(el, e);
  if (!callee || (callee->space != Space::kRelax && callee->space != Space::kTvm)) return false;
  if (callee->name == "device" || callee->name == "runtime.device") return true;
  for (const DeviceKind& kind : kDeviceKinds) {
    if (kind.name == callee->name && kind.name != "c") return true;
  }
  return false;
}

absl::StatusOr<ir::AttrValue> ElaborateDevice(Frame& frame, const ast::Expr& e) {
  int type = 0;
  int index = 0;
  const ast::Expr* index_at = nullptr;
  const std::string name = CalleeOf(frame.el, e)->name;
  if (name == "device" || name == "runtime.device") {
    LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                           CallArguments::Bind(frame.el, e, "R.device", "device_type index?"));
    const ast::Expr& written = args["device_type"];
    if (const auto* text = written.As<ast::Str>()) {
      for (const DeviceKind& kind : kDeviceKinds) {
        if (kind.name == text->value) type = kind.number;
      }
      if (type == 0) {
        return frame.el.Error(written, "wrong-kind-of-value")
               << "'" << text->value << "' is not a device kind";
      }
    } else {
      LATHE_ASSIGN_OR_RETURN(type, SmallNumber(frame, written));
    }
    index_at = args.GetUnlessNone("index");
  } else {
    LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                           CallArguments::Bind(frame.el, e, name, "index?"));
    for (const DeviceKind& kind : kDeviceKinds) {
      if (kind.name == name) type = kind.number;
    }
    index_at = args.GetUnlessNone("index");
  }
  if (index_at != nullptr) {
    LATHE_ASSIGN_OR_RETURN(index, SmallNumber(frame, *index_at));
  }
  auto fields = std::make_shared<ir::AttrMap>();
  fields->emplace("device_type", ir::AttrValue(type));
  fields->emplace("index", ir::AttrValue(index));
  return ir::AttrValue(ir::AttrObject{"device", std::move(fields)});
}

}  // namespace lathe::relax_text
