#include "generator/driver/validate/expected_arrays.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generator/driver/validate/named_arrays.h"
#include "generator/interp/data/npy_format.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Returns the number of the output that an array is for.
std::optional<size_t> OutputOf(const std::string& array, const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (array == names[i] || array == absl::StrCat("output_", i)) return i;
  }
  return std::nullopt;
}

bool IsInput(const std::string& array, const emit::ApiFunction& function) {
  // Fields of tuples are x.0, x.1 in files.
  const std::string member = absl::StrReplaceAll(array, {{".", "_"}});
  return std::any_of(function.inputs.begin(), function.inputs.end(),
                     [&](const emit::ApiPort& port) {
                       return port.name.str() == array || port.name.str() == member;
                     });
}

}  // namespace

absl::StatusOr<ExpectedArrays> UseExpectedArrays(
    const RunOptions& options, const emit::ApiFunction& function,
    const std::vector<std::string>& names, const std::shared_ptr<interp::MemoryBudget>& budget,
    std::vector<PartBytes>& wanted) {
  ExpectedArrays found;
  for (const auto& [input, path] : options.inputs) {
    if (!input.empty()) continue;
    LATHE_ASSIGN_OR_RETURN(const std::vector<interp::ZipMember> arrays,
                           ReadNamedArrays(path, *budget));
    for (const interp::ZipMember& array : arrays) {
      if (IsInput(array.name, function)) continue;
      const std::string where = absl::StrCat(path, ":", array.name);
      const std::optional<size_t> at = OutputOf(array.name, names);
      if (!at) {
        found.unknown.push_back(array.name);
        continue;
      }
      if (names.size() != function.outputs.size()) {
        return absl::FailedPreconditionError(
            absl::StrCat("'", where,
                         "' is the output of one run, but a function with a state runs several "
                         "times; '--steps 1' runs it once"));
      }
      auto tensor = interp::ReadNpy(array.bytes, budget, wanted[*at].dtype);
      if (!tensor.ok()) return InArrayFile(where, tensor.status());
      std::vector<PartBytes> parts = PartsOfValue(interp::Value(*std::move(tensor)));
      const PartBytes& want = wanted[*at];
      if (!want.pieces.empty() || parts[0].dtype != want.dtype || parts[0].shape != want.shape) {
        return absl::FailedPreconditionError(
            absl::StrCat("output '", names[*at], "' is ", want.type(), " of ",
                         interp::ShapeToString(want.shape), ", but '", where, "' is ",
                         parts[0].type(), " of ", interp::ShapeToString(parts[0].shape)));
      }
      wanted[*at] = std::move(parts[0]);
      found.compared.push_back(names[*at]);
    }
  }
  return found;
}

absl::Status CheckNoneExpected(const RunOptions& options, const emit::ApiFunction& function,
                               const std::vector<std::string>& names,
                               const std::shared_ptr<interp::MemoryBudget>& budget,
                               const std::string& why) {
  for (const auto& [input, path] : options.inputs) {
    if (!input.empty()) continue;
    LATHE_ASSIGN_OR_RETURN(const std::vector<interp::ZipMember> arrays,
                           ReadNamedArrays(path, *budget));
    for (const interp::ZipMember& array : arrays) {
      if (IsInput(array.name, function) || !OutputOf(array.name, names)) continue;
      return absl::FailedPreconditionError(absl::StrCat(
          "the evaluation fails, but '", path, ":", array.name, "' is an expected output: ", why));
    }
  }
  return absl::OkStatus();
}

std::string DescribeExpectedArrays(const ExpectedArrays& arrays, const RunOptions& options,
                                   size_t outputs) {
  std::string text;
  if (!arrays.compared.empty()) {
    text = absl::StrCat(
        "expected outputs in '", options.inputs.back().second,
        "': ", absl::StrJoin(arrays.compared, ", "),
        arrays.compared.size() < outputs ? "; the interpreter computes the others" : "");
  }
  if (!arrays.unknown.empty()) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", "neither an input nor an output of '",
                    options.func, "': ", absl::StrJoin(arrays.unknown, ", "));
  }
  return text;
}

}  // namespace lathe::driver
