// Represents T.cta_id([2, 3]) and the other scope ids, which define variables for the position of a
// thread, as an AttrStmt for the rest of the sequence. Its key is "scope_id", its node the object
// "scope_id" with the fields below.
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
