#include "generator/reader/relay_text/infer/relation_cache.h"

#include "absl/base/casts.h"
#include "absl/strings/str_cat.h"

namespace lathe::relay {
namespace {

constexpr size_t kMaxConstantBytes = 64;

bool AppendAttr(const ir::AttrValue& value, std::string& key) {
  if (value.is_none()) {
    absl::StrAppend(&key, "None,");
  } else if (const auto* b = value.As<bool>()) {
    absl::StrAppend(&key, "b", *b, ",");
  } else if (const auto* i = value.As<int64_t>()) {
    absl::StrAppend(&key, "i", *i, ",");
  } else if (const auto* d = value.As<double>()) {
    absl::StrAppend(&key, absl::Hex(absl::bit_cast<uint64_t>(*d)), ",");
  } else if (const auto* s = value.As<std::string>()) {
    absl::StrAppend(&key, s->size(), ":", *s, ",");
  } else if (const auto* list = value.As<ir::AttrList>()) {
    absl::StrAppend(&key, "[");
    for (const ir::AttrValue& item : *list) {
      if (!AppendAttr(item, key)) return false;
    }
    absl::StrAppend(&key, "]");
  } else {
    return false;
  }
  return true;
}

bool AppendArg(const Types& types, const RelationArg& arg, std::string& key) {
  absl::StrAppend(&key, types.ToString(arg.type));
  if (arg.constant) {
    if (arg.constant->bytes->size() > kMaxConstantBytes) return false;
    absl::StrAppend(&key, "=");
    key.append(arg.constant->bytes->begin(), arg.constant->bytes->end());
  }
  absl::StrAppend(&key, "(");
  for (const RelationArg& field : arg.fields) {
    if (!AppendArg(types, field, key)) return false;
  }
  absl::StrAppend(&key, ")");
  return true;
}

}  // namespace

std::optional<std::string> RelationKey(const Types& types, const OpRow& row,
                                       const ir::AttrMap& attrs,
                                       const std::vector<RelationArg>& args) {
  std::string key = row.name;
  for (const auto& [name, value] : attrs) {
    absl::StrAppend(&key, " ", name, "=");
    if (!AppendAttr(value, key)) return std::nullopt;
  }
  for (const RelationArg& arg : args) {
    absl::StrAppend(&key, "|");
    if (!AppendArg(types, arg, key)) return std::nullopt;
  }
  return key;
}

}  // namespace lathe::relay
