#include "generator/reader/onnx/data_set.h"

#include <cstring>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/decode_model.h"
#include "generator/reader/onnx/tensor_data.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using interp::Value;

absl::StatusOr<Value> ValueOf(const Datum& datum,
                              const std::shared_ptr<interp::MemoryBudget>& budget) {
  if (datum.sequence) {
    std::vector<Value> items;
    for (const Datum& item : *datum.sequence) {
      LATHE_ASSIGN_OR_RETURN(Value value, ValueOf(item, budget));
      items.push_back(std::move(value));
    }
    return Value::OfTuple(std::move(items), budget);
  }
  if (!datum.tensor) return Value();
  LATHE_ASSIGN_OR_RETURN(const ir::Constant constant, ReadTensor(*datum.tensor, ""));
  LATHE_ASSIGN_OR_RETURN(interp::TensorRef tensor,
                         interp::NewTensor(constant.dtype, constant.shape, budget));
  std::memcpy(tensor->data(), constant.bytes->data(), constant.bytes->size());
  return Value(std::move(tensor));
}

absl::StatusOr<Value> ReadValue(const std::string& folder, const char* kind, size_t index,
                                const Type& type,
                                const std::shared_ptr<interp::MemoryBudget>& budget) {
  const std::string path =
      (std::filesystem::path(folder) / absl::StrCat(kind, "_", index, ".pb")).string();
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  const auto in_file = [&](const absl::Status& status) {
    const auto code = absl::IsUnimplemented(status) ? status.code() : absl::StatusCode::kDataLoss;
    return absl::Status(code, absl::StrCat("'", path, "': ", status.message()));
  };
  const absl::StatusOr<Datum> datum = DecodeDatum(bytes, type);
  if (!datum.ok()) return in_file(datum.status());
  absl::StatusOr<Value> value = ValueOf(*datum, budget);
  return value.ok() ? value : in_file(value.status());
}

}  // namespace

absl::StatusOr<DataSet> ReadDataSet(const std::string& folder, const SourceFile& file,
                                    const std::shared_ptr<interp::MemoryBudget>& budget) {
  LATHE_ASSIGN_OR_RETURN(const Model model, DecodeModel(file.text()));
  DataSet set;
  std::set<std::string> known;
  for (const Tensor& tensor : model.graph.initializers) known.insert(tensor.name);
  for (size_t i = 0; i < model.graph.inputs.size(); ++i) {
    const ValueInfo& input = model.graph.inputs[i];
    if (known.count(input.name) != 0) continue;
    LATHE_ASSIGN_OR_RETURN(Value value, ReadValue(folder, "input", i, input.type, budget));
    if (value.is_null()) {
      set.shapes.empty.insert(input.name);
      continue;
    }
    if (const auto* items = value.AsTuple()) {
      auto& shapes = set.shapes.sequences[input.name];
      for (const Value& item : *items) {
        shapes.push_back(item.AsTensor() == nullptr ? std::vector<int64_t>()
                                                    : item.AsTensor()->shape);
      }
    }
    set.inputs.push_back(std::move(value));
  }
  for (size_t i = 0; i < model.graph.outputs.size(); ++i) {
    const ValueInfo& output = model.graph.outputs[i];
    LATHE_ASSIGN_OR_RETURN(Value value, ReadValue(folder, "output", i, output.type, budget));
    set.outputs.push_back(std::move(value));
  }
  return set;
}

}  // namespace lathe::onnx
