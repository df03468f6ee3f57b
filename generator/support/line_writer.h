// Builds text line by line with indentation, for printers.
//
//   LineWriter out;
//   out.Line("for (;;) {");
//   { LineWriter::Indent in(out); out.Line("step();"); }
//   out.Line("}");
#ifndef LATHE_SUPPORT_LINE_WRITER_H_
#define LATHE_SUPPORT_LINE_WRITER_H_

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lathe {

class LineWriter {
 public:
  explicit LineWriter(int indent_width = 4) : indent_width_(indent_width) {}

  // Appends one line concatenated from `parts`; empty lines are not indented.
  template <typename... Parts>
  void Line(const Parts&... parts) {
    const std::string line = absl::StrCat(parts...);
    if (!line.empty()) text_.append(static_cast<size_t>(depth_) * indent_width_, ' ');
    absl::StrAppend(&text_, line, "\n");
  }

  // Appends lines from another writer, unchanged.
  void Append(const std::string& lines) { text_ += lines; }

  // Indents lines by one step during its lifetime.
  class Indent {
   public:
    explicit Indent(LineWriter& out) : out_(out) { ++out_.depth_; }
    ~Indent() { --out_.depth_; }
    Indent(const Indent&) = delete;

   private:
    LineWriter& out_;
  };

  const std::string& text() const { return text_; }
  std::string Take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  int indent_width_;
  int depth_ = 0;
};

}  // namespace lathe

#endif  // LATHE_SUPPORT_LINE_WRITER_H_
