#include "generator/reader/onnx/data_set.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/reader/onnx/format/cut_graph.h"
#include "generator/reader/onnx/format/decode_model.h"
#include "generator/reader/onnx/format/decode_tensor.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using interp::Value;

absl::StatusOr<Value> StringsOf(const Tensor& tensor,
                                const std::shared_ptr<interp::MemoryBudget>& budget) {
  size_t width = 1;
  for (const std::string& s : tensor.strings) width = std::max(width, s.size());
  std::vector<int64_t> shape = tensor.dims;
  const auto count = interp::CountElements(shape);
  if (!count || *count != tensor.strings.size()) {
    return absl::InvalidArgumentError("the number of strings does not match its dimensions");
  }
  shape.push_back(static_cast<int64_t>(width));
  LATHE_ASSIGN_OR_RETURN(interp::TensorRef bytes,
                         interp::NewTensor(ir::DType::UInt(8), std::move(shape), budget));
  for (size_t i = 0; i < tensor.strings.size(); ++i) {
    std::memset(bytes->data() + i * width, 0, width);
    std::memcpy(bytes->data() + i * width, tensor.strings[i].data(), tensor.strings[i].size());
  }
  return Value(std::move(bytes));
}

absl::StatusOr<interp::TensorRef> ArrayOf(const Tensor& tensor,
                                          const std::shared_ptr<interp::MemoryBudget>& budget) {
  LATHE_ASSIGN_OR_RETURN(const ir::Constant constant, ReadTensor(tensor, ""));
  LATHE_ASSIGN_OR_RETURN(interp::TensorRef numbers,
                         interp::NewTensor(constant.dtype, constant.shape, budget));
  std::memcpy(numbers->data(), constant.bytes->data(), constant.bytes->size());
  return numbers;
}

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
  if (datum.tensor->type == kStringType) return StringsOf(*datum.tensor, budget);
  LATHE_ASSIGN_OR_RETURN(interp::TensorRef tensor, ArrayOf(*datum.tensor, budget));
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
  absl::StatusOr<Datum> datum = DecodeDatum(bytes, type);
  if (!datum.ok()) return in_file(datum.status());
  // Data sets up to ONNX 1.12 store the bits of bfloat16 as uint16.
  constexpr int32_t kUInt16 = 4, kBFloat16 = 16;
  if (datum->tensor && datum->tensor->type == kUInt16 && type.element_type == kBFloat16) {
    datum->tensor->type = kBFloat16;
  }
  absl::StatusOr<Value> value = ValueOf(*datum, budget);
  return value.ok() ? value : in_file(value.status());
}

// Longer lists do not determine a number of values.
constexpr uint64_t kMaxValues = 64;

std::vector<int64_t> ValuesOf(const interp::Tensor& tensor) {
  std::vector<int64_t> values;
  const uint64_t count = interp::CountElements(tensor.shape).value_or(kMaxValues + 1);
  if (!(tensor.dtype.is_integer() || tensor.dtype.is_bool()) || count > kMaxValues) return values;
  for (uint64_t k = 0; k < count; ++k) {
    values.push_back(
        interp::ToInt64(tensor.dtype, interp::ReadElement(tensor.data(), tensor.dtype, k)));
  }
  return values;
}

// Returns true if `dtype` is the ONNX type of this number: "float4_e2m1fn" is "float4e2m1".
bool IsFormatOf(int32_t type, ir::DType dtype) {
  const std::string name = absl::StrReplaceAll(ToString(dtype), {{"_", ""}});
  const std::string format = ElementTypeName(type);
  return name == format || name == absl::StrCat(format, "fn");
}

bool IsFolder(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

}  // namespace

absl::StatusOr<interp::TensorRef> ReadTensorFile(
    absl::string_view bytes, ir::DType wanted,
    const std::shared_ptr<interp::MemoryBudget>& budget) {
  Tensor tensor;
  LATHE_RETURN_IF_ERROR(DecodeTensor(bytes, tensor));
  if (tensor.type == kStringType) {
    return absl::UnimplementedError("a tensor of strings; supported: tensors of numbers");
  }
  LATHE_ASSIGN_OR_RETURN(interp::TensorRef array, ArrayOf(tensor, budget));
  if (array->dtype == wanted || !IsFormatOf(tensor.type, wanted)) return array;
  LATHE_ASSIGN_OR_RETURN(auto typed, interp::NewTensor(wanted, array->shape, budget));
  for (uint64_t i = 0; i < array->num_elements(); ++i) {
    interp::WriteElement(typed->data(), wanted, i,
                         interp::ReadElement(array->data(), array->dtype, i));
  }
  return interp::TensorRef(std::move(typed));
}

