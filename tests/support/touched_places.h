// Finds the addresses that a kernel accesses for given sizes by executing all of its loops: an
// independent check of what is proved.
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
