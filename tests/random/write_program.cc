#include "tests/random/write_program.h"

#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"
#include "generator/support/status.h"
#include "tests/random/op_rows.h"
#include "tests/random/statements.h"

namespace lathe::random {
namespace {

using Param = transform::BlockBuilder::Param;

std::vector<Param> MainParams(Sketch& s) {
  const bool small = s.dice.Percent(3);
  Dims dims;
  for (size_t n = s.dice.Below(4); n > 0; --n) {
    dims.push_back(s.NewVar("n", small ? s.dice.Between(0, 1) : s.dice.Between(1, 4)));
  }
  std::vector<Param> params;
  const auto add = [&](StructInfoRef info) {
    params.push_back({absl::StrCat("x", params.size()), info});
  };
  // Each shape variable is the dimension of something.
  add(s.context.Tensor(dims, s.SomeDType(Kind::kFloat)));
  const auto tensor = [&] {
    return s.context.Tensor(s.SomeDims(static_cast<int>(s.dice.Below(5))), s.SomeDType(Kind::kAny));
  };
  for (size_t n = 1 + s.dice.Below(4); n > 0; --n) {
    const size_t chance = s.dice.Below(100);
    if (chance < 8) {
      add(s.context.Tuple({tensor(), s.context.Tuple({tensor()})}));
      s.Note("parameter: tuple");
    } else if (chance < 13) {
      add(s.context.Shape(s.SomeDims(2)));
      s.Note("parameter: shape");
    } else if (chance < 18) {
      add(s.context.Prim(DType::Int(64)));
      s.Note("parameter: scalar");
    } else {
      add(tensor());
    }
  }
  return params;
}

void Main(Sketch& s, uint64_t seed) {
  s.Outer([&] {
    const std::vector<Param> params = MainParams(s);
    const bool pure = s.dice.Percent(88);
    if (!pure) s.Note("main with effects");
    transform::BlockBuilder::FunctionOptions options;
    options.pure = pure;
    const auto body = [&](const Operands& in) {
      return s.Scoped([&] {
        for (const Operand& param : in) {
          s.Keep(param);
          const auto* tuple = s.builder.InfoOf(param)->As<ir::TupleInfo>();
          if (tuple != nullptr) s.Keep(s.builder.Field(param, 0));
        }
        // Each operator comes in one of as many programs as there are operators.
        CallOp(s, AllRows()[seed % AllRows().size()]);
        Statements(s, {0, pure, false}, 3 + s.dice.Below(8));
        return SomeResult(s);
      });
    };
    s.builder.Function("main", params, body, options);
  });
}

void CountIn(const ir::Body& body, Tally& tally) {
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) {
        if (call->op() != nullptr) ++tally.ops[call->op()->name];
      } else if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
        CountIn(branch->then_body, tally);
        CountIn(branch->else_body, tally);
      } else if (const auto* function = std::get_if<ir::Function>(&binding.rhs)) {
        CountIn(function->body, tally);
      }
    }
  }
}

}  // namespace

void CountOps(const ir::Module& module, Tally& tally) {
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Function* function = module.globals[ir::GlobalId{i}].function();
    if (function != nullptr) CountIn(function->body, tally);
  }
}

absl::StatusOr<Program> WriteProgram(ir::Context& context, uint64_t seed) {
  Program program;
  Sketch s(context, seed, program.tally);
  for (size_t n = s.dice.Below(3); n > 0; --n) PrivateFunction(s);
  if (s.dice.Percent(12)) Recursion(s);
  if (s.dice.Percent(6)) MutualRecursion(s);
  Main(s, seed);
  LATHE_ASSIGN_OR_RETURN(program.module, s.builder.Finish());
  program.sizes = s.sizes();
  CountOps(program.module, program.tally);
  return program;
}

}  // namespace lathe::random
