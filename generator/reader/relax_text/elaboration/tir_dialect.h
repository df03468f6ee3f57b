// Detects the TIR syntax version of a file. The versions give some constructs different meanings.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_TIR_DIALECT_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_TIR_DIALECT_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace lathe::relax_text {

// The constructs that the versions read differently:
//
//                       x = e                  x: T.int32 = e     B = T.alloc_buffer(...)
//   kClassic, to 0.23   an immutable scalar    the same           memory of the block around it
//   kFlat, 0.24         the same               the same           a statement of its own
//   kMutable, 0.25 on   a one-element buffer   the same           a statement of its own
//
// kFlat is also the default if the version cannot be determined. In kFlat, a name that is assigned
// more than once is a one-element buffer; the older versions have no other reading of such a name.
enum class TirDialect : uint8_t { kClassic, kFlat, kMutable };

// Searches `text` for spellings that only some versions have. Comments are searched too, because
// printers write the import lines there.
TirDialect DetectTirDialect(absl::string_view text);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_TIR_DIALECT_H_
