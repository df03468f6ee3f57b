#include "generator/reader/relax_text/relax/elaborate_statements.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"
#include "generator/reader/relax_text/relax/elaborate_assign.h"
#include "generator/reader/relax_text/relax/elaborate_attribute.h"
#include "generator/reader/relax_text/relax/elaborate_call.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/elaborate_function.h"
#include "generator/reader/relax_text/relax/elaborate_if.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

// Returns the name of the function of R that the statement calls: "output", "func_attr". Returns
// nullopt for other statements.
std::optional<std::string> StatementName(const Frame& frame, const ast::Stmt& s) {
  const auto* statement = s.As<ast::ExprStmt>();
  if (statement == nullptr) return std::nullopt;
  return SurfaceName(frame, *statement->value);
}

bool IsOutput(const std::optional<std::string>& name) {
  return name && (*name == "output" || *name == "outputs");
}

// Returns true for docstrings and `pass`.
bool IsEmpty(const ast::Stmt& s) {
  const auto* statement = s.As<ast::ExprStmt>();
  return s.As<ast::Pass>() != nullptr ||
         (statement != nullptr && statement->value->As<ast::Str>() != nullptr);
}

void ReadFuncAttr(Frame& frame, const ast::Expr& e, ir::Function& function) {
  const auto* call = e.As<ast::Call>();
  if (call->args.size() != 1 || !call->keywords.empty()) {
    frame.el.Error(e, "wrong-arguments") << "R.func_attr takes one dictionary";
    return;
  }
  absl::StatusOr<ir::AttrMap> attrs = ElaborateAttributeMap(frame, *call->args[0]);
  if (!attrs.ok()) return;
  for (auto& [key, value] : *attrs) function.attrs.insert_or_assign(key, std::move(value));
}

// Reads R.output(x, y): marks the variables as visible outside of the dataflow block.
void ReadOutput(Frame& frame, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  for (const ast::Keyword& keyword : call->keywords) {
    frame.el.diags().Error(keyword.name_span, "wrong-arguments")
        << "R.output does not accept keyword arguments";
  }
  for (ast::ExprRef arg : call->args) {
    const auto* name = arg->As<ast::Name>();
    if (name == nullptr) {
      frame.el.Error(*arg, "dataflow-output")
          << "R.output needs variables of the block, got " << ast::Describe(*arg);
      continue;
    }
    const NameEntry* entry = frame.scopes.Find(name->id);
    if (entry == nullptr) {
      frame.UnknownName(*arg, name->id).IgnoreError();
      continue;
    }
    if (!frame.scopes.IsInnermost(*entry) || (!entry->failed && !entry->value.valid())) {
      frame.el.Error(*arg, "dataflow-output").Note(entry->span, "bound here")
          << "'" << name->id << "' is not a variable of this dataflow block";
      continue;
    }
    if (!entry->failed) frame.el.module().values[entry->value].dataflow = false;
    frame.scopes.Keep(name->id);
  }
}

bool IsEmptyTuple(ir::StructInfoRef info) {
  const auto* tuple = info == nullptr ? nullptr : info->As<ir::TupleInfo>();
  return tuple != nullptr && tuple->fields.empty();
}

// Returns true if `value`, or the field `field` of it, is annotated as an empty tuple.
bool IsAnnotatedVoid(const ir::Module& module, const ir::Operand& value, std::optional<int> field) {
  const auto* id = value.As<ir::ValueId>();
  const ir::StructInfoRef info = id == nullptr ? nullptr : module.values[*id].annotation;
  if (!field) return IsEmptyTuple(info);
  const auto* tuple = info == nullptr ? nullptr : info->As<ir::TupleInfo>();
  const auto index = static_cast<size_t>(*field);
  return tuple != nullptr && index < tuple->fields.size() && IsEmptyTuple(tuple->fields[index]);
}

