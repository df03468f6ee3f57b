#include "generator/reader/relax_text/tir/elaborate_tir_frame.h"

#include "generator/ir/scope_id.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/attr_names.h"
#include "generator/reader/relax_text/tir/elaborate_allocation.h"
#include "generator/reader/relax_text/tir/elaborate_buffer_view.h"
#include "generator/reader/relax_text/tir/elaborate_call_stmt.h"
#include "generator/reader/relax_text/tir/elaborate_signature.h"
#include "generator/reader/relax_text/tir/elaborate_tir_assign.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/reader/relax_text/tir/scalar_objects.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;
using FrameResult = absl::StatusOr<TirFrame>;

// T.LetStmt(value, type, var=x), T.bind(value, var=x): an immutable scalar.
FrameResult Bind(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "the binding",
                                                              "value type_annotation? var? ty?"));
  const ast::Expr* type = args.GetUnlessNone("type_annotation");
  if (type == nullptr) type = args.GetUnlessNone("ty");
  const ast::Expr* given = args.GetUnlessNone("var");
  ir::LetStmt let;
  if (given != nullptr) {
    LATHE_ASSIGN_OR_RETURN(let.var, s.scalars().Scalar(*given));
    if (let.var->As<ir::SymVar>() == nullptr) {
      return s.el().Error(*given, "wrong-kind-of-value") << "var= must be a variable";
    }
  } else if (type != nullptr) {
    LATHE_ASSIGN_OR_RETURN(const auto var_type, ElaborateVarType(s, *type));
    if (!var_type) {
      return s.el().Error(*type, "wrong-kind-of-value") << "expected a type such as T.int32";
    }
    let.var = MakeVar(s.context(), name, *var_type);
  }
  LATHE_ASSIGN_OR_RETURN(let.value, LetValue(s, args["value"], let.var));
  if (let.var == nullptr) let.var = VariableFor(s.context(), name, let.value);
  return TirFrame{let.var, [let](ir::StmtRef body) {
                    ir::LetStmt out = let;
                    out.body = body;
                    return ir::Stmt::Node(out);
                  }};
}

// Returns the frame of T.attr, which has no value.
TirFrame AttrFrame(ir::AttrStmt attr) {
  return TirFrame{ScalarValue(), [attr = std::move(attr)](ir::StmtRef body) {
                    ir::AttrStmt out = attr;
                    out.body = body;
                    return ir::Stmt::Node(std::move(out));
                  }};
}

// T.attr({"key": value, ...}): T.attr(0, "key", value) for each.
FrameResult AttrDict(StmtElaborator& s, const ast::Expr& e, const ast::Dict& dict) {
  std::vector<ir::AttrStmt> attrs;
  for (const ast::DictItem& item : dict.items) {
    if (item.key == nullptr) {
      return s.el().Unsupported(*item.value, "host-python")
             << "dictionary unpacking is not supported: programs are parsed, not run";
    }
    LATHE_ASSIGN_OR_RETURN(const std::string key, s.scalars().String(*item.key));
    ir::AttrStmt attr;
    attr.node = ir::AttrValue(0);
    attr.key = CanonicalAttrKey(key);
    LATHE_ASSIGN_OR_RETURN(attr.value, s.scalars().Argument(*item.value));
    attrs.push_back(std::move(attr));
  }
  if (attrs.empty()) return s.el().Error(e, "wrong-arguments") << "T.attr needs a key";
  return TirFrame{ScalarValue(), [attrs, &s, span = e.span()](ir::StmtRef body) {
                    ir::AttrStmt last = attrs.back();
                    last.body = body;
                    for (size_t i = attrs.size() - 1; i-- > 0;) {
                      if (body == nullptr) {
                        s.Emit(attrs[attrs.size() - 2 - i], span);
                        continue;
                      }
                      const ir::StmtRef inner = s.context().Make(std::move(last), span);
                      last = attrs[i];
                      last.body = inner;
                    }
                    return ir::Stmt::Node(std::move(last));
                  }};
}

// T.attr(node, "key", value).
FrameResult Attr(StmtElaborator& s, const ast::Expr& e, absl::string_view) {
  const auto& call = *e.As<ast::Call>();
  if (call.args.size() == 1 && call.keywords.empty()) {
    if (const auto* dict = call.args[0]->As<ast::Dict>()) return AttrDict(s, e, *dict);
  }
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "T.attr", "node attr_key value"));
  ir::AttrStmt attr;
  LATHE_ASSIGN_OR_RETURN(const ScalarValue node, s.scalars().Eval(args["node"]));
  if (const auto* buffer = node.As<ir::BufferRef>()) {
    attr.buffer = *buffer;
  } else {
    LATHE_ASSIGN_OR_RETURN(attr.node, ToAttr(s.el(), args["node"], node));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string key, s.scalars().String(args["attr_key"]));
  attr.key = CanonicalAttrKey(key);
  LATHE_ASSIGN_OR_RETURN(attr.value, s.scalars().Argument(args["value"]));
  return AttrFrame(std::move(attr));
}

