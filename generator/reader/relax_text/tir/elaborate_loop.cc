#include "generator/reader/relax_text/tir/elaborate_loop.h"

#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/tir/attr_names.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

// The loops of one `for` statement, outermost first, without bodies.
struct Header {
  std::vector<ir::ForStmt> loops;
};

struct KindName {
  absl::string_view name;
  ir::LoopKind kind;
};
constexpr KindName kLoopKinds[] = {
    {"range", ir::LoopKind::kSerial},      {"serial", ir::LoopKind::kSerial},
    {"parallel", ir::LoopKind::kParallel}, {"vectorized", ir::LoopKind::kVectorized},
    {"unroll", ir::LoopKind::kUnrolled},   {"thread_binding", ir::LoopKind::kThreadBinding},
};

std::optional<ir::LoopKind> KindNamed(absl::string_view name) {
  for (const KindName& known : kLoopKinds) {
    if (known.name == name) return known.kind;
  }
  return std::nullopt;
}

absl::StatusOr<PrimRef> Bound(StmtElaborator& s, const ast::Expr& e, std::optional<DType> dtype) {
  LATHE_ASSIGN_OR_RETURN(const PrimRef bound, s.scalars().Scalar(e));
  if (!bound->dtype().is_integer() || !bound->dtype().is_scalar()) {
    return s.el().Error(e, "loop-bound-type")
           << "the bounds of a loop must be integers, but " << ir::ToString(bound) << " has dtype "
           << ir::ToString(bound->dtype());
  }
  return dtype ? Convert(s.context(), *dtype, bound) : bound;
}

PrimRef NewLoopVar(StmtElaborator& s, DType dtype) { return s.context().NewVar("i", dtype); }

absl::Status SetRange(StmtElaborator& s, ir::ForStmt& loop, PrimRef start, PrimRef stop) {
  MatchTypes(s.context(), start, stop);
  loop.min = start;
  loop.extent = ExtentOf(s.context(), start, stop);
  loop.var = NewLoopVar(s, loop.extent->dtype());
  return absl::OkStatus();
}

// Elaborates unroll=True, False or a number, which are shorthands for annotations.
absl::Status Unroll(StmtElaborator& s, const ast::Expr& e, ir::AttrMap& annotations) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(e));
  if (const bool* truth = value.As<bool>()) {
    annotations[*truth ? "pragma_unroll" : "disable_unroll"] = ir::AttrValue(true);
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t count, ToInt(s.el(), e, value));
  annotations["pragma_unroll"] = ir::AttrValue(count);
  return absl::OkStatus();
}

absl::StatusOr<Header> Single(StmtElaborator& s, const ast::Expr& e, absl::string_view name,
                              ir::LoopKind kind) {
  const bool binding = kind == ir::LoopKind::kThreadBinding;
  const bool is_range = name == "range";
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, is_range ? "range" : absl::StrCat("T.", name),
                          binding    ? "start stop? thread? annotations? dtype?"
                          : is_range ? "start stop? step? annotations? dtype? unroll?"
                                     : "start stop? annotations? step? unroll? dtype?"));
  std::optional<DType> dtype;
  if (const ast::Expr* type = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(dtype, s.scalars().Type(*type));
    if (!dtype->is_integer() || !dtype->is_scalar()) {
      return s.el().Error(*type, "loop-bound-type") << "a loop variable must be an integer";
    }
  }
  Header header;
  ir::ForStmt loop;
  loop.kind = kind;
  const ast::Expr* stop = args.GetUnlessNone("stop");
  const ast::Expr* thread = args.GetUnlessNone("thread");
  // T.thread_binding(16, "threadIdx.x")
  if (binding && stop != nullptr && thread == nullptr && stop->As<ast::Str>() != nullptr) {
    thread = stop;
    stop = nullptr;
  }
  if (stop == nullptr) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef extent, Bound(s, args["start"], dtype));
    LATHE_RETURN_IF_ERROR(SetRange(s, loop, s.context().Int(0, extent->dtype()), extent));
  } else {
    LATHE_ASSIGN_OR_RETURN(const PrimRef from, Bound(s, args["start"], dtype));
    LATHE_ASSIGN_OR_RETURN(const PrimRef to, Bound(s, *stop, dtype));
    LATHE_RETURN_IF_ERROR(SetRange(s, loop, from, to));
  }
  if (binding) {
    if (thread == nullptr) {
      return s.el().Error(e, "wrong-arguments")
             << "T.thread_binding needs the argument 'thread', such as \"threadIdx.x\"";
    }
    LATHE_ASSIGN_OR_RETURN(loop.thread, s.scalars().String(*thread));
  }
  if (const ast::Expr* annotations = args.GetUnlessNone("annotations")) {
    LATHE_ASSIGN_OR_RETURN(loop.annotations, ElaborateAttrMap(s, *annotations));
  }
  if (const ast::Expr* unroll = args.GetUnlessNone("unroll")) {
    LATHE_RETURN_IF_ERROR(Unroll(s, *unroll, loop.annotations));
  }
  if (const ast::Expr* step = args.GetUnlessNone("step")) {
    LATHE_ASSIGN_OR_RETURN(loop.step, Bound(s, *step, loop.var->dtype()));
    const auto* number = loop.step->As<ir::IntImm>();
    if (number != nullptr && number->value <= 0) {
      return s.el().Error(*step, "loop-step")
             << "the step of a loop must be positive, got " << number->value;
    }
    if (number != nullptr && number->value == 1) loop.step = nullptr;
  }
  header.loops.push_back(std::move(loop));
  return header;
}

