#include "generator/ir/print/print_stmt.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/print/print_allocation.h"
#include "generator/ir/print/print_loop.h"
#include "generator/ir/print/print_sblock.h"
#include "generator/ir/print_literal.h"
#include "generator/ir/scope_id.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

void PrintStore(TirText& text, const StoreStmt& s) {
  const std::string buffer = text.names().Of(s.buffer);
  const std::string indices = text.List(s.indices);
  const std::string value = text.Scalar(s.value);
  if (s.predicate != nullptr) {
    text.out().Line(buffer, ".vstore([", indices, "], ", value,
                    ", predicate=", text.Scalar(s.predicate), ")");
    return;
  }
  text.out().Line(buffer, "[", s.indices.empty() ? "()" : indices, "] = ", value);
}

// with T.LetStmt(e, T.int32) as x:
void PrintScopedLet(TirText& text, const LetStmt& s) {
  const std::string call =
      absl::StrCat("T.LetStmt(", text.Scalar(s.value), ", ", text.Type(s.var), ")");
  const PrintNames::Scope scope(text.names());
  PrintScoped(text, text.names().Of(s.var), call, s.body);
}

// For the rest of the sequence.
void PrintLet(TirText& text, const LetStmt& s) {
  const std::string value = text.Scalar(s.value);
  const std::string type = text.Type(s.var);
  const std::string name = text.names().Of(s.var);
  switch (text.dialect()) {
    case Dialect::kClassic:
      return text.out().Line(name, ": ", type, " = ", value);
    case Dialect::kV0_24:
      return text.out().Line(name, " = T.bind(", value, ", ", type, ")");
    case Dialect::kV0_26:
    case Dialect::kV0_27:
      return text.out().Line(name, ": T.let[", type, "] = ", value);
  }
}

void PrintIf(TirText& text, const IfStmt& s) {
  text.out().Line("if ", text.Scalar(s.cond), ":");
  {
    const LineWriter::Indent in(text.out());
    const PrintNames::Scope scope(text.names());
    PrintStmt(text, s.then_case);
  }
  if (s.else_case == nullptr) return;
  text.out().Line("else:");
  const LineWriter::Indent in(text.out());
  const PrintNames::Scope scope(text.names());
  PrintStmt(text, s.else_case);
}

std::string Extents(const TirText& text, const AttrList& list) {
  std::vector<std::string> items;
  for (const AttrValue& item : list) {
    const auto* extent = item.As<PrimRef>();
    items.push_back(extent == nullptr ? "None" : text.Scalar(*extent));
  }
  return absl::StrCat("[", absl::StrJoin(items, ", "), "]");
}

// bx, by = T.cta_id([2, 3])
void PrintScopeId(TirText& text, const ScopeId& id) {
  std::vector<std::string> args;
  if (id.extents) args.push_back(Extents(text, *id.extents));
  if (id.preferred) args.push_back(absl::StrCat("preferred=", Extents(text, *id.preferred)));
  const DType dtype = id.vars[0]->dtype();
  if (dtype != DType::Int(32)) args.push_back(absl::StrCat("dtype=\"", ToString(dtype), "\""));
  const std::string call = absl::StrCat("T.", id.function, "(", absl::StrJoin(args, ", "), ")");
  bool used = false;
  for (PrimRef var : id.vars) {
    used |= text.mentions().symbols.contains(var->As<SymVar>()->id);
  }
  if (!used) return text.out().Line(call);
  std::vector<std::string> names;
  for (PrimRef var : id.vars) names.push_back(text.names().Of(var));
  text.out().Line(absl::StrJoin(names, ", "), " = ", call);
}

bool IsDeviceEntry(const AttrStmt& s) {
  const auto* on = s.value->As<IntImm>();
  return s.key == kDeviceEntry && s.buffer == nullptr && s.node.is_none() && s.body == nullptr &&
         on != nullptr && s.value->dtype().is_bool() && on->value == 1;
}

void PrintAttrStmt(TirText& text, const AttrStmt& s) {
  if (IsDeviceEntry(s)) return text.out().Line("T.device_entry()");
  if (const std::optional<ScopeId> id = ScopeIdOf(s)) return PrintScopeId(text, *id);
  if (s.key == kComposeOp && s.node.is_none() && s.body != nullptr) {
    return PrintScoped(text, "", text.Scalar(s.value), s.body);
  }
  const Launch launch = LaunchOf(s);
  if (launch.var != nullptr) {
    const bool shared = text.names().Has(launch.var);
    const std::string thread = shared ? text.names().Of(launch.var) : StringLiteral(launch.thread);
    const std::string call =
        absl::StrCat("T.launch_thread(", thread, ", ", text.Scalar(s.value), ")");
    return PrintScoped(text, shared ? "" : text.names().Of(launch.var), call, s.body);
  }
  const std::string node = s.buffer != nullptr ? text.names().Of(s.buffer) : text.Attr(s.node);
  PrintScoped(text, "",
              absl::StrCat("T.attr(", node, ", ", StringLiteral(text.Key(s.key)), ", ",
                           text.Argument(s.value), ")"),
              s.body);
}

