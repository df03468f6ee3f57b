// Lists the intrinsics that scalar expressions call by name: exp, call_extern, tvm_storage_sync.
#ifndef LATHE_IR_INTRINSIC_H_
#define LATHE_IR_INTRINSIC_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/prim_expr.h"

namespace lathe::ir {

// The source of an intrinsic's result type.
enum class ResultType : uint8_t {
  kFirst,   // that of the first argument
  kSecond,  // that of the second
  kBool,    // bool, with the lanes of the first
  kInt32,
  kUInt32,
  kHandle,
  kVoid,
  kGiven,      // written before the arguments: T.call_extern("int32", "f", x)
  kGivenLast,  // written after them: T.tvm_struct_get(a, 0, 1, "handle")
};

struct IntrinsicInfo {
  absl::string_view name;
  int min_args;
  int max_args;  // -1: any number
  ResultType result;
  bool is_math;  // the result depends on the arguments only
};

// Returns all intrinsics, grouped by purpose.
absl::Span<const IntrinsicInfo> AllIntrinsics();

// Returns null if there is none.
const IntrinsicInfo* FindIntrinsic(absl::string_view name);

// The result type if the call does not state it; nothing if it must.
std::optional<DType> ResultTypeOf(absl::string_view name, const std::vector<PrimRef>& args);

// Converts LLVM's mathematical intrinsics: T.call_llvm_pure_intrin("llvm.sqrt.v4f32", x) becomes
// sqrt(x).
std::optional<Intrinsic> LlvmMath(const Intrinsic& call);

}  // namespace lathe::ir

#endif  // LATHE_IR_INTRINSIC_H_
