#include "generator/ir/device_intrinsic.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/ir/print_literal.h"

namespace lathe::ir {
namespace {

enum class Result { kFirst, kSecond, kNamed, kBits, kInt32, kInt64, kUInt32, kUInt64, kFloat32 };

struct DeviceInfo {
  absl::string_view name;
  Result result;
};
constexpr DeviceInfo kResults[] = {
#define DEVICE_RESULT(name, result) {#name, Result::result},
#include "generator/ir/device_result_list.def"
#undef DEVICE_RESULT
};

constexpr absl::string_view kSpaces[] = {"ptx.",   "ptx_legacy.", "cuda.",    "nvshmem.", "webgpu.",
                                         "metal.", "nki.",        "hexagon.", "s_tir.",   "tile."};

constexpr absl::string_view kPrimitives[] = {"add",        "binary_chain",  "binary_reduce",
                                             "cast",       "copy",          "copy_async",
                                             "exp",        "exp2",          "fdiv",
                                             "fill",       "fma",           "gemm",
                                             "gemm_async", "log2",          "max",
                                             "maximum",    "memset",        "min",
                                             "minimum",    "mul",           "permute_layout",
                                             "reciprocal", "reduce_negate", "select",
                                             "silu",       "sqrt",          "sub",
                                             "sum",        "unary_reduce",  "zero",
                                             "compose_op"};
constexpr absl::string_view kScopes[] = {"cluster.",   "cta.",  "wg.",
                                         "warpgroup.", "warp.", "thread."};

constexpr absl::string_view kLayouts[] = {"TileLayout", "ComposeLayout", "SwizzleLayout"};

// Words that cannot follow a dot in Python.
constexpr std::array<absl::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool IsAttribute(absl::string_view word) {
  if (word.empty() || absl::ascii_isdigit(word.front())) return false;
  for (char c : word) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return std::find(kKeywords.begin(), kKeywords.end(), word) == kKeywords.end();
}

DType Named(PrimRef e) {
  const auto* text = e->As<StringImm>();
  const std::optional<DType> dtype = text == nullptr ? std::nullopt : ParseDType(text->value);
  return dtype ? *dtype : DType::Void();
}

}  // namespace

bool IsArgumentForm(absl::string_view name) { return name.substr(0, 9) == "argument."; }

KeywordArgument KeywordOf(PrimRef e) {
  const auto* n = e->As<Intrinsic>();
  if (n == nullptr || n->name != kKeywordArgument || n->args.size() != 2) return {};
  const auto* name = n->args[0]->As<StringImm>();
  if (name == nullptr) return {};
  return {name->value, n->args[1]};
}

bool IsLayout(absl::string_view name) {
  return std::find(std::begin(kLayouts), std::end(kLayouts), name) != std::end(kLayouts);
}

bool IsDeviceIntrinsic(absl::string_view name) {
  if (IsLayout(name)) return true;
  for (absl::string_view space : kSpaces) {
    if (name.substr(0, space.size()) != space) continue;
    return space != "tile." || IsTilePrimitive(name.substr(space.size()));
  }
  return false;
}

bool IsTilePrimitive(absl::string_view name) {
  for (absl::string_view scope : kScopes) {
    if (absl::ConsumePrefix(&name, scope)) break;
  }
  return std::find(std::begin(kPrimitives), std::end(kPrimitives), name) != std::end(kPrimitives);
}

absl::Span<const absl::string_view> TilePrimitives() { return kPrimitives; }

DType DeviceResult(absl::string_view name, const std::vector<PrimRef>& args) {
  if (IsLayout(name)) return DType::Handle();
  for (PrimRef arg : args) {
    const KeywordArgument keyword = KeywordOf(arg);
    if (keyword.value != nullptr && keyword.name == "return_type") return Named(keyword.value);
  }
  for (const DeviceInfo& info : kResults) {
    if (info.name != name) continue;
    switch (info.result) {
      case Result::kFirst:
        return args.empty() ? DType::Void() : args[0]->dtype();
      case Result::kSecond:
        return args.size() < 2 ? DType::Void() : args[1]->dtype();
      case Result::kNamed:
        return args.size() < 2 ? DType::Void() : Named(args[1]);
      case Result::kBits: {
        const auto* bits = args.empty() ? nullptr : args[0]->As<IntImm>();
        return bits != nullptr && bits->value == 64 ? DType::Int(64) : DType::Int(32);
      }
      case Result::kInt32:
        return DType::Int(32);
      case Result::kInt64:
        return DType::Int(64);
      case Result::kUInt32:
        return DType::UInt(32);
      case Result::kUInt64:
        return DType::UInt(64);
      case Result::kFloat32:
        return DType::Float(32);
    }
  }
  return DType::Void();
}

std::string DeviceCallee(absl::string_view name) {
  const size_t dot = name.find('.');
  if (dot == absl::string_view::npos) return absl::StrCat("T.", name);
  for (absl::string_view word : absl::StrSplit(name, '.')) {
    if (IsAttribute(word)) continue;
    return absl::StrCat("T.", name.substr(0, dot), "[", StringLiteral(name.substr(dot + 1)), "]");
  }
  return absl::StrCat("T.", name);
}

}  // namespace lathe::ir
