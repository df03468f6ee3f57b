// The template language of templates/*.tmpl.
//
//   {{ path }}            the string at `path`; its further lines keep the indent
//   //% for x in path     ... //% end
//   //% if path           ... //% else ... //% end
//   //% include "name"
//
// A line that starts with //% (or #% in files whose comments are #) is a
// statement and leaves no line behind, so a template stays readable, highlighted
// and near-compilable as the language it emits. There are no expressions on
// purpose: whatever has to be computed is computed in C++, where it is tested.
// A name that is not there is an error with the template's file and line.
#ifndef LATHE_EMIT_TEXT_TEMPLATE_H_
#define LATHE_EMIT_TEXT_TEMPLATE_H_

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe {

class TemplateValue {
 public:
  using List = std::vector<TemplateValue>;
  using Dict = std::map<std::string, TemplateValue>;

  TemplateValue() = default;  // an empty text
  TemplateValue(std::string s) : v_(std::move(s)) {}
  TemplateValue(const char* s) : v_(std::string(s)) {}
  // Text that has passed what makes it that: emit's CName, CComment and CLiteral.
  template <typename Checked, typename = decltype(std::declval<const Checked&>().str())>
  TemplateValue(const Checked& c) : v_(std::string(c.str())) {}
  TemplateValue(bool b) : v_(b) {}
  TemplateValue(List l) : v_(std::move(l)) {}
  TemplateValue(Dict d) : v_(std::move(d)) {}

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&v_);
  }

 private:
  std::variant<std::string, bool, List, Dict> v_;
};

// Finds an included template's text by name; a null view when there is none.
using TemplateLookup = absl::string_view (*)(absl::string_view name);

// Renders template `name`, whose text is `text`, with the names in `data`.
absl::StatusOr<std::string> RenderTemplate(absl::string_view name, absl::string_view text,
                                           const TemplateValue::Dict& data, TemplateLookup lookup);

}  // namespace lathe

#endif  // LATHE_EMIT_TEXT_TEMPLATE_H_
