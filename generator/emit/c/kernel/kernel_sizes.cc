#include "generator/emit/c/kernel/kernel_sizes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BufferRef;
using ir::PrimRef;

// Returns true if `e` contains operations other than sums, differences and products.
bool IsInvolved(PrimRef e) {
  const auto* n = e->As<ir::Binary>();
  bool involved = e->As<ir::Select>() != nullptr || e->As<ir::Intrinsic>() != nullptr;
  involved |= n != nullptr && n->op != ir::BinaryOp::kAdd && n->op != ir::BinaryOp::kSub &&
              n->op != ir::BinaryOp::kMul;
  ir::ForEachOperand(e, [&](PrimRef operand) { involved = involved || IsInvolved(operand); });
  return involved;
}

// Appends to `sizes` the largest subexpressions of `e` that contain such an operation and are not
// sums, differences or products themselves.
void CollectSizes(PrimRef e, std::vector<PrimRef>& sizes) {
  if (!IsInvolved(e)) return;
  const auto* n = e->As<ir::Binary>();
  const bool sum = n != nullptr && (n->op == ir::BinaryOp::kAdd || n->op == ir::BinaryOp::kSub ||
                                    n->op == ir::BinaryOp::kMul);
  if (sum) {
    CollectSizes(n->lhs, sizes);
    CollectSizes(n->rhs, sizes);
  } else if (std::find(sizes.begin(), sizes.end(), e) == sizes.end()) {
    sizes.push_back(e);
  }
}

}  // namespace

absl::StatusOr<std::vector<NamedSize>> NameSizes(CScope& scope,
                                                 absl::Span<const BufferRef> buffers) {
  std::vector<PrimRef> sizes;
  for (BufferRef buffer : buffers) {
    for (PrimRef dim : buffer->shape) {
      CollectSizes(analysis::Simplify(scope.ir, dim, scope.ranges), sizes);
    }
  }
  std::vector<NamedSize> named;
  for (PrimRef size : sizes) {
    LATHE_ASSIGN_OR_RETURN(std::string value, PrintCSize(scope, size));
    named.push_back({scope.names.Unique("size"), std::move(value)});
    scope.sizes[size] = named.back().name;
  }
  return named;
}

std::string DeclareSizes(const CScope& scope, const std::vector<NamedSize>& sizes,
                         std::string body) {
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    if (!MentionsName(body, size->name)) continue;
    LineWriter line(2);
    line.Line("const ", scope.wide ? "int64_t " : "int32_t ", size->name, " = ", size->value, ";");
    body = line.Take() + body;
  }
  return body;
}

namespace {

bool InComment(const std::string& text, size_t at) {
  const size_t open = text.rfind("/*", at), close = text.rfind("*/", at);
  return open != text.npos && (close == text.npos || close < open);
}

// Returns true if position `at` is inside a string literal. Literals do not span lines.
bool InLiteral(const std::string& text, size_t at) {
  bool inside = false;
  for (size_t i = at == 0 ? 0 : text.rfind('\n', at - 1) + 1; i < at; ++i) {
    if (inside && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      inside = !inside;
    }
  }
  return inside;
}

}  // namespace

bool MentionsName(const std::string& text, const std::string& identifier) {
  const auto part_of_name = [](char c) { return absl::ascii_isalnum(c) || c == '_'; };
  for (size_t at = text.find(identifier); at != std::string::npos;
       at = text.find(identifier, at + 1)) {
    const size_t end = at + identifier.size();
    // A member of a struct does not count.
    const bool member =
        (at >= 2 && (text.compare(at - 2, 2, "->") == 0 || text.compare(at - 2, 2, "::") == 0)) ||
        (at >= 1 && text[at - 1] == '.');
    const bool starts = at == 0 || (!part_of_name(text[at - 1]) && !member);
    const bool ends = end == text.size() || !part_of_name(text[end]);
    if (starts && ends && !InComment(text, at) && !InLiteral(text, at)) return true;
  }
  return false;
}

}  // namespace lathe::emit
