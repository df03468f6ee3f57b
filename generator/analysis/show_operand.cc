#include "generator/analysis/show_operand.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/ir/op.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

constexpr size_t kMaxText = 60;
constexpr int kMaxDepth = 3;

std::string Cut(std::string text) {
  if (text.size() <= kMaxText) return text;
  text.resize(kMaxText - 3);
  return text + "...";
}

std::string Text(const ir::Module& module, const ir::Operand& operand, int depth);

std::string Fields(const ir::Module& module, const ir::TupleExpr& tuple, int depth) {
  if (depth >= kMaxDepth) return "(...)";
  std::string text = "(";
  for (size_t i = 0; i < tuple.fields.size() && text.size() <= kMaxText; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", Text(module, tuple.fields[i], depth + 1));
  }
  return Cut(text + (tuple.fields.size() == 1 ? ",)" : ")"));
}

std::string NameOf(const ir::Module& module, ir::ValueId id) {
  const bool known = id.valid() && id.index < std::ssize(module.values);
  return known ? module.values[id].name : "?";
}

std::string Text(const ir::Module& module, const ir::Operand& operand, int depth) {
  return Match(
      operand.node, [&](ir::ValueId id) { return NameOf(module, id); },
      [&](ir::ConstantId id) {
        const ir::Constant& c = module.constants[id];
        return absl::StrCat("a constant (", absl::StrJoin(c.shape, ", "), ") of ",
                            ToString(c.dtype));
      },
      [](const ir::ShapeExpr& s) {
        std::string text = "R.shape([";
        for (size_t i = 0; i < s.values.size() && text.size() <= kMaxText; ++i) {
          absl::StrAppend(&text, i == 0 ? "" : ", ", ToString(s.values[i]));
        }
        return Cut(text + "])");
      },
      [](const ir::PrimValue& p) { return Cut(ToString(p.value)); },
      [](const ir::StringImm& s) { return Cut(absl::StrCat("\"", s.value, "\"")); },
      [](const ir::DTypeImm& d) { return absl::StrCat("R.dtype(\"", ToString(d.dtype), "\")"); },
      [&](const ir::TupleExpr& t) { return Fields(module, t, depth); },
      [&](ir::GlobalId id) { return module.globals[id].name; },
      [](const ir::ExternFunc& f) { return absl::StrCat("R.ExternFunc(\"", f.name, "\")"); });
}

}  // namespace

std::string ShowOperand(const ir::Module& module, const ir::Operand& operand) {
  return Text(module, operand, 0);
}

std::string ShowCallee(const ir::Module& module, const ir::Call& call) {
  return Match(
      call.callee,
      [](const ir::Op* op) { return absl::StrCat("R.", absl::StripPrefix(op->name, "relax.")); },
      [&](ir::ValueId id) { return NameOf(module, id); },
      [&](ir::GlobalId id) { return module.globals[id].name; },
      [](const ir::ExternFunc& f) { return f.name; });
}

}  // namespace lathe::analysis
