// Provides operators.def as a table.
#ifndef LATHE_READER_RELAY_TEXT_OPS_OP_ROWS_H_
#define LATHE_READER_RELAY_TEXT_OPS_OP_ROWS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/attrs.h"
#include "generator/ir/module.h"

namespace lathe::relay {

class OpCall;
using ImportFn = absl::StatusOr<ir::Operand> (*)(OpCall&);

enum class AttrType { kBool, kInt, kFloat, kStr, kInts, kFloats, kIntLists, kAny };

struct AttrRow {
  std::string name;
  AttrType type = AttrType::kAny;
  bool optional = false;  // may be None
  bool required = false;  // has no default
  ir::AttrValue default_value;
};

struct OpRow {
  const char* name;
  int args;            // number of arguments; kAnyArgs: the importer checks it
  ImportFn import;     // null: refused
  const char* reason;  // of a refused operator
  std::vector<AttrRow> attrs;
};
inline constexpr int kAnyArgs = -1;

// Sorted by name.
absl::Span<const OpRow> AllOpRows();
// Returns null if the operator is unknown.
const OpRow* FindOpRow(absl::string_view name);

// Parses the attributes of a row: `axis:int=-1 keepdims:bool=False units:int?`. An attribute
// without a default has to be written, unless its type ends with '?': then it is None.
std::vector<AttrRow> ParseAttrRows(absl::string_view text);

// Converts `value` to the type of `row`, by Relay's rules: an int is a float and a bool, a bool is
// an int, a float is not an int. Returns false if it has another type.
bool ConvertAttr(const AttrRow& row, ir::AttrValue& value);
// Names the type for messages: "a list of integers or None".
std::string DescribeAttrType(const AttrRow& row);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_OP_ROWS_H_
