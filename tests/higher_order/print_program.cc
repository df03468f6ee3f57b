#include "tests/higher_order/print_program.h"

#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::higher_order {
namespace {

using Kind = Statement::Kind;

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string Text() {
    Line("from tvm.script import ir as I, relax as R, tir as T");
    Line("");
    Line("");
    Line("@I.ir_module");
    Line("class Module:");
    ++depth_;
    for (size_t i = 0; i < program_.kernels.size(); ++i) PrintKernel(i, program_.kernels[i]);
    for (const Function& f : program_.functions) PrintFunction(f, f.name, true);
    return std::move(text_);
  }

  bool resolves() const { return resolves_; }

 private:
  void Line(const std::string& line) {
    if (!line.empty()) absl::StrAppend(&text_, std::string(4 * static_cast<size_t>(depth_), ' '));
    absl::StrAppend(&text_, line, "\n");
  }

  void PrintKernel(size_t number, const Kernel& kernel) {
    Line("@T.prim_func(private=True)");
    Line(absl::StrCat("def kernel_", number, "(x: T.handle, y: T.handle):"));
    ++depth_;
    Line("n = T.int64()");
    Line("A = T.match_buffer(x, (n,), \"int64\")");
    Line("B = T.match_buffer(y, (n,), \"int64\")");
    Line("for i in range(n):");
    ++depth_;
    Line("with T.block(\"each\"):");
    ++depth_;
    Line("vi = T.axis.spatial(n, i)");
    Line(absl::StrCat("B[vi] = T.floormod(A[vi] * T.int64(", kernel.factor, ") + T.int64(",
                      kernel.summand, "), T.int64(", kModulus, "))"));
    depth_ -= 3;
    Line("");
  }

  // A length as it stands in a type: a shape variable that nothing has bound yet is a string.
  std::string Dim(const Length& length) const {
    const bool number = length[0] >= '0' && length[0] <= '9';
    return number || declared_.count(length) != 0 ? length : absl::StrCat("\"", length, "\"");
  }

  std::string TypeText(const Type& type) {
    switch (type.kind) {
      case Type::Kind::kVector:
        return absl::StrCat("R.Tensor((", Dim(type.length), ",), \"int64\")");
      case Type::Kind::kScalar:
      case Type::Kind::kCounter:
        return "R.Tensor((), \"int64\")";
      case Type::Kind::kBool:
        return "R.Tensor((), \"bool\")";
      case Type::Kind::kShape:
        return absl::StrCat("R.Shape([", Dim(type.length), "])");
      case Type::Kind::kTuple:
        return absl::StrCat("R.Tuple(", TypesText(type.parts), ")");
      case Type::Kind::kFunction: {
        if (type.own_length) {
          const Length fresh = absl::StrCat("q", ++fresh_);
          Type named = *WithLength(Make(type), kOwnLength, fresh);
          named.own_length = false;
          return TypeText(named);
        }
        const std::string comma = type.parts.size() == 1 ? "," : "";
        return absl::StrCat("R.Callable((", TypesText(type.parts), comma, "), ",
                            TypeText(*type.result), type.pure ? "" : ", False", ")");
      }
      case Type::Kind::kKernel: {
        const std::string vector = absl::StrCat("R.Tensor((\"q", ++fresh_, "\",), \"int64\")");
        return absl::StrCat("R.Callable((", vector, ", ", vector, "), R.Tuple(), False)");
      }
      case Type::Kind::kExternal:
        return "R.Callable";
      case Type::Kind::kObject:
        return "R.Object";
    }
    return "";
  }

  std::string TypesText(const std::vector<TypeRef>& types) {
    std::vector<std::string> texts;
    for (const TypeRef& one : types) texts.push_back(TypeText(*one));
    return absl::StrJoin(texts, ", ");
  }

