// Prints expressions.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/reader/relay_text/print/print_parts.h"
#include "generator/reader/relay_text/print/relay_printer.h"
#include "generator/reader/relay_text/syntax/each_expr.h"
#include "generator/support/match.h"

namespace lathe::relay {

void RelayPrinter::NewLine() {
  out_ += '\n';
  out_.append(static_cast<size_t>(2 * indent_), ' ');
}

int RelayPrinter::HeightOf(ExprId id) const {
  int below = 0;
  const auto add = [&](ExprId child) { below = std::max(below, HeightOf(child)); };
  ForEachChild(At(id), add);
  if (const auto* block = At(id).As<BlockTree>()) {
    for (const Item& item : block->items) {
      if (item.kind == Item::Kind::kGraph) add(item.value);
    }
  }
  return below + 1;
}

// Infix form keeps a chain of operators flat. TVM has neither && nor ||, so that a short chain of
// them is printed as calls.
const InfixOp* RelayPrinter::InfixOf(ExprId id) const {
  constexpr int kFlatChain = 8;
  const InfixOp* infix = nullptr;
  int chain = 0;
  while (true) {
    const auto* call = At(id).As<CallTree>();
    if (call == nullptr || call->args.size() != 2 || !call->attrs.empty()) break;
    const auto* name = At(call->callee).As<NameRef>();
    const auto* found =
        std::find_if(std::begin(kInfixOps), std::end(kInfixOps),
                     [&](const InfixOp& op) { return name != nullptr && op.op == name->name; });
    if (found == std::end(kInfixOps) || (infix != nullptr && found != infix)) break;
    // Nested to the right, calls are flatter.
    if (infix == nullptr && compact_ && InfixOf(call->args[1]) != nullptr) break;
    infix = found;
    id = call->args[0];
    const bool only_here = infix->symbol == "&&" || infix->symbol == "||";
    if (!only_here || ++chain > kFlatChain) return infix;
  }
  return nullptr;
}

bool RelayPrinter::NeedsParentheses(ExprId id, int context) const {
  const Expr& e = At(id);
  if (e.As<MatchTree>() != nullptr) return context > (compact_ ? kValue : kItem);
  if (e.As<IfTree>() != nullptr || e.As<Fn>() != nullptr) return context > kValue;
  if (const InfixOp* infix = InfixOf(id)) return infix->binding_power < context;
  return context == kOperand && e.As<Literal>() != nullptr;
}

void RelayPrinter::PrintExpr(ExprId id, int context) {
  if (!NeedsParentheses(id, context)) return PrintNode(id);
  Append("(");
  PrintNode(id);
  Append(")");
}

// The lines of a block between braces or parentheses.
void RelayPrinter::PrintLines(ExprId body) {
  ++indent_;
  const auto* block = At(body).As<BlockTree>();
  if (block != nullptr) {
    for (const Item& item : block->items) PrintItem(item);
  }
  NewLine();
  PrintExpr(block != nullptr ? block->result : body, kItem);
  --indent_;
  NewLine();
}

void RelayPrinter::PrintBraces(ExprId body) {
  Append("{");
  PrintLines(body);
  Append("}");
}

// A function that is the whole value of a `let` sees the name of the variable. This returns whether
// it means another variable of that name.
bool RelayPrinter::HidesOwnName(VarId var, const FunctionTree& function) const {
  bool hides = false;
  ForEachExpr(m_.tree, function.body, [&](ExprId id) {
    const auto* local = At(id).As<LocalRef>();
    hides = hides || (local != nullptr && local->var != var &&
                      m_.tree.vars[local->var].name == m_.tree.vars[var].name);
  });
  return hides;
}

void RelayPrinter::PrintItem(const Item& item) {
  NewLine();
  switch (item.kind) {
    case Item::Kind::kLet: {
      absl::StrAppend(&out_, "let ", PrintVar(m_.tree.vars[item.var]), " = ");
      const auto* fn = At(item.value).As<Fn>();
      const bool parentheses = fn != nullptr && HidesOwnName(item.var, *fn->function);
      if (parentheses) Append("(");
      PrintBound(item.value);
      if (parentheses) Append(")");
      break;
    }
    case Item::Kind::kGraph: {
      const size_t number = next_graph_var_++;  // its value may bind others
      absl::StrAppend(&out_, "%", number, " = ");
      PrintBound(item.value);
      graph_vars_[item.value] = number;
      break;
    }
    case Item::Kind::kDrop:
      PrintExpr(item.value, kItem);
  }
  Append(";");
}

// The value of a binding. TVM does not read `let %x = let %y = ..`.
void RelayPrinter::PrintBound(ExprId value) {
  const auto* block = At(value).As<BlockTree>();
  if (!compact_ || block == nullptr || block->items.size() != 1 ||
      block->items[0].kind != Item::Kind::kLet) {
    return PrintExpr(value, kValue);
  }
  PrintItem(block->items[0]);
  NewLine();
  PrintBound(block->result);
}

void RelayPrinter::PrintList(const std::vector<ExprId>& exprs) {
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (i > 0) Append(", ");
    PrintExpr(exprs[i], kItem);
  }
}

