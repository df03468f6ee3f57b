// Names the attributes of a function that bound its shape variables, by variable name.
#ifndef LATHE_IR_SIZE_BOUNDS_H_
#define LATHE_IR_SIZE_BOUNDS_H_

namespace lathe::ir {

inline constexpr char kLowerBounds[] = "tir_var_lower_bound";
inline constexpr char kUpperBounds[] = "tir_var_upper_bound";

}  // namespace lathe::ir

#endif  // LATHE_IR_SIZE_BOUNDS_H_
