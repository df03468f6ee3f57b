#include "generator/reader/relax_text/syntax/syntax_tree.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "generator/support/match.h"

namespace lathe::relax_text {
namespace {

int Depth(ast::ExprRef e) { return e == nullptr ? 0 : e->depth(); }

template <typename... Rest>
int Depth(ast::ExprRef first, Rest... rest) {
  return std::max(Depth(first), Depth(rest...));
}

template <typename Range, typename Fn>
int Deepest(const Range& parts, Fn depth_of) {
  int deepest = 0;
  for (const auto& part : parts) deepest = std::max(deepest, depth_of(part));
  return deepest;
}

int Depth(ast::ExprList exprs) {
  return Deepest(exprs, [](ast::ExprRef e) { return Depth(e); });
}

// The depth of the deepest part of `node`.
int PartsDepth(const ast::Expr::Node& node) {
  return Match(
      node, [](const ast::Name&) { return 0; }, [](const ast::Int&) { return 0; },
      [](const ast::Float&) { return 0; }, [](const ast::Str&) { return 0; },
      [](const ast::Constant&) { return 0; }, [](const ast::Ellipsis&) { return 0; },
      [](const ast::Tuple& e) { return Depth(e.elements); },
      [](const ast::List& e) { return Depth(e.elements); },
      [](const ast::Set& e) { return Depth(e.elements); },
      [](const ast::Dict& e) {
        return Deepest(e.items, [](const ast::DictItem& i) { return Depth(i.key, i.value); });
      },
      [](const ast::Attribute& e) { return Depth(e.object); },
      [](const ast::Call& e) {
        return std::max(
            {Depth(e.callee), Depth(e.args),
             Deepest(e.keywords, [](const ast::Keyword& k) { return Depth(k.value); })});
      },
      [](const ast::Subscript& e) { return std::max(Depth(e.object), Depth(e.indices)); },
      [](const ast::Slice& e) { return Depth(e.lower, e.upper, e.step); },
      [](const ast::Unary& e) { return Depth(e.operand); },
      [](const ast::Binary& e) { return Depth(e.lhs, e.rhs); },
      [](const ast::BoolOp& e) { return Depth(e.values); },
      [](const ast::Compare& e) {
        return std::max(Depth(e.first),
                        Deepest(e.rest, [](const ast::Comparison& c) { return Depth(c.operand); }));
      },
      [](const ast::IfExp& e) { return Depth(e.condition, e.then_value, e.else_value); },
      [](const ast::Lambda& e) {
        return std::max(Depth(e.body), Deepest(e.params, [](const ast::Param& p) {
                          return Depth(p.annotation, p.default_value);
                        }));
      },
      [](const ast::Starred& e) { return Depth(e.value); },
      [](const ast::Comprehension& e) {
        return std::max(Depth(e.element, e.value),
                        Deepest(e.clauses, [](const ast::ComprehensionClause& c) {
                          return std::max(Depth(c.target, c.iter), Depth(c.conditions));
                        }));
      },
      [](const ast::FString&) { return 0; }, [](const ast::UnsupportedExpr&) { return 0; });
}

}  // namespace

template <typename T>
const T* SyntaxTree::New(const T& value) {
  static_assert(std::is_trivially_destructible_v<T>);
  ++node_count_;
  return new (arena_.allocate(sizeof(T), alignof(T))) T(value);
}

const ast::Expr* SyntaxTree::Add(TextSpan span, const ast::Expr::Node& node) {
  return New(ast::Expr(span, 1 + PartsDepth(node), node));
}

const ast::Stmt* SyntaxTree::Add(TextSpan span, const ast::Stmt::Node& node) {
  return New(ast::Stmt(span, node));
}

const ast::Module* SyntaxTree::Add(const ast::Module& module) { return New(module); }

absl::string_view SyntaxTree::CopyText(absl::string_view text) {
  if (text.empty()) return "";
  char* copy = static_cast<char*>(arena_.allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

}  // namespace lathe::relax_text
