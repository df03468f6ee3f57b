// Prints the definitions of one file of a typed module as Relay text. print_relay.h is the
// interface. Definitions are in print_relay.cc, expressions in relay_printer_expr.cc.
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
  // `file` selects the definitions to print; `module` may have others, of imported modules.
  RelayPrinter(const TypedModule& module, const SourceFile& file);

  // Returns the text, in which `imports` are import statements. May be called once.
  std::string Print(const std::vector<Name>& imports);

 private:
  // The context of an expression is a number: an infix operator needs parentheses if its binding
  // power (infix_ops.h) is lower. kItem, an item of a sequence, also allows a `match`; kValue, the
  // value of a binding, allows `if` and `fn`; kOperand, a callee or a projected tuple, allows no
  // infix operator.
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
  void PrintBound(ExprId value);  // the value of a binding
  void PrintProject(const Project& project);
  void PrintCall(ExprId id, const CallTree& call);
  void PrintIf(const IfTree& branch);
  void PrintMatch(const MatchTree& match);
  void PrintLiteral(const ir::Constant& value);
  void PrintList(const std::vector<ExprId>& exprs);
  bool NeedsParentheses(ExprId id, int context) const;
  const InfixOp* InfixOf(ExprId id) const;
  int HeightOf(ExprId id) const;  // the number of nested expressions
  // Returns whether `function`, the value of `var`, uses another variable with the name of `var`.
  bool HidesOwnName(VarId var, const FunctionTree& function) const;

  const Expr& At(ExprId id) const { return m_.tree.exprs[id]; }
  void Append(absl::string_view text) { out_.append(text.data(), text.size()); }
  void NewLine();

  const TypedModule& m_;
  const SourceFile& file_;
  std::string out_;
  int indent_ = 0;
  // The definition is nested so deeply that it is printed with few parentheses, to stay within the
  // nesting depth of the reader. TVM does not read all compact forms.
  bool compact_ = false;
  absl::flat_hash_map<ExprId, size_t> graph_vars_;
  size_t next_graph_var_ = 0;  // of the module: TVM has one table of them for a file
  absl::flat_hash_set<std::string> dotted_names_;  // variables with a dot in the name, as "x.0"
  MetadataWriter metadata_;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_PRINT_RELAY_PRINTER_H_
