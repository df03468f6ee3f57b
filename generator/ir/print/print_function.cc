#include "generator/ir/print/print_function.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/mentions.h"
#include "generator/ir/print/graph_text.h"
#include "generator/ir/print/print_attr.h"
#include "generator/ir/print/print_call.h"
#include "generator/ir/print/print_operand.h"
#include "generator/ir/print/print_origin.h"
#include "generator/ir/print/print_struct_info.h"
#include "generator/ir/print_options.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

class FunctionPrinter {
 public:
  FunctionPrinter(GraphText& text, const Function& outermost, LineWriter& out)
      : text_(text),
        out_(out),
        mentions_(MentionsOf(text.module, outermost, text.options.show_info)) {}

  void PrintGlobal(const Global& global, const Function& f) {
    const auto* symbol = FindAttr<std::string>(f.attrs, kGlobalSymbol);
    AttrMap attrs = f.attrs;
    if (symbol != nullptr && *symbol == global.name) attrs.erase(kGlobalSymbol);
    Origin(global.loc);
    Decorator(f, f.attrs.count(kGlobalSymbol) == 0);
    Print(global.name, f, attrs, true);
  }

 private:
  std::string OriginOf(const Location& loc) const {
    return text_.options.show_origin ? PrintOrigin(loc) : "";
  }
  void Origin(const Location& loc) {
    const std::string origin = OriginOf(loc);
    if (!origin.empty()) out_.Line(origin);
  }
  // A comment after the statement that is printed next.
  std::string Comment() const { return origin_.empty() ? "" : absl::StrCat("  ", origin_); }

  void Decorator(const Function& f, bool is_private) {
    std::vector<absl::string_view> flags;
    if (!f.pure) flags.push_back("pure=False");
    if (is_private) flags.push_back("private=True");
    out_.Line("@R.function",
              flags.empty() ? "" : absl::StrCat("(", absl::StrJoin(flags, ", "), ")"));
  }

  void Print(absl::string_view name, const Function& f, const AttrMap& attrs, bool outermost) {
    if (++depth_ > kMaxPrintedDepth) return out_.Line("...");
    // Parameters are named first: callers see them.
    for (const ValueId param : f.params) NameParam(param);
    const ShapeDeclarations& declared = mentions_.declarations.at(&f);
    if (text_.has_type_vars()) DeclareTypeVars(declared.signature, outermost);
    absl::flat_hash_set<int> signature;
    for (PrimRef var : declared.signature) signature.insert(var->As<SymVar>()->id);
    std::swap(text_.quoted, signature);
    std::vector<std::string> params;
    for (const ValueId param : f.params) params.push_back(Param(param));
    const std::string result = Result(f);
    std::swap(text_.quoted, signature);

    out_.Line("def ", name, "(", absl::StrJoin(params, ", "), ")", result, ":");
    const LineWriter::Indent in(out_);
    for (PrimRef var : declared.signature) Declare(var);
    if (!attrs.empty()) {
      const InfoPrinter print_info = [&](StructInfoRef i) { return PrintStructInfo(i, text_); };
      out_.Line("R.func_attr(", PrintAttrs(attrs, text_.names, text_.scalar_style(), print_info),
                ")");
    }
    for (PrimRef var : declared.body) Declare(var);
    if (outermost && mentions_.globals) out_.Line(kModuleAlias, " = ", ModuleName(text_.module));
    Print(f.body);
    out_.Line("return ", Whole(f.body.result));
    --depth_;
  }

  // The sizes of the signature that no parameter is. TVM reads type variables as int64.
  void DeclareTypeVars(const std::vector<PrimRef>& signature, bool outermost) {
    for (PrimRef var : signature) {
      if (var->dtype() != DType::Int(64) || text_.names.Has(var)) continue;
      text_.type_vars.Declare(var, text_.names);
      text_.declared_above.insert(var->As<SymVar>()->id);
    }
    if (outermost) text_.type_vars.ReserveIn(text_.names);
  }

  // From 0.26 on a scalar parameter is its shape variable and has its name; in older dialects only
  // if it is not int64, which R.Prim(value="n") would make it. If nothing else mentions the
  // variable, the name alone would not express that there is one.
  const SymVar* SymbolOf(ValueId param) const {
    const StructInfoRef info = text_.Annotation(text_.module.values[param]);
    const auto* prim = info == nullptr ? nullptr : info->As<PrimInfo>();
    if (prim == nullptr || prim->value == nullptr) return nullptr;
    const auto* symbol = prim->value->As<SymVar>();
    if (symbol == nullptr || prim->dtype != prim->value->dtype()) return nullptr;
    if (text_.before_0_26() && prim->dtype == DType::Int(64)) return nullptr;
    return mentions_.symbols.contains(symbol->id) ? symbol : nullptr;
  }

  void NameParam(ValueId param) {
    const std::string name = text_.Name(param);
    if (SymbolOf(param) == nullptr) return;
    const PrimRef symbol = text_.Annotation(text_.module.values[param])->As<PrimInfo>()->value;
    if (!text_.names.Has(symbol)) text_.names.Alias(symbol, name);
  }

  bool IsItsSymbol(ValueId param) const {
    if (SymbolOf(param) == nullptr) return false;
    const PrimRef symbol = text_.Annotation(text_.module.values[param])->As<PrimInfo>()->value;
    return text_.names.Of(symbol) == text_.Name(param);
  }

  std::string Param(ValueId param) {
    const StructInfoRef info = text_.Annotation(text_.module.values[param]);
    const std::string name = text_.Name(param);
    if (info == nullptr) return name;
    if (IsItsSymbol(param)) {
      declared_by_param_.insert(SymbolOf(param)->id);
      if (text_.has_type_vars()) text_.quoted.erase(SymbolOf(param)->id);
      const std::string dtype = ToString(info->As<PrimInfo>()->dtype);
      return text_.before_0_26() ? absl::StrCat(name, ": R.Prim(\"", dtype, "\")")
                                 : absl::StrCat(name, ": T.", dtype);
    }
    return absl::StrCat(name, ": ", PrintStructInfo(info, text_));
  }

