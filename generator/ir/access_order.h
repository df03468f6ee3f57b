// Describes the order in which the operations of ir/defined_operations.h read their data and write
// their results. The memory planner relies on it where a result overwrites the data.
#ifndef LATHE_IR_ACCESS_ORDER_H_
#define LATHE_IR_ACCESS_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::ir {

// A part of an operation. It reads no element before `read_start` and writes none from
// `written_end` on, both counted in elements from the start addresses.
struct AccessPart {
  int64_t read_start = 0;
  int64_t written_end = 0;
  bool reads = true;        // false if the operation reads nothing in this part
  bool reads_first = true;  // all reads precede the first write; false if the order is unknown
};

// Returns the parts of the operation `name` in the order of execution. `numbers` are its arguments
// in the order of NumbersOfDefined(name).
std::vector<AccessPart> AccessOrder(absl::string_view name, absl::Span<const int64_t> numbers);

}  // namespace lathe::ir

#endif  // LATHE_IR_ACCESS_ORDER_H_
