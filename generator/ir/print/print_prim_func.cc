#include "generator/ir/print/print_prim_func.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print/print_function.h"
#include "generator/ir/print/print_sblock.h"
#include "generator/ir/print/print_stmt.h"
#include "generator/ir/print/tir_text.h"
#include "generator/ir/print_literal.h"

namespace lathe::ir {
namespace {

class PrimFuncPrinter {
 public:
  PrimFuncPrinter(TirText& text, TypeVars& type_vars, bool some_unscheduled)
      : text_(text), type_vars_(type_vars), some_unscheduled_(some_unscheduled) {}

  void Print(absl::string_view name) {
    const PrimFunc& f = text_.func();
    Decorator();
    if (text_.dialect() >= Dialect::kV0_27) DeclareSymbols();
    std::vector<std::string> params;
    for (const PrimParam& param : f.params) params.push_back(Param(param));
    const std::string result = f.ret ? absl::StrCat(" -> T.", ToString(*f.ret)) : std::string();
    text_.out().Line("def ", name, "(", absl::StrJoin(params, ", "), ")", result, ":");
    const LineWriter::Indent in(text_.out());
    AttrMap attrs = f.attrs;
    const auto* symbol = FindAttr<std::string>(attrs, kGlobalSymbol);
    if (symbol != nullptr && *symbol == name) attrs.erase(kGlobalSymbol);
    if (f.persistent && text_.dialect() < Dialect::kV0_26) attrs[kPersistentKernel] = true;
    if (!attrs.empty()) text_.out().Line("T.func_attr(", text_.Attrs(attrs), ")");
    Declarations();
    Body(f.body);
  }

 private:
  void Decorator() {
    const PrimFunc& f = text_.func();
    std::vector<absl::string_view> flags;
    if (f.attrs.count(kGlobalSymbol) == 0) flags.push_back("private=True");
    // Older dialects have scheduled functions only and omit s_tir; stating it would make readers
    // treat the file as a newer dialect.
    if (!f.scheduled) flags.push_back("s_tir=False");
    const bool says = text_.dialect() >= Dialect::kV0_26 ||
                      (text_.dialect() == Dialect::kV0_24 && some_unscheduled_);
    if (f.scheduled && says) flags.push_back("s_tir=True");
    if (f.persistent && text_.dialect() >= Dialect::kV0_26) flags.push_back("persistent=True");
    text_.out().Line("@T.prim_func",
                     flags.empty() ? "" : absl::StrCat("(", absl::StrJoin(flags, ", "), ")"));
  }

  // Returns true if the parameters before the buffer define all variables of its description.
  bool IsKnown(const Buffer& b) const {
    bool known = true;
    const auto check = [&](PrimRef e) { known = known && e != nullptr && IsKnown(e); };
    for (PrimRef e : b.shape) check(e);
    for (PrimRef e : b.strides) check(e);
    if (b.elem_offset != nullptr) check(b.elem_offset);
    return known;
  }
  bool IsKnown(PrimRef e) const {
    if (e->As<SymVar>() != nullptr) return text_.names().Has(e);
    bool known = true;
    ForEachOperand(e, [&](PrimRef operand) { known = known && IsKnown(operand); });
    return known;
  }

  // True when nothing but its buffer is made of the handle.
  bool IsBufferAlone(const PrimParam& param) const {
    const auto* handle = param.var->As<SymVar>();
    const bool bare = handle->pointee.is_void() && handle->scope.empty();
    return param.buffer != nullptr && bare && !text_.mentions().symbols.contains(handle->id);
  }

  template <typename F>
  static void ForEachVar(PrimRef e, const F& visit) {
    if (e == nullptr) return;
    if (const auto* var = e->As<SymVar>()) return visit(*var, e);
    ForEachOperand(e, [&](PrimRef operand) { ForEachVar(operand, visit); });
  }

  // Returns true for a size that is not a parameter, with the dtype that TVM gives type variables.
  bool IsTypeVar(const SymVar& var, DType dtype) const {
    return dtype == DType::Int(64) && !scalar_params_.contains(var.id);
  }

  // True when 0.27 has a T.Buffer of the parameter for it: `bound` are the variables before it. A
  // quoted dimension defines an int32, and a later parameter with its type; strides and offsets
  // define nothing.
  bool IsMatched(const Buffer& b, const absl::flat_hash_set<int>& bound) const {
    bool matched = true;
    const auto known = [&](const SymVar& var, PrimRef e) {
      matched = matched && (bound.contains(var.id) || IsTypeVar(var, e->dtype()));
    };
    for (PrimRef e : b.strides) ForEachVar(e, known);
    ForEachVar(b.elem_offset, known);
    for (PrimRef e : b.shape) {
      ForEachVar(e, [&](const SymVar& var, PrimRef symbol) {
        if (scalar_params_.contains(var.id) || symbol->dtype() == DType::Int(32)) return;
        known(var, symbol);
      });
    }
    return matched;
  }

