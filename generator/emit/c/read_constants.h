// Finds the constants that the text of a model reads. Of a pointer that nothing reads, the text has
// no lines, so that a constant may have no use left.
#ifndef LATHE_EMIT_C_READ_CONSTANTS_H_
#define LATHE_EMIT_C_READ_CONSTANTS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Removes the constants whose names occur in none of `texts`, from the view of the constants and
// from `names`.
void KeepReadConstants(absl::Span<const TemplateValue::List* const> texts,
                       TemplateValue::List& constants, std::vector<std::string>& names);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_READ_CONSTANTS_H_
