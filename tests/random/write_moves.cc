#include "tests/random/write_moves.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/check.h"
#include "generator/support/status.h"
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

constexpr uint64_t kMaxElements = 4096;  // of a parameter

DType AnyDType(Sketch& s) {
  if (s.dice.Percent(40)) return s.dice.Of({DType::Float(32), DType::Int(8), DType::Int(32)});
  if (s.dice.Percent(4)) {
    return s.dice.Of({DType::Int(4), DType::UInt(4), DType{ir::TypeCode::kFloat4E2M1Fn, 4, 1},
                      DType{ir::TypeCode::kFloat8E4M3Fn, 8, 1}});
  }
  return s.dice.Of({DType::Float(16), DType{ir::TypeCode::kBFloat, 16, 1}, DType::Float(32),
                    DType::Float(64), DType::Int(8), DType::Int(16), DType::Int(32), DType::Int(64),
                    DType::UInt(8), DType::UInt(16), DType::UInt(32), DType::UInt(64),
                    DType::Bool()});
}

int64_t AnySize(Sketch& s) {
  if (s.dice.Percent(3)) return 0;
  if (s.dice.Percent(15)) return 1;
  if (s.dice.Percent(20)) return s.dice.Of<int64_t>({8, 9, 15, 16, 17, 31, 32, 33});
  return s.dice.Between(2, 7);
}

Operand Ends(Sketch& s, const std::vector<int64_t>& numbers) {
  Operands fields;
  for (int64_t n : numbers) fields.push_back(s.SomeNumber(n));
  return s.builder.Tuple(std::move(fields));
}

Operand Axes(Sketch& s, const std::vector<int64_t>& numbers) {
  Operands fields;
  for (int64_t n : numbers) fields.push_back(s.builder.Number(n));
  return s.builder.Tuple(std::move(fields));
}

// The same as a program of its own has it: the loops are as long as the part is.
void PartByKernel(Sketch& s, const Tensor& given) {
  const Tensor x = s.Static(given);
  s.Keep(s.builder.EmitTe("part", {x.value}, [&](ops::Te& te) {
    ops::Dims shape;
    std::vector<int64_t> begin;
    for (int64_t size : s.SizesOf(x.dims)) {
      begin.push_back(s.dice.Percent(75) ? 0 : s.dice.Between(0, size));
      shape.push_back(
          s.Int(s.dice.Percent(40) ? size - begin.back() : s.dice.Between(0, size - begin.back())));
    }
    return std::vector{te.Compute("out", shape, x.dtype, [&](const ops::Indices& at) {
      ops::Indices from = at;
      for (size_t i = 0; i < from.size(); ++i) {
        if (begin[i] != 0)
          from[i] = te.math().Add(at[i], te.math().Const(begin[i], at[i]->dtype()));
      }
      return te.At(te.Input(0), from);
    })};
  }));
}

// What lies at the start of one or more axes, which reads as if nothing moved; or somewhere else.
void PartOf(Sketch& s, const Tensor& x) {
  if (s.dice.Percent(40)) return PartByKernel(s, x);
  std::vector<int64_t> axes, begin, end, strides;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    if (axis + 1 < x.ndim() && s.dice.Percent(50)) continue;
    const int64_t size = s.SizeOf(x.dims[axis]);
    axes.push_back(s.dice.Percent(20) ? axis - x.ndim() : axis);
    begin.push_back(s.dice.Percent(70) ? 0 : s.dice.Between(-size - 1, size));
    end.push_back(s.dice.Between(begin.back() < 0 ? -size : begin.back(), size + 1));
    strides.push_back(s.dice.Percent(80) ? 1 : s.dice.Between(2, 3));
  }
  s.Op("relax.strided_slice",
       {x.value, Axes(s, axes), Ends(s, begin), Ends(s, end), Axes(s, strides)});
}

void Part(Sketch& s, const std::string&) { PartOf(s, s.Any(Kind::kAny, 1)); }

// A reduction, a product, or what takes more than one pass; nothing where there is no axis for it.
std::optional<Operand> Reduced(Sketch& s, const Tensor& x) {
  const auto axis = [&] { return s.dice.Between(0, x.ndim() - 1); };
  if (Count(s.SizesOf(x.dims)) == 0 || x.dtype.is_bool()) return std::nullopt;
  const bool real = x.dtype.is_floating() && x.dtype.bits >= 16;
  switch (s.dice.Below(real ? 5 : 3)) {
    case 0:
      return s.builder.Op(s.dice.Of({"relax.sum", "relax.max"}), {x.value},
                          {{"axis", Ints({axis()})}, {"keepdims", AttrValue(s.dice.Percent(50))}});
    case 1:
      return s.builder.Op("relax.cumsum", {x.value}, {{"axis", AttrValue(axis())}});
    case 2: {
      if (x.ndim() < 2) return std::nullopt;
      const Operand factor = s.Like(x.dtype, {x.dims.back(), s.Int(s.dice.Between(1, 9))});
      return s.builder.Op("relax.matmul", {x.value, factor});
    }
    case 3:
      return s.builder.Op("relax.nn.softmax", {x.value}, {{"axis", AttrValue(axis())}});
    default:
      return s.builder.Op("relax.mean", {x.value}, {{"axis", Ints({axis()})}});
  }
}

