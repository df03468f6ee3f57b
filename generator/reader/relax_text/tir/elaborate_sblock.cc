#include "generator/reader/relax_text/tir/elaborate_sblock.h"

#include "absl/strings/strip.h"
#include "generator/ir/alpha_equal.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/attr_names.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/reader/relax_text/tir/scalar_slices.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;

struct AxisName {
  absl::string_view name;
  ir::AxisKind kind;
};
constexpr AxisName kAxes[] = {
    {"spatial", ir::AxisKind::kSpatial}, {"S", ir::AxisKind::kSpatial},
    {"reduce", ir::AxisKind::kReduce},   {"R", ir::AxisKind::kReduce},
    {"scan", ir::AxisKind::kScan},       {"opaque", ir::AxisKind::kOpaque},
};

absl::Status InBlock(StmtElaborator& s, const ast::Expr& e, absl::string_view function) {
  if (!s.block().is_root) return absl::OkStatus();
  return s.el().Error(e, "outside-block")
         << "T." << function << " must be inside a block, 'with T.sblock(...)'";
}

// `function` was called before, with its call in OpenBlock::statements.
absl::Status Repeated(StmtElaborator& s, const ast::Expr& e, absl::string_view function) {
  return s.el()
             .Error(e, "duplicate-block-statement")
             .Note(s.block().statements.at(function), "previously specified here")
         << "a block must have only one T." << function;
}

// Returns the name of axis `i` of `count` axes.
std::string AxisNameFor(const ast::Expr* target, size_t i, size_t count) {
  if (target == nullptr) return "v";
  if (const auto* name = target->As<ast::Name>()) {
    return count == 1 ? std::string(name->id) : absl::StrCat(name->id, "_", i);
  }
  const auto* tuple = target->As<ast::Tuple>();
  const auto* list = target->As<ast::List>();
  const ast::ExprList names = tuple != nullptr  ? tuple->elements
                              : list != nullptr ? list->elements
                                                : ast::ExprList();
  const auto* name = i < names.size() ? names[i]->As<ast::Name>() : nullptr;
  return name == nullptr ? "v" : std::string(name->id);
}

bool IsIndex(PrimRef e) { return e->dtype().is_integer() && e->dtype().is_scalar(); }

absl::StatusOr<ScalarValue> SingleAxis(StmtElaborator& s, const ast::Expr& e,
                                       absl::string_view function, ir::AxisKind kind,
                                       const ast::Expr* target) {
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, absl::StrCat("T.", function), "dom binding dtype?"));
  ir::BlockAxis axis;
  axis.kind = kind;
  LATHE_ASSIGN_OR_RETURN(const ScalarValue dom, s.scalars().Eval(args["dom"]));
  const ScalarList* range = dom.list();
  const auto* object = dom.As<ir::AttrObject>();
  if (range != nullptr && range->size() == 2) {
    LATHE_ASSIGN_OR_RETURN(axis.min,
                           ToScalar(s.el(), args["dom"], (*range)[0], ir::DType::Int(32)));
    LATHE_ASSIGN_OR_RETURN(const PrimRef stop,
                           ToScalar(s.el(), args["dom"], (*range)[1], ir::DType::Int(32)));
    axis.extent = ExtentOf(s.context(), axis.min, stop);
  } else if (object != nullptr && object->kind == "range") {
    axis.min = *ir::FindAttr<PrimRef>(*object->fields, "begin");
    axis.extent = ExtentOf(s.context(), axis.min, *ir::FindAttr<PrimRef>(*object->fields, "end"));
  } else {
    LATHE_ASSIGN_OR_RETURN(axis.extent, ToScalar(s.el(), args["dom"], dom, ir::DType::Int(32)));
    axis.min = s.context().Int(0, IsIndex(axis.extent) ? axis.extent->dtype() : ir::DType::Int(32));
  }
  LATHE_ASSIGN_OR_RETURN(axis.binding, s.scalars().Scalar(args["binding"]));
  for (PrimRef part : {axis.min, axis.extent, axis.binding}) {
    if (!IsIndex(part)) {
      return s.el().Error(e, "axis-type")
             << "the range and the value of an axis must be integers, but " << ir::ToString(part)
             << " has dtype " << ir::ToString(part->dtype());
    }
  }
  MatchTypes(s.context(), axis.min, axis.extent);
  ir::DType dtype = axis.extent->dtype();
  if (const ast::Expr* given = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(const ir::DType wanted, s.scalars().Type(*given));
    if (wanted.is_integer() && wanted.bits > dtype.bits) dtype = wanted;
  }
  axis.var = s.context().NewVar(AxisNameFor(target, 0, 1), dtype);
  const PrimRef var = axis.var;
  s.block().block.axes.push_back(axis);
  return ScalarValue(var);
}

