// The names of functions that a program calls and its user defines.
#ifndef LATHE_EMIT_C_EXTERN_NAME_H_
#define LATHE_EMIT_C_EXTERN_NAME_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/text/c_name.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// Of a name, in bytes.
inline constexpr size_t kMaxExternName = 128;

// The names that are not free for external functions in a language.
struct ExternRules {
  bool (*is_reserved)(absl::string_view symbol);  // of a symbol that begins with an underscore
  bool (*is_taken)(absl::string_view symbol);     // it means something else
  absl::string_view languages;                    // where: "C"
};
extern const ExternRules kCExternRules;

// `symbol` as what generated files of `model` call and declare. Fails for what is no identifier of
// C and C++, for what their headers, the runtime or the model define, and for reserved names; the
// message says which, and begins with "is": "is a keyword of C or C++".
absl::StatusOr<CName> ExternName(absl::string_view symbol, absl::string_view model,
                                 const ExternRules& rules);

// What <math.h> says of the function: its result and its parameters. Nothing where `symbol` is none
// of those that may be declared again.
struct MathSignature {
  ir::DType result;
  std::vector<ir::DType> params;
};
std::optional<MathSignature> MathSignatureOf(absl::string_view symbol);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_EXTERN_NAME_H_
