// Finds the addresses that a kernel accesses for given sizes by executing all of its loops: an
// independent check of what is proved.
#ifndef LATHE_TESTS_SUPPORT_TOUCHED_PLACES_H_
#define LATHE_TESTS_SUPPORT_TOUCHED_PLACES_H_

#include <map>
#include <vector>

#include "generator/ir/program.h"

namespace lathe::testing {

// Returns true if a call of a kernel, by its loops or its form, accesses an element outside of the
// tensor of a buffer. All data elements are equal, so accesses that depend on data are not covered.
bool TouchesOutside(const ir::Program& program, const ir::KernelStep& call,
                    const std::map<ir::PrimRef, int64_t>& sizes);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_TOUCHED_PLACES_H_
