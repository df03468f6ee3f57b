#include "generator/reader/relax_text/tir/elaborate_allocation.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/attr_names.h"
#include "generator/reader/relax_text/tir/elaborate_buffer.h"
#include "generator/reader/relax_text/tir/elaborate_memory_scope.h"
#include "generator/reader/relax_text/tir/elaborate_sblock.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;
using FrameResult = absl::StatusOr<TirFrame>;

TirFrame Allocation(ScalarValue value, ir::AllocStmt alloc) {
  return TirFrame{std::move(value), [alloc = std::move(alloc)](ir::StmtRef body) {
                    ir::AllocStmt out = alloc;
                    out.body = body;
                    return ir::Stmt::Node(std::move(out));
                  }};
}

TirFrame Declaration(ir::BufferRef buffer) {
  return TirFrame{buffer, [buffer](ir::StmtRef body) {
                    return ir::Stmt::Node(ir::DeclBufferStmt{buffer, body});
                  }};
}

absl::StatusOr<CallArguments> BufferArguments(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view function) {
  return CallArguments::Bind(s.el(), e, function,
                             absl::StrCat("shape ", kBufferParameters, " annotations?"));
}

FrameResult FlatBuffer(StmtElaborator& s, const ast::Expr& e, absl::string_view function,
                       absl::string_view name, absl::string_view scope) {
  LATHE_ASSIGN_OR_RETURN(const auto args, BufferArguments(s, e, function));
  ir::AllocStmt alloc;
  BufferDefaults defaults;
  defaults.scope = std::string(scope);
  LATHE_ASSIGN_OR_RETURN(alloc.buffer, ElaborateBuffer(s, e, args, name, defaults));
  if (const ast::Expr* annotations = args.GetUnlessNone("annotations")) {
    LATHE_ASSIGN_OR_RETURN(alloc.annotations, ElaborateAttrMap(s, *annotations));
  }
  const ir::BufferRef buffer = alloc.buffer;
  return Allocation(buffer, std::move(alloc));
}

// The elements of T.allocate_const, nested lists flattened.
absl::Status Elements(StmtElaborator& s, const ast::Expr& e, const ScalarValue& value,
                      ir::DType dtype, std::vector<PrimRef>& out) {
  if (const ScalarList* list = value.list()) {
    for (const ScalarValue& item : *list) {
      LATHE_RETURN_IF_ERROR(Elements(s, e, item, dtype, out));
    }
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, ToScalar(s.el(), e, value, ir::DType::Int(64)));
  const PrimRef element = Convert(s.context(), dtype, scalar);
  if (element->As<ir::IntImm>() == nullptr && element->As<ir::FloatImm>() == nullptr) {
    return s.el().Error(e, "wrong-kind-of-value")
           << "the elements of T.allocate_const must be numbers of type " << ir::ToString(dtype);
  }
  out.push_back(element);
  return absl::OkStatus();
}

FrameResult MatchParam(StmtElaborator& s, const ast::Expr& e, const ast::Expr& param, PrimRef var,
                       const CallArguments& args, absl::string_view name) {
  ir::PrimParam* match = nullptr;
  for (ir::PrimParam& candidate : s.func().params) {
    if (candidate.var == var) match = &candidate;
  }
  if (match == nullptr || !var->dtype().is_handle()) {
    return s.el().Error(param, "match-buffer-source")
           << "T.match_buffer needs a parameter of type T.handle or a region of a buffer";
  }
  if (args.GetUnlessNone("shape") == nullptr) {
    return s.el().Error(e, "wrong-arguments")
           << "T.match_buffer of a parameter needs the argument 'shape'";
  }
  if (match->buffer != nullptr) {
    return s.el().Error(param, "match-buffer-source").Note(match->buffer->loc, "matched here")
           << "this parameter is already matched";
  }
  LATHE_ASSIGN_OR_RETURN(match->buffer, ElaborateBuffer(s, e, args, name));
  return TirFrame{match->buffer, nullptr};
}

