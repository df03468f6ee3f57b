// Derives the run-time checks under which the arithmetic of a size cannot overflow or divide by 0.
#ifndef LATHE_LOWER_LIMIT_SIZE_H_
#define LATHE_LOWER_LIMIT_SIZE_H_

#include <functional>

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"

namespace lathe::lower {

struct LimitedSize {
  analysis::Interval range;  // if the checks hold
  // A sum of signed values may have wrapped around, so that its value is not known.
  bool wraps = false;
};

// The treatment of a sum of signed values that may overflow. kMayWrap: it may wrap around, because
// the caller checks the result. kLimited: its operands are checked.
enum class SignedSums { kMayWrap, kLimited };

// Passes each condition that ranges do not prove to `check`, inner ones first: an outer condition
// may be evaluated only after the inner ones hold.
LimitedSize LimitSize(ir::Context& context, ir::PrimRef size, const analysis::Assumptions& known,
                      SignedSums sums, const std::function<void(ir::PrimRef)>& check);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LIMIT_SIZE_H_
