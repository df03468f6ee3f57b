#include "generator/interp/packed_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/tensor_ops.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

absl::StatusOr<const Tensor*> PackedTensorArg(const PackedCall& call, size_t n) {
  if (n < call.args.size()) {
    if (const Tensor* tensor = call.args[n].AsTensor()) return tensor;
  }
  return absl::InvalidArgumentError(absl::StrCat("argument ", n + 1, " must be a tensor"));
}

absl::StatusOr<Value> Copy(const PackedCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, PackedTensorArg(call, 0));
  LATHE_ASSIGN_OR_RETURN(TensorRef copy, CopyTensor(*tensor, call.budget, tensor->device));
  return Value(std::move(copy));
}

absl::StatusOr<Value> ShapeOf(const PackedCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, PackedTensorArg(call, 0));
  return Value::OfShape(tensor->shape);
}

absl::StatusOr<Value> Reshape(const PackedCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, PackedTensorArg(call, 0));
  const auto* shape = call.args.size() < 2 ? nullptr : call.args[1].AsShape();
  if (shape == nullptr) return absl::InvalidArgumentError("argument 2 must be a shape");
  LATHE_ASSIGN_OR_RETURN(TensorRef view, ViewTensor(*tensor, *shape, tensor->dtype, 0));
  return Value(std::move(view));
}

absl::StatusOr<Value> TensorToShape(const PackedCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, PackedTensorArg(call, 0));
  LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> dims, ShapeFromTensor(*tensor));
  return Value::OfShape(std::move(dims));
}

absl::StatusOr<Value> NullValue(const PackedCall&) { return Value(); }

struct Builtin {
  const char* name;
  absl::StatusOr<Value> (*body)(const PackedCall&);
};
constexpr Builtin kBuiltins[] = {
    {"vm.builtin.copy", Copy},
    {"vm.builtin.shape_of", ShapeOf},
    {"vm.builtin.reshape", Reshape},
    {"vm.builtin.tensor_to_shape", TensorToShape},
    {"vm.builtin.null_value", NullValue},
};

}  // namespace

void PackedTable::Add(std::string name, PackedBody body) {
  auto f = std::make_shared<const PackedFunction>(PackedFunction{name, std::move(body)});
  functions_[std::move(name)] = std::move(f);
}

std::shared_ptr<const PackedFunction> PackedTable::Find(absl::string_view name) const {
  const auto it = functions_.find(name);
  return it == functions_.end() ? nullptr : it->second;
}

std::vector<absl::string_view> PackedTable::Names() const {
  std::vector<absl::string_view> names;
  for (const auto& [name, f] : functions_) names.push_back(name);
  return names;
}

PackedTable BuiltinPackedTable() {
  PackedTable table;
  for (const Builtin& b : kBuiltins) table.Add(b.name, b.body);
  return table;
}

}  // namespace lathe::interp