void PrintAssert(TirText& text, const AssertStmt& s) {
  std::vector<std::string> messages;
  for (const std::string& message : s.messages) messages.push_back(StringLiteral(message));
  const std::string list = absl::StrCat("[", absl::StrJoin(messages, ", "), "]");
  const bool plain = s.kind.empty() && s.messages.size() == 1;
  const std::string message = plain ? messages[0]
                              : s.kind.empty()
                                  ? list
                                  : absl::StrCat("(", StringLiteral(s.kind), ", ", list, ")");
  const std::string cond = text.Scalar(s.cond);
  if (s.body != nullptr) {
    return PrintScoped(text, "", absl::StrCat("T.Assert(", cond, ", ", message, ")"), s.body);
  }
  text.out().Line("assert ", cond, messages.empty() && s.kind.empty() ? "" : ", ",
                  messages.empty() && s.kind.empty() ? "" : message);
}

void PrintEvaluate(TirText& text, const EvaluateStmt& s) {
  const auto* call = s.value->As<Intrinsic>();
  // A call is a statement by itself; undef() and other calls without arguments need T.evaluate.
  const bool runs = call != nullptr && (!call->args.empty() || IsDeviceIntrinsic(call->name));
  if (runs) return text.out().Line(text.Scalar(s.value));
  text.out().Line("T.evaluate(", text.Scalar(s.value), ")");
}

void PrintReturn(TirText& text, const ReturnStmt& s) {
  if (s.value == nullptr) return text.out().Line("return");
  // A bare number would be read with the function's return type.
  const auto* number = s.value->As<IntImm>();
  const bool retyped = number != nullptr && s.value->dtype() == DType::Int(32) && text.func().ret &&
                       *text.func().ret != s.value->dtype();
  text.out().Line("return ",
                  retyped ? absl::StrCat("T.int32(", number->value, ")") : text.Scalar(s.value));
}

void PrintEach(TirText& text, StmtRef stmt, bool& empty) {
  if (const auto* seq = stmt->As<SeqStmt>()) {
    for (StmtRef inner : seq->stmts) PrintEach(text, inner, empty);
    return;
  }
  empty = false;
  Match(
      stmt->node(), [](const SeqStmt&) {}, [&](const ForStmt& s) { PrintLoop(text, s); },
      [&](const BlockStmt& s) { PrintSBlock(text, s); },
      [&](const StoreStmt& s) { PrintStore(text, s); },
      [&](const LetStmt& s) { s.body == nullptr ? PrintLet(text, s) : PrintScopedLet(text, s); },
      [&](const IfStmt& s) { PrintIf(text, s); },
      [&](const WhileStmt& s) {
        text.out().Line("while ", text.Scalar(s.cond), ":");
        const LineWriter::Indent in(text.out());
        const PrintNames::Scope scope(text.names());
        PrintStmt(text, s.body);
      },
      [&](const AllocStmt& s) { PrintAllocation(text, s); },
      [&](const DeclBufferStmt& s) { PrintDeclaration(text, s); },
      [&](const AttrStmt& s) { PrintAttrStmt(text, s); },
      [&](const AssertStmt& s) { PrintAssert(text, s); },
      [&](const EvaluateStmt& s) { PrintEvaluate(text, s); },
      [&](const ReturnStmt& s) { PrintReturn(text, s); },
      [&](const BreakStmt&) { text.out().Line("break"); },
      [&](const ContinueStmt&) { text.out().Line("continue"); });
}

}  // namespace

void PrintStmt(TirText& text, StmtRef stmt) {
  bool empty = true;
  PrintEach(text, stmt, empty);
  if (empty) text.out().Line("pass");
}

void PrintScoped(TirText& text, absl::string_view lhs, absl::string_view rhs, StmtRef body) {
  if (body == nullptr) {
    text.out().Line(lhs, lhs.empty() ? "" : " = ", rhs);
    return;
  }
  text.out().Line("with ", rhs, lhs.empty() ? "" : " as ", lhs, ":");
  const LineWriter::Indent in(text.out());
  PrintStmt(text, body);
}

}  // namespace lathe::ir