  // For 0.27: names the scalar parameters, chooses the parameters that are written as T.Buffer, and
  // declares the type variables of those.
  void DeclareSymbols() {
    const PrimFunc& f = text_.func();
    for (const PrimParam& param : f.params) {
      if (param.buffer != nullptr || param.var->dtype().is_handle()) continue;
      scalar_params_.insert(param.var->As<SymVar>()->id);
      text_.names().Of(param.var);
    }
    absl::flat_hash_set<int> bound;
    for (const PrimParam& param : f.params) {
      bound.insert(param.var->As<SymVar>()->id);
      if (!IsBufferAlone(param) || !IsMatched(*param.buffer, bound)) continue;
      buffers_.insert(param.buffer);
      const auto declare = [&](const SymVar& var, PrimRef e) {
        bound.insert(var.id);
        if (!IsTypeVar(var, e->dtype())) return;
        type_vars_.Declare(e, text_.names());
        declared_above_.insert(var.id);
      };
      for (PrimRef dim : param.buffer->shape) ForEachVar(dim, declare);
      for (PrimRef stride : param.buffer->strides) ForEachVar(stride, declare);
      ForEachVar(param.buffer->elem_offset, declare);
    }
    type_vars_.ReserveIn(text_.names());
  }

  // The first dimension with a variable that nothing has bound is quoted, which binds it; and so is
  // what is computed of a type variable, which Python would compute.
  std::vector<std::string> QuotedShape(const Buffer& b) {
    std::vector<std::string> shape;
    for (PrimRef dim : b.shape) {
      bool quoted = false;
      const bool computed = dim->As<SymVar>() == nullptr;
      ForEachVar(dim, [&](const SymVar& var, PrimRef) {
        const bool above = declared_above_.contains(var.id);
        quoted |= above ? computed : bound_.insert(var.id).second;
      });
      const std::string text = text_.Scalar(dim);
      shape.push_back(quoted ? StringLiteral(text) : text);
    }
    return shape;
  }

  // A: T.Buffer((16,), "float32"), or a: T.handle with a T.match_buffer in the body.
  std::string Param(const PrimParam& param) {
    if (buffers_.contains(param.buffer)) {
      const std::string description =
          text_.Description(param.buffer, QuotedShape(*param.buffer), false);
      return absl::StrCat(text_.NameWithData(param.buffer), ": T.Buffer(", description, ")");
    }
    const bool before_0_27 = text_.dialect() < Dialect::kV0_27;
    if (before_0_27 && IsBufferAlone(param) && IsKnown(*param.buffer)) {
      const std::string description = text_.Description(param.buffer, false);
      return absl::StrCat(text_.NameWithData(param.buffer), ": T.Buffer(", description, ")");
    }
    if (param.buffer != nullptr) matched_.push_back(&param);
    bound_.insert(param.var->As<SymVar>()->id);
    return absl::StrCat(text_.names().Of(param.var), ": ", text_.Type(param.var));
  }

  void Declarations() {
    for (PrimRef var : text_.mentions().undefined) {
      if (declared_above_.contains(var->As<SymVar>()->id)) continue;
      const std::string name = text_.names().Of(var);
      if (!var->dtype().is_handle()) {
        text_.out().Line(name, " = ", text_.Type(var), "()");
        continue;
      }
      const std::string type = text_.Type(var);
      text_.out().Line(name, " = ", type, type == "T.handle" ? "()" : "");
    }
    for (const auto& [var, thread] : text_.mentions().shared_threads) {
      const DType dtype = var->dtype();
      const std::string type =
          dtype == DType::Int(32) ? "" : absl::StrCat(", \"", ToString(dtype), "\"");
      text_.out().Line(text_.names().Of(var), " = T.env_thread(\"", thread, "\"", type, ")");
    }
    for (const PrimParam* param : matched_) {
      const std::string description = text_.Description(param->buffer, false);
      text_.out().Line(text_.NameWithData(param->buffer), " = T.match_buffer(",
                       text_.names().Of(param->var), ", ", description, ")");
    }
  }

  // The root block is implicit if it only allocates.
  void Body(StmtRef body) {
    const auto* root = body->As<BlockStmt>();
    const bool implicit = root != nullptr && root->name == "root" && root->axes.empty() &&
                          !root->reads && !root->writes && root->predicate == nullptr &&
                          root->init == nullptr && !root->allocs.empty() && root->matches.empty() &&
                          root->annotations.empty() && root->realized;
    if (!implicit) return PrintStmt(text_, body);
    PrintBlockMemory(text_, *root);
    PrintStmt(text_, root->body);
  }

  TirText& text_;
  TypeVars& type_vars_;
  const bool some_unscheduled_;  // of the module
  std::vector<const PrimParam*> matched_;
  // In 0.27: buffers that are written as parameters; by SymVar::id scalar parameters, type
  // variables, and what the signature has bound so far.
  absl::flat_hash_set<BufferRef> buffers_;
  absl::flat_hash_set<int> scalar_params_;
  absl::flat_hash_set<int> declared_above_;
  absl::flat_hash_set<int> bound_;
};

}  // namespace

void PrintPrimFunc(const Module& module, const Global& global, const PrintOptions& options,
                   TypeVars& type_vars, LineWriter& out) {
  PrintNames names;
  names.Reserve(ModuleName(module));
  TirText text(*global.prim_func(), options, ModuleName(module), names, out);
  bool some_unscheduled = false;
  for (size_t i = 0; i < module.globals.size(); ++i) {
    const PrimFunc* f = module.globals[GlobalId{static_cast<int32_t>(i)}].prim_func();
    some_unscheduled |= f != nullptr && !f->scheduled;
  }
  PrimFuncPrinter(text, type_vars, some_unscheduled).Print(global.name);
}

}  // namespace lathe::ir