// Something computed whose only consumers read a part of it.
void PartOfComputed(Sketch& s, const std::string&) {
  const Tensor x = s.Any(Kind::kNumber, 1);
  Operand computed = x.value;
  const bool reduces = s.dice.Percent(50);
  if (reduces) {
    s.Touch(s.touched() || x.dtype.is_floating());  // sums have orders of their own
    computed = Reduced(s, x).value_or(computed);
  }
  for (int64_t n = s.dice.Between(reduces ? 0 : 1, 2); n > 0; --n) {
    const char* op = s.dice.Of({"relax.abs", "relax.negative", "relax.nn.relu"});
    computed = s.builder.Op(op, {computed});
  }
  const auto tensor = s.AsTensor(computed);
  if (!tensor || tensor->ndim() == 0) return void(s.Keep(computed));
  for (int64_t n = s.dice.Percent(25) ? 2 : 1; n > 0; --n) PartOf(s, *tensor);
}

// Some pieces of one that is split, the first more often than others; pieces may be empty.
void Pieces(Sketch& s, const std::string&) {
  Tensor x = s.Any(Kind::kAny, 1);
  const int64_t axis = s.dice.Between(0, x.ndim() - 1);
  const int64_t size = s.SizeOf(x.dims[axis]);
  std::vector<int64_t> cuts;
  for (int64_t n = s.dice.Between(1, 3); n > 0; --n) cuts.push_back(s.dice.Between(0, size));
  std::sort(cuts.begin(), cuts.end());
  AttrValue parts = Ints(cuts);
  if (s.dice.Percent(30)) {
    const int64_t n = s.dice.Between(1, 4);
    parts = AttrValue(size % n == 0 ? n : 1);
  }
  x = s.Static(x);
  const Operand all = s.builder.Op("relax.split", {x.value},
                                   {{"axis", AttrValue(axis)}, {"indices_or_sections", parts}});
  const auto* tuple = s.builder.InfoOf(all)->As<ir::TupleInfo>();
  if (tuple == nullptr) return;
  const size_t count = tuple->fields.size();
  if (s.dice.Percent(60)) return void(s.Keep(s.builder.Field(all, 0)));
  for (size_t i = 0; i < count; ++i) {
    if (s.dice.Percent(50)) s.Keep(s.builder.Field(all, static_cast<int>(i)));
  }
}

// What is repeated or mirrored has to be there.
void Padded(Sketch& s, const std::string&) {
  Tensor x = s.Any(Kind::kNumber, 1);
  std::string mode = s.dice.Of({"constant", "constant", "reflect", "replicate", "circular"});
  if (Count(s.SizesOf(x.dims)) == 0) mode = "constant";
  std::vector<int64_t> widths;
  for (PrimRef dim : x.dims) {
    const int64_t most = mode == "constant"    ? 3
                         : mode == "replicate" ? 2
                                               : std::min<int64_t>(s.SizeOf(dim) - 1, 2);
    for (int side = 0; side < 2; ++side) {
      widths.push_back(s.dice.Percent(40) ? 0 : s.dice.Between(0, most));
    }
  }
  s.Op("relax.nn.pad", {x.value},
       {{"pad_width", Ints(widths)},
        {"pad_mode", AttrValue(mode)},
        {"pad_value", AttrValue(s.dice.Of({0.0, 1.0, 2.0}))}});
}

void Row(Sketch& s, const std::string& op) {
  for (const OpRow& row : AllRows()) {
    if (op == row.op) return CallOp(s, row);
  }
  LATHE_CHECK(false, "the operator is among those that are made up");
}

