#include "generator/reader/relax_text/elaboration/written_size.h"

#include <vector>

namespace lathe::relax_text {

int WrittenSize(ir::PrimRef e, int limit) {
  std::vector<ir::PrimRef> open = {e};
  int size = 0;
  while (!open.empty() && size <= limit) {
    const ir::PrimRef next = open.back();
    open.pop_back();
    ++size;
    ir::ForEachOperand(next, [&](ir::PrimRef operand) { open.push_back(operand); });
  }
  return size;
}

}  // namespace lathe::relax_text
