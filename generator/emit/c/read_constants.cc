#include "generator/emit/c/read_constants.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {
namespace {

using Words = absl::flat_hash_set<absl::string_view>;

void AddWords(absl::string_view text, Words& words) {
  const auto part = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t begin = i;
    while (i < text.size() && part(text[i])) ++i;
    if (i > begin) words.insert(text.substr(begin, i - begin));
  }
}

void AddWords(const TemplateValue& value, Words& words) {
  if (const auto* text = value.As<std::string>()) return AddWords(absl::string_view(*text), words);
  if (const auto* list = value.As<TemplateValue::List>()) {
    for (const TemplateValue& part : *list) AddWords(part, words);
  } else if (const auto* dict = value.As<TemplateValue::Dict>()) {
    for (const auto& [key, part] : *dict) AddWords(part, words);
  }
}

}  // namespace

void KeepReadConstants(absl::Span<const TemplateValue::List* const> texts,
                       TemplateValue::List& constants, std::vector<std::string>& names) {
  Words words;
  for (const TemplateValue::List* list : texts) {
    for (const TemplateValue& value : *list) AddWords(value, words);
  }
  std::erase_if(constants, [&](const TemplateValue& constant) {
    const auto* dict = constant.As<TemplateValue::Dict>();
    return !words.contains(*dict->at("name").As<std::string>());
  });
  std::erase_if(names, [&](const std::string& name) { return !words.contains(name); });
}

}  // namespace lathe::emit
