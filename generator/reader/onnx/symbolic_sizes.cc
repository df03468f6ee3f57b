#include "generator/reader/onnx/symbolic_sizes.h"

#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/format/decode_model.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/import.h"
#include "generator/support/quoted_list.h"

namespace lathe::onnx {
namespace {

// Appends the keys of symbolic sizes in `type`, in order and without duplicates.
void Collect(const std::string& input, const Type& type, std::vector<std::string>& keys,
             std::set<std::string>& seen) {
  const auto add = [&](const std::string& key) {
    if (seen.insert(key).second) keys.push_back(key);
  };
  if (type.kind == TypeKind::kMap) {
    add(MapSizeKey(input));
    if (type.element_type == kStringType) add(WidthKey(input + kMapKeys));
    if (type.element && type.element->element_type == kStringType) {
      add(WidthKey(input + kMapValues));
    }
    return;
  }
  if (type.element) Collect(input, *type.element, keys, seen);
  if (type.kind != TypeKind::kTensor || !type.dims) return;
  for (size_t i = 0; i < type.dims->size(); ++i) {
    const Dim& dim = (*type.dims)[i];
    if (dim.value && *dim.value >= 0) continue;
    add(SizeKey(input, dim, i));
  }
  if (type.element_type == kStringType) add(WidthKey(input));
}

}  // namespace

std::string SizeKey(const std::string& input, const Dim& dim, size_t dimension) {
  return dim.param.empty() ? absl::StrCat(ProgramName(input), "_", dimension) : dim.param;
}

std::string WidthKey(const std::string& input) { return absl::StrCat(input, "_width"); }
std::string MapSizeKey(const std::string& input) { return absl::StrCat(input, "_size"); }

const analysis::Interval* SizeOf(const std::map<std::string, analysis::Interval>& sizes,
                                 const std::string& key) {
  auto found = sizes.find(key);
  if (found == sizes.end()) found = sizes.find(ProgramName(key));
  return found == sizes.end() ? nullptr : &found->second;
}

absl::StatusOr<std::map<std::string, analysis::Interval>> NameSizes(
    const SourceFile& file, const std::map<std::string, analysis::Interval>& sizes) {
  if (sizes.empty()) return sizes;
  const absl::StatusOr<Model> model = DecodeModel(file.text());
  if (!model.ok()) return sizes;
  std::set<std::string> initialized, seen;
  for (const Tensor& tensor : model->graph.initializers) initialized.insert(tensor.name);
  std::vector<std::string> keys;
  for (const ValueInfo& input : model->graph.inputs) {
    if (initialized.count(input.name) == 0) Collect(input.name, input.type, keys, seen);
  }
  std::map<std::string, analysis::Interval> named;
  for (const auto& [name, size] : sizes) {
    bool found = false;
    for (const std::string& key : keys) {
      if (name != key && name != ProgramName(key)) continue;
      const auto [at, is_new] = named.emplace(ProgramName(key), size);
      if (!is_new && !(at->second == size)) {
        return absl::InvalidArgumentError(
            absl::StrCat("-D specifies more than one size for '", key, "'"));
      }
      found = true;
    }
    if (found) continue;
    const std::vector<absl::string_view> known(keys.begin(), keys.end());
    return absl::InvalidArgumentError(
        absl::StrCat("no input has a size '", name, "'", InsteadOf(name, known)));
  }
  return named;
}

}  // namespace lathe::onnx
