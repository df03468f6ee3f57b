#include "generator/ir/intrinsic.h"

#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/strip.h"
#include "generator/ir/device_intrinsic.h"

namespace lathe::ir {
namespace {

constexpr IntrinsicInfo kIntrinsics[] = {
#define INTRINSIC(name, min_args, max_args, result) \
  {#name, min_args, max_args, ResultType::result, false},
#define MATH_INTRINSIC(name, min_args, max_args, result) \
  {#name, min_args, max_args, ResultType::result, true},
#include "generator/ir/intrinsic_list.def"
#undef MATH_INTRINSIC
#undef INTRINSIC
};

}  // namespace

absl::Span<const IntrinsicInfo> AllIntrinsics() { return kIntrinsics; }

const IntrinsicInfo* FindIntrinsic(absl::string_view name) {
  for (const IntrinsicInfo& info : kIntrinsics) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::optional<DType> ResultTypeOf(absl::string_view name, const std::vector<PrimRef>& args) {
  const IntrinsicInfo* info = FindIntrinsic(name);
  if (info == nullptr) return DeviceResult(name, args);
  switch (info->result) {
    case ResultType::kFirst:
      if (args.empty()) return DType::Void();
      return args[0]->dtype();
    case ResultType::kSecond:
      if (args.size() < 2) return DType::Void();
      return args[1]->dtype();
    case ResultType::kBool:
      if (args.empty() || args[0]->dtype().lanes == 0) return DType::Bool();
      return DType::Bool(args[0]->dtype().lanes);
    case ResultType::kInt32:
      return DType::Int(32);
    case ResultType::kUInt32:
      return DType::UInt(32);
    case ResultType::kHandle:
      return DType::Handle();
    case ResultType::kVoid:
      return DType::Void();
    case ResultType::kGiven:
    case ResultType::kGivenLast:
      break;
  }
  return std::nullopt;
}

std::optional<Intrinsic> LlvmMath(const Intrinsic& call) {
  const bool llvm = call.name == "call_llvm_intrin" || call.name == "call_llvm_pure_intrin";
  const auto* callee = llvm && !call.args.empty() ? call.args[0]->As<StringImm>() : nullptr;
  if (callee == nullptr) return std::nullopt;
  absl::string_view name = callee->value;
  if (!absl::ConsumePrefix(&name, "llvm.")) return std::nullopt;
  name = name.substr(0, name.find('.'));
  constexpr absl::string_view kKnown[] = {
      "ceil",  "copysign", "cos",   "ctpop", "exp",  "exp10",  "exp2",   "fabs",
      "floor", "fma",      "log",   "log10", "log2", "maxnum", "minnum", "nearbyint",
      "pow",   "rint",     "round", "sin",   "sqrt", "tan",    "tanh",   "trunc"};
  if (!absl::c_linear_search(kKnown, name)) return std::nullopt;
  if (name == "ctpop") name = "popcount";
  if (name == "minnum") name = "fmin";
  if (name == "maxnum") name = "fmax";
  std::vector<PrimRef> args(call.args.begin() + 1, call.args.end());
  // Older programs first state the number of arguments that select the overload.
  if (args.size() > 1 && args[0]->As<IntImm>() != nullptr && args[0]->dtype().is_uint()) {
    args.erase(args.begin());
  }
  return Intrinsic{std::string(name), std::move(args)};
}

}  // namespace lathe::ir
