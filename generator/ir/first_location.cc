#include "generator/ir/first_location.h"

#include <variant>

#include "generator/ir/each_stmt.h"

namespace lathe::ir {

Location FirstLocation(StmtRef stmt) {
  Location first;
  ForEachStmt(stmt, [&](StmtRef s) {
    if (std::holds_alternative<std::monostate>(first)) first = s->loc();
  });
  return first;
}

}  // namespace lathe::ir
