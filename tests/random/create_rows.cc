// Rows of operators that create tensors from numbers and shapes, or query tensors.
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

Operand SomeShape(Sketch& s) {
  const Operand shape = s.builder.Shape(s.SomeDims(static_cast<int>(s.dice.Between(0, 3))));
  if (!s.dice.Percent(20)) return shape;
  s.Note("shape in a variable");
  return s.Emit(shape);
}

void Arange(Sketch& s, const std::string& op) {
  const DType dtype = s.SomeDType(Kind::kNumber);
  const bool down = s.dice.Percent(20);
  const Operand start = s.SomeNumber(down ? s.dice.Between(3, 6) : s.dice.Between(-2, 2));
  const Operand end = s.dice.Percent(40) ? Operand{ir::PrimValue{s.Dim()}}
                                         : s.SomeNumber(s.dice.Between(down ? -1 : 1, 7));
  const Operand step = s.SomeNumber(down ? s.dice.Between(-2, -1) : s.dice.Between(1, 2));
  s.Op(op, {start, end, step}, {{"dtype", AttrValue(dtype)}});
}

void Eye(Sketch& s, const std::string& op) {
  s.Op(op,
       {Operand{ir::PrimValue{s.Dim()}}, Operand{ir::PrimValue{s.Dim()}},
        s.builder.Number(s.dice.Between(-1, 1))},
       {{"dtype", AttrValue(s.SomeDType(Kind::kNumber))}});
}

void EyeLike(Sketch& s, const std::string& op) {
  s.Op(op, {s.Any(Kind::kNumber, 2, 2).value, s.builder.Number(s.dice.Between(-1, 1))});
}

AttrMap SomeType(Sketch& s) {
  if (s.dice.Percent(50)) return {};
  return {{"dtype", AttrValue(s.SomeDType(Kind::kNumber))}};
}

void Full(Sketch& s, const std::string& op) {
  s.Op(op, {SomeShape(s), s.Like(s.SomeDType(Kind::kNumber), {})}, SomeType(s));
}
void FullLike(Sketch& s, const std::string& op) {
  s.Op(op, {s.Any(Kind::kAny).value, s.Like(s.SomeDType(Kind::kNumber), {})}, SomeType(s));
}
void Ones(Sketch& s, const std::string& op) {
  s.Op(op, {SomeShape(s)}, {{"dtype", AttrValue(s.SomeDType(Kind::kAny))}});
}
void OnesLike(Sketch& s, const std::string& op) {
  s.Op(op, {s.Any(Kind::kAny).value}, SomeType(s));
}

void HammingWindow(Sketch& s, const std::string& op) {
  const DType dtype = s.SomeDType(Kind::kFloat);
  s.Op(op,
       {s.builder.Number(s.Size(1, 6)), s.Number(s.dice.Between(0, 1), DType::Int(64)),
        s.Number(0.54, DType::Float(32)), s.Number(0.46, DType::Float(32))},
       {{"dtype", AttrValue(dtype)}});
}

void OneHot(Sketch& s, const std::string& op) {
  const int64_t depth = s.Size(1, 4);
  const int ndim = static_cast<int>(s.dice.Between(0, 2));
  const DType dtype = s.SomeDType(Kind::kNumber);
  const Operand index = s.Index(s.IndexDims(s.SomeDims(ndim), depth), depth,
                                s.dice.Of({DType::Int(32), DType::Int(64)}));
  s.Op(op, {index, s.Number(2, dtype), s.Number(0, dtype)},
       {{"depth", AttrValue(depth)}, {"axis", AttrValue(s.dice.Between(-1, ndim))}});
}

void ShapeOf(Sketch& s, const std::string& op) { s.Op(op, {s.Any(Kind::kAny).value}); }

void ShapeToTensor(Sketch& s, const std::string& op) {
  const bool asked = s.dice.Percent(50);
  s.Op(op, {asked ? s.Op("relax.shape_of", {s.Any(Kind::kAny, 1).value})
                  : s.builder.Shape(s.SomeDims(2))});
}

void TensorToShape(Sketch& s, const std::string& op) {
  const Dims dims = s.SomeDims(static_cast<int>(s.dice.Between(1, 3)));
  const Operand shape = s.Op(op, {s.Op("relax.shape_to_tensor", {s.builder.Shape(dims)})});
  const Operand known = s.Keep(s.builder.MatchCast(shape, s.context.Shape(dims)));
  s.Note("match_cast: shape");
  s.Op("relax.ones", {known}, {{"dtype", AttrValue(DType::Float(32))}});
}

void Inspect(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1);
  Operands args = {x.value};
  if (op == "relax.inspect.tensor_shape_i" || op == "relax.inspect.tensor_stride_i") {
    args.push_back(s.builder.Number(s.dice.Between(0, x.ndim() - 1)));
  }
  s.Op(op, args);
}

void Null(Sketch& s, const std::string& op) { s.Op(op, {}); }

constexpr OpRow kCreateRows[] = {
    {"relax.arange", Arange},
    {"relax.eye", Eye},
    {"relax.eye_like", EyeLike},
    {"relax.full", Full},
    {"relax.full_like", FullLike},
    {"relax.hamming_window", HammingWindow},
    {"relax.inspect.tensor_byte_offset", Inspect},
    {"relax.inspect.tensor_dtype_bits", Inspect},
    {"relax.inspect.tensor_dtype_code", Inspect},
    {"relax.inspect.tensor_dtype_lanes", Inspect},
    {"relax.inspect.tensor_elem_offset", Inspect},
    {"relax.inspect.tensor_ndim", Inspect},
    {"relax.inspect.tensor_shape_i", Inspect},
    {"relax.inspect.tensor_stride_i", Inspect},
    {"relax.null_value", Null},
    {"relax.one_hot", OneHot},
    {"relax.ones", Ones},
    {"relax.ones_like", OnesLike},
    {"relax.shape_of", ShapeOf},
    {"relax.shape_to_tensor", ShapeToTensor},
    {"relax.size", ShapeOf},
    {"relax.tensor_to_shape", TensorToShape},
    {"relax.zeros", Ones},
    {"relax.zeros_like", OnesLike},
};

}  // namespace

absl::Span<const OpRow> CreateRows() { return kCreateRows; }

}  // namespace lathe::random
