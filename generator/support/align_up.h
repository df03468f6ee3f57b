// Rounds sizes and offsets up.
#ifndef LATHE_SUPPORT_ALIGN_UP_H_
#define LATHE_SUPPORT_ALIGN_UP_H_

#include <cstdint>

namespace lathe {

// Returns the least multiple of `align` that is not below `value`, which is not negative.
inline int64_t AlignUp(int64_t value, int64_t align) { return (value + align - 1) / align * align; }

}  // namespace lathe

#endif  // LATHE_SUPPORT_ALIGN_UP_H_
