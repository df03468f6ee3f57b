#include "generator/emit/cuda/cuda_names.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/names/library_names.h"

namespace lathe::emit {
namespace {

constexpr absl::string_view kCudaNames[] = {
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3",   "half",
    "half2",     "float2",   "float4",   "int4",    "uint4",    "stream", "status",
    "failed",    "count",    "at",       "cleared", "assert"};

// Functions of CUDA's mathematical library. Each also exists with the suffix f.
constexpr absl::string_view kCudaMathNames[] = {
    "acos",   "acosh",     "asin",      "asinh",   "atan",  "atan2",     "atanh",     "cbrt",
    "ceil",   "copysign",  "cos",       "cosh",    "cospi", "erf",       "erfc",      "erfcinv",
    "erfcx",  "erfinv",    "exp",       "exp10",   "exp2",  "expm1",     "fabs",      "fdim",
    "floor",  "fma",       "fmax",      "fmin",    "fmod",  "hypot",     "j0",        "j1",
    "ldexp",  "lgamma",    "log",       "log10",   "log1p", "log2",      "logb",      "lrint",
    "lround", "nearbyint", "nextafter", "normcdf", "pow",   "rcbrt",     "remainder", "rhypot",
    "rint",   "round",     "rsqrt",     "sin",     "sinh",  "sinpi",     "sqrt",      "tan",
    "tanh",   "tgamma",    "trunc",     "y0",      "y1",    "normcdfinv"};

// Prefixes of names with two underscores that are not CUDA functions.
constexpr absl::string_view kNoFunctions[] = {
    "__alignof",  "__asm",      "__attribute", "__builtin",  "__cdecl",     "__complex", "__const",
    "__cuda",     "__declspec", "__extension", "__fastcall", "__float",     "__func",    "__has",
    "__imag",     "__inline",   "__int",       "__label",    "__nv",        "__null",    "__pragma",
    "__real",     "__restrict", "__signed",    "__sizeof",   "__stdcall",   "__thread",  "__typeof",
    "__volatile", "__auto",     "__is",        "__wchar",    "__underlying"};

bool IsReservedInCuda(absl::string_view name) {
  const bool is_small = std::none_of(name.begin(), name.end(), absl::ascii_isupper);
  return !is_small || !absl::StartsWith(name, "__") || absl::EndsWith(name, "__") ||
         absl::StartsWith(name, "___") ||
         std::any_of(std::begin(kNoFunctions), std::end(kNoFunctions),
                     [&](absl::string_view word) { return absl::StartsWith(name, word); });
}

// Returns whether an external function cannot have this name. Names of functions of CUDA and
// <math.h> are allowed.
bool IsTakenInCuda(absl::string_view name) {
  if (IsCudaFunction(name) || MathSignatureOf(name)) return false;
  return MeansSomethingInC(name) || IsNameOfGpus(name);
}

}  // namespace

const ExternRules kCudaExternRules = {IsReservedInCuda, IsTakenInCuda, "C, C++ or CUDA"};

bool IsCudaFunction(absl::string_view name) {
  const auto is = [](absl::string_view function) {
    return std::find(std::begin(kCudaMathNames), std::end(kCudaMathNames), function) !=
           std::end(kCudaMathNames);
  };
  // Intrinsics begin with underscores. Names of the program do not.
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

void ReserveFunctionNames(const CName& model, CNames& file_names) {
  for (const char* own :
       {"create", "destroy", "config", "status_string", "weights", "checksum", "selftest",
        "outcome", "memory", "differs", "halves_differ", "run_case", "examples", "run_example"}) {
    (void)file_names.Unique(absl::StrCat(model, "_", own));
  }
}

void ReservePlaceNames(const CName& model, CNames& file_names) {
  for (const char* own : {"place", "find", "begin", "copy_on_host", "ones_on_host", "begin_on_host",
                          "weights_parts", "weights_sizes", "index", "make_room", "take_weights"}) {
    (void)file_names.Unique(absl::StrCat(model, "_", own));
  }
}

std::string DevicePart(absl::string_view header) {
  if (header == "\"lathe/scalar.h\"") return "\"lathe/cuda_device.h\"";
  return absl::StrReplaceAll(header, {{"\"lathe/", "\"lathe/cuda_"}});
}

}  // namespace lathe::emit
