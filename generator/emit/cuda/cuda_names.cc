#include "generator/emit/cuda/cuda_names.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace lathe::emit {
namespace {

constexpr absl::string_view kCudaNames[] = {
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3",   "half",
    "half2",     "float2",   "float4",   "int4",    "uint4",    "stream", "status",
    "failed",    "count",    "at",       "cleared", "assert"};

// Those of its mathematical library, each with an f behind its name too.
constexpr absl::string_view kCudaMathNames[] = {
    "acos",   "acosh",     "asin",      "asinh",   "atan",  "atan2",     "atanh",     "cbrt",
    "ceil",   "copysign",  "cos",       "cosh",    "cospi", "erf",       "erfc",      "erfcinv",
    "erfcx",  "erfinv",    "exp",       "exp10",   "exp2",  "expm1",     "fabs",      "fdim",
    "floor",  "fma",       "fmax",      "fmin",    "fmod",  "hypot",     "j0",        "j1",
    "ldexp",  "lgamma",    "log",       "log10",   "log1p", "log2",      "logb",      "lrint",
    "lround", "nearbyint", "nextafter", "normcdf", "pow",   "rcbrt",     "remainder", "rhypot",
    "rint",   "round",     "rsqrt",     "sin",     "sinh",  "sinpi",     "sqrt",      "tan",
    "tanh",   "tgamma",    "trunc",     "y0",      "y1",    "normcdfinv"};

}  // namespace

bool IsCudaFunction(absl::string_view name) {
  const auto is = [](absl::string_view function) {
    return std::find(std::begin(kCudaMathNames), std::end(kCudaMathNames), function) !=
           std::end(kCudaMathNames);
  };
  // Intrinsics begin with an underscore, as nothing of a program does.
  return absl::StartsWith(name, "__") || is(name) || (absl::ConsumeSuffix(&name, "f") && is(name));
}

std::string FunctionsHeader(absl::string_view model) {
  return absl::StrCat("\"", model, "_functions.h\"");
}

std::string OutsideHeader(absl::string_view model) {
  return absl::StrCat("\"", model, "_outside.h\"");
}

void ReserveCudaNames(CNames& names) {
  for (absl::string_view name : kCudaNames) (void)names.Unique(name);
}

std::string DevicePart(absl::string_view header) {
  if (header == "\"lathe/scalar.h\"") return "\"lathe/cuda_device.h\"";
  return absl::StrReplaceAll(header, {{"\"lathe/", "\"lathe/cuda_"}});
}

}  // namespace lathe::emit
