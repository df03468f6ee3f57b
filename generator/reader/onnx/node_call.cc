#include "generator/reader/onnx/node_call.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/constant_elements.h"
#include "generator/reader/onnx/check_declared.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/unequal_sizes.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

const char* AttributeTypeName(AttributeType type) {
  constexpr const char* kNames[] = {
      "of no type",        "a float",           "an integer",       "a string",
      "a tensor",          "a graph",           "a list of floats", "a list of integers",
      "a list of strings", "a list of tensors", "a list of graphs", "a sparse tensor"};
  const auto i = static_cast<size_t>(type);
  return i < std::size(kNames) ? kNames[i] : "of an unknown type";
}

}  // namespace

NodeCall::NodeCall(Import& import, Scope& scope, const Node& node, std::vector<Term> inputs,
                   int64_t opset)
    : ImportBuilder(import.context, import.builder),
      import_(import),
      scope_(scope),
      node_(node),
      inputs_(std::move(inputs)),
      opset_(opset),
      mistakes_(import.builder.premature().all().size()),
      no_dims_(kMaxRank, import.context.Int(1)) {}

// Errors that are consequences of an invalid input or of an earlier error are discarded.
Diagnostics& NodeCall::Sink() {
  return status_.ok() && !IsBroken() ? import_.diags : consequences_;
}

DiagnosticBuilder NodeCall::Error() {
  return Sink().Error(LocationOf(import_, node_), "onnx-bad-node");
}

DiagnosticBuilder NodeCall::Unsupported() {
  return Sink().Unsupported(LocationOf(import_, node_), "onnx-unsupported");
}

bool NodeCall::Has(int i) const {
  return i >= 0 && i < inputs() && !node_.inputs[static_cast<size_t>(i)].empty();
}

std::string NodeCall::Wanted(int i) const {
  return Has(i) ? absl::StrCat("input ", i, " ('", node_.inputs[static_cast<size_t>(i)], "')")
                : absl::StrCat("input ", i);
}

Operand NodeCall::In(int i) {
  if (Has(i)) {
    Term& t = inputs_[static_cast<size_t>(i)];
    if (t.operand || t.elements) {
      const Operand x = Materialize(import_, t);
      const auto* info = import_.builder.InfoOf(x)->As<ir::TensorInfo>();
      if (info != nullptr && info->dims() != nullptr && !info->dtype.is_void()) return x;
      if (status_.ok() && !IsBroken()) {
        status_ = Unsupported() << Wanted(i) << " is " << ir::ToString(import_.builder.InfoOf(x))
                                << ", but its shape and type must be known"
                                << (t.why_no_shape == nullptr ? "" : "; " + *t.why_no_shape);
      }
    }
  }
  if (status_.ok()) {
    status_ =
        !Has(i) ? absl::Status(Error() << Wanted(i) << " is missing")
        : inputs_[static_cast<size_t>(i)].strings != nullptr
            ? absl::Status(Unsupported()
                           << Wanted(i) << " holds strings, which this operator does not support")
            : absl::Status(Error() << Wanted(i) << " must be a tensor");
  }
  return Number(0, DType::Float(32));
}

Operands NodeCall::AllIn() {
  Operands all;
  for (int i = 0; i < inputs(); ++i) all.push_back(In(i));
  return all;
}

std::optional<std::vector<PrimRef>> NodeCall::ElementsOf(int i) {
  if (!Has(i) || !term(i).elements) return std::nullopt;
  return term(i).elements->values;
}

void NodeCall::SetElements(int i, Elements elements) {
  term(i).elements = elements;
  // The value may belong to an enclosing graph; there, the elements must not be visible outside of
  // the branch or loop that found them.
  const auto found = scope_.terms.find(node_.inputs[static_cast<size_t>(i)]);
  if (found != scope_.terms.end()) found->second.elements = std::move(elements);
}

std::optional<std::vector<int64_t>> NodeCall::ConstantInts(int i) {
  if (!Has(i)) return std::nullopt;
  const std::optional<ir::Constant> constant = ConstantOf(import_, term(i));
  return constant ? interp::IntsOfConstant(*constant) : std::nullopt;
}

std::optional<std::vector<double>> NodeCall::ConstantNumbers(int i) {
  if (!Has(i)) return std::nullopt;
  const std::optional<ir::Constant> constant = ConstantOf(import_, term(i));
  if (!constant) return std::nullopt;
  return interp::NumbersOfConstant(*constant);
}

std::optional<std::vector<int64_t>> NodeCall::IntsOf(int input, const std::string& attribute) {
  if (Has(input)) return ConstantInts(input);
  if (HasAttribute(attribute)) return Ints(attribute);
  return std::nullopt;
}

const Dims& NodeCall::DimsOf(const Operand& x) {
  const auto* info = import_.builder.InfoOf(x)->As<ir::TensorInfo>();
  if (info == nullptr || info->dims() == nullptr) {
    if (status_.ok() && !IsBroken()) {
      const std::string why = DescribeUnequalSizes(import_, inputs_);
      status_ = Unsupported() << "its result is " << ir::ToString(import_.builder.InfoOf(x))
                              << ", but its shape must be known" << (why.empty() ? "" : "; ")
                              << why;
    }
    return no_dims_;
  }
  return *info->dims();
}

