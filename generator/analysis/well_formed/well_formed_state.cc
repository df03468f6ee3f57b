#include "generator/analysis/well_formed/well_formed_state.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/state.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;

constexpr absl::string_view kForm =
    "a list with the first byte of each variable, an integer from 0 to 255, or a list of bytes";

// Returns why a variable of this info cannot be stored between runs; nothing if it can.
std::optional<std::string> WhyNotStored(StructInfoRef info) {
  const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
  if (tensor == nullptr) return "is not a tensor";
  if (tensor->dtype.is_void()) return "has no dtype";
  if (tensor->dims() == nullptr) return "has no shape";
  for (ir::PrimRef dim : *tensor->dims()) {
    const auto* size = dim->As<ir::IntImm>();
    if (size == nullptr) return absl::StrCat("has the size ", ir::ToString(dim));
    if (size->value < 1) return "has no elements";
  }
  return std::nullopt;
}

// Returns the bytes of a tensor of known type.
uint64_t BytesOf(const ir::TensorInfo& tensor) {
  uint64_t elements = 1;
  for (ir::PrimRef dim : *tensor.dims()) {
    elements *= static_cast<uint64_t>(dim->As<ir::IntImm>()->value);
  }
  return ir::StorageBytes(tensor.dtype, elements);
}

using FirstBytes = std::vector<std::vector<uint8_t>>;  // of each variable

class StateCheck {
 public:
  StateCheck(const ir::Module& module, Diagnostics& diags) : module_(module), diags_(diags) {}

  void Check(const ir::Global& global) {
    const ir::Function* f = global.function();
    if (f == nullptr || f->attrs.count(ir::kState) == 0) return;
    global_ = &global;
    if (!ir::IsExported(global)) {
      Report(absl::StrCat("'", global.name, "' is private and has the attribute \"state\""),
             "callers pass the variables of a private function");
      return;
    }
    if (!IsListOfBytes(f->attrs.at(ir::kState))) {
      Report(absl::StrCat("the attribute \"state\" of '", global.name, "' is not ", kForm), "");
      return;
    }
    const FirstBytes bytes = ir::FirstBytesOfState(*f);
    if (f->ret_info == nullptr || !CheckVariables(*f, bytes)) return;
    CheckShared(*f, bytes);
  }

 private:
  void Report(const std::string& message, const std::string& help) {
    DiagnosticBuilder error = diags_.Error(global_->loc, "state-attribute");
    error << message;
    if (!help.empty()) std::move(error).Help(help);
  }

  static bool IsListOfBytes(const ir::AttrValue& value) {
    const auto* list = value.As<ir::AttrList>();
    if (list == nullptr || list->empty()) return false;
    for (const ir::AttrValue& entry : *list) {
      const auto* several = entry.As<ir::AttrList>();
      if (several == nullptr ? !IsByte(entry) : several->empty()) return false;
      if (several != nullptr && !absl::c_all_of(*several, IsByte)) return false;
    }
    return true;
  }

  static bool IsByte(const ir::AttrValue& value) {
    const auto* byte = value.As<int64_t>();
    return byte != nullptr && *byte >= 0 && *byte <= 255;
  }

  bool CheckVariables(const ir::Function& f, const FirstBytes& bytes) {
    const auto* tuple = f.ret_info->As<ir::TupleInfo>();
    const std::vector<StructInfoRef> results =
        tuple == nullptr ? std::vector<StructInfoRef>{f.ret_info} : tuple->fields;
    if (bytes.size() > f.params.size() || bytes.size() > results.size()) {
      Report(absl::StrCat("'", global_->name, "' has a state of ", bytes.size(), " variables, but ",
                          f.params.size(), " parameters and ", results.size(), " results"),
             "the last parameters and the last results of the function are its variables");
      return false;
    }
    for (size_t i = 0; i < bytes.size(); ++i) {
      const ir::Value& param = module_.values[f.params[f.params.size() - bytes.size() + i]];
      const StructInfoRef result = results[results.size() - bytes.size() + i];
      const std::string variable =
          absl::StrCat("variable '", param.name, "' of the state of '", global_->name, "'");
      if (const auto why = WhyNotStored(param.info)) {
        Report(absl::StrCat(variable, " ", *why),
               "a variable is a tensor with a dtype and constant sizes");
        return false;
      }
      const auto* from = param.info->As<ir::TensorInfo>();
      const auto* to = result->As<ir::TensorInfo>();
      const bool same = to != nullptr && to->dtype == from->dtype && to->dims() != nullptr &&
                        *to->dims() == *from->dims();
      if (!same) {
        Report(absl::StrCat(variable, " is ", ir::ToString(param.info), ", but the function ",
                            "returns ", ir::ToString(result), " for it"),
               "a variable has the same dtype and shape in the parameters and in the results");
        return false;
      }
      const uint8_t largest = *absl::c_max_element(bytes[i]);
      if (from->dtype.is_bool() && largest > 1) {
        Report(absl::StrCat(variable, " is bool and starts with the byte ", int{largest}),
               "a bool is 0 or 1");
        return false;
      }
      const uint64_t size = BytesOf(*from);
      if (size % bytes[i].size() != 0) {
        Report(absl::StrCat(variable, " has ", size, " bytes, and starts with ", bytes[i].size(),
                            " of them"),
               "the bytes of the attribute are repeated, so their number divides that of the "
               "variable");
        return false;
      }
    }
    return true;
  }

  // Compares with the first function that has a state.
  void CheckShared(const ir::Function& f, const FirstBytes& bytes) {
    if (first_ == nullptr) {
      first_ = global_;
      return;
    }
    const ir::Function& first = *first_->function();
    bool same = ir::FirstBytesOfState(first) == bytes;
    for (size_t i = 0; same && i < bytes.size(); ++i) {
      const ir::Value& mine = module_.values[f.params[f.params.size() - 1 - i]];
      const ir::Value& other = module_.values[first.params[first.params.size() - 1 - i]];
      const auto* a = mine.info->As<ir::TensorInfo>();
      const auto* b = other.info->As<ir::TensorInfo>();
      same = a->dtype == b->dtype && *a->dims() == *b->dims();
    }
    if (same) return;
    (diags_.Error(global_->loc, "state-attribute")
     << "'" << global_->name << "' has another state than '" << first_->name << "'")
        .Note(first_->loc, "the other function")
        .Help("all functions with a state share it: the same variables in the same order");
  }

  const ir::Module& module_;
  Diagnostics& diags_;
  const ir::Global* global_ = nullptr;
  const ir::Global* first_ = nullptr;
};

}  // namespace

void CheckState(const ir::Module& module, Diagnostics& diags) {
  StateCheck check(module, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    check.Check(module.globals[ir::GlobalId{i}]);
  }
}

}  // namespace lathe::analysis
