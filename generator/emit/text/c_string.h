// Prints strings as C string literals.
#ifndef LATHE_EMIT_TEXT_C_STRING_H_
#define LATHE_EMIT_TEXT_C_STRING_H_

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// A C string literal with its quotes. Only CString creates one.
class CLiteral {
 public:
  const std::string& str() const { return text_; }
  operator const std::string&() const { return text_; }
  operator absl::string_view() const { return text_; }
  operator absl::AlphaNum() const { return absl::AlphaNum(text_); }

 private:
  friend CLiteral CString(absl::string_view);
  explicit CLiteral(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// Returns `text`, which may contain any bytes, as a literal.
CLiteral CString(absl::string_view text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_C_STRING_H_
