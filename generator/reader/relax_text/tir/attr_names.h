// Attributes of functions, blocks and loops. Their keys, and the intrinsics they name, are kept in
// one spelling whatever the dialect: "tirx.noalias" is "tir.noalias".
#ifndef LATHE_READER_RELAX_TEXT_TIR_ATTR_NAMES_H_
#define LATHE_READER_RELAX_TEXT_TIR_ATTR_NAMES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

std::string CanonicalAttrKey(absl::string_view key);

// The dictionary at `e`, with canonical keys.
absl::StatusOr<ir::AttrMap> ElaborateAttrMap(StmtElaborator& s, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ATTR_NAMES_H_
