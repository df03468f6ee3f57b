// Describes in which order the operations of ir/defined_operations.h read their data and write
// their results. Planning relies on it where both share memory.
#ifndef LATHE_IR_ROW_GROUPS_H_
#define LATHE_IR_ROW_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::ir {

// A part of an operation, in the order of execution: it reads elements from `read_start` on and
// writes up to `written_end`, in elements from the start addresses.
struct RowGroup {
  int64_t read_start = 0;
  int64_t written_end = 0;
  bool reads = true;        // false: the part reads no element
  bool reads_first = true;  // all of them before the first write; else in any order
};

// Returns the parts of a call. `numbers` are its arguments NumbersOfDefined(name).
std::vector<RowGroup> GroupsOfDefined(absl::string_view name, absl::Span<const int64_t> numbers);

}  // namespace lathe::ir

#endif  // LATHE_IR_ROW_GROUPS_H_
