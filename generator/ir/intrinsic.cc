#include "generator/ir/intrinsic.h"

#include "generator/ir/device_intrinsic.h"

namespace lathe::ir {
namespace {

constexpr IntrinsicInfo kIntrinsics[] = {
#define INTRINSIC(name, min_args, max_args, result) {#name, min_args, max_args, ResultType::result},
#include "generator/ir/intrinsic_list.def"
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

}  // namespace lathe::ir
