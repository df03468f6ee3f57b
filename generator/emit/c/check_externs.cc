#include "generator/emit/c/check_externs.h"

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/names/extern_name.h"
#include "generator/emit/text/comment_text.h"
#include "generator/ir/each_scalar.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/first_location.h"

namespace lathe::emit {
namespace {

constexpr absl::string_view kSupportedSymbols =
    "supported: identifiers of C that neither C, C++, the runtime nor the model use";

class Checker {
 public:
  Checker(const ir::Program& program, absl::string_view model, const ExternRules& rules,
          Diagnostics& diags)
      : program_(program), model_(model), rules_(rules), diags_(diags) {}

  void Kernels() {
    for (int32_t i = 0; i < std::ssize(program_.kernels); ++i) {
      const ir::Kernel& kernel = program_.kernels[ir::KernelId{i}];
      Body(kernel.func.body, kernel.name);
    }
    for (const auto& [name, func] : program_.callees) Body(func.body, name);
  }

  void Routines() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      ir::ForEachStep(program_.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
        if (const auto* packed = std::get_if<ir::PackedStep>(&step.node)) {
          Packed(packed->function, step.loc);
        }
      });
    }
  }

 private:
  struct Use {
    std::string function;   // its name in the program
    std::string signature;  // "float(float, void *)"; the same for all external functions
    Location loc;
    std::string kernel;
  };

  void Body(ir::StmtRef body, const std::string& kernel) {
    const Location first = ir::FirstLocation(body);
    ir::ForEachStmt(body, [&](ir::StmtRef stmt) {
      const bool known = !std::holds_alternative<std::monostate>(stmt->loc());
      ir::ForEachScalar(stmt,
                        [&](ir::PrimRef e) { Scalar(e, known ? stmt->loc() : first, kernel); });
    });
  }

  void Scalar(ir::PrimRef e, const Location& loc, const std::string& kernel) {
    ir::ForEachOperand(e, [&](ir::PrimRef operand) { Scalar(operand, loc, kernel); });
    const auto* call = e->As<ir::Intrinsic>();
    if (call == nullptr || (call->name != "call_extern" && call->name != "call_pure_extern"))
      return;
    const auto* name = call->args.empty() ? nullptr : call->args[0]->As<ir::StringImm>();
    if (name == nullptr || program_.callees.count(name->value) != 0) return;
    std::vector<std::string> types;
    for (size_t i = 1; i < call->args.size(); ++i) types.push_back(TypeOf(call->args[i]->dtype()));
    const std::string signature =
        absl::StrCat(TypeOf(e->dtype()), "(", absl::StrJoin(types, ", "), ")");
    const Use use{name->value, signature, loc, kernel};
    Add(name->value, use);
    CompareWithMath(name->value, use);
  }

  void Packed(const std::string& function, const Location& loc) {
    const CName symbol = MakeCName(function);
    const Use use{function, "a packed function", loc, ""};
    Add(symbol, use);
    CompareWithMath(symbol, use);
  }

  // A function of <math.h> may be called with its own signature only.
  void CompareWithMath(const std::string& symbol, const Use& use) {
    const auto math = MathSignatureOf(symbol);
    if (!math) return;
    std::vector<std::string> types;
    for (ir::DType t : math->params) types.push_back(TypeOf(t));
    const std::string wanted =
        absl::StrCat(TypeOf(math->result), "(", absl::StrJoin(types, ", "), ")");
    if (wanted == use.signature) return;
    diags_.Unsupported(use.loc, "extern-signature")
        << In(use) << Quoted(use.function) << " is called as " << use.signature
        << ", but in <math.h> it is " << wanted;
  }

  static std::string TypeOf(ir::DType t) {
    if (t.is_handle()) return "void *";
    const absl::string_view type = CScalarType(t);
    return CType(t).empty() ? "void" : std::string(type);
  }

  static std::string In(const Use& use) {
    return use.kernel.empty() ? "" : absl::StrCat("kernel '", use.kernel, "': ");
  }

  // Returns the quoted name for a message. Names may be long and contain any characters.
  static std::string Quoted(absl::string_view name) {
    return absl::StrCat("'", CommentText(name), "'");
  }

  void Add(const std::string& symbol, const Use& use) {
    const auto [it, is_new] = uses_.emplace(symbol, use);
    if (!is_new) return Compare(it->second, use);
    const absl::Status status = ExternName(symbol, model_, rules_).status();
    if (status.ok()) return;
    diags_.Unsupported(use.loc, "extern-name")
        << In(use) << "the external function " << Quoted(use.function) << " has no name in C: it "
        << status.message() << "; " << kSupportedSymbols;
  }

  void Compare(const Use& first, const Use& second) {
    if (first.function == second.function && first.signature == second.signature) return;
    DiagnosticBuilder error = diags_.Unsupported(second.loc, "extern-signature");
    error << In(second) << "the external function " << Quoted(second.function);
    if (first.function != second.function) {
      error << " and " << Quoted(first.function) << " would be one function in C";
    } else {
      error << " is called as " << second.signature << " here and as " << first.signature
            << " elsewhere";
    }
    std::move(error).Note(first.loc,
                          absl::StrCat(In(first), Quoted(first.function), ", ", first.signature));
  }

  const ir::Program& program_;
  const absl::string_view model_;
  const ExternRules& rules_;
  Diagnostics& diags_;
  std::map<std::string, Use> uses_;  // by symbol
};

}  // namespace

void CheckExterns(const ir::Program& program, absl::string_view model, Externs mode,
                  const ExternRules& rules, Diagnostics& diags) {
  Checker checker(program, model, rules, diags);
  checker.Kernels();
  if (mode == Externs::kLink) checker.Routines();
}

}  // namespace lathe::emit
