// Represents scope ids, such as T.cta_id([2, 3]), as AttrStmts. A scope id defines variables for
// the position of a thread, for the rest of the sequence. The key of its AttrStmt is "scope_id",
// its value is the name of the function, and its node is the object "scope_id" with the other
// fields below.
#ifndef LATHE_IR_SCOPE_ID_H_
#define LATHE_IR_SCOPE_ID_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

class Context;

// The key of T.device_entry(), after which the function runs on the device.
inline constexpr absl::string_view kDeviceEntry = "tir.device_entry";
// The key of with T.tile.compose_op(...): its value is that call.
inline constexpr absl::string_view kComposeOp = "compose_op";

struct ScopeId {
  std::string function;               // "cta_id", "lane_id"
  std::vector<PrimRef> vars;          // one for each extent, or one without extents
  std::optional<AttrList> extents;    // nothing: inferred from the others
  std::optional<AttrList> preferred;  // preferred cluster sizes
};

// Returns whether `function` is one of the functions of T that define such variables.
bool IsScopeId(absl::string_view function);

AttrStmt MakeScopeId(Context& context, const ScopeId& id);
// Returns nothing if `attr` is not such a statement.
std::optional<ScopeId> ScopeIdOf(const AttrStmt& attr);

}  // namespace lathe::ir

#endif  // LATHE_IR_SCOPE_ID_H_
