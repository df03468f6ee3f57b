// Parses the schema of an operator's surface call, as in rows of op_list.def:
//
//   data, weight, bias?; strides: ints[2] = 1, padding: pads[4] = 0, out_layout: str = data_layout
//
// The parameters are in the order of the surface call. Those before the ";" are arguments of the
// call, those after it attributes. Each is
//
//   [*|~] name [@position] [: type [[n]]] [?|??] [= default]
//
//   *           takes all further positional arguments; what follows it is keyword-only
//   ~           keyword-only
//   @position   among the call's arguments, or the printed attributes, when it differs from here
//   type        expr (as when left out), const, tuple, shape, prim, func, str, dtype, bool, int,
//               ints, pads, float, floats, device, vdevice, any: see ir::ParamKind
//   [n]         a single number is repeated n times; pads: 1 or n / 2 numbers are completed to n
//   ?           takes None and may be left out;  ??  is not printed either while it is None
//   default     1, -0.5, 'text', True, None, () for the empty tuple, or another parameter's name
//
// At the end, "-> out" or "-> list" means that the call specifies the StructInfo of its results.
#ifndef LATHE_OPS_PARSE_SCHEMA_H_
#define LATHE_OPS_PARSE_SCHEMA_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/op.h"

namespace lathe::ops {

struct Schema {
  std::vector<ir::OpParam> params;
  ir::SInfoArgs sinfo_args = ir::SInfoArgs::kNone;
};

// Returns the parameters of `text`. Fails with a reason if it is not a schema.
absl::StatusOr<Schema> ParseSchema(absl::string_view text);

}  // namespace lathe::ops

#endif  // LATHE_OPS_PARSE_SCHEMA_H_
