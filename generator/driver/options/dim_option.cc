#include "generator/driver/options/dim_option.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

absl::StatusOr<std::pair<std::string, DimRange>> ReadOne(absl::string_view text, bool sizes) {
  const auto wrong = [&] {
    return absl::InvalidArgumentError(
        absl::StrCat("option '-D' must be NAME=N or NAME=LOW..HIGH", ", with LOW at most HIGH",
                     sizes ? " and sizes of at least 0" : "", "; got '", text, "'"));
  };
  const size_t equals = text.find('=');
  if (equals == 0 || equals == text.npos) return wrong();
  const absl::string_view range = text.substr(equals + 1);
  const size_t dots = range.find("..");
  DimRange dims;
  if (!absl::SimpleAtoi(range.substr(0, dots), &dims.low)) return wrong();
  dims.high = dims.low;
  if (dots != range.npos && !absl::SimpleAtoi(range.substr(dots + 2), &dims.high)) return wrong();
  if ((sizes && dims.low < 0) || dims.high < dims.low) return wrong();
  return std::make_pair(std::string(text.substr(0, equals)), dims);
}

absl::StatusOr<std::map<std::string, DimRange>> ReadAll(const Arguments& args, bool sizes) {
  std::map<std::string, DimRange> dims;
  for (absl::string_view text : args.Values("--dim")) {
    LATHE_ASSIGN_OR_RETURN(auto one, ReadOne(text, sizes));
    if (!dims.insert(one).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", one.first, "' is specified more than once with -D"));
    }
  }
  return dims;
}

}  // namespace

absl::StatusOr<std::map<std::string, DimRange>> ReadDimOptions(const Arguments& args) {
  return ReadAll(args, true);
}

absl::StatusOr<std::map<std::string, int64_t>> ReadValueOptions(const Arguments& args,
                                                                absl::string_view purpose) {
  LATHE_ASSIGN_OR_RETURN(const auto dims, ReadAll(args, false));
  std::map<std::string, int64_t> sizes;
  for (const auto& [name, range] : dims) {
    if (!range.is_single()) {
      return absl::InvalidArgumentError(absl::StrCat(purpose, ", '", name, "' needs one size; got ",
                                                     range.low, "..", range.high));
    }
    sizes[name] = range.low;
  }
  return sizes;
}

}  // namespace lathe::driver
