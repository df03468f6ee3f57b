// Parses regular expressions in the syntax of RE2, for whole strings of UTF-8.
#ifndef LATHE_READER_ONNX_PATTERN_PATTERN_H_
#define LATHE_READER_ONNX_PATTERN_PATTERN_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace lathe::onnx {

// Ranges of code points, both ends included.
using CodePoints = std::vector<std::pair<uint32_t, uint32_t>>;

enum class PatternKind {
  kEmpty,
  kCharacter,       // one of `points`
  kSequence,        // of `parts`
  kChoice,          // one of `parts`
  kRepeat,          // of parts[0], `least` to `most` times; -1: any number
  kBegin,           // the begin of the string
  kEnd,             // its end
  kWordBoundary,    // a word character on one side only
  kNoWordBoundary,  // on both sides, or on none
};

struct Pattern {
  PatternKind kind = PatternKind::kEmpty;
  CodePoints points = {};
  std::vector<Pattern> parts = {};
  int least = 0, most = 0;
};

// Returns InvalidArgument for malformed patterns, and Unimplemented for constructs that are not
// supported: flags other than i and s, escapes such as Unicode classes, and assertions about the
// text around a match.
absl::StatusOr<Pattern> ParsePattern(const std::string& text);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_PATTERN_PATTERN_H_
