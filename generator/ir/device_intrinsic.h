// Represents intrinsics of particular devices, T.ptx.mma(...), and tile primitives,
// T.tile.copy(...). They are kept as written, with any arguments and, for most namespaces, any
// names.
#ifndef LATHE_IR_DEVICE_INTRINSIC_H_
#define LATHE_IR_DEVICE_INTRINSIC_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/prim_expr.h"

namespace lathe::ir {

// Argument forms that only these calls have, as intrinsics with names that are not functions of T.
inline constexpr absl::string_view kKeywordArgument = "argument.keyword";  // (name, value)
inline constexpr absl::string_view kListArgument = "argument.list";        // (items...)
inline constexpr absl::string_view kDictArgument = "argument.dict";        // (keywords...)
inline constexpr absl::string_view kNoneArgument = "argument.none";        // ()

// T.S[8, 4] and T.S[(8, 4) : (4, 1)]: (extents, strides?), both lists. T.R is the same for
// replicas.
inline constexpr absl::string_view kShardSpec = "argument.shard";
inline constexpr absl::string_view kReplicaSpec = "argument.replica";

// Returns true for the names above, which programs may not call by T.call_intrin.
bool IsArgumentForm(absl::string_view name);

struct KeywordArgument {
  absl::string_view name;
  PrimRef value = nullptr;  // null: `e` is not a keyword argument
};
KeywordArgument KeywordOf(PrimRef e);

// Returns true for T.TileLayout, T.ComposeLayout and T.SwizzleLayout, which describe the layout of
// a tile over threads and memory.
bool IsLayout(absl::string_view name);
// Returns true for names such as "ptx.mma", "tile.copy" and "TileLayout".
bool IsDeviceIntrinsic(absl::string_view name);
// Returns true for tile primitives. `name` is the part after "tile.": "copy" or, with a scope,
// "cta.copy".
bool IsTilePrimitive(absl::string_view name);
absl::Span<const absl::string_view> TilePrimitives();

// Returns the dtype of the result; void for most calls.
DType DeviceResult(absl::string_view name, const std::vector<PrimRef>& args);

// Prints the callee: T.ptx.mma, or T.ptx["ld.global.b32"] if that is not a dotted name in Python.
std::string DeviceCallee(absl::string_view name);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_INTRINSIC_H_