  std::string Result(const Function& f) const {
    const bool derived = text_.options.show_info && f.ret_info != nullptr;
    const StructInfoRef info = derived ? f.ret_info : f.ret;
    return info == nullptr ? "" : absl::StrCat(" -> ", PrintStructInfo(info, text_));
  }

  void Declare(PrimRef var) {
    const int id = var->As<SymVar>()->id;
    if (declared_by_param_.contains(id) || text_.declared_above.contains(id)) return;
    out_.Line(text_.names.Of(var), " = T.", ToString(var->dtype()), "()");
  }

  std::string Whole(const Operand& operand) const {
    return PrintOperand(operand, OperandPosition::kWhole, text_);
  }

  void Print(const Body& body) {
    for (const Block& block : body.blocks) Print(block);
  }

  void Print(const Block& block) {
    if (!block.dataflow) {
      for (const Binding& binding : block.bindings) Print(binding);
      return;
    }
    out_.Line("with R.dataflow():");
    const LineWriter::Indent in(out_);
    std::vector<std::string> outputs;
    for (const Binding& binding : block.bindings) {
      Print(binding);
      if (!text_.module.values[binding.var].dataflow) outputs.push_back(text_.Name(binding.var));
    }
    out_.Line("R.output(", absl::StrJoin(outputs, ", "), ")");
  }

  void Assign(ValueId var, absl::string_view rhs) {
    const Value& value = text_.module.values[var];
    const StructInfoRef info = text_.Annotation(value);
    const std::string annotation =
        info == nullptr ? "" : absl::StrCat(": ", PrintStructInfo(info, text_));
    out_.Line(text_.Name(var), annotation, " = ", rhs, Comment());
  }

  void Print(const Binding& binding) {
    origin_ = OriginOf(binding.loc);
    Match(
        binding.rhs, [&](const Operand& o) { Assign(binding.var, Whole(o)); },
        [&](const Call& c) {
          const std::string call = PrintCall(c, text_);
          IsVoid(binding.var) ? out_.Line(call, Comment()) : Assign(binding.var, call);
        },
        [&](const GetField& g) {
          const std::string tuple = Whole(g.tuple);
          Assign(binding.var, g.tuple.As<ValueId>() != nullptr
                                  ? absl::StrCat(tuple, "[", g.index, "]")
                                  : absl::StrCat("R.TupleGetItem(", tuple, ", ", g.index, ")"));
        },
        [&](const MatchCast& m) {
          Assign(binding.var, absl::StrCat("R.match_cast(", Whole(m.value), ", ",
                                           PrintStructInfo(m.info, text_), ")"));
        },
        [&](const If& i) { Print(binding.var, i); },
        [&](const Function& f) {
          const std::string name = text_.Name(binding.var);
          Origin(binding.loc);
          Decorator(f, false);
          Print(name, f, f.attrs, false);
        });
  }

  // A call for its effect only: it has no result, or nothing uses it.
  bool IsVoid(ValueId var) const {
    const Value& value = text_.module.values[var];
    const auto* tuple = value.info == nullptr ? nullptr : value.info->As<TupleInfo>();
    return tuple != nullptr && tuple->fields.empty() && text_.Annotation(value) == nullptr &&
           !mentions_.values.contains(var.index);
  }

  void Print(ValueId var, const If& branch) {
    out_.Line("if ", Whole(branch.cond), ":", Comment());
    PrintBranch(var, branch.then_body);
    out_.Line("else:");
    PrintBranch(var, branch.else_body);
  }

  // The last statement of a branch binds the name of the If: either the branch's own last variable
  // takes that name, or the result is assigned to it.
  void PrintBranch(ValueId var, const Body& body) {
    const LineWriter::Indent in(out_);
    if (++depth_ > kMaxPrintedDepth) return out_.Line("...");
    const bool shares = LastIsResult(body);
    if (shares) {
      text_.names.Alias(body.blocks.back().bindings.back().var, text_.Name(var));
    }
    Print(body);
    if (!shares) out_.Line(text_.Name(var), " = ", Whole(body.result));
    --depth_;
  }

  bool LastIsResult(const Body& body) const {
    const auto* result = body.result.As<ValueId>();
    if (result == nullptr || body.blocks.empty()) return false;
    const Block& block = body.blocks.back();
    const Binding& last = block.bindings.back();
    // The name of a function cannot change.
    if (last.var != *result || std::holds_alternative<Function>(last.rhs)) return false;
    // A bare leaf would be read as the result itself, without a variable.
    return !std::holds_alternative<Operand>(last.rhs) || block.dataflow ||
           text_.module.values[last.var].annotation != nullptr;
  }

  GraphText& text_;
  LineWriter& out_;
  const Mentions mentions_;
  absl::flat_hash_set<int> declared_by_param_;  // by SymVar::id
  std::string origin_;                          // of the binding being printed
  int depth_ = 0;
};

}  // namespace

std::string ModuleName(const Module& module) {
  return module.name.empty() ? "Module" : ToIdentifier(module.name);
}

void PrintFunction(const Module& module, const Global& global, const PrintOptions& options,
                   Metadata& metadata, TypeVars& type_vars, LineWriter& out) {
  PrintNames names;
  names.Reserve(ModuleName(module));
  GraphText text{module, options, names, metadata, type_vars, {}};
  FunctionPrinter(text, *global.function(), out).PrintGlobal(global, *global.function());
}

}  // namespace lathe::ir
