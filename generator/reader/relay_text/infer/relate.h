// Evaluates the type relation of an operator: from argument types and attributes to the result
// type.
#ifndef LATHE_READER_RELAY_TEXT_INFER_RELATE_H_
#define LATHE_READER_RELAY_TEXT_INFER_RELATE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/relay_text/ops/op_rows.h"
#include "generator/reader/relay_text/types/types.h"
#include "generator/support/diagnostics.h"

namespace lathe::relay {

// An argument, of a type without holes.
struct RelationArg {
  TypeRef type = nullptr;
  std::optional<ir::Constant> constant;  // its value, if it is known
  std::vector<RelationArg> fields;       // of a tuple literal
};

// Returns the type of the result of a call. Calls the importer on parameters of the types of `args`
// in a separate module for it. Reports errors at `loc` and fails then.
absl::StatusOr<TypeRef> Relate(ir::Context& context, Types& types, const OpRow& row,
                               const ir::AttrMap& attrs, const std::vector<RelationArg>& args,
                               const Location& loc, Diagnostics& diags);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_INFER_RELATE_H_