absl::StatusOr<ScalarValue> Remap(StmtElaborator& s, const ast::Expr& e, const ast::Expr* target) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "T.axis.remap", "kinds bindings dtype?"));
  LATHE_ASSIGN_OR_RETURN(const std::string kinds, s.scalars().String(args["kinds"]));
  LATHE_ASSIGN_OR_RETURN(const std::vector<PrimRef> loops, s.scalars().Scalars(args["bindings"]));
  if (kinds.size() != loops.size()) {
    return s.el().Error(e, "axis-remap")
           << "\"" << kinds << "\" specifies the kinds of " << CountOf(kinds.size(), "axis", "axes")
           << ", got " << CountOf(loops.size(), "loop");
  }
  ScalarList vars;
  std::vector<ir::BlockAxis> axes;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (kinds[i] != 'S' && kinds[i] != 'R') {
      return s.el().Error(args["kinds"], "axis-remap")
             << "the kind of an axis must be S or R, got '" << kinds.substr(i, 1) << "'";
    }
    const auto domain = s.loops().find(loops[i]);
    if (domain == s.loops().end()) {
      return s.el().Error(args["bindings"], "axis-remap")
             << "T.axis.remap needs variables of enclosing loops, but " << ir::ToString(loops[i])
             << " is not one";
    }
    ir::BlockAxis axis;
    axis.kind = kinds[i] == 'S' ? ir::AxisKind::kSpatial : ir::AxisKind::kReduce;
    axis.min = domain->second.min;
    axis.extent = domain->second.extent;
    axis.binding = loops[i];
    axis.var = s.context().NewVar(AxisNameFor(target, i, loops.size()), loops[i]->dtype());
    vars.push_back(axis.var);
    axes.push_back(axis);
  }
  auto& all = s.block().block.axes;
  all.insert(all.end(), axes.begin(), axes.end());
  return vars.size() == 1 ? vars.front() : MakeList(std::move(vars));
}

// T.reads(A[i], B[0:4]), T.reads([A[i]]), T.reads().
absl::StatusOr<std::vector<ir::BufferRegion>> Regions(StmtElaborator& s, const ast::Expr& e) {
  const auto& call = *e.As<ast::Call>();
  std::vector<ast::ExprRef> items;
  for (const ast::ExprRef argument : call.args) {
    const auto* list = argument->As<ast::List>();
    const auto* tuple = argument->As<ast::Tuple>();
    if (list != nullptr) items.insert(items.end(), list->elements.begin(), list->elements.end());
    if (tuple != nullptr) items.insert(items.end(), tuple->elements.begin(), tuple->elements.end());
    if (list == nullptr && tuple == nullptr) items.push_back(argument);
  }
  std::vector<ir::BufferRegion> out;
  for (const ast::ExprRef item : items) {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(*item));
    LATHE_ASSIGN_OR_RETURN(std::optional<ir::BufferRegion> region, RegionOf(s, *item, value));
    if (!region) {
      return s.el().Error(*item, "wrong-kind-of-value")
             << "expected a region of a buffer, such as A[0:16, i], got " << Describe(value);
    }
    out.push_back(*std::move(region));
  }
  return out;
}

}  // namespace

bool IsAxis(absl::string_view function) {
  if (!absl::ConsumePrefix(&function, "axis.")) return false;
  if (function == "remap") return true;
  for (const AxisName& axis : kAxes) {
    if (axis.name == function) return true;
  }
  return false;
}

absl::StatusOr<ScalarValue> ElaborateAxis(StmtElaborator& s, const ast::Expr& e,
                                          absl::string_view function, const ast::Expr* target) {
  LATHE_RETURN_IF_ERROR(InBlock(s, e, function));
  const absl::string_view kind = absl::StripPrefix(function, "axis.");
  for (const AxisName& axis : kAxes) {
    if (axis.name == kind) return SingleAxis(s, e, function, axis.kind, target);
  }
  return Remap(s, e, target);
}

absl::StatusOr<std::optional<ir::BufferRegion>> RegionOf(StmtElaborator& s, const ast::Expr& e,
                                                         const ScalarValue& value) {
  if (const auto* buffer = value.As<ir::BufferRef>()) {
    return std::optional(WholeRegion(s.context(), *buffer));
  }
  if (const auto* slice = value.As<BufferSlice>()) {
    return std::optional(ToRegion(s.context(), *slice));
  }
  const PrimRef* scalar = value.As<PrimRef>();
  const auto* load = scalar == nullptr ? nullptr : (*scalar)->As<ir::Load>();
  if (load == nullptr) return std::optional<ir::BufferRegion>();
  ir::BufferRegion region{load->buffer, {}, {}};
  for (PrimRef index : load->indices) {
    if (!index->dtype().is_scalar()) {
      return s.el().Error(e, "slice-not-a-region") << "a region must not have a step";
    }
    region.mins.push_back(index);
    region.extents.push_back(
        s.context().Int(1, index->dtype().is_bool() ? ir::DType::Int(32) : index->dtype()));
  }
  return std::optional(std::move(region));
}

