#include "generator/ir/device/async_copy_call.h"

#include <algorithm>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/device/typed_arguments.h"
#include "generator/ir/device_intrinsic.h"

namespace lathe::ir {
namespace {

// Dialects have different names for the same instruction.
constexpr absl::string_view kByOffsets[] = {"ptx_cp_async", "ptx.cp_async.legacy",
                                            "ptx_legacy.cp_async", "s_tir.cp_async_raw",
                                            "s_tir.cp_async_raw.legacy"};
constexpr absl::string_view kCommits[] = {"ptx_commit_group", "ptx.cp_async.commit_group",
                                          "ptx.cp.async_.commit_group",
                                          "ptx.cp.async.commit_group"};
constexpr absl::string_view kWaits[] = {"ptx_wait_group", "ptx.cp_async.wait_group",
                                        "ptx.cp.async_.wait_group", "ptx.cp.async.wait_group"};

template <size_t kCount>
bool IsOf(const absl::string_view (&names)[kCount], absl::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The bytes that one instruction copies; 0 if `e` is not a valid size.
int BytesOf(PrimRef e) {
  const auto* number = e->As<IntImm>();
  const bool fits =
      number != nullptr && (number->value == 4 || number->value == 8 || number->value == 16);
  return fits ? static_cast<int>(number->value) : 0;
}

// (to, offset, from, offset, bytes, condition?)
std::optional<AsyncCopy> ByOffsets(const std::vector<PrimRef>& args, DType dtype) {
  if (args.size() != 5 && args.size() != 6) return std::nullopt;
  const int bytes = BytesOf(args[4]);
  if (bytes == 0 || !IsPointer(args[0]) || !IsPointer(args[2])) return std::nullopt;
  return AsyncCopy{AddressAtOffset(args[0], args[1], dtype),
                   AddressAtOffset(args[2], args[3], dtype), bytes,
                   args.size() == 6 ? args[5] : nullptr};
}

// (to, from, bytes, cache_hint="", cache_policy=None, prefetch_size=-1, predicate=-1,
// fill_mode=""). Without fill_mode="zero", a predicate skips the copy; such calls are not
// recognized.
std::optional<AsyncCopy> ByPointers(const std::vector<PrimRef>& args) {
  std::vector<PrimRef> given;
  PrimRef predicate = nullptr;
  bool fills = false;
  for (PrimRef arg : args) {
    const KeywordArgument keyword = KeywordOf(arg);
    if (keyword.value == nullptr) {
      given.push_back(arg);
    } else if (keyword.name == "predicate") {
      predicate = keyword.value;
    } else if (keyword.name == "fill_mode") {
      const auto* mode = keyword.value->As<StringImm>();
      fills = mode != nullptr && mode->value == "zero";
    } else if (keyword.name != "cache_hint" && keyword.name != "prefetch_size") {
      return std::nullopt;
    }
  }
  const auto* number = predicate == nullptr ? nullptr : predicate->As<IntImm>();
  if (number != nullptr && number->value == -1) predicate = nullptr;
  if (given.size() != 3 || (predicate != nullptr && !fills)) return std::nullopt;
  const int bytes = BytesOf(given[2]);
  if (bytes == 0 || !IsPointer(given[0]) || !IsPointer(given[1])) return std::nullopt;
  return AsyncCopy{AddressAtOffset(given[0], nullptr, DType::UInt(8)),
                   AddressAtOffset(given[1], nullptr, DType::UInt(8)), bytes, predicate};
}

}  // namespace

std::optional<AsyncCopy> AsyncCopyOf(const Intrinsic& call, DType dtype) {
  const TypedArguments typed = SplitTypedArguments(call, dtype);
  if (IsOf(kByOffsets, call.name)) return ByOffsets(typed.args, typed.dtype);
  if (call.name != "ptx.cp_async") return std::nullopt;
  // Calls created by TVM passes begin with the element type and have offsets after the pointers.
  return typed.args.size() < call.args.size() ? ByOffsets(typed.args, typed.dtype)
                                              : ByPointers(call.args);
}

bool CommitsCopies(const Intrinsic& call) { return IsOf(kCommits, call.name) && call.args.empty(); }

std::optional<int> CopiesLeft(const Intrinsic& call) {
  if (!IsOf(kWaits, call.name) || call.args.size() > 1) return std::nullopt;
  if (call.args.empty()) return 0;
  const KeywordArgument keyword = KeywordOf(call.args[0]);
  const PrimRef value = keyword.value != nullptr ? keyword.value : call.args[0];
  const auto* number = value->As<IntImm>();
  if (number == nullptr || number->value < 0 || number->value > 255) return std::nullopt;
  return static_cast<int>(number->value);
}

}  // namespace lathe::ir
