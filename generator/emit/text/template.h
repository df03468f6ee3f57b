// Renders the template language of templates/*.tmpl.
//
//   {{ path }}            the string at `path`; its further lines keep the indent
//   //% for x in path     ... //% end
//   //% if path           ... //% else ... //% end
//   //% include "name"
//
// A line that starts with //% (or #% in files whose comments are #) is a
// statement and prints no line, so a template stays readable, highlighted and
// near-compilable as the language it emits. There are no expressions on purpose:
// values are computed in C++, where they are tested. An undefined name is an
// error with the template's file and line.
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

// A value of the template data: a string, a bool, a list or a dictionary.
class TemplateValue {
 public:
  using List = std::vector<TemplateValue>;
  using Dict = std::map<std::string, TemplateValue>;

  TemplateValue() = default;  // an empty string
  TemplateValue(std::string s) : v_(std::move(s)) {}
  TemplateValue(const char* s) : v_(std::string(s)) {}
  // Converts the checked string types of emit: CName, CComment and CLiteral.
  template <typename Checked, typename = decltype(std::declval<const Checked&>().str())>
  TemplateValue(const Checked& c) : v_(std::string(c.str())) {}
  TemplateValue(bool b) : v_(b) {}
  TemplateValue(List l) : v_(std::move(l)) {}
  TemplateValue(Dict d) : v_(std::move(d)) {}

  // Returns the value as a T, or null if it has another type.
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&v_);
  }

 private:
  std::variant<std::string, bool, List, Dict> v_;
};

// Returns the text of the included template `name`, or a null view if there is none.
using TemplateLookup = absl::string_view (*)(absl::string_view name);

// Renders the template `text` with `data`. `name` is the name of the template in errors. `lookup`
// finds included templates.
absl::StatusOr<std::string> RenderTemplate(absl::string_view name, absl::string_view text,
                                           const TemplateValue::Dict& data, TemplateLookup lookup);

}  // namespace lathe

#endif  // LATHE_EMIT_TEXT_TEMPLATE_H_