absl::StatusOr<Header> Grid(StmtElaborator& s, const ast::Expr& e) {
  const auto& call = *e.As<ast::Call>();
  Header header;
  std::optional<DType> dtype;
  for (const ast::Keyword& keyword : call.keywords) {
    if (keyword.name != "dtype") {
      return s.el().diags().Error(keyword.name_span, "wrong-arguments")
             << "T.grid has no parameter '" << keyword.name << "'";
    }
    LATHE_ASSIGN_OR_RETURN(dtype, s.scalars().Type(*keyword.value));
  }
  if (call.args.size() > static_cast<size_t>(kMaxStmtDepth)) {
    return s.el().diags().LimitExceeded(e.span(), "limit-nesting")
           << "loops and other statements may be nested " << kMaxStmtDepth
           << " deep, this grid has " << CountOf(call.args.size(), "dimension");
  }
  for (const ast::ExprRef argument : call.args) {
    ir::ForStmt loop;
    if (const auto* pair = argument->As<ast::Tuple>(); pair != nullptr) {
      if (pair->elements.size() != 2) {
        return s.el().Error(*argument, "wrong-arguments")
               << "a dimension of T.grid must be an extent, or a pair of start and extent";
      }
      LATHE_ASSIGN_OR_RETURN(loop.min, Bound(s, *pair->elements[0], dtype));
      LATHE_ASSIGN_OR_RETURN(loop.extent, Bound(s, *pair->elements[1], dtype));
      MatchTypes(s.context(), loop.min, loop.extent);
    } else {
      if (argument->As<ast::Starred>() != nullptr) {
        return s.el().Unsupported(*argument, "host-python")
               << "unpacking with '*' is not supported; list the dimensions of the grid";
      }
      LATHE_ASSIGN_OR_RETURN(loop.extent, Bound(s, *argument, dtype));
      loop.min = s.context().Int(0, loop.extent->dtype());
    }
    loop.var = NewLoopVar(s, loop.extent->dtype());
    header.loops.push_back(std::move(loop));
  }
  return header;
}

absl::StatusOr<Header> ElaborateHeader(StmtElaborator& s, const ast::Expr& e) {
  if (const auto* call = e.As<ast::Call>()) {
    std::optional<std::string> name = s.scalars().TirName(*call->callee);
    const auto* plain = call->callee->As<ast::Name>();
    if (!name && plain != nullptr && plain->id == "range") name = "range";
    if (name == "grid") return Grid(s, e);
    if (name) {
      if (const auto kind = KindNamed(*name)) return Single(s, e, *name, *kind);
    }
  }
  return s.el().Error(e, "not-a-loop")
         << "a for loop must iterate over range, T.grid, T.serial, T.parallel, T.vectorized, "
            "T.unroll or T.thread_binding, not over "
         << ast::Describe(e);
}

// Loop variables are made before their names are known.
PrimRef Named(StmtElaborator& s, PrimRef var, absl::string_view name) {
  return s.context().NewVar(name, var->dtype());
}

void NameLoops(StmtElaborator& s, const ast::Expr& target, Header& header) {
  if (const auto* name = target.As<ast::Name>()) {
    for (size_t i = 0; i < header.loops.size(); ++i) {
      PrimRef& var = header.loops[i].var;
      var = Named(s, var,
                  header.loops.size() > 1 ? absl::StrCat(name->id, "_", i) : std::string(name->id));
    }
    return;
  }
  const auto* tuple = target.As<ast::Tuple>();
  const auto* list = target.As<ast::List>();
  const ast::ExprList names = tuple != nullptr  ? tuple->elements
                              : list != nullptr ? list->elements
                                                : ast::ExprList();
  for (size_t i = 0; i < names.size() && i < header.loops.size(); ++i) {
    if (const auto* name = names[i]->As<ast::Name>()) {
      header.loops[i].var = Named(s, header.loops[i].var, name->id);
    }
  }
}

}  // namespace

void ElaborateLoop(StmtElaborator& s, const ast::Stmt& stmt, const ast::For& loop) {
  if (!loop.else_body.empty()) {
    s.el().diags().Unsupported(stmt.span(), "host-python")
        << "a for loop with an 'else' is not supported";
  }
  absl::StatusOr<Header> header = ElaborateHeader(s, *loop.iter);
  if (!header.ok()) {
    s.Body(loop.body, [&] { s.BindFailed(*loop.target); });
    return;
  }
  NameLoops(s, *loop.target, *header);
  ScalarList vars;
  for (const ir::ForStmt& one : header->loops) {
    vars.push_back(one.var);
    s.loops()[one.var] = {one.min, one.extent};
  }
  const int nested = static_cast<int>(header->loops.size());
  s.depth() += nested;
  ir::StmtRef body = s.Body(loop.body, [&] {
    const ScalarValue value = vars.size() == 1 ? vars.front() : MakeList(vars);
    s.BindTarget(*loop.target, value).IgnoreError();
  });
  s.depth() -= nested;
  for (auto it = header->loops.rbegin(); it != header->loops.rend(); ++it) {
    it->body = body;
    body = s.context().Make(std::move(*it), stmt.span());
  }
  s.EmitMade(body);
}

}  // namespace lathe::relax_text
