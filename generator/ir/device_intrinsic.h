// The intrinsics of one kind of device, T.ptx.mma(...), and the tile primitives, T.tile.copy(...).
// They are kept as they are written: whatever their arguments are, and for most of them whatever
// their names are.
#ifndef LATHE_IR_DEVICE_INTRINSIC_H_
#define LATHE_IR_DEVICE_INTRINSIC_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/prim_expr.h"

namespace lathe::ir {

// Arguments that only these calls take, as intrinsics of names that no function of T has.
inline constexpr absl::string_view kKeywordArgument = "argument.keyword";  // (name, value)
inline constexpr absl::string_view kListArgument = "argument.list";        // (items...)
inline constexpr absl::string_view kDictArgument = "argument.dict";        // (keywords...)
inline constexpr absl::string_view kNoneArgument = "argument.none";        // ()

// T.S[8, 4] and T.S[(8, 4) : (4, 1)]: (extents, strides?), both lists. T.R is the same for
// replicas.
inline constexpr absl::string_view kShardSpec = "argument.shard";
inline constexpr absl::string_view kReplicaSpec = "argument.replica";

// True for the names above, which no program may call by T.call_intrin.
bool IsArgumentForm(absl::string_view name);

struct KeywordArgument {
  absl::string_view name;
  PrimRef value = nullptr;  // null: `e` is none
};
KeywordArgument KeywordOf(PrimRef e);

// True for T.TileLayout and its like, which describe how a tile lies over threads and memory.
bool IsLayout(absl::string_view name);
// True for "ptx.mma", "tile.copy", "TileLayout" and their like.
bool IsDeviceIntrinsic(absl::string_view name);
// The names after "tile." and an optional scope: "copy", of T.tile.copy and T.tile.cta.copy.
bool IsTilePrimitive(absl::string_view name);
absl::Span<const absl::string_view> TilePrimitives();

// The type of what the call gives; void for most.
DType DeviceResult(absl::string_view name, const std::vector<PrimRef>& args);

// T.ptx.mma, or T.ptx["ld.global.b32"] where that is no dotted name in Python.
std::string DeviceCallee(absl::string_view name);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_INTRINSIC_H_