// A view has the dimensions of its region, but for leading ones of extent 1.
absl::Status CheckMatch(StmtElaborator& s, const ast::Expr& e, const ir::Buffer& buffer,
                        const ir::BufferRegion& region) {
  const size_t dims = buffer.shape.size();
  const size_t dropped = region.extents.size() - std::min(dims, region.extents.size());
  bool fits = dims <= region.extents.size();
  for (size_t i = 0; fits && i < region.extents.size(); ++i) {
    const auto* extent = region.extents[i]->As<ir::IntImm>();
    const PrimRef wanted = i < dropped ? nullptr : buffer.shape[i - dropped];
    const auto* number = wanted == nullptr ? nullptr : wanted->As<ir::IntImm>();
    if (extent == nullptr || (wanted != nullptr && number == nullptr)) continue;
    fits = extent->value == (number == nullptr ? 1 : number->value);
  }
  if (fits) return absl::OkStatus();
  const auto show = [](const std::vector<PrimRef>& list) {
    return absl::StrJoin(
        list, ", ", [](std::string* out, PrimRef dim) { absl::StrAppend(out, ir::ToString(dim)); });
  };
  return s.el().Error(e, "match-buffer-shape")
         << "the region of '" << region.buffer->name << "' has the shape (" << show(region.extents)
         << "), but the shape of the buffer matched to it is (" << show(buffer.shape) << ")";
}

}  // namespace

FrameResult ElaborateAllocate(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, "T.allocate", "extents dtype scope? condition? annotations?"));
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.loc = e.span();
  LATHE_ASSIGN_OR_RETURN(buffer.shape, s.scalars().Scalars(args["extents"]));
  LATHE_ASSIGN_OR_RETURN(buffer.dtype, s.scalars().Type(args["dtype"]));
  if (const ast::Expr* scope = args.GetUnlessNone("scope")) {
    LATHE_ASSIGN_OR_RETURN(buffer.scope, ElaborateMemoryScope(s, *scope));
    if (buffer.scope.empty()) buffer.scope = "global";
  }
  buffer.data = s.context().NewPointer(name, buffer.dtype, buffer.scope);
  ir::AllocStmt alloc;
  if (const ast::Expr* condition = args.GetUnlessNone("condition")) {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(*condition));
    const bool* always = value.As<bool>();
    if (always == nullptr || !*always) {
      LATHE_ASSIGN_OR_RETURN(alloc.condition,
                             ToScalar(s.el(), *condition, value, ir::DType::Int(32)));
    }
  }
  if (const ast::Expr* annotations = args.GetUnlessNone("annotations")) {
    LATHE_ASSIGN_OR_RETURN(alloc.annotations, ElaborateAttrMap(s, *annotations));
  }
  const PrimRef pointer = buffer.data;
  alloc.buffer = s.context().NewBuffer(std::move(buffer));
  return Allocation(pointer, std::move(alloc));
}

FrameResult ElaborateAllocateConst(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.allocate_const",
                                                              "data dtype extents annotations?"));
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.loc = e.span();
  LATHE_ASSIGN_OR_RETURN(buffer.shape, s.scalars().Scalars(args["extents"]));
  LATHE_ASSIGN_OR_RETURN(buffer.dtype, s.scalars().Type(args["dtype"]));
  ir::AllocStmt alloc;
  alloc.constant.emplace();
  LATHE_ASSIGN_OR_RETURN(const ScalarValue data, s.scalars().Eval(args["data"]));
  LATHE_RETURN_IF_ERROR(Elements(s, args["data"], data, buffer.dtype, *alloc.constant));
  absl::int128 count = 1;
  for (PrimRef extent : buffer.shape) {
    const auto* number = extent->As<ir::IntImm>();
    if (number != nullptr && count <= (absl::int128(1) << 40)) count *= number->value;
  }
  if (count != absl::int128(alloc.constant->size())) {
    return s.el().Error(args["data"], "wrong-arguments")
           << "the constant has " << CountOf(alloc.constant->size(), "element")
           << ", which does not match the extents";
  }
  if (const ast::Expr* annotations = args.GetUnlessNone("annotations")) {
    LATHE_ASSIGN_OR_RETURN(alloc.annotations, ElaborateAttrMap(s, *annotations));
  }
  buffer.data = s.context().NewPointer(name, buffer.dtype, "global");
  const PrimRef pointer = buffer.data;
  alloc.buffer = s.context().NewBuffer(std::move(buffer));
  return Allocation(pointer, std::move(alloc));
}

