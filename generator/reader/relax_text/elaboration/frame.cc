#include "generator/reader/relax_text/elaboration/frame.h"

#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"
#include "generator/reader/relax_text/elaboration/binding_sites.h"
#include "generator/reader/relax_text/elaboration/written_size.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/support/check.h"
#include "generator/support/closest_name.h"

namespace lathe::relax_text {
Frame::Frame(Elaboration& el, const ast::FunctionDef* outermost) : el(el), outermost_(outermost) {
  if (outermost != nullptr) scopes.SetOutside(&el.host_numbers(), outermost->name_span.begin);
}

const ast::Expr& Frame::Written(const ast::Expr& e) {
  const auto* name = e.As<ast::Name>();
  const NameEntry* entry = name == nullptr ? nullptr : scopes.Find(name->id);
  if (entry == nullptr || entry->number == nullptr) return e;
  return *NumberAt(el.tree(), *entry->number, e.span());
}

ir::Operand Frame::Flatten(ir::Rhs rhs, TextSpan span) {
  if (auto* leaf = std::get_if<ir::Operand>(&rhs)) return std::move(*leaf);
  ir::Value value;
  value.name = FreshName();
  value.loc = span;
  const ValueShape shape = ShapeOfRhs(rhs);
  const ir::ValueId var = body->Bind(std::move(value), std::move(rhs), span);
  if (shape != ValueShape::kUnknown) SetShape(var, shape);
  return ir::Operand{var};
}

std::string Frame::FreshName() {
  const bool dataflow = body->in_dataflow();
  int& next = next_fresh_[dataflow ? 1 : 0];
  std::string name;
  do {
    name = dataflow ? "lv" : "gv";
    if (next > 0) absl::StrAppend(&name, next);
    ++next;
  } while (scopes.Find(name) != nullptr);
  return name;
}

ir::ValueId Frame::Define(const ast::Expr& target, absl::string_view name, ir::Rhs rhs,
                          TextSpan span, const ast::Expr* annotation_at,
                          ir::StructInfoRef annotation) {
  ir::Value value;
  value.name = std::string(name);
  value.loc = target.span();
  value.annotation = annotation;
  if (annotation_at != nullptr) value.annotation_loc = annotation_at->span();
  ValueShape shape = annotation != nullptr ? ShapeOfInfo(annotation) : ShapeOfRhs(rhs);
  ir::PrimRef scalar = nullptr;
  ir::ValueId origin;
  const std::vector<ir::PrimRef>* dims = nullptr;
  if (const auto* leaf = std::get_if<ir::Operand>(&rhs); leaf != nullptr) {
    if (const auto* copied = leaf->As<ir::ValueId>()) {
      if (shape == ValueShape::kUnknown) shape = ShapeOf(*copied);
      origin = OriginOf(*copied);
    } else if (const auto* literal = leaf->As<ir::ShapeExpr>()) {
      dims = &literal->values;
    } else if (const auto* prim = leaf->As<ir::PrimValue>()) {
      scalar = prim->value;
      if (WrittenSize(scalar, kMaxScalarNodes) > kMaxScalarNodes) {
        el.diags().LimitExceeded(span, "limit-scalar-size")
            << "after expansion of its scalars, this expression has more than " << kMaxScalarNodes
            << " operations";
      }
    }
  }
  const ir::ValueId var{static_cast<int32_t>(el.module().values.size())};
  if (dims != nullptr) dims_[var.index] = *dims;
  LATHE_CHECK(body->Bind(std::move(value), std::move(rhs), span) == var,
              "values are numbered as they are bound");
  if (shape != ValueShape::kUnknown) SetShape(var, shape);
  if (scalar != nullptr) scalars_[var.index] = scalar;
  if (origin.valid()) origins_[var.index] = origin;
  NameEntry entry;
  entry.value = var;
  entry.span = target.span();
  scopes.Bind(name, entry);
  return var;
}

void Frame::DefineFailed(absl::string_view name, TextSpan span) {
  NameEntry entry;
  entry.failed = true;
  entry.span = span;
  scopes.Bind(name, entry);
}

ir::ValueId Frame::OriginOf(ir::ValueId var) const {
  const auto it = origins_.find(var.index);
  return it == origins_.end() ? var : it->second;
}

bool Frame::IsScalarParameter(ir::ValueId var) const {
  const ir::StructInfoRef info = el.module().values[var].annotation;
  return parameters_.contains(var.index) && info != nullptr && info->As<ir::PrimInfo>() != nullptr;
}

bool Frame::HasScalar(const NameEntry& entry) const {
  if (entry.scalar != nullptr) return true;
  if (!entry.value.valid()) return false;
  const ir::ValueId origin = OriginOf(entry.value);
  return scalars_.contains(origin.index) || IsScalarParameter(origin);
}

ir::PrimRef Frame::ScalarOf(const NameEntry& entry) {
  if (entry.scalar != nullptr) return entry.scalar;
  if (!HasScalar(entry)) return nullptr;
  const ir::ValueId origin = OriginOf(entry.value);
  if (const auto it = scalars_.find(origin.index); it != scalars_.end()) return it->second;
  // A parameter n: R.Prim("int64") that is used in a shape binds a shape variable of its name,
  // as if it was annotated R.Prim(value="n").
  ir::Value& value = el.module().values[origin];
  const ir::PrimInfo info = *value.annotation->As<ir::PrimInfo>();
  ir::PrimRef scalar = info.value;
  if (scalar == nullptr) {
    scalar = el.context().NewVar(value.name, info.dtype);
    value.annotation = el.context().Prim(info.dtype, scalar);
  }
  scalars_[origin.index] = scalar;
  return scalar;
}

const std::vector<ir::PrimRef>* Frame::DimsOf(ir::ValueId var) const {
  const ir::ValueId origin = OriginOf(var);
  if (const auto it = dims_.find(origin.index); it != dims_.end()) return &it->second;
  const ir::StructInfoRef info = el.module().values[origin].annotation;
  const auto* shape = info == nullptr ? nullptr : info->As<ir::ShapeInfo>();
  return shape != nullptr && shape->values ? &*shape->values : nullptr;
}

ValueShape Frame::ShapeOf(ir::ValueId var) const {
  const auto it = shapes_.find(var.index);
  return it == shapes_.end() ? ValueShape::kUnknown : it->second;
}

const TextSpan* Frame::BoundLater(absl::string_view name, const TextSpan& use) {
  if (outermost_ == nullptr) return nullptr;
  if (!later_indexed_) later_ = BindingSites(outermost_->body);
  later_indexed_ = true;
  const auto it = later_.find(name);
  return it != later_.end() && it->second.begin > use.begin ? &it->second : nullptr;
}

absl::Status Frame::UnknownName(const ast::Expr& e, absl::string_view name) {
  if (el.RefusesHostValue(e, name)) return AlreadyDiagnosed();
  if (const EndedName* left = scopes.FindEnded(name)) {
    if (left->scope == ScopeKind::kDataflow) {
      el.Error(e, "dataflow-var-scope")
              .Note(left->span, "bound here, in a dataflow block that does not list it in R.output")
              .Help(absl::StrCat("add ", name, " to the R.output(...) of its block"))
          << "'" << name << "' is used outside its dataflow block";
    } else {
      el.Error(e, "var-not-bound-once")
              .Note(left->span, left->scope == ScopeKind::kBranch
                                    ? "bound here, in a branch of an 'if', where its scope ends"
                                    : "bound here, in another function")
          << "'" << name << "' is not bound here";
    }
  } else if (const TextSpan* later = BoundLater(name, e.span())) {
    el.Error(e, "var-before-binding").Note(*later, "bound here")
        << "'" << name << "' is used before it is bound";
  } else {
    std::vector<absl::string_view> known;
    if (el.diags().error_count() < kMaxSuggestions) {
      known = scopes.Visible();
      const ir::Module& module = el.module();
      for (size_t i = 0; i < module.globals.size(); ++i) {
        known.push_back(module.globals[ir::GlobalId{static_cast<int32_t>(i)}].name);
      }
    }
    el.Error(e, "var-not-bound-once")
        << "'" << name << "' is not bound anywhere" << DidYouMean(name, known);
  }
  if (scopes.function_depth() > 0) DefineFailed(name, e.span());
  return AlreadyDiagnosed();
}

void Frame::NoteUse(const ast::Expr& e, const NameEntry& entry) {
  if (entry.function_depth == scopes.function_depth()) return;
  for (ir::ValueId function : defining_) {
    if (function == entry.value) return;
  }
  if (el.module().values[entry.value].dataflow) captures_.push_back({entry.value, e.span()});
}

void Frame::CheckCaptures() {
  for (const Capture& capture : captures_) {
    const ir::Value& value = el.module().values[capture.var];
    if (!value.dataflow) continue;
    el.diags()
            .Error(capture.span, "dataflow-var-captured")
            .Note(value.loc, "bound here, in a dataflow block that does not list it in R.output")
            .Help("pass it as an argument, or list it in R.output")
        << "this function captures the dataflow variable '" << value.name
        << "' of the enclosing block";
  }
  captures_.clear();
}

ValueShape ShapeOfInfo(ir::StructInfoRef info) {
  return Match(
      info->node(), [](const ir::ObjectInfo&) { return ValueShape::kObject; },
      [](const ir::PrimInfo&) { return ValueShape::kPrim; },
      [](const ir::ShapeInfo&) { return ValueShape::kShape; },
      [](const ir::TensorInfo&) { return ValueShape::kTensor; },
      [](const ir::TupleInfo&) { return ValueShape::kTuple; },
      [](const ir::FuncInfo&) { return ValueShape::kFunction; });
}

ValueShape ShapeOfRhs(const ir::Rhs& rhs) {
  if (const auto* leaf = std::get_if<ir::Operand>(&rhs)) {
    if (leaf->As<ir::TupleExpr>() != nullptr) return ValueShape::kTuple;
    if (leaf->As<ir::ShapeExpr>() != nullptr) return ValueShape::kShape;
    if (leaf->As<ir::PrimValue>() != nullptr) return ValueShape::kPrim;
    if (leaf->As<ir::ConstantId>() != nullptr) return ValueShape::kTensor;
    if (leaf->As<ir::GlobalId>() != nullptr) return ValueShape::kFunction;
    if (leaf->As<ir::ExternFunc>() != nullptr) return ValueShape::kFunction;
  }
  if (const auto* cast = std::get_if<ir::MatchCast>(&rhs)) return ShapeOfInfo(cast->info);
  if (std::holds_alternative<ir::Function>(rhs)) return ValueShape::kFunction;
  if (const auto* call = std::get_if<ir::Call>(&rhs); call != nullptr && call->op() != nullptr) {
    const std::string& op = call->op()->name;
    if (op == "relax.shape_of" || op == "relax.tensor_to_shape") return ValueShape::kShape;
    if (call->sinfo_args.size() == 1) return ShapeOfInfo(call->sinfo_args[0]);
  }
  return ValueShape::kUnknown;
}

}  // namespace lathe::relax_text
