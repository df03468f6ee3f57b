// Reads the elements of constants.
#ifndef LATHE_INTERP_DATA_CONSTANT_ELEMENTS_H_
#define LATHE_INTERP_DATA_CONSTANT_ELEMENTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::interp {

// Returns the elements of a constant of integers or bools; nothing for other dtypes.
std::optional<std::vector<int64_t>> IntsOfConstant(const ir::Constant& constant);

// Returns the elements of a constant of any dtype.
std::vector<double> NumbersOfConstant(const ir::Constant& constant);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_CONSTANT_ELEMENTS_H_
