// Represents source files and locations for diagnostics.
#ifndef LATHE_SUPPORT_SOURCE_H_
#define LATHE_SUPPORT_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe {

// One input held in memory, which must outlive every TextSpan into it. The starts of its lines,
// which end with \n, \r\n or \r, are found once, in the constructor.
class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  absl::string_view path() const { return path_; }
  absl::string_view text() const { return text_; }

  // The 1-based line that contains byte `offset`.
  int LineAt(uint32_t offset) const;
  // Returns the text of 1-based `line`, without its line end.
  absl::string_view Line(int line) const;
  uint32_t LineStart(int line) const { return line_starts_[line - 1]; }

 private:
  std::string path_;
  std::string text_;
  std::vector<uint32_t> line_starts_;
};

// Bytes [begin, end) of a text input.
struct TextSpan {
  const SourceFile* file = nullptr;
  uint32_t begin = 0;
  uint32_t end = 0;
};

// A node of a binary model, which has no source text; the whole model if `op` is empty.
struct ModelNode {
  std::string model;  // "mobilenet.onnx"
  std::string name;   // "conv1"; may be empty
  std::string op;     // "Conv"
  int index = 0;      // position in the graph
};

using Location = std::variant<std::monostate, TextSpan, std::shared_ptr<const ModelNode>>;

}  // namespace lathe

#endif  // LATHE_SUPPORT_SOURCE_H_