// Returns true if `rhs` has no effect besides its result: a value, or a call of a pure operator.
// Other calls may have effects. Tuples and values annotated as empty tuples are excluded, since
// printers write their bindings as expression statements: R.tuple(), or x[0].
bool IsWithoutEffect(const ir::Module& module, const ir::Rhs& rhs) {
  if (const auto* get = std::get_if<ir::GetField>(&rhs)) {
    return !IsAnnotatedVoid(module, get->tuple, get->index);
  }
  if (const auto* leaf = std::get_if<ir::Operand>(&rhs)) {
    return leaf->As<ir::TupleExpr>() == nullptr && !IsAnnotatedVoid(module, *leaf, std::nullopt);
  }
  const auto* call = std::get_if<ir::Call>(&rhs);
  const ir::Op* op = call == nullptr ? nullptr : call->op();
  return op != nullptr && op->pure && op->sinfo_args == ir::SInfoArgs::kNone;
}

void MisplacedStatement(Frame& frame, const ast::Stmt& s, absl::string_view why) {
  frame.el.diags().Error(s.span(), "misplaced-statement") << why;
}

// Returns the final return of a function: its last statement, or the end of its last dataflow
// block. Returns null if `s` is neither.
const ast::Return* FinalReturn(const ast::Stmt& s) {
  const auto* ret = s.As<ast::Return>();
  if (const auto* with = s.As<ast::With>(); with != nullptr && !with->body.empty()) {
    ret = with->body.back()->As<ast::Return>();
  }
  return ret != nullptr && ret->value != nullptr ? ret : nullptr;
}

class StatementReader {
 public:
  explicit StatementReader(Frame& frame) : frame_(frame), el_(frame.el) {}

  // Elaborates the last statement `s` of a function and returns the result of the function.
  absl::StatusOr<ir::Operand> Return(const ast::Stmt& s, const ast::Return& ret) {
    const auto* with = s.As<ast::With>();
    if (with == nullptr) return ElaborateOperand(frame_, *ret.value);
    final_return_ = &ret;
    Dataflow(s, *with);
    return std::exchange(returned_, AlreadyDiagnosed());
  }

  // Elaborates a statement that is allowed in all blocks.
  void Statement(const ast::Stmt& s) {
    if (IsEmpty(s)) return;
    Match(
        s.node(), [&](const ast::Import&) { HostStatement(s); },
        [&](const ast::FunctionDef& def) { ElaborateNestedFunction(frame_, s, def); },
        [&](const ast::ClassDef&) { HostStatement(s); },
        [&](const ast::Assign& assign) { ElaborateAssign(frame_, assign); },
        [&](const ast::AnnAssign& assign) { ElaborateAnnAssign(frame_, s, assign); },
        [&](const ast::AugAssign& assign) { ElaborateAugAssign(frame_, s, assign); },
        [&](const ast::ExprStmt& statement) { Expression(*statement.value); },
        [&](const ast::Return&) {
          MisplacedStatement(frame_, s,
                             "a function has one return, and it is the last of its statements");
        },
        [&](const ast::If& branch) { ElaborateIf(frame_, s, branch); },
        [&](const ast::For&) { HostStatement(s); }, [&](const ast::While&) { HostStatement(s); },
        [&](const ast::With& with) { Dataflow(s, with); },
        [&](const ast::Assert&) { HostStatement(s); }, [](const ast::Pass&) {},
        [&](const ast::Break&) { HostStatement(s); },
        [&](const ast::Continue&) { HostStatement(s); },
        [&](const ast::UnsupportedStmt&) { HostStatement(s); });
  }

 private:
  void HostStatement(const ast::Stmt& s) {
    DiagnosticBuilder error = el_.diags().Unsupported(s.span(), "host-python");
    error << ast::Describe(s) << " is not supported: programs are parsed, not run";
    if (s.As<ast::For>() != nullptr || s.As<ast::While>() != nullptr) {
      std::move(error).Help("repeat the statements, or write a recursive function");
    } else if (s.As<ast::Assert>() != nullptr) {
      std::move(error).Help("R.assert_op(condition, format=\"...\")");
    }
  }

