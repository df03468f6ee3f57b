// Compares the operators and the constants of two modules.
#ifndef LATHE_DRIVER_COMPARE_COMPARE_OPERATORS_H_
#define LATHE_DRIVER_COMPARE_COMPARE_OPERATORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/driver/compare/operator_list.h"
#include "generator/ir/module.h"

namespace lathe::driver {

enum class ChangeKind { kAdded, kRemoved, kChanged };

// Returns "added", "removed" or "changed".
const char* NameOf(ChangeKind kind);

// An operator that only one module has, or that differs. The index of the other module is -1.
struct OperatorChange {
  ChangeKind kind = ChangeKind::kChanged;
  int a = -1, b = -1;                // indices in the lists of operators
  std::vector<std::string> details;  // of a changed one: "type: ... -> ..."
};

// Constants are compared at operands of operators that correspond.
struct WeightsChange {
  int64_t equal = 0;    // constants with equal bytes
  int64_t changed = 0;  // of equal dtype and shape, with other values
  int64_t added = 0;    // constants of added operators, and of another dtype or shape
  int64_t removed = 0;
  double largest = 0;  // maximum of |b - a| of the changed ones
};

struct OperatorsDiff {
  std::vector<ListedOperator> a, b;
  int64_t same = 0;  // operators without a difference, constants aside
  std::vector<OperatorChange> changes;
  WeightsChange weights;
};

OperatorsDiff CompareOperators(const ir::Module& a, const ir::Module& b);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_COMPARE_OPERATORS_H_