FrameResult ElaborateBlockBuffer(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, BufferArguments(s, e, "T.sblock_alloc_buffer"));
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer, ElaborateBuffer(s, e, args, name));
  s.block().block.allocs.push_back(buffer);
  return TirFrame{buffer, nullptr};
}

FrameResult ElaborateAllocBuffer(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  if (s.dialect() == TirDialect::kClassic) return ElaborateBlockBuffer(s, e, name);
  return FlatBuffer(s, e, "T.alloc_buffer", name, "global");
}

FrameResult ElaborateAllocShared(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  return FlatBuffer(s, e, "T.alloc_shared", name, "shared");
}

FrameResult ElaborateAllocLocal(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  return FlatBuffer(s, e, "T.alloc_local", name, "local");
}

TirFrame MakeScalarBuffer(StmtElaborator& s, absl::string_view name, ir::DType dtype,
                          absl::string_view scope, const TextSpan& span) {
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.loc = span;
  buffer.dtype = dtype;
  buffer.scope = std::string(scope);
  buffer.shape = {s.context().Int(1, ir::DType::Int(32))};
  buffer.data = s.context().NewPointer(name, dtype, scope);
  ir::AllocStmt alloc;
  alloc.buffer = s.context().NewBuffer(std::move(buffer));
  const PrimRef load = s.context().MakeLoad(alloc.buffer, {s.context().Int(0, ir::DType::Int(32))});
  return Allocation(load, std::move(alloc));
}

FrameResult ElaborateScalarBuffer(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  const auto function = s.scalars().TirName(*e.As<ast::Call>()->callee);
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "the scalar", "dtype? scope?"));
  ir::DType dtype = ir::DType::Float(32);
  std::string scope = function == "local_scalar"    ? "local"
                      : function == "shared_scalar" ? "shared"
                                                    : "global";
  if (const ast::Expr* type = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(dtype, s.scalars().Type(*type));
  }
  if (const ast::Expr* where = args.GetUnlessNone("scope")) {
    LATHE_ASSIGN_OR_RETURN(scope, ElaborateMemoryScope(s, *where));
  }
  return MakeScalarBuffer(s, name, dtype, scope, e.span());
}

FrameResult ElaborateDeclBuffer(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, BufferArguments(s, e, "T.decl_buffer"));
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer, ElaborateBuffer(s, e, args, name));
  if (args.GetUnlessNone("data") != nullptr) return Declaration(buffer);
  ir::AllocStmt alloc;
  alloc.buffer = buffer;
  return Allocation(buffer, std::move(alloc));
}

FrameResult ElaborateBufferValue(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, BufferArguments(s, e, "T.Buffer"));
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer, ElaborateBuffer(s, e, args, name));
  return Declaration(buffer);
}

FrameResult ElaborateMatchBuffer(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "T.match_buffer",
                                             absl::StrCat("param shape? ", kBufferParameters)));
  const ast::Expr& param = args["param"];
  LATHE_ASSIGN_OR_RETURN(const ScalarValue source, s.scalars().Eval(param));
  if (const PrimRef* var = source.As<PrimRef>(); var != nullptr && (*var)->As<ir::SymVar>()) {
    return MatchParam(s, e, param, *var, args, name);
  }
  LATHE_ASSIGN_OR_RETURN(std::optional<ir::BufferRegion> region, RegionOf(s, param, source));
  if (!region) {
    return s.el().Error(param, "match-buffer-source")
           << "T.match_buffer needs a parameter of type T.handle or a region of a buffer, got "
           << Describe(source);
  }
  if (s.block().is_root) {
    return s.el().Error(e, "match-buffer-source")
           << "T.match_buffer of a region must be inside a block";
  }
  BufferDefaults defaults;
  defaults.shape = region->extents;
  if (args.GetUnlessNone("shape") == nullptr) defaults.dtype = region->buffer->dtype;
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer, ElaborateBuffer(s, e, args, name, defaults));
  LATHE_RETURN_IF_ERROR(CheckMatch(s, e, *buffer, *region));
  s.block().block.matches.push_back({buffer, *std::move(region)});
  return TirFrame{buffer, nullptr};
}

}  // namespace lathe::relax_text