  void PrintFunction(const Function& f, const std::string& name, bool of_module) {
    std::vector<std::string> options;
    if (of_module && !f.exported) options.push_back("private=True");
    if (!f.pure) options.push_back("pure=False");
    Line(absl::StrCat("@R.function",
                      options.empty() ? "" : absl::StrCat("(", absl::StrJoin(options, ", "), ")")));
    const auto outer_names = names_;
    const auto outer_declared = declared_;
    std::vector<std::string> params;
    for (const Variable& param : f.params) {
      params.push_back(absl::StrCat(param.name, ": ", TypeText(*param.type)));
    }
    const std::string result =
        f.annotated ? absl::StrCat(" -> ", TypeText(*f.result)) : std::string();
    for (const Variable& param : f.params) names_[param.name] = param.id;
    Line(absl::StrCat("def ", name, "(", absl::StrJoin(params, ", "), ")", result, ":"));
    ++depth_;
    if (f.own) {
      Line(absl::StrCat(*f.own, " = T.int64()"));
      declared_.insert(*f.own);
    }
    PrintBody(f.body);
    Line(absl::StrCat("return ", Use(f.body.result)));
    --depth_;
    names_ = outer_names;
    declared_ = outer_declared;
    if (of_module) Line("");
  }

  void PrintBody(const Body& body) {
    for (const Statement& s : body.statements) PrintStatement(s);
  }

  std::string Use(const Operand& o) {
    if (o.kind == Operand::Kind::kGlobal) {
      return absl::StrCat("Module.", program_.functions[static_cast<size_t>(o.id)].name);
    }
    for (const auto& [name, id] : names_) {
      if (id == o.id) return name;
    }
    resolves_ = false;
    return "hidden";
  }

  std::string Uses(const std::vector<Operand>& operands, size_t from) {
    std::vector<std::string> texts;
    for (size_t i = from; i < operands.size(); ++i) texts.push_back(Use(operands[i]));
    return absl::StrJoin(texts, ", ");
  }
  std::string TupleText(const std::vector<Operand>& operands, size_t from) {
    return absl::StrCat("(", Uses(operands, from), operands.size() == from + 1 ? "," : "", ")");
  }

  static std::string Number(int64_t n) { return absl::StrCat("R.const(", n, ", \"int64\")"); }

  std::string Combined(const Statement& s) {
    return absl::StrCat("R.floor_mod(R.add(R.add(R.multiply(", Use(s.operands[0]), ", ",
                        Number(s.numbers[0]), "), R.multiply(", Use(s.operands[1]), ", ",
                        Number(s.numbers[1]), ")), ", Number(s.numbers[2]), "), ", Number(kModulus),
                        ")");
  }

  static std::string Modulo(const std::string& value) {
    return absl::StrCat("R.floor_mod(", value, ", ", Number(kModulus), ")");
  }

  std::string ConstantText(const Statement& s) {
    const bool scalar = s.variable.type->kind != Type::Kind::kVector;
    return absl::StrCat("R.const(", scalar ? "" : "[", absl::StrJoin(s.numbers, ", "),
                        scalar ? "" : "]", ", \"int64\")");
  }

