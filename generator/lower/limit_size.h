// The arithmetic of one size: what has to hold so that nothing in it overflows or divides by zero.
#ifndef LATHE_LOWER_LIMIT_SIZE_H_
#define LATHE_LOWER_LIMIT_SIZE_H_

#include <functional>

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"

namespace lathe::lower {

struct LimitedSize {
  analysis::Interval range;  // where the checks hold
  // A sum of numbers of any sign may have wrapped around: it is what the run says it is then.
  bool wraps = false;
};

// What a sum of numbers of any sign does that has none: it may wrap around where the caller looks
// for a size afterwards, in which it shows; else its addends are limited.
enum class SignedSums { kMayWrap, kLimited };

// Hands each condition that ranges do not prove to `check`, those of inner parts first: they may be
// computed once the ones before them hold.
LimitedSize LimitSize(ir::Context& context, ir::PrimRef size, const analysis::Assumptions& known,
                      SignedSums sums, const std::function<void(ir::PrimRef)>& check);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LIMIT_SIZE_H_
