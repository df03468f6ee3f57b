#include "generator/emit/c/shared_constants.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/print_constants.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

// Compilers fold smaller constants into the code.
constexpr size_t kSmallestShared = 64;

}  // namespace

SharedConstants::Key SharedConstants::KeyOf(const ir::Program& program, const ir::Tensor& tensor) {
  const std::vector<uint8_t>& raw = *program.constants[tensor.constant].bytes;
  return {std::string(CType(tensor.dtype)), CLength(tensor.dtype, tensor.elements().value_or(1)),
          absl::string_view(reinterpret_cast<const char*>(raw.data()), raw.size())};
}

void SharedConstants::Add(const ir::Program& program, const Target& target) {
  if (attribute_.empty()) attribute_ = ConstantAttribute(program, target);
  std::set<Key> seen;
  for (ir::TensorId id : program.ConstantsInUse()) {
    const ir::Tensor& tensor = program.tensors[id];
    Key key = KeyOf(program, tensor);
    if (std::get<2>(key).size() < kSmallestShared) continue;
    Entry& entry = entries_[key];
    ++entry.uses;
    if (!seen.insert(key).second || entry.models++ > 0) continue;
    entry.shown = DescribeConstant(tensor);
    order_.push_back(std::move(key));
  }
}

std::string SharedConstants::Find(const ir::Program& program, const ir::Tensor& tensor) const {
  const auto found = entries_.find(KeyOf(program, tensor));
  if (found == entries_.end() || found->second.models < 2) return "";
  int64_t number = 0;
  for (const Key& key : order_) {
    if (key == found->first) break;
    number += entries_.at(key).models > 1 ? 1 : 0;
  }
  return absl::StrCat(prefix_, "_shared_", number);
}

int64_t SharedConstants::stored_bytes() const {
  int64_t bytes = 0;
  for (const auto& [key, entry] : entries_) {
    if (entry.models > 1) bytes += 8 * static_cast<int64_t>(WordCount(std::get<2>(key)));
  }
  return bytes;
}

int64_t SharedConstants::saved_bytes() const {
  int64_t bytes = 0;
  for (const auto& [key, entry] : entries_) {
    if (entry.models > 1) bytes += (entry.uses - 1) * static_cast<int64_t>(std::get<2>(key).size());
  }
  return bytes;
}

absl::StatusOr<OutputFile> SharedConstants::Source() const {
  TemplateValue::List constants;
  for (const Key& key : order_) {
    const Entry& entry = entries_.at(key);
    if (entry.models < 2) continue;
    const auto& [type, length, bytes] = key;
    constants.push_back(
        TemplateValue::Dict{{"name", absl::StrCat(prefix_, "_shared_", constants.size())},
                            {"tensor", entry.shown},
                            {"type", type},
                            {"length", absl::StrCat(length)},
                            {"word_count", absl::StrCat(WordCount(bytes))},
                            {"words", WordsText(bytes)}});
  }
  LATHE_ASSIGN_OR_RETURN(
      std::string text,
      RenderNamed("c/shared_constants.c.tmpl",
                  {{"name", prefix_}, {"aligned", attribute_}, {"constants", constants}}));
  return OutputFile{absl::StrCat(prefix_, ".c"), std::move(text)};
}

}  // namespace lathe::emit
