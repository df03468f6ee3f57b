// Parses operator expressions and what follows an operand: projections and calls.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/infix_ops.h"
#include "generator/reader/relay_text/syntax/parser.h"
#include "generator/support/status.h"

namespace lathe::relay {
ExprId RelayParser::AddCall(const char* op, std::vector<ExprId> args, TextSpan loc) {
  const ExprId callee = Add(NameRef{op}, loc);
  return Add(CallTree{callee, std::move(args), {}}, loc);
}

absl::StatusOr<ExprId> RelayParser::ParseExpr(int binding_power) {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  const uint32_t begin = At().begin;
  LATHE_ASSIGN_OR_RETURN(ExprId left, ParsePostfix());
  while (true) {
    const InfixOp* infix = nullptr;
    for (const InfixOp& op : kInfixOps) {
      if (Is(op.symbol) && IsKind(TokenKind::kSymbol)) infix = &op;
    }
    if (infix == nullptr || infix->binding_power <= binding_power) return left;
    const Token symbol = Take();
    if (infix->symbol == "<" && Is("Tensor") && Is("[", 1)) {
      return diags_.Unsupported(Span(symbol), "relay-unsupported")
             << "type arguments of a call; they are inferred from its arguments";
    }
    LATHE_ASSIGN_OR_RETURN(const ExprId right, ParseExpr(infix->binding_power));
    left = AddCall(infix->op, {left, right}, SpanFrom(begin));
    LATHE_RETURN_IF_ERROR(CheckHeight(left));
  }
}

absl::StatusOr<ExprId> RelayParser::ParsePostfix() {
  const uint32_t begin = At().begin;
  LATHE_ASSIGN_OR_RETURN(ExprId operand, ParseOperand());
  while (true) {
    if (Is(".") && IsKind(TokenKind::kNumber, 1)) {
      Take();
      LATHE_ASSIGN_OR_RETURN(const int64_t index, ParseInteger("the index of a field"));
      operand = Add(Project{operand, index}, SpanFrom(begin));
    } else if (Is("(")) {
      LATHE_ASSIGN_OR_RETURN(operand, ParseCall(operand));
    } else {
      return operand;
    }
    LATHE_RETURN_IF_ERROR(CheckHeight(operand));
  }
}

bool RelayParser::IsAttrName() const {
  size_t ahead = 0;
  if (!IsKind(TokenKind::kName)) return false;
  while (Is(".", ahead + 1) && IsKind(TokenKind::kName, ahead + 2)) ahead += 2;
  return Is("=", ahead + 1);
}

absl::StatusOr<ExprId> RelayParser::ParseCall(ExprId callee) {
  const uint32_t begin = tree_.exprs[callee].loc.begin;
  CallTree call{callee, {}, {}};
  Take();  // '('
  while (!Is(")")) {
    if (IsAttrName()) {
      LATHE_RETURN_IF_ERROR(ParseAttr(call.attrs));
    } else if (Is("meta") && Is("[", 1) && Is("relay", 2) && Is("attrs", 4)) {
      // TVM prints attributes without a registered reader as one object.
      LATHE_ASSIGN_OR_RETURN(const MetaRef meta, ParseMetaRef());
      const absl::StatusOr<ir::AttrMap> attrs = metadata_.AttrsAt(meta.key, meta.index);
      if (!attrs.ok()) return Error(meta.loc) << attrs.status().message();
      call.attrs.insert(attrs->begin(), attrs->end());
      call.attrs["attrs_type_key"] = meta.key;
    } else {
      if (!call.attrs.empty()) {
        return ErrorHere() << "an argument after attributes; attributes come last";
      }
      LATHE_ASSIGN_OR_RETURN(const ExprId arg, ParseSequence());
      call.args.push_back(arg);
    }
    if (!Accept(",")) break;
  }
  LATHE_RETURN_IF_ERROR(Expect(")", "after the arguments of a call"));
  return Add(std::move(call), SpanFrom(begin));
}

absl::StatusOr<ExprId> RelayParser::ParseParentheses() {
  const Token begin = Take();
  if (Accept(")")) return Add(Tuple{}, SpanFrom(begin.begin));
  LATHE_ASSIGN_OR_RETURN(const ExprId first, ParseSequence());
  if (Accept(")")) return first;
  Tuple tuple{{first}};
  while (Accept(",") && !Is(")")) {
    LATHE_ASSIGN_OR_RETURN(const ExprId field, ParseSequence());
    tuple.fields.push_back(field);
  }
  LATHE_RETURN_IF_ERROR(Expect(")", "after the fields of a tuple"));
  return Add(std::move(tuple), SpanFrom(begin.begin));
}

// There is no operator for the negation of a value; a minus belongs to a number.
absl::StatusOr<ExprId> RelayParser::ParseNegative() {
  const Token begin = Take();
  bool negative = true;
  while (Accept("-")) negative = !negative;
  if (!IsKind(TokenKind::kNumber)) {
    return Error(Span(begin)) << "'-' before an expression; write negative(...)";
  }
  LATHE_ASSIGN_OR_RETURN(ir::Constant value, ParseNumber(negative));
  return Add(Literal{std::move(value)}, SpanFrom(begin.begin));
}

}  // namespace lathe::relay
