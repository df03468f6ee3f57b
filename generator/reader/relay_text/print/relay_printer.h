// Declares the printer of Relay text. Its parts are in relay_printer_*.cc, one for each kind of
// text.
#ifndef LATHE_READER_RELAY_TEXT_PRINT_RELAY_PRINTER_H_
#define LATHE_READER_RELAY_TEXT_PRINT_RELAY_PRINTER_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relay_text/print/relay_metadata.h"
#include "generator/reader/relay_text/syntax/infix_ops.h"
#include "generator/reader/relay_text/types/typed_module.h"

namespace lathe::relay {

class RelayPrinter {
 public:
  RelayPrinter(const TypedModule& module, const SourceFile& file);

  std::string Print(const std::vector<Name>& imports);  // print_relay.cc

 private:
  // The context of an expression: the lowest binding power of operators that need no parentheses.
  // An item of a sequence may be a `match`; the operand of a call or projection is atomic.
  enum Context : int { kItem = -1, kValue = 0, kOperand = 100 };

  void PrintDataType(const DataTree& data);
  void PrintFunction(const FunctionTree& function);
  void PrintTypeParams(const std::vector<Name>& params);

  // Expressions: relay_printer_expr.cc.
  void PrintExpr(ExprId id, int context);
  void PrintNode(ExprId id);
  void PrintBraces(ExprId body);
  void PrintLines(ExprId body);
  void PrintItem(const Item& item);
  void PrintBound(ExprId value);
  void PrintProject(const Project& project);
  void PrintCall(ExprId id, const CallTree& call);
  void PrintIf(const IfTree& branch);
  void PrintMatch(const MatchTree& match);
  void PrintLiteral(const ir::Constant& value);
  void PrintList(const std::vector<ExprId>& exprs);
  bool NeedsParentheses(ExprId id, int context) const;
  const InfixOp* InfixOf(ExprId id) const;
  int HeightOf(ExprId id) const;
  bool HidesOwnName(VarId var, const FunctionTree& function) const;

  const Expr& At(ExprId id) const { return m_.tree.exprs[id]; }
  void Append(absl::string_view text) { out_.append(text.data(), text.size()); }
  void NewLine();

  const TypedModule& m_;
  const SourceFile& file_;
  std::string out_;
  int indent_ = 0;
  // Prints the definition with few parentheses, so that it stays within the nesting depth of the
  // reader. TVM does not read all compact forms.
  bool compact_ = false;
  absl::flat_hash_map<ExprId, size_t> graph_vars_;
  size_t next_graph_var_ = 0;  // of the module: TVM has one table of them for a file
  absl::flat_hash_set<std::string> dotted_names_;
  MetadataWriter metadata_;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_PRINT_RELAY_PRINTER_H_
