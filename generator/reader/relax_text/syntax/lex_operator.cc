#include "generator/reader/relax_text/syntax/lex_operator.h"

#include <array>
#include <cstdint>

namespace lathe::relax_text {
namespace {

struct Operator {
  absl::string_view spelling;
  TokenKind kind;
};
constexpr Operator kOperators[] = {
#define OPERATOR(kind, spelling) {spelling, TokenKind::kind},
#include "generator/reader/relax_text/syntax/token.def"
};
constexpr size_t kCount = sizeof(kOperators) / sizeof(kOperators[0]);

// Which operators start with a byte, as a range of positions in the table below.
struct Table {
  std::array<Operator, kCount> sorted{};  // by first byte, longest first
  std::array<uint8_t, 129> begin{};
};

constexpr Table MakeTable() {
  Table table;
  uint8_t next = 0;
  for (int c = 0; c < 128; ++c) {
    table.begin[c] = next;
    for (size_t length = 3; length > 0; --length) {
      for (const Operator& op : kOperators) {
        if (op.spelling.size() == length && op.spelling[0] == static_cast<char>(c)) {
          table.sorted[next++] = op;
        }
      }
    }
  }
  table.begin[128] = next;
  return table;
}
constexpr Table kTable = MakeTable();

}  // namespace

OperatorMatch MatchOperator(absl::string_view text) {
  const auto first = static_cast<unsigned char>(text.empty() ? '\0' : text[0]);
  if (first >= 128) return {};
  for (int i = kTable.begin[first]; i < kTable.begin[first + 1]; ++i) {
    const Operator& op = kTable.sorted[i];
    if (text.substr(0, op.spelling.size()) == op.spelling) {
      return {op.kind, static_cast<int>(op.spelling.size())};
    }
  }
  return {};
}

}  // namespace lathe::relax_text
