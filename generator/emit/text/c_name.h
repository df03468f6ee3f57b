// Defines a type for identifiers of the generated C. An unchecked string does not convert to it, so
// its use as an identifier is a compile error.
#ifndef LATHE_EMIT_TEXT_C_NAME_H_
#define LATHE_EMIT_TEXT_C_NAME_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

struct ExternRules;

// A valid C identifier of letters, digits and underscores. Only names of CUDA's own functions begin
// with an underscore. Created only by CNames (c_names.h), ExternName (extern_name.h) and MakeCName.
class CName {
 public:
  CName() = default;  // empty: no name yet

  const std::string& str() const { return text_; }
  bool empty() const { return text_.empty(); }
  operator const std::string&() const { return text_; }
  operator absl::string_view() const { return text_; }
  operator absl::AlphaNum() const { return absl::AlphaNum(text_); }

  friend bool operator==(const CName& a, const CName& b) { return a.text_ == b.text_; }
  friend bool operator<(const CName& a, const CName& b) { return a.text_ < b.text_; }

 private:
  friend class CNames;
  friend CName MakeCName(absl::string_view);
  friend absl::StatusOr<CName> ExternName(absl::string_view, absl::string_view, const ExternRules&);
  explicit CName(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_C_NAME_H_
