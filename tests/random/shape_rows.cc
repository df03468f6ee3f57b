// Rows of operators that move elements: reshapes, slices, concatenations.
#include <algorithm>
#include <numeric>

#include "generator/analysis/arithmetic/simplify.h"
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

// -ndim to ndim - 1
int64_t Axis(Sketch& s, int ndim) { return s.dice.Between(-ndim, ndim - 1); }
size_t FromFront(int64_t axis, int ndim) {
  return static_cast<size_t>(axis < 0 ? axis + ndim : axis);
}

PrimRef Product(Sketch& s, const Dims& dims) {
  PrimRef product = s.Int(1);
  for (PrimRef dim : dims) product = s.context.Make(ir::BinaryOp::kMul, product, dim);
  return analysis::Simplify(s.context, product);
}

void BroadcastTo(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 0, 3);
  Dims dims = x.dims;
  for (PrimRef& dim : dims) {
    const auto* imm = dim->As<ir::IntImm>();
    if (imm != nullptr && imm->value == 1) dim = s.Dim();
  }
  if (s.dice.Percent(50)) dims.insert(dims.begin(), s.Dim());
  s.Op(op, {x.value, s.builder.Shape(dims)});
}

void Concat(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1, 3);
  const int64_t axis = Axis(s, x.ndim());
  Operands parts = {x.value};
  for (size_t i = s.dice.Below(3); i > 0; --i) {
    Dims dims = x.dims;
    if (op == "relax.concat" && s.dice.Percent(50)) dims[FromFront(axis, x.ndim())] = s.Dim();
    parts.push_back(s.Like(x.dtype, dims));
  }
  s.dice.Shuffle(parts);
  s.Op(op, {s.builder.Tuple(parts)}, {{"axis", AttrValue(axis)}});
}

void ExpandDims(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 0, 3);
  std::vector<int64_t> axes = {s.dice.Between(-x.ndim() - 1, x.ndim())};
  if (x.ndim() > 0 && s.dice.Percent(20)) axes = {0, x.ndim() + 1};
  s.Op(op, {x.value}, {{"axis", Ints(axes)}});
}

void Plain(Sketch& s, const std::string& op) { s.Op(op, {s.Any(Kind::kAny, 1).value}); }

void Flip(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1);
  s.Op(op, {x.value}, {{"axis", AttrValue(Axis(s, x.ndim()))}});
}

void PermuteDims(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1);
  if (s.dice.Percent(40)) return void(s.Op(op, {x.value}));
  std::vector<int64_t> axes(x.dims.size());
  std::iota(axes.begin(), axes.end(), s.dice.Percent(20) ? -x.ndim() : 0);
  s.dice.Shuffle(axes);
  s.Op(op, {x.value}, {{"axes", Ints(axes)}});
}

void Repeat(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1, 3);
  AttrMap attrs = {{"repeats", AttrValue(s.Size(1, 3))}};
  if (s.dice.Percent(70)) attrs["axis"] = AttrValue(Axis(s, x.ndim()));
  s.Op(op, {x.value}, attrs);
}

void Reshape(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 0);
  const size_t chance = s.dice.Below(100);
  Dims dims;
  if (chance < 25) {
    dims = {Product(s, x.dims)};
    s.Note("shape expression");
  } else if (chance < 45) {
    dims = {s.Int(-1)};
  } else if (chance < 60 && x.ndim() > 1) {
    dims = {s.Int(0), s.Int(-1)};
  } else if (chance < 75 && x.ndim() > 1) {
    dims = {Product(s, {x.dims[0], x.dims[1]})};
    dims.insert(dims.end(), x.dims.begin() + 2, x.dims.end());
    s.Note("shape expression");
  } else {
    dims = x.dims;
    s.dice.Shuffle(dims);
    dims.insert(dims.begin() + static_cast<int>(s.dice.Below(dims.size() + 1)), s.Int(1));
  }
  if (s.dice.Percent(25) && dims[0] != s.Int(-1) && dims[0] != s.Int(0)) {
    s.Note("shape in a variable");
    return void(s.Op(op, {x.value, s.Emit(s.builder.Shape(dims))}));
  }
  s.Op(op, {x.value, s.builder.Shape(dims)});
}

