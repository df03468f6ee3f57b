// Checks the names of external functions, which a program calls and its user defines.
#ifndef LATHE_EMIT_C_NAMES_EXTERN_NAME_H_
#define LATHE_EMIT_C_NAMES_EXTERN_NAME_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/text/c_name.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// The maximum length of a name in bytes.
inline constexpr size_t kMaxExternName = 128;

// The names that external functions may not have in a language.
struct ExternRules {
  // Returns true if `symbol`, which starts with an underscore, is reserved for compilers.
  bool (*is_reserved)(absl::string_view symbol);
  // Returns true if the language or its headers define `symbol`.
  bool (*is_taken)(absl::string_view symbol);
  // The names of the languages for messages: "C".
  absl::string_view languages;
};
extern const ExternRules kCExternRules;

// Returns `symbol` as the name that generated files of `model` declare and call. Fails if `symbol`
// is longer than kMaxExternName, is not a C identifier, is reserved, or conflicts with a name of
// the language, its headers, the runtime or the model. The message is a predicate without a
// subject: "is a name of Lathe's runtime".
absl::StatusOr<CName> ExternName(absl::string_view symbol, absl::string_view model,
                                 const ExternRules& rules);

// The types of a function of <math.h>.
struct MathSignature {
  ir::DType result;
  std::vector<ir::DType> params;
};
// Returns the signature that <math.h> declares for `symbol`. Returns nullopt if `symbol` is not one
// of the functions of <math.h> that a generated file may declare again.
std::optional<MathSignature> MathSignatureOf(absl::string_view symbol);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_EXTERN_NAME_H_
