// Owns the nodes of syntax trees. Nodes are trivially destructible views into one arena, so freeing
// a tree does not recurse and its cost does not depend on the depth.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_TREE_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_TREE_H_

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/reader/relax_text/syntax/ast.h"

namespace lathe::relax_text {

class SyntaxTree {
 public:
  SyntaxTree() = default;
  SyntaxTree(const SyntaxTree&) = delete;
  SyntaxTree& operator=(const SyntaxTree&) = delete;

  const ast::Expr* Add(TextSpan span, const ast::Expr::Node& node);
  const ast::Stmt* Add(TextSpan span, const ast::Stmt::Node& node);
  const ast::Module* Add(const ast::Module& module);

  // Return copies, owned by the tree, of the lists and texts that nodes refer to.
  template <typename Items, typename T = typename Items::value_type>
  absl::Span<const T> CopyList(const Items& items) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (items.empty()) return {};
    T* copy = static_cast<T*>(arena_.allocate(items.size() * sizeof(T), alignof(T)));
    std::uninitialized_copy(items.begin(), items.end(), copy);
    return {copy, items.size()};
  }
  absl::string_view CopyText(absl::string_view text);

  size_t node_count() const { return node_count_; }

 private:
  template <typename T>
  const T* New(const T& value);

  std::pmr::monotonic_buffer_resource arena_;
  size_t node_count_ = 0;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_TREE_H_