  std::string RightSide(const Statement& s) {
    const auto a = [&] { return Use(s.operands[0]); };
    const auto b = [&] { return Use(s.operands[1]); };
    switch (s.kind) {
      case Kind::kAlias:
        return a();
      case Kind::kConstant:
        return ConstantText(s);
      case Kind::kCombine:
        return Combined(s);
      case Kind::kCount:
        return absl::StrCat("R.floor_mod(", a(), ", ", Number(s.numbers[0]), ")");
      case Kind::kSum:
        return Modulo(absl::StrCat("R.sum(", a(), ")"));
      case Kind::kConcat:
        return absl::StrCat("R.concat((", a(), ", ", b(), "), axis=0)");
      case Kind::kFill:
        return absl::StrCat("R.full(", a(), ", ", Number(s.numbers[0]), ", \"int64\")");
      case Kind::kShapeOf:
        return absl::StrCat("R.shape_of(", a(), ")");
      case Kind::kShape:
        return absl::StrCat("R.shape([", s.variable.type->length, "])");
      case Kind::kLess:
        return absl::StrCat("R.less(R.floor_mod(", a(), ", ", Number(s.numbers[0]), "), ",
                            Number(s.numbers[1]), ")");
      case Kind::kTuple:
        return TupleText(s.operands, 0);
      case Kind::kField:
        return absl::StrCat(a(), "[", s.numbers[0], "]");
      case Kind::kCall:
        return absl::StrCat(a(), "(", Uses(s.operands, 1), ")");
      case Kind::kBind:
        return absl::StrCat("R.make_closure(", a(), ", ", TupleText(s.operands, 1), ")");
      case Kind::kInvoke:
        return absl::StrCat("R.invoke_pure_closure(", a(), ", ", TupleText(s.operands, 1),
                            ", sinfo_args=", TypeText(*s.variable.type), ")");
      case Kind::kForget:
        return a();
      case Kind::kCast:
        return absl::StrCat("R.match_cast(", a(), ", ", TypeText(*s.variable.type), ")");
      case Kind::kKernel:
        return absl::StrCat("Module.kernel_", s.numbers[0]);
      case Kind::kRunKernel:
        return absl::StrCat("R.zeros_like(", b(), ")");
      case Kind::kExternal:
        return "R.ExternFunc(\"random.twice\")";
      case Kind::kRunExternal:
        return Modulo(absl::StrCat("R.call_dps_packed(", a(), ", (", b(),
                                   ",), out_sinfo=", TypeText(*s.variable.type), ")"));
      case Kind::kFunction:
      case Kind::kIf:
        break;
    }
    return "";
  }

  void PrintStatement(const Statement& s) {
    const Variable& v = s.variable;
    if (s.kind == Kind::kFunction) {
      // Its own name means the function inside.
      const auto outer = names_;
      names_[v.name] = v.id;
      PrintFunction(s.functions[0], v.name, false);
      names_ = outer;
    } else if (s.kind == Kind::kIf) {
      Line(absl::StrCat("if ", Use(s.operands[0]), ":"));
      PrintBranch(s.bodies[0], v.name);
      Line("else:");
      PrintBranch(s.bodies[1], v.name);
    } else {
      const std::string annotation = s.kind == Kind::kForget ? ": R.Object" : "";
      const std::string value = RightSide(s);
      // The kernel, which is called after the variable is bound, may have its name.
      const std::string kernel = s.kind == Kind::kRunKernel ? Use(s.operands[0]) : "";
      const std::string from = s.kind == Kind::kRunKernel ? Use(s.operands[1]) : "";
      if (s.kind == Kind::kRunKernel && (kernel == v.name || from == v.name)) resolves_ = false;
      Line(absl::StrCat(v.name, annotation, " = ", value));
      if (s.kind == Kind::kRunKernel) {
        Line(absl::StrCat("_ = ", kernel, "(", from, ", ", v.name, ")"));
      }
    }
    names_[v.name] = v.id;
  }

  void PrintBranch(const Body& body, const std::string& name) {
    const auto outer = names_;
    ++depth_;
    PrintBody(body);
    Line(absl::StrCat(name, " = ", Use(body.result)));
    --depth_;
    names_ = outer;
  }

  const Program& program_;
  std::string text_;
  int depth_ = 0;
  int fresh_ = 0;
  std::map<std::string, int> names_;  // the variable that each name means here
  std::set<Length> declared_;         // shape variables that are bound here
  bool resolves_ = true;
};

}  // namespace

std::string Print(const Program& program) { return Printer(program).Text(); }

bool NamesResolve(const Program& program) {
  Printer printer(program);
  (void)printer.Text();
  return printer.resolves();
}

}  // namespace lathe::higher_order