namespace {

// Merges a repeated attribute into `known`. Returns false if the values differ and are not
// dictionaries that can be merged.
bool Merge(ir::AttrValue& known, const ir::AttrValue& more) {
  if (ir::AlphaEqual().Equal(known, more)) return true;
  const auto* a = known.As<ir::AttrMap>();
  const auto* b = more.As<ir::AttrMap>();
  if (a == nullptr || b == nullptr) return false;
  ir::AttrMap both = *a;
  for (const auto& [key, value] : *b) {
    const auto [entry, fresh] = both.emplace(key, value);
    if (!fresh && !Merge(entry->second, value)) return false;
  }
  known = ir::AttrValue(std::move(both));
  return true;
}

}  // namespace

bool IsBlockStatement(absl::string_view function) {
  return function == "reads" || function == "writes" || function == "where" ||
         function == "block_attr" || function == "sblock_attr";
}

absl::Status ElaborateBlockStatement(StmtElaborator& s, const ast::Expr& e,
                                     absl::string_view function) {
  LATHE_RETURN_IF_ERROR(InBlock(s, e, function));
  ir::BlockStmt& block = s.block().block;
  if (function == "where") {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.where", "predicate"));
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(args["predicate"]));
    if (block.predicate != nullptr) return Repeated(s, e, function);
    s.block().statements.emplace(function, e.span());
    const auto* number = value.As<absl::int128>();
    if (number != nullptr && (*number == 0 || *number == 1)) {
      block.predicate = s.context().Bool(*number == 1);
      return absl::OkStatus();
    }
    LATHE_ASSIGN_OR_RETURN(block.predicate,
                           ToScalar(s.el(), args["predicate"], value, ir::DType::Int(32)));
    if (block.predicate->dtype().is_scalar() && block.predicate->dtype().is_bool()) {
      return absl::OkStatus();
    }
    return s.el().Error(args["predicate"], "condition-type")
           << "a condition must be bool, got " << ir::ToString(block.predicate->dtype());
  }
  if (function == "reads" || function == "writes") {
    auto& regions = function == "reads" ? block.reads : block.writes;
    if (regions) return Repeated(s, e, function);
    s.block().statements.emplace(function, e.span());
    regions.emplace();
    LATHE_ASSIGN_OR_RETURN(*regions, Regions(s, e));
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, absl::StrCat("T.", function), "attrs"));
  LATHE_ASSIGN_OR_RETURN(const ir::AttrMap attrs, ElaborateAttrMap(s, args["attrs"]));
  for (const auto& [key, value] : attrs) {
    const auto [entry, fresh] = block.annotations.emplace(key, value);
    if (!fresh && !Merge(entry->second, value)) {
      return s.el().Error(e, "duplicate-attribute")
             << "the attribute '" << key << "' is specified more than once";
    }
  }
  return absl::OkStatus();
}

void ElaborateBlock(StmtElaborator& s, const ast::Expr& e, const TextSpan& span,
                    const std::function<void()>& fill) {
  OpenBlock open;
  const auto args = CallArguments::Bind(s.el(), e, "T.sblock", "name? no_realize? exec_scope?");
  if (args.ok()) {
    if (const ast::Expr* name = args->GetUnlessNone("name")) {
      const auto text = s.scalars().String(*name);
      if (text.ok()) open.block.name = *text;
    }
    if (const ast::Expr* unrealized = args->GetUnlessNone("no_realize")) {
      const auto flag = s.scalars().Bool(*unrealized);
      if (flag.ok()) open.block.realized = !*flag;
    }
  }
  s.blocks().push_back(std::move(open));
  const ir::StmtRef body = s.Sequence(fill, span);
  ir::BlockStmt block = std::move(s.block().block);
  s.blocks().pop_back();
  block.body = body;
  if (!block.realized) {
    for (ir::BlockAxis& axis : block.axes) axis.binding = nullptr;
  }
  s.Emit(std::move(block), span);
}

void ElaborateInit(StmtElaborator& s, const ast::Expr& e, const TextSpan& span,
                   const std::function<void()>& fill) {
  const bool inside = InBlock(s, e, "init").ok();
  const ir::StmtRef body = s.Sequence(fill, span);
  if (!inside) return;
  if (s.block().block.init != nullptr) {
    Repeated(s, e, "init").IgnoreError();
    return;
  }
  s.block().block.init = body;
  s.block().statements.emplace("init", e.span());
}

}  // namespace lathe::relax_text
