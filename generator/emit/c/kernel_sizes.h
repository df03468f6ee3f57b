// Names in the text of a kernel: of sizes that loops and subscripts would compute again and again,
// and whether the text mentions them.
#ifndef LATHE_EMIT_C_KERNEL_SIZES_H_
#define LATHE_EMIT_C_KERNEL_SIZES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

struct NamedSize {
  std::string name;
  std::string value;
};

// Names for the involved parts of the sizes of `buffers`, which the scope writes from here on.
absl::StatusOr<std::vector<NamedSize>> NameSizes(CScope& scope,
                                                 absl::Span<const ir::BufferRef> buffers);

// `body`, printed in `scope`, behind the declarations of those sizes that it mentions.
std::string DeclareSizes(const CScope& scope, const std::vector<NamedSize>& sizes,
                         std::string body);

// True when `identifier` stands in `text` as a word of its own, outside comments and literals.
bool MentionsName(const std::string& text, const std::string& identifier);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_SIZES_H_
