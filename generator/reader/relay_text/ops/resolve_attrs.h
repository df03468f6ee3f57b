// Completes the written attributes of a call: converts them to their declared types and adds the
// defaults of the others.
#ifndef LATHE_READER_RELAY_TEXT_OPS_RESOLVE_ATTRS_H_
#define LATHE_READER_RELAY_TEXT_OPS_RESOLVE_ATTRS_H_

#include "absl/status/statusor.h"
#include "generator/ir/attrs.h"
#include "generator/reader/relay_text/ops/op_rows.h"
#include "generator/support/diagnostics.h"

namespace lathe::relay {

// Returns a value for each attribute that `row` declares: the written value, converted to the
// declared type, or the default. Reports the first missing or unknown attribute, or value of
// another type, at `loc`.
absl::StatusOr<ir::AttrMap> ResolveAttrs(const OpRow& row, const ir::AttrMap& written,
                                         const Location& loc, Diagnostics& diags);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_RESOLVE_ATTRS_H_
