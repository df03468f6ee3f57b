#include "generator/reader/tflite/ops/custom_options.h"

#include "generator/reader/tflite/format/flexbuffer.h"

namespace lathe::tflite {

int64_t CustomOptions::Int(const std::string& name, int64_t otherwise) const {
  if (const auto* value = ir::FindAttr<int64_t>(values_, name)) return *value;
  if (const auto* value = ir::FindAttr<double>(values_, name)) return static_cast<int64_t>(*value);
  return otherwise;
}

double CustomOptions::Float(const std::string& name) const {
  if (const auto* value = ir::FindAttr<double>(values_, name)) return *value;
  if (const auto* value = ir::FindAttr<int64_t>(values_, name)) return static_cast<double>(*value);
  return 0;
}

std::string CustomOptions::Str(const std::string& name) const {
  const auto* value = ir::FindAttr<std::string>(values_, name);
  return value == nullptr ? "" : *value;
}

absl::StatusOr<CustomOptions> CustomOptionsOf(OpCall& c) {
  absl::StatusOr<ir::AttrMap> map = DecodeFlexMap(c.node().custom_options);
  if (!map.ok()) return c.Error() << "malformed options: " << map.status().message();
  return CustomOptions(*std::move(map));
}

}  // namespace lathe::tflite
