#include "generator/emit/c/read_constants.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "generator/emit/c/kernel/identifiers.h"

namespace lathe::emit {
namespace {

using Names = absl::flat_hash_set<std::string>;

void AddNames(const TemplateValue& value, Names& names) {
  if (const auto* text = value.As<std::string>()) {
    for (std::string& name : Identifiers(*text)) names.insert(std::move(name));
  } else if (const auto* list = value.As<TemplateValue::List>()) {
    for (const TemplateValue& part : *list) AddNames(part, names);
  } else if (const auto* dict = value.As<TemplateValue::Dict>()) {
    for (const auto& [key, part] : *dict) AddNames(part, names);
  }
}

}  // namespace

void KeepReadConstants(absl::Span<const TemplateValue::List* const> texts,
                       TemplateValue::List& constants, std::vector<std::string>& names) {
  Names read;
  for (const TemplateValue::List* list : texts) {
    for (const TemplateValue& value : *list) AddNames(value, read);
  }
  std::erase_if(constants, [&](const TemplateValue& constant) {
    const auto* dict = constant.As<TemplateValue::Dict>();
    return !read.contains(*dict->at("name").As<std::string>());
  });
  std::erase_if(names, [&](const std::string& name) { return !read.contains(name); });
}

}  // namespace lathe::emit
