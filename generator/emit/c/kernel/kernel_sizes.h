// Declares variables for the sizes that loops and indices of a kernel would otherwise recompute.
#ifndef LATHE_EMIT_C_KERNEL_KERNEL_SIZES_H_
#define LATHE_EMIT_C_KERNEL_KERNEL_SIZES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// A variable of the kernel, and the C expression of its value.
struct NamedSize {
  std::string name;
  std::string value;
};

// Chooses a variable for each subexpression in the shapes of `buffers` that is more than sums and
// products, such as a division. From here on `scope` prints the variable for the subexpression.
// Fails if a subexpression cannot be printed as C.
absl::StatusOr<std::vector<NamedSize>> NameSizes(CScope& scope,
                                                 absl::Span<const ir::BufferRef> buffers);

// Returns `body` after the declarations of those `sizes` that it mentions. `body` was printed in
// `scope`.
std::string DeclareSizes(const CScope& scope, const std::vector<NamedSize>& sizes,
                         std::string body);

// Returns true if `text` contains `identifier` as a whole word that is not a member name, outside
// comments and literals.
bool MentionsName(const std::string& text, const std::string& identifier);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_KERNEL_SIZES_H_