  void Expression(const ast::Expr& e) {
    const std::optional<std::string> name = SurfaceName(frame_, e);
    if (IsOutput(name)) {
      el_.Error(e, "misplaced-statement")
          << "R.output must be the last statement of a dataflow block";
      return;
    }
    if (name && *name == "func_attr") {
      el_.Error(e, "misplaced-statement")
          << "R.func_attr must precede the first binding of a function";
      return;
    }
    absl::StatusOr<ir::Rhs> rhs = ElaborateRhs(frame_, e);
    if (!rhs.ok()) return;
    if (IsWithoutEffect(el_.module(), *rhs)) {
      el_.Error(e, "statement-without-effect")
          << ast::Describe(e) << " has no effect here; bind its result to a variable";
      return;
    }
    ir::Value value;
    value.name = "_";
    value.loc = e.span();
    frame_.body->Bind(std::move(value), *std::move(rhs), e.span());
  }

  void Dataflow(const ast::Stmt& s, const ast::With& with) {
    const ast::Expr& context = *with.items[0].context;
    const std::optional<std::string> name = SurfaceName(frame_, context);
    if (!name || *name != "dataflow") {
      el_.Unsupported(context, "host-python")
          << "the only 'with' statement supported in a function is 'with R.dataflow():'";
      return;
    }
    if (with.items.size() != 1 || with.items[0].target != nullptr) {
      return MisplacedStatement(
          frame_, s, "'with R.dataflow():' must be the only item and must not bind a name");
    }
    if (frame_.body->in_dataflow()) {
      return MisplacedStatement(frame_, s, "dataflow blocks must not be nested");
    }
    frame_.body->BeginDataflow(s.span());
    frame_.scopes.Push(ScopeKind::kDataflow);
    bool has_output = false;
    for (ast::StmtRef statement : with.body) {
      if (has_output && !IsEmpty(*statement)) {
        MisplacedStatement(frame_, *statement, "R.output is the last statement of its block");
        break;
      }
      if (IsOutput(StatementName(frame_, *statement))) {
        has_output = true;
        ReadOutput(frame_, *statement->As<ast::ExprStmt>()->value);
      } else if (statement->As<ast::Return>() == final_return_ && final_return_ != nullptr) {
        ReturnFromDataflow(*final_return_);
      } else {
        Statement(*statement);
      }
    }
    frame_.scopes.Pop();
    frame_.body->EndDataflow();
  }

  // What a function returns leaves the dataflow block without R.output.
  void ReturnFromDataflow(const ast::Return& ret) {
    returned_ = ElaborateOperand(frame_, *ret.value);
    if (!returned_.ok()) return;
    ir::ForEachLeaf(*returned_, [&](const ir::Operand& leaf) {
      if (const auto* var = leaf.As<ir::ValueId>()) el_.module().values[*var].dataflow = false;
    });
  }

  Frame& frame_;
  Elaboration& el_;
  const ast::Return* final_return_ = nullptr;
  absl::StatusOr<ir::Operand> returned_ = AlreadyDiagnosed();
};

}  // namespace

void ElaborateBranch(Frame& frame, ast::Block block) {
  StatementReader reader(frame);
  for (ast::StmtRef s : block) reader.Statement(*s);
}

absl::Status ElaborateFunctionBody(Frame& frame, const ast::FunctionDef& def,
                                   ir::Function& function) {
  StatementReader reader(frame);
  for (size_t i = 0; i < def.body.size(); ++i) {
    const ast::Stmt& s = *def.body[i];
    const std::optional<std::string> name = StatementName(frame, s);
    if (name && *name == "func_attr" && frame.body->empty()) {
      ReadFuncAttr(frame, *s.As<ast::ExprStmt>()->value, function);
      continue;
    }
    const ast::Return* ret = i + 1 == def.body.size() ? FinalReturn(s) : nullptr;
    if (ret == nullptr) {
      reader.Statement(s);
      continue;
    }
    absl::StatusOr<ir::Operand> result = reader.Return(s, *ret);
    if (!result.ok()) return result.status();
    function.body = frame.body->Finish(*std::move(result), ret->value->span());
    return absl::OkStatus();
  }
  // A body that ends with '...' has been diagnosed already.
  const auto* last = def.body.empty() ? nullptr : def.body.back()->As<ast::ExprStmt>();
  if (last != nullptr && last->value->As<ast::Ellipsis>() != nullptr) return AlreadyDiagnosed();
  return frame.el.diags().Error(def.name_span, "missing-return")
         << "'" << def.name << "' must end with a return statement";
}

}  // namespace lathe::relax_text
