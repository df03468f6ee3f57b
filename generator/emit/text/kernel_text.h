// Joins the parts of a printed kernel as the text that a reader sees in the generated file.
#ifndef LATHE_EMIT_TEXT_KERNEL_TEXT_H_
#define LATHE_EMIT_TEXT_KERNEL_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/emit/text/comment_text.h"

namespace lathe::emit {

// Returns the functions that the kernel needs (on GPUs, also its launch), then the comment and the
// kernel. Indents `body` and adds its braces:
//
//   /* lv = relax.nn.relu */
//   static void net_relu(const float *x, float *y) {
//     ...
//   }
std::string KernelText(const CComment& origin, const std::vector<std::string>& functions,
                       absl::string_view signature, absl::string_view body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_KERNEL_TEXT_H_
