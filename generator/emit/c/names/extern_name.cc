#include "generator/emit/c/names/extern_name.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/names/c_names.h"

namespace lathe::emit {
namespace {

// Functions of <math.h> whose parameters and result all have one floating-point type: double, or
// float with the suffix f.
struct MathFunction {
  absl::string_view name;
  int params;
};
constexpr MathFunction kMathFunctions[] = {
    {"acos", 1},   {"acosh", 1}, {"asin", 1},      {"asinh", 1},    {"atan", 1},      {"atan2", 2},
    {"atanh", 1},  {"cbrt", 1},  {"ceil", 1},      {"copysign", 2}, {"cos", 1},       {"cosh", 1},
    {"erf", 1},    {"erfc", 1},  {"exp", 1},       {"exp10", 1},    {"exp2", 1},      {"expm1", 1},
    {"fabs", 1},   {"fdim", 2},  {"floor", 1},     {"fma", 3},      {"fmax", 2},      {"fmin", 2},
    {"fmod", 2},   {"hypot", 2}, {"lgamma", 1},    {"log", 1},      {"log10", 1},     {"log1p", 1},
    {"log2", 1},   {"logb", 1},  {"nearbyint", 1}, {"pow", 2},      {"remainder", 2}, {"rint", 1},
    {"round", 1},  {"sin", 1},   {"sinh", 1},      {"sqrt", 1},     {"tan", 1},       {"tanh", 1},
    {"tgamma", 1}, {"trunc", 1}, {"nextafter", 2}};

bool IsWord(absl::string_view text) {
  return !text.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return c == '_' || absl::ascii_isalnum(static_cast<unsigned char>(c));
         });
}

// Returns true if `name` is reserved for the runtime. Programs may call lathe_print, lathe_ccl_*
// and lathe_dist_*, which the user or the bundle defines.
bool IsOfRuntime(absl::string_view name) {
  return absl::StartsWith(name, "lathe_") && name != "lathe_print" &&
         !absl::StartsWith(name, "lathe_ccl_") && !absl::StartsWith(name, "lathe_dist_");
}

bool BeginsLike(absl::string_view name, absl::string_view model) {
  return absl::ConsumePrefix(&name, model) && (name.empty() || name[0] == '_');
}

}  // namespace

const ExternRules kCExternRules = {
    [](absl::string_view) { return true; },
    [](absl::string_view symbol) { return MeansSomethingInC(symbol) && !MathSignatureOf(symbol); },
    "C"};

absl::StatusOr<CName> ExternName(absl::string_view symbol, absl::string_view model,
                                 const ExternRules& rules) {
  const auto wrong = [](absl::string_view why) { return absl::InvalidArgumentError(why); };
  if (symbol.size() > kMaxExternName) {
    return wrong(absl::StrCat("has more than ", kMaxExternName, " bytes"));
  }
  if (!IsWord(symbol)) return wrong("is not a C identifier");
  if (symbol[0] == '_') {
    if (rules.is_reserved(symbol)) {
      return wrong("is reserved for compilers: it begins with an underscore");
    }
    return CName(std::string(symbol));
  }
  if (IsOfRuntime(symbol)) return wrong("is a name of Lathe's runtime");
  if (rules.is_taken(symbol)) {
    return wrong(absl::StrCat("has another meaning in ", rules.languages));
  }
  if (BeginsLike(symbol, model) || BeginsLike(symbol, UpperCase(model))) {
    return wrong(
        absl::StrCat("begins like the names of the model, '", model, "', which --name changes"));
  }
  return CName(std::string(symbol));
}

std::optional<MathSignature> MathSignatureOf(absl::string_view symbol) {
  const auto row_of = [](absl::string_view name) {
    return std::find_if(std::begin(kMathFunctions), std::end(kMathFunctions),
                        [&](const MathFunction& row) { return row.name == name; });
  };
  const MathFunction* row = row_of(symbol);
  ir::DType t = ir::DType::Float(64);
  if (row == std::end(kMathFunctions) && absl::ConsumeSuffix(&symbol, "f")) {
    row = row_of(symbol);
    t = ir::DType::Float(32);
  }
  if (row == std::end(kMathFunctions)) return std::nullopt;
  return MathSignature{t, std::vector<ir::DType>(static_cast<size_t>(row->params), t)};
}

}  // namespace lathe::emit
