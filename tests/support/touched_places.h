// What a kernel touches with given sizes, found out by going through all of its loops: a second
// opinion on what is proved of it, of numbers alone.
#ifndef LATHE_TESTS_SUPPORT_TOUCHED_PLACES_H_
#define LATHE_TESTS_SUPPORT_TOUCHED_PLACES_H_

#include <map>
#include <vector>

#include "generator/ir/program.h"

namespace lathe::testing {

// Whether a call of a kernel reads or writes an element that a tensor, which stands for one of its
// buffers, has not; the loops, or the form that stands for them. Data is all the same number, and
// what only other data would do is not seen.
bool TouchesOutside(const ir::Program& program, const ir::KernelStep& call,
                    const std::map<ir::PrimRef, int64_t>& sizes);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_TOUCHED_PLACES_H_