// TVM reads one projection, of a variable. A name that was declared with this dot comes first.
void RelayPrinter::PrintProject(const Project& project) {
  const Expr& e = At(project.tuple);
  const auto* local = e.As<LocalRef>();
  bool bare = e.As<SharedRef>() != nullptr;
  if (local != nullptr) {
    const std::string& name = m_.tree.vars[local->var].name;
    bare = !dotted_names_.contains(absl::StrCat(name, ".", project.index));
  } else if (compact_) {
    bare = e.As<Project>() != nullptr || e.As<Tuple>() != nullptr ||
           (e.As<CallTree>() != nullptr && InfixOf(project.tuple) == nullptr);
  }
  if (bare) {
    PrintExpr(project.tuple, kOperand);
  } else {
    Append("(");
    PrintExpr(project.tuple, kItem);
    Append(")");
  }
  absl::StrAppend(&out_, ".", project.index);
}

void RelayPrinter::PrintCall(ExprId id, const CallTree& call) {
  if (const InfixOp* infix = InfixOf(id)) {
    PrintExpr(call.args[0], infix->binding_power);
    absl::StrAppend(&out_, " ", infix->symbol, " ");
    return PrintExpr(call.args[1], infix->binding_power + 1);
  }
  PrintExpr(call.callee, kOperand);
  Append("(");
  PrintList(call.args);
  const auto* name = At(call.callee).As<NameRef>();
  const auto resolved = m_.call_attrs.find(id);
  const OpRow* row = name == nullptr ? nullptr : FindOpRow(name->name);
  const std::vector<std::string> attrs = row != nullptr && resolved != m_.call_attrs.end()
                                             ? PrintAttrs(*row, call.attrs, resolved->second)
                                             : PrintAttrs(call.attrs);
  if (!attrs.empty() && !call.args.empty()) Append(", ");
  absl::StrAppend(&out_, absl::StrJoin(attrs, ", "), ")");
}

void RelayPrinter::PrintIf(const IfTree& branch) {
  Append("if (");
  PrintExpr(branch.cond, kItem);
  Append(") ");
  PrintBraces(branch.then_body);
  Append(" else ");
  const auto* next = At(branch.else_body).As<IfTree>();
  if (next != nullptr && compact_) return PrintIf(*next);
  PrintBraces(branch.else_body);
}

void RelayPrinter::PrintMatch(const MatchTree& match) {
  const bool is_tuple = At(match.value).As<Tuple>() != nullptr;
  Append(match.complete ? "match " : "match? ");
  Append(is_tuple ? "" : "(");
  PrintExpr(match.value, kItem);
  Append(is_tuple ? " {" : ") {");
  ++indent_;
  for (const Arm& arm : match.arms) {
    NewLine();
    absl::StrAppend(&out_, PrintPattern(m_.tree, arm.pattern), " => ");
    if (At(arm.body).As<BlockTree>() != nullptr) {
      PrintBraces(arm.body);
    } else {
      PrintExpr(arm.body, kItem);
    }
    Append(",");
  }
  --indent_;
  NewLine();
  Append("}");
}

void RelayPrinter::PrintLiteral(const ir::Constant& value) {
  if (const auto scalar = PrintScalar(value)) return Append(*scalar);
  absl::StrAppend(&out_, "meta[relay.Constant][", metadata_.Add(value), "]");
}

void RelayPrinter::PrintNode(ExprId id) {
  Match(
      At(id).node, [&](const Literal& l) { PrintLiteral(l.value); },
      [&](const LocalRef& l) { absl::StrAppend(&out_, "%", m_.tree.vars[l.var].name); },
      [&](const SharedRef& s) { absl::StrAppend(&out_, "%", graph_vars_.at(s.target)); },
      [&](const GlobalRef& g) { absl::StrAppend(&out_, "@", g.name); },
      [&](const NameRef& n) { Append(n.name); },
      [&](const Tuple& t) {
        Append("(");
        PrintList(t.fields);
        Append(t.fields.size() == 1 ? ",)" : ")");
      },
      [&](const Project& p) { PrintProject(p); }, [&](const CallTree& c) { PrintCall(id, c); },
      [&](const Fn& f) {
        Append("fn ");
        PrintFunction(*f.function);
      },
      [&](const IfTree& i) { PrintIf(i); }, [&](const MatchTree& m) { PrintMatch(m); },
      [&](const NewRef& r) {
        Append("ref(");
        PrintList({r.value});
        Append(")");
      },
      [&](const ReadRef& r) {
        Append("ref_read(");
        PrintList({r.ref});
        Append(")");
      },
      [&](const WriteRef& w) {
        Append("ref_write(");
        PrintList({w.ref, w.value});
        Append(")");
      },
      [&](const BlockTree&) {
        // For TVM, parentheses open no scope.
        Append(compact_ ? "(" : "({");
        PrintLines(id);
        Append(compact_ ? ")" : "})");
      });
}

}  // namespace lathe::relay
