#include "tests/random/write_program.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

// The values that a program can return.
bool IsShown(StructInfoRef info) {
  const auto* tuple = info->As<ir::TupleInfo>();
  if (tuple != nullptr) return std::all_of(tuple->fields.begin(), tuple->fields.end(), IsShown);
  return info->As<ir::TensorInfo>() != nullptr || info->As<ir::ShapeInfo>() != nullptr ||
         info->As<ir::PrimInfo>() != nullptr;
}

// Two floats of each rank up to 4, whole numbers and truths beside them.
std::vector<Param> OpParams(Sketch& s, uint64_t seed, Widths widths, const OpSizes* sizes) {
  static const DType kPackedFloats[] = {DType{ir::TypeCode::kFloat4E2M1Fn, 4, 1},
                                        DType{ir::TypeCode::kFloat6E3M2Fn, 6, 1},
                                        DType{ir::TypeCode::kFloat6E2M3Fn, 6, 1}};
  static const DType kPackedInts[] = {DType::Int(4), DType::UInt(4)};
  static const DType kFloats[] = {DType::Float(32), DType::Float(16),
                                  DType{ir::TypeCode::kBFloat, 16, 1}, DType::Float(64)};
  static const DType kInts[] = {DType::Int(32), DType::Int(64),  DType::UInt(8), DType::Int(8),
                                DType::Int(16), DType::UInt(32), DType::UInt(64)};
  const bool packed = widths == Widths::kUnderAByte;
  // Forms for vectors are for float32: of swept sizes every second program has that.
  const bool plain = sizes != nullptr && seed % 2 == 0;
  const uint64_t turn = sizes != nullptr ? seed / 2 : seed;
  const DType real = packed  ? kPackedFloats[turn % std::size(kPackedFloats)]
                     : plain ? DType::Float(32)
                             : kFloats[turn % std::size(kFloats)];
  const DType whole =
      packed ? kPackedInts[seed % std::size(kPackedInts)] : kInts[seed % std::size(kInts)];
  const PrimRef n = s.NewVar("n", sizes != nullptr ? sizes->n : s.dice.Of<int64_t>({1, 5, 17, 33}));
  const PrimRef m = s.NewVar("m", sizes != nullptr ? sizes->m : s.dice.Of<int64_t>({3, 7, 13}));
  if (sizes != nullptr) s.size_choices = sizes->choices;
  const std::vector<Dims> shapes = {
      {n},
      {n, m},
      {s.Int(s.Size(2, 2)), n, s.Int(s.Size(3, 3))},
      {s.Int(s.Size(2, 2)), s.Int(s.Size(3, 3)), m, s.Int(s.Size(5, 5))}};
  std::vector<Param> params;
  const auto add = [&](const Dims& dims, DType dtype) {
    params.push_back({absl::StrCat("x", params.size()), s.context.Tensor(dims, dtype)});
  };
  for (const Dims& dims : shapes) {
    add(dims, real);
    add(dims, real);
    add(dims, whole);
  }
  add(shapes[1], DType::Bool());
  return params;
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

absl::StatusOr<Program> WriteOpProgram(ir::Context& context, const OpRow& row, uint64_t seed,
                                       Widths widths, const OpSizes* sizes) {
  Program program;
  Sketch s(context, seed, program.tally);
  transform::BlockBuilder::FunctionOptions options;
  options.pure = row.pure;
  s.Outer([&] {
    const auto body = [&](const Operands& in) {
      return s.Scoped([&] {
        for (const Operand& param : in) s.Keep(param);
        const Sketch::Mark before = s.Enter();
        CallOp(s, row);
        Operands given = s.KeptSince(before);
        given.erase(std::remove_if(given.begin(), given.end(),
                                   [&](const Operand& o) { return !IsShown(s.builder.InfoOf(o)); }),
                    given.end());
        return s.builder.Tuple(std::move(given));
      });
    };
    s.builder.Function("main", OpParams(s, seed, widths, sizes), body, options);
  });
  LATHE_ASSIGN_OR_RETURN(program.module, s.builder.Finish());
  program.sizes = s.sizes();
  CountOps(program.module, program.tally);
  return program;
}

}  // namespace lathe::random