absl::StatusOr<std::vector<std::string>> DataSetFolders(const std::string& folder) {
  const std::filesystem::path root(folder);
  std::vector<std::string> sets;
  for (int i = 0; IsFolder(root / absl::StrCat("test_data_set_", i)); ++i) {
    sets.push_back((root / absl::StrCat("test_data_set_", i)).string());
  }
  std::error_code ignored;
  for (const char* first : {"input_0.pb", "output_0.pb"}) {
    if (sets.empty() && std::filesystem::exists(root / first, ignored)) sets.push_back(folder);
  }
  if (!sets.empty()) return sets;
  return absl::NotFoundError(absl::StrCat(
      "'", folder, "' has neither folders test_data_set_0, ... nor files input_0.pb, output_0.pb"));
}

absl::StatusOr<DataSet> ReadDataSet(const std::string& folder, const SourceFile& file,
                                    const std::shared_ptr<interp::MemoryBudget>& budget,
                                    const std::vector<std::string>& outputs) {
  LATHE_ASSIGN_OR_RETURN(Model model, DecodeModel(file.text()));
  DataSet set;
  std::set<std::string> initialized, left_out;
  for (const Tensor& tensor : model.graph.initializers) initialized.insert(tensor.name);
  for (const auto& [name, sparse] : model.graph.sparse_initializers) initialized.insert(name);
  std::vector<size_t> wanted;  // outputs of the graph
  for (size_t i = 0; outputs.empty() && i < model.graph.outputs.size(); ++i) wanted.push_back(i);
  if (!outputs.empty()) {
    Graph cut = model.graph;
    LATHE_RETURN_IF_ERROR(CutGraph(outputs, cut));
    for (const ValueInfo& input : model.graph.inputs) {
      const auto same = [&](const ValueInfo& i) { return i.name == input.name; };
      if (absl::c_none_of(cut.inputs, same)) left_out.insert(input.name);
    }
    for (const std::string& name : outputs) {
      const auto same = [&](const ValueInfo& o) { return o.name == name; };
      const auto found = absl::c_find_if(model.graph.outputs, same);
      if (found != model.graph.outputs.end()) {
        wanted.push_back(static_cast<size_t>(found - model.graph.outputs.begin()));
      }
    }
    if (wanted.size() != outputs.size()) wanted.clear();
  }
  size_t next = 0;  // inputs with an initializer have no file
  for (const ValueInfo& input : model.graph.inputs) {
    if (initialized.count(input.name) != 0) continue;
    const size_t index = next++;
    if (left_out.count(input.name) != 0) continue;
    LATHE_ASSIGN_OR_RETURN(Value value, ReadValue(folder, "input", index, input.type, budget));
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
    if (input.type.element_type == kStringType && value.AsTensor() != nullptr) {
      set.shapes.widths[input.name] = value.AsTensor()->shape.back();
    }
    if (value.AsTensor() != nullptr) {
      std::vector<int64_t> values = ValuesOf(*value.AsTensor());
      if (!values.empty()) set.shapes.values[input.name] = std::move(values);
    }
    set.inputs.push_back(std::move(value));
  }
  // A folder may contain inputs without expected outputs.
  std::error_code ignored;
  const bool any = absl::c_any_of(wanted, [&](size_t i) {
    const std::string name = absl::StrCat("output_", i, ".pb");
    return std::filesystem::exists(std::filesystem::path(folder) / name, ignored);
  });
  if (!any) wanted.clear();
  for (const size_t i : wanted) {
    const ValueInfo& output = model.graph.outputs[i];
    LATHE_ASSIGN_OR_RETURN(Value value, ReadValue(folder, "output", i, output.type, budget));
    set.strings.push_back(output.type.element_type == kStringType);
    set.outputs.push_back(std::move(value));
  }
  return set;
}

}  // namespace lathe::onnx