PrimRef NodeCall::LengthOf(const Dims& list) {
  if (list.size() == 1) return list[0];
  if (status_.ok() && !IsBroken()) {
    status_ = Error() << "an input has rank " << list.size() << ", but must have one dimension";
  }
  return ir().Int(1);
}

std::optional<int64_t> NodeCall::CountOf(const Operand& list, int64_t most) {
  const std::optional<int64_t> count = IntOf(LengthOf(DimsOf(list)));
  if (!count || *count <= most) return count;
  if (status_.ok() && !IsBroken()) {
    status_ = Error() << "a list has " << *count << " entries, but at most " << most
                      << " are allowed";
  }
  return std::nullopt;
}

bool NodeCall::Wants(int k) const {
  return k < outputs() && !node_.outputs[static_cast<size_t>(k)].empty();
}

const Type* NodeCall::DeclaredType(int k) const {
  return Wants(k) ? DeclaredOf(scope_, node_.outputs[static_cast<size_t>(k)]) : nullptr;
}

std::optional<Dims> NodeCall::DeclaredDims(int k) {
  const Type* type = DeclaredType(k);
  if (type == nullptr) return std::nullopt;
  return onnx::DimsOf(import_, *type);
}

absl::Status NodeCall::NeedRank(const Operand& x, int least) {
  if (Rank(x) >= least) return absl::OkStatus();
  return Error() << "an input has rank " << Rank(x) << ", but rank " << least
                 << " or more is required";
}

absl::Status NodeCall::NeedSizes(const Dims& sizes) {
  for (const PrimRef dim : sizes) {
    const int64_t size = IntOf(dim).value_or(0);
    if (size < 0) return Error() << "a size must not be negative, got " << size;
    if (size <= kMaxTensorBytes) continue;
    return Sink().LimitExceeded(LocationOf(import_, node_), "onnx-limit")
           << "a size of " << size << ", more than the " << (kMaxTensorBytes >> 30)
           << " GiB that one tensor may have";
  }
  return absl::OkStatus();
}

const Attribute* NodeCall::Find(const std::string& name) const {
  for (const Attribute& a : node_.attributes) {
    if (a.name != name) continue;
    if (a.ref.empty()) return &a;
    if (scope_.attributes == nullptr) return nullptr;
    const auto found = scope_.attributes->find(a.ref);
    return found == scope_.attributes->end() ? nullptr : found->second;
  }
  return nullptr;
}

const Attribute* NodeCall::FindOfType(const std::string& name, AttributeType type) {
  const Attribute* a = Find(name);
  if (a == nullptr || a->type == type) return a;
  if (status_.ok() && !IsBroken()) {
    status_ = Error() << "attribute '" << name << "' is " << AttributeTypeName(a->type)
                      << ", but must be " << AttributeTypeName(type);
  }
  return nullptr;
}

int64_t NodeCall::Int(const std::string& name, int64_t otherwise) {
  const Attribute* a = FindOfType(name, AttributeType::kInt);
  return a == nullptr ? otherwise : a->i;
}
double NodeCall::Float(const std::string& name, double otherwise) {
  const Attribute* a = FindOfType(name, AttributeType::kFloat);
  return a == nullptr ? otherwise : static_cast<double>(a->f);
}
std::string NodeCall::String(const std::string& name, const std::string& otherwise) {
  const Attribute* a = FindOfType(name, AttributeType::kString);
  return a == nullptr ? otherwise : a->s;
}
std::vector<int64_t> NodeCall::Ints(const std::string& name, std::vector<int64_t> otherwise) {
  const Attribute* a = FindOfType(name, AttributeType::kInts);
  return a == nullptr ? otherwise : a->ints;
}
std::vector<double> NodeCall::Floats(const std::string& name, std::vector<double> otherwise) {
  const Attribute* a = FindOfType(name, AttributeType::kFloats);
  return a == nullptr ? otherwise : std::vector<double>(a->floats.begin(), a->floats.end());
}
std::vector<std::string> NodeCall::StringList(const std::string& name) {
  const Attribute* a = FindOfType(name, AttributeType::kStrings);
  return a == nullptr ? std::vector<std::string>() : a->strings;
}
const Graph* NodeCall::Subgraph(const std::string& name) {
  const Attribute* a = FindOfType(name, AttributeType::kGraph);
  return a == nullptr ? nullptr : a->graph.get();
}
const Tensor* NodeCall::TensorAttribute(const std::string& name) {
  const Attribute* a = FindOfType(name, AttributeType::kTensor);
  return a == nullptr ? nullptr : a->tensor.get();
}
const SparseTensor* NodeCall::SparseAttribute(const std::string& name) {
  const Attribute* a = FindOfType(name, AttributeType::kSparseTensor);
  return a == nullptr ? nullptr : a->sparse.get();
}

}  // namespace lathe::onnx