// T.device_entry(): from here on the function runs on the device.
FrameResult DeviceEntry(StmtElaborator& s, const ast::Expr& e, absl::string_view) {
  LATHE_RETURN_IF_ERROR(CallArguments::Bind(s.el(), e, "T.device_entry", "").status());
  ir::AttrStmt attr;
  attr.key = std::string(ir::kDeviceEntry);
  attr.value = s.context().Bool(true);
  return AttrFrame(std::move(attr));
}

// with T.tile.compose_op(...): what the tile primitives inside are together.
FrameResult ComposeOp(StmtElaborator& s, const ast::Expr& e, absl::string_view) {
  ir::AttrStmt attr;
  attr.key = std::string(ir::kComposeOp);
  LATHE_ASSIGN_OR_RETURN(attr.value, s.scalars().Scalar(e));
  return AttrFrame(std::move(attr));
}

// T.hint("message", key=value): T.attr({"key": value}, "tir.hint", "message").
FrameResult Hint(StmtElaborator& s, const ast::Expr& e, absl::string_view) {
  const auto& call = *e.As<ast::Call>();
  ir::AttrMap attrs;
  std::string message;
  if (call.args.size() > 1) {
    return s.el().Error(*call.args[1], "wrong-arguments")
           << "T.hint takes one positional argument, the message, and keyword arguments";
  }
  if (call.args.size() == 1) {
    LATHE_ASSIGN_OR_RETURN(message, s.scalars().String(*call.args[0]));
  }
  for (const ast::Keyword& keyword : call.keywords) {
    if (keyword.name == "message") {
      LATHE_ASSIGN_OR_RETURN(message, s.scalars().String(*keyword.value));
      continue;
    }
    LATHE_ASSIGN_OR_RETURN(attrs[std::string(keyword.name)], s.scalars().Attr(*keyword.value));
  }
  ir::AttrStmt attr;
  attr.node = ir::AttrValue(std::move(attrs));
  attr.key = "tir.hint";
  attr.value = s.context().String(message);
  return AttrFrame(std::move(attr));
}

// T.launch_thread("threadIdx.x", 128), or with a variable from T.env_thread.
FrameResult LaunchThread(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "T.launch_thread", "thread extent"));
  LATHE_ASSIGN_OR_RETURN(const PrimRef extent, s.scalars().Scalar(args["extent"]));
  if (!extent->dtype().is_integer() || !extent->dtype().is_scalar()) {
    return s.el().Error(args["extent"], "loop-bound-type")
           << "the extent of a thread must be an integer";
  }
  LATHE_ASSIGN_OR_RETURN(const ScalarValue thread, s.scalars().Eval(args["thread"]));
  std::string tag;
  PrimRef var = nullptr;
  if (const auto* text = thread.As<std::string>()) {
    tag = *text;
    var = s.context().NewVar(name.empty() ? absl::string_view("thread") : name, extent->dtype());
  } else {
    LATHE_ASSIGN_OR_RETURN(var, ToScalar(s.el(), args["thread"], thread, ir::DType::Int(32)));
    const auto known = s.threads().find(var);
    if (known == s.threads().end()) {
      return s.el().Error(args["thread"], "wrong-kind-of-value")
             << "expected the name of a thread axis, such as \"threadIdx.x\", or a variable "
                "created by T.env_thread";
    }
    tag = known->second;
  }
  ir::AttrStmt attr;
  attr.node = ir::AttrValue(MakeIterVar(var, nullptr, "ThreadIndex", tag));
  attr.key = tag == "vthread" ? "virtual_thread" : "thread_extent";
  attr.value = extent;
  return TirFrame{var, [attr](ir::StmtRef body) {
                    ir::AttrStmt out = attr;
                    out.body = body;
                    return ir::Stmt::Node(std::move(out));
                  }};
}

FrameResult EnvThread(StmtElaborator& s, const ast::Expr& e, absl::string_view name) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "T.env_thread", "thread_tag dtype?"));
  ir::DType dtype = ir::DType::Int(32);
  if (const ast::Expr* type = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(dtype, s.scalars().Type(*type));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string tag, s.scalars().String(args["thread_tag"]));
  const PrimRef var = s.context().NewVar(name, dtype);
  s.threads()[var] = tag;
  return TirFrame{var, nullptr};
}

