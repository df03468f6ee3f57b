// Normalizes attribute keys to the `tir.` spelling: "tirx.noalias" becomes "tir.noalias".
#ifndef LATHE_READER_RELAX_TEXT_TIR_ATTR_NAMES_H_
#define LATHE_READER_RELAX_TEXT_TIR_ATTR_NAMES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Returns `key` with the prefix "tirx." replaced by "tir.". Other keys are returned unchanged.
std::string CanonicalAttrKey(absl::string_view key);

// Evaluates the dictionary `e` and returns it with canonical keys. Reports an error if `e` is not a
// dictionary, or if two of its keys have the same canonical form.
absl::StatusOr<ir::AttrMap> ElaborateAttrMap(StmtElaborator& s, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ATTR_NAMES_H_
