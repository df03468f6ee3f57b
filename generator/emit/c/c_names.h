// Identifiers of the generated C: legal, unique, and as close to the model's own as can be.
#ifndef LATHE_EMIT_C_C_NAMES_H_
#define LATHE_EMIT_C_C_NAMES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/c_name.h"

namespace lathe::emit {

// Of an identifier, in bytes: what is longer is cut off, and what is equal then is numbered.
inline constexpr size_t kMaxIdentifier = 120;

// Letters, digits and single underscores, not starting with a digit: "conv1/bias:0" is
// "conv1_bias_0". Never empty, nor longer than kMaxIdentifier. May mean something in C.
CName MakeCName(absl::string_view name);

std::string UpperCase(absl::string_view identifier);

// Whether `name` is a keyword of C or C++, a macro or function of the headers that generated files
// include, or a name of the standard library.
bool MeansSomethingInC(absl::string_view name);

// Whether a model may have this name, an identifier: as a type it would mean something in C or C++,
// or `name`.h would be taken for a header of the standard library or of the runtime.
bool IsTakenInC(absl::string_view name);

// Of names that macros are made of, two that differ by case alone are the same.
enum class Case { kMatters, kFolds };

// One scope of names.
class CNames {
 public:
  explicit CNames(Case letters = Case::kMatters);
  // Of what is local in the file of a model: nothing begins as its functions, types and macros do,
  // or as those of the runtime, which it would hide.
  explicit CNames(absl::string_view model);
  // Of members of a struct, of whose names macros are made, and only macros would make something
  // else.
  static CNames OfMembers(absl::string_view model);
  // MakeCName(name), with a number behind it when it is taken or means something in C or C++.
  CName Unique(absl::string_view name);
  // The same for what is the beginning of other names: those with the endings are taken too.
  CName Unique(absl::string_view name, absl::Span<const std::string> endings);

 private:
  std::string WithoutBeginnings(std::string id) const;
  std::string Key(const std::string& id) const;

  bool folds_ = false;
  std::vector<std::string> beginnings_;  // that no name has
  absl::flat_hash_set<std::string> taken_;
  absl::flat_hash_map<std::string, int> next_;  // by name: below it, no number is free
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_C_NAMES_H_
