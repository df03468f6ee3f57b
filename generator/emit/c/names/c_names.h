// Chooses identifiers for the generated C that are valid, unique, and close to the model's names.
#ifndef LATHE_EMIT_C_NAMES_C_NAMES_H_
#define LATHE_EMIT_C_NAMES_C_NAMES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/c_name.h"

namespace lathe::emit {

// The length in bytes to which MakeCName() truncates names, before it adds a 'v' to a name that
// starts with a digit. CNames::Unique() numbers names that are equal after truncation.
inline constexpr size_t kMaxIdentifier = 120;

// Converts `name` to an identifier of letters, digits and single underscores that does not start
// with a digit: "conv1/bias:0" becomes "conv1_bias_0". The result is not empty. It may be a
// reserved name of C.
CName MakeCName(absl::string_view name);

// Returns `identifier` in capital letters.
std::string UpperCase(absl::string_view identifier);

// Returns true if `name` is a keyword of C or C++, a macro or function of the headers that
// generated files include, or a name of the standard library.
bool MeansSomethingInC(absl::string_view name);

// Returns true if no model may have `name`, an identifier: a type of this name would conflict with
// a name of C, C++ or the runtime, or the file `name`.h with a header of the standard library.
bool IsTakenInC(absl::string_view name);

// Specifies how names are compared. kFolds: names that differ only in case are equal. It is needed
// for names from which macro names are formed.
enum class Case { kMatters, kFolds };

// The set of names used in one scope.
class CNames {
 public:
  explicit CNames(Case letters = Case::kMatters);
  // Creates a scope for local names in a source file of `model`. No name starts with a prefix of
  // the model's or the runtime's functions, types and macros, so that no local name hides one of
  // them.
  explicit CNames(absl::string_view model);
  // Creates a scope for the members of a struct. Macro names are formed from their names, so the
  // scope folds case. No name starts with the prefix of the model's macros.
  static CNames OfMembers(absl::string_view model);
  // Returns MakeCName(name) and adds it to the scope. Appends a number if the name is in use or
  // reserved in C or C++.
  CName Unique(absl::string_view name);
  // Returns a unique name to which the caller appends each of `endings`. Also adds the names with
  // these endings to the scope.
  CName Unique(absl::string_view name, absl::Span<const std::string> endings);

 private:
  // Removes all prefixes in `beginnings_` from `id`.
  std::string WithoutBeginnings(std::string id) const;
  // Returns the key of `id` in `taken_`: in lower case if the scope folds case.
  std::string Key(const std::string& id) const;

  bool folds_ = false;
  std::vector<std::string> beginnings_;         // prefixes that no name may have
  absl::flat_hash_set<std::string> taken_;      // keys of the names in use
  absl::flat_hash_map<std::string, int> next_;  // by key: the lowest number that may be free
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_C_NAMES_H_
