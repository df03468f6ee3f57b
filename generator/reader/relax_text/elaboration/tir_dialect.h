// Which generation of TIR text a file is, where one spelling has had two meanings.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_TIR_DIALECT_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_TIR_DIALECT_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace lathe::relax_text {

// What the generations read differently:
//
//                       x = e                  x: T.int32 = e     B = T.alloc_buffer(...)
//   kClassic, to 0.23   an immutable scalar    the same           memory of the block around it
//   kFlat, 0.24         the same               the same           a statement of its own
//   kMutable, 0.25 on   a one-element buffer   the same           a statement of its own
//
// In kFlat, which is also what a file is that does not show its age, a name that is assigned more
// than once is a one-element buffer: the older generations have no other meaning for that.
enum class TirDialect : uint8_t { kClassic, kFlat, kMutable };

// From the words of the file, comments included: printers put the import lines there.
TirDialect DetectTirDialect(absl::string_view text);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_TIR_DIALECT_H_