void Squeeze(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 0, 3);
  const Operand wide = s.Op("relax.expand_dims", {x.value}, {{"axis", Ints({0})}});
  s.Op(op, {wide}, {{"axis", Ints({s.dice.Percent(50) ? 0 : -x.ndim() - 1})}});
}

void Split(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1, 3);
  const int64_t axis = Axis(s, x.ndim());
  const auto* imm = x.dims[FromFront(axis, x.ndim())]->As<ir::IntImm>();
  AttrValue parts(s.dice.Between(1, 3));
  if (imm != nullptr && imm->value > 1 && s.dice.Percent(60)) {
    const int64_t cut = s.dice.Between(s.size_choices.empty() ? 1 : 0, imm->value - 1);
    parts = cut + 1 < imm->value && s.dice.Percent(50) ? Ints({cut, cut + 1}) : Ints({cut});
  } else if (imm == nullptr || imm->value % *parts.As<int64_t>() != 0) {
    parts = AttrValue(1);
  }
  const Operand all =
      s.Op(op, {x.value}, {{"axis", AttrValue(axis)}, {"indices_or_sections", parts}});
  const auto* tuple = s.builder.InfoOf(all)->As<ir::TupleInfo>();
  if (tuple == nullptr) return;
  s.Keep(s.builder.Field(all, static_cast<int>(s.dice.Below(tuple->fields.size()))));
}

Operand Scalars(Sketch& s, const std::vector<int64_t>& numbers) {
  Operands fields;
  for (int64_t n : numbers) fields.push_back(s.builder.Number(n));
  return s.builder.Tuple(std::move(fields));
}

Operand SomeNumbers(Sketch& s, const std::vector<int64_t>& numbers) {
  Operands fields;
  for (int64_t n : numbers) fields.push_back(s.SomeNumber(n));
  return s.builder.Tuple(std::move(fields));
}

void StridedSlice(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1);
  std::vector<int64_t> axes, begin, end, strides;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    if (axis + 1 < x.ndim() && s.dice.Percent(50)) continue;
    axes.push_back(s.dice.Percent(25) ? axis - x.ndim() : axis);
    const bool back = s.dice.Percent(20);
    strides.push_back(back ? s.dice.Between(-2, -1) : s.dice.Between(1, 2));
    begin.push_back(back ? s.dice.Between(1, 4) : s.dice.Between(-3, 1));
    end.push_back(back ? -100 : s.dice.Between(1, 5));
  }
  s.Op(op, {x.value, Scalars(s, axes), SomeNumbers(s, begin), SomeNumbers(s, end),
            SomeNumbers(s, strides)});
}

void Tile(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 0, 2);
  std::vector<int64_t> repeats;
  for (int64_t n = s.dice.Between(1, x.ndim() + 1); n > 0; --n) {
    repeats.push_back(s.Size(1, 2));
  }
  s.Op(op, {x.value}, {{"repeats", Ints(repeats)}});
}

void Triangle(Sketch& s, const std::string& op) {
  s.Op(op, {s.Any(Kind::kAny, 2).value, s.builder.Number(s.dice.Between(-2, 2))});
}

void Pad(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1, 3);
  std::vector<int64_t> widths;
  const std::string mode = s.dice.Of({"constant", "constant", "reflect", "replicate", "circular"});
  const int64_t most = mode == "constant" || mode == "replicate" ? 2 : 0;
  for (int i = 0; i < x.ndim() * 2; ++i) widths.push_back(s.dice.Between(0, most));
  s.Op(op, {x.value},
       {{"pad_width", Ints(widths)},
        {"pad_mode", AttrValue(mode)},
        {"pad_value", AttrValue(s.dice.Of({0.0, 1.0, 2.0}))}});
}

void PixelShuffle(Sketch& s, const std::string& op) {
  const int64_t factor = s.dice.Between(1, 2);
  const PrimRef channels = s.Int(factor * factor * s.Size(1, 2));
  s.Op(op, {s.Like(s.SomeDType(Kind::kFloat), {s.Dim(), channels, s.Dim(), s.Dim()})},
       {{"upscale_factor", AttrValue(factor)}});
}