// T.Assert(condition, "text", error_kind="ValueError").
FrameResult Assert(StmtElaborator& s, const ast::Expr& e, absl::string_view) {
  LATHE_ASSIGN_OR_RETURN(
      const auto args, CallArguments::Bind(s.el(), e, "T.Assert", "condition message error_kind?"));
  ir::AssertStmt assert;
  LATHE_ASSIGN_OR_RETURN(assert.cond, s.scalars().Scalar(args["condition"]));
  LATHE_RETURN_IF_ERROR(ElaborateAssertMessage(s, args["message"], assert));
  if (const ast::Expr* kind = args.GetUnlessNone("error_kind")) {
    LATHE_ASSIGN_OR_RETURN(assert.kind, s.scalars().String(*kind));
  }
  return TirFrame{ScalarValue(), [assert](ir::StmtRef body) {
                    ir::AssertStmt out = assert;
                    out.body = body;
                    return ir::Stmt::Node(std::move(out));
                  }};
}

FrameResult Realize(StmtElaborator& s, const ast::Expr& e, absl::string_view) {
  return std::move(s.el().Unsupported(e, "tir-realize")
                   << "T.realize is a legacy construct and is not supported")
      .Help("allocate with T.alloc_buffer");
}

struct Function {
  absl::string_view name;
  FrameFn frame;
};
constexpr Function kFunctions[] = {
    {"LetStmt", Bind},
    {"bind", Bind},
    {"Bind", Bind},
    {"attr", Attr},
    {"hint", Hint},
    {"device_entry", DeviceEntry},
    {"tile.compose_op", ComposeOp},
    {"launch_thread", LaunchThread},
    {"env_thread", EnvThread},
    {"Assert", Assert},
    {"realize", Realize},
    {"allocate", ElaborateAllocate},
    {"allocate_const", ElaborateAllocateConst},
    {"alloc_buffer", ElaborateAllocBuffer},
    {"sblock_alloc_buffer", ElaborateBlockBuffer},
    {"alloc_shared", ElaborateAllocShared},
    {"alloc_local", ElaborateAllocLocal},
    {"smem", ElaborateAllocShared},
    {"alloc_scalar", ElaborateScalarBuffer},
    {"local_scalar", ElaborateScalarBuffer},
    {"shared_scalar", ElaborateScalarBuffer},
    {"decl_buffer", ElaborateDeclBuffer},
    {"Buffer", ElaborateBufferValue},
    {"buffer", ElaborateBufferValue},
    {"buffer_decl", ElaborateBufferValue},
    {"match_buffer", ElaborateMatchBuffer},
};

}  // namespace

FrameFn FindFrame(absl::string_view function) {
  for (const Function& known : kFunctions) {
    if (known.name == function) return known.frame;
  }
  return nullptr;
}

absl::StatusOr<std::optional<TirFrame>> ElaborateTirFrame(StmtElaborator& s, const ast::Expr& e,
                                                          absl::string_view name) {
  const auto* call = e.As<ast::Call>();
  if (call == nullptr) return std::optional<TirFrame>();
  const auto function = s.scalars().TirName(*call->callee);
  const FrameFn make = function ? FindFrame(*function) : nullptr;
  // T.let(x, 1) is a statement, T.let(x, 1, body) an expression.
  if (function == "let" && call->args.size() + call->keywords.size() == 2) {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.let", "v value"));
    ir::LetStmt let;
    LATHE_ASSIGN_OR_RETURN(let.var, s.scalars().Scalar(args["v"]));
    LATHE_ASSIGN_OR_RETURN(let.value, LetValue(s, args["value"], let.var));
    return std::optional<TirFrame>(TirFrame{let.var, [let](ir::StmtRef body) {
                                              ir::LetStmt out = let;
                                              out.body = body;
                                              return ir::Stmt::Node(out);
                                            }});
  }
  const auto* member = call->callee->As<ast::Attribute>();
  if (make == nullptr && !function && member != nullptr && member->name == "view") {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue object, s.scalars().Eval(*member->object));
    if (const auto* buffer = object.As<ir::BufferRef>()) {
      LATHE_ASSIGN_OR_RETURN(TirFrame view, ElaborateBufferView(s, e, *buffer, name));
      return std::optional<TirFrame>(std::move(view));
    }
  }
  if (make == nullptr) return std::optional<TirFrame>();
  LATHE_ASSIGN_OR_RETURN(TirFrame frame, make(s, e, name));
  return std::optional<TirFrame>(std::move(frame));
}

}  // namespace lathe::relax_text