struct Move {
  const char* op;
  int weight;
  void (*make)(Sketch& s, const std::string& op) = Row;
};
constexpr Move kMoves[] = {
    {"a part", 16, Part},
    {"a part of what is computed", 36, PartOfComputed},
    {"pieces", 8, Pieces},
    {"relax.strided_slice", 4},
    {"relax.dynamic_strided_slice", 2},
    {"relax.split", 2},
    {"padded", 7, Padded},
    {"relax.take", 6},
    {"relax.gather_elements", 3},
    {"relax.gather_nd", 3},
    {"relax.index_tensor", 2},
    {"relax.concat", 8},
    {"relax.stack", 3},
    {"relax.permute_dims", 7},
    {"relax.reshape", 8},
    {"relax.flatten", 2},
    {"relax.flip", 4},
    {"relax.broadcast_to", 5},
    {"relax.expand_dims", 3},
    {"relax.squeeze", 2},
    {"relax.tile", 4},
    {"relax.repeat", 3},
    {"relax.astype", 4},
    {"relax.where", 5},
    {"relax.reverse_sequence", 1},
    {"relax.layout_transform", 2},
    {"relax.meshgrid", 1},
    {"relax.tril", 2},
    {"relax.triu", 2},
    {"relax.collapse_sum_to", 2},
    {"relax.scatter_elements", 3},
    {"relax.scatter_nd", 3},
    {"relax.index_put", 2},
    {"relax.slice_scatter", 3},
    {"relax.nn.relu", 4},
    {"relax.abs", 2},
    {"relax.negative", 2},
    {"relax.add", 5},
    {"relax.multiply", 3},
    {"relax.maximum", 3},
    {"relax.clip", 2},
    {"relax.sum", 4},
    {"relax.max", 3},
    {"relax.mean", 2},
    {"relax.cumsum", 1},
    {"relax.argmax", 1},
    {"relax.nn.softmax", 1},
};

const Move& SomeMove(Sketch& s) {
  size_t all = 0;
  for (const Move& move : kMoves) all += static_cast<size_t>(move.weight);
  auto left = static_cast<int64_t>(s.dice.Below(all));
  for (const Move& move : kMoves) {
    left -= move.weight;
    if (left < 0) return move;
  }
  return kMoves[0];
}

std::vector<transform::BlockBuilder::Param> Inputs(Sketch& s) {
  Dims vars;
  for (size_t n = s.dice.Percent(50) ? 0 : 1 + s.dice.Below(2); n > 0; --n) {
    vars.push_back(s.NewVar("n", AnySize(s)));
  }
  std::vector<transform::BlockBuilder::Param> params;
  const auto add = [&](const Dims& dims) {
    params.push_back({absl::StrCat("x", params.size()), s.context.Tensor(dims, AnyDType(s))});
  };
  if (!vars.empty()) add(vars);
  for (size_t n = 1 + s.dice.Below(3); n > 0; --n) {
    Dims dims;
    uint64_t elements = 1;
    for (size_t axes = s.dice.Below(5); axes > 0; --axes) {
      const bool open = !vars.empty() && s.dice.Percent(40);
      const PrimRef dim = open ? s.dice.From(vars) : s.Int(AnySize(s));
      const uint64_t more = static_cast<uint64_t>(s.SizeOf(dim));
      dims.push_back(elements * more > kMaxElements ? s.Int(1) : dim);
      elements *= elements * more > kMaxElements ? 1 : more;
    }
    add(dims);
  }
  return params;
}

// Some of what was made, so that of the rest a part is used only inside, and a part is unused.
Operand SomeOf(Sketch& s, const Operands& made) {
  Operands shown;
  for (const Operand& one : made) {
    if (s.AsTensor(one) && s.dice.Percent(50)) shown.push_back(one);
  }
  for (size_t i = made.size(); shown.empty() && i > 0; --i) {
    if (s.AsTensor(made[i - 1])) shown.push_back(made[i - 1]);
  }
  return s.builder.Tuple(std::move(shown));
}

}  // namespace

absl::StatusOr<Program> WriteMovesProgram(ir::Context& context, uint64_t seed) {
  Program program;
  Sketch s(context, seed, program.tally);
  s.Outer([&] {
    s.builder.Function("main", Inputs(s), [&](const Operands& in) {
      return s.Scoped([&] {
        const Sketch::Mark before = s.Enter();
        for (const Operand& param : in) s.Keep(param);
        for (size_t n = 6 + s.dice.Below(12); n > 0; --n) {
          const Move& move = SomeMove(s);
          const bool touched = s.Touch(false), allowed = s.AllowSoft(move.make != Row);
          move.make(s, move.op);
          s.AllowSoft(allowed);
          s.Touch(touched);
        }
        return SomeOf(s, s.KeptSince(before));
      });
    });
  });
  LATHE_ASSIGN_OR_RETURN(program.module, s.builder.Finish());
  program.sizes = s.sizes();
  CountOps(program.module, program.tally);
  return program;
}

}  // namespace lathe::random