void LayoutTransform(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 2, 2);
  auto map = std::make_shared<ir::IndexMap>();
  const PrimRef i = s.context.NewVar("i"), j = s.context.NewVar("j");
  map->inputs = {i, j};
  map->outputs = {j, i};
  const auto* imm = x.dims[1]->As<ir::IntImm>();
  if (imm != nullptr && imm->value % 2 == 0 && s.dice.Percent(70)) {
    map->outputs = {s.context.Make(ir::BinaryOp::kFloorDiv, j, s.Int(2)), i,
                    s.context.Make(ir::BinaryOp::kFloorMod, j, s.Int(2))};
  }
  s.Op(op, {x.value},
       {{"index_map", AttrValue(AttrValue::Node(std::shared_ptr<const ir::IndexMap>(map)))}});
}

void Meshgrid(Sketch& s, const std::string& op) {
  const DType dtype = s.SomeDType(Kind::kNumber);
  Operands lists;
  for (int64_t n = s.dice.Between(1, 3); n > 0; --n) lists.push_back(s.Like(dtype, {s.Dim()}));
  const Operand all =
      s.Op(op, {s.builder.Tuple(lists)}, {{"indexing", AttrValue(s.dice.Of({"ij", "xy"}))}});
  s.Keep(s.builder.Field(all, 0));
}

Dims Collapsed(Sketch& s, const Tensor& x) {
  Dims dims(x.dims.begin() + static_cast<int>(s.dice.Below(x.dims.size())), x.dims.end());
  for (PrimRef& dim : dims) {
    if (s.dice.Percent(30)) dim = s.Int(1);
  }
  return dims;
}
void CollapseSumTo(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1);
  s.Op(op, {x.value, s.builder.Shape(Collapsed(s, x))});
}
void CollapseSumLike(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1);
  s.Op(op, {x.value, s.Like(x.dtype, Collapsed(s, x))});
}

void ReverseSequence(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 2);
  const int64_t along = s.dice.Between(0, 1);
  const DType dtype = s.dice.Of({DType::Int(32), DType::Int(64)});
  const int64_t longest = std::max<int64_t>(s.SizeOf(x.dims[along]), 1);
  s.Op(op, {x.value, s.Index({x.dims[1 - along]}, longest, dtype)},
       {{"seq_axis", AttrValue(along)}, {"batch_axis", AttrValue(1 - along)}});
}

void SliceScatter(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1, 3);
  const int64_t axis = s.dice.Between(0, x.ndim() - 1);
  const int64_t size = s.SizeOf(x.dims[axis]);
  x = s.Static(x);
  const int64_t start = s.dice.Between(0, std::max<int64_t>(size - 1, 0)),
                step = s.dice.Between(1, 2);
  const int64_t end = s.dice.Between(start, size);
  Dims dims = x.dims;
  dims[axis] = s.Int((end - start + step - 1) / step);
  s.Op(op,
       {x.value, s.Like(x.dtype, dims), s.builder.Number(start), s.builder.Number(end),
        s.builder.Number(step)},
       {{"axis", AttrValue(axis)}});
}

constexpr OpRow kShapeRows[] = {
    {"relax.broadcast_to", BroadcastTo, true},
    {"relax.collapse_sum_like", CollapseSumLike},
    {"relax.collapse_sum_to", CollapseSumTo},
    {"relax.concat", Concat, true},
    {"relax.expand_dims", ExpandDims, true},
    {"relax.flatten", Plain, true},
    {"relax.flip", Flip, true},
    {"relax.layout_transform", LayoutTransform, true},
    {"relax.meshgrid", Meshgrid, true},
    {"relax.nn.batch_flatten", Plain, true},
    {"relax.nn.pad", Pad, true},
    {"relax.nn.pixel_shuffle", PixelShuffle, true},
    {"relax.permute_dims", PermuteDims, true},
    {"relax.repeat", Repeat, true},
    {"relax.reshape", Reshape, true},
    {"relax.reverse_sequence", ReverseSequence},
    {"relax.slice_scatter", SliceScatter, true},
    {"relax.split", Split, true},
    {"relax.squeeze", Squeeze, true},
    {"relax.stack", Concat, true},
    {"relax.strided_slice", StridedSlice, true},
    {"relax.tile", Tile, true},
    {"relax.tril", Triangle, true},
    {"relax.triu", Triangle, true},
};

}  // namespace

absl::Span<const OpRow> ShapeRows() { return kShapeRows; }

}  // namespace lathe::random
