// Rows of operators with indices: gathers and scatters.
#include <algorithm>

#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

DType IndexType(Sketch& s) { return s.dice.Of({DType::Int(32), DType::Int(64)}); }

void Take(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kAny, 1, 3);
  const int64_t axis = s.dice.Between(0, x.ndim() - 1);
  const std::string mode = s.dice.Of({"fast", "wrap", "clip"});
  const int64_t size = s.SizeOf(x.dims[axis]);
  const int64_t limit = size == 0 || mode == "fast" ? size : size + 2;
  const Dims dims = s.IndexDims(s.SomeDims(static_cast<int>(s.dice.Between(0, 2))), limit);
  s.Op(op, {x.value, s.Index(dims, limit, IndexType(s))},
       {{"axis", AttrValue(axis)}, {"mode", AttrValue(mode)}});
}

void TakeBackward(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kFloat, 1, 3);
  const size_t axis = s.dice.Below(x.dims.size());
  const int64_t limit = s.SizeOf(x.dims[axis]);
  const PrimRef count = s.IndexDims({s.Dim()}, limit)[0];
  const Operand indices = s.Index({count}, limit, IndexType(s));
  Dims dims = x.dims;
  dims[axis] = count;
  s.Op(op, {s.Like(x.dtype, dims), x.value, indices},
       {{"axis", AttrValue(static_cast<int64_t>(axis))}});
}

void GatherElements(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kAny, 1, 3);
  const int64_t axis = s.dice.Between(0, x.ndim() - 1);
  const int64_t limit = s.SizeOf(x.dims[axis]);
  Dims dims = x.dims;
  dims[axis] = limit == 0 ? s.Int(0) : s.Dim();
  s.Op(op, {x.value, s.Index(dims, limit, IndexType(s))}, {{"axis", AttrValue(axis)}});
}

// Places within every dimension they choose from.
int64_t Least(Sketch& s, const Tensor& x, size_t from, size_t count) {
  int64_t least = s.SizeOf(x.dims[from]);
  for (size_t i = 1; i < count; ++i) least = std::min(least, s.SizeOf(x.dims[from + i]));
  return least;
}

void GatherNd(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kAny, 1, 3);
  const size_t batch = x.ndim() > 1 && s.dice.Percent(30) ? 1 : 0;
  const size_t depth = 1 + s.dice.Below(x.dims.size() - batch);
  const int64_t limit = Least(s, x, batch, depth);
  Dims dims(x.dims.begin(), x.dims.begin() + static_cast<int>(batch));
  dims.push_back(limit == 0 ? s.Int(0) : s.Dim());
  dims.push_back(s.Int(static_cast<int64_t>(depth)));
  s.Op(op, {x.value, s.Index(dims, limit, DType::Int(64))},
       {{"batch_dims", AttrValue(static_cast<int64_t>(batch))}});
}

std::string Reduction(Sketch& s) { return s.dice.Of({"update", "add", "mul", "min", "max"}); }

void ScatterElements(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kNumber, 1, 3);
  const int64_t axis = s.dice.Between(0, x.ndim() - 1);
  const Operand indices = s.Index(x.dims, s.SizeOf(x.dims[axis]), IndexType(s));
  s.Op(op, {x.value, indices, s.Like(x.dtype, x.dims)},
       {{"axis", AttrValue(axis)}, {"reduction", AttrValue(Reduction(s))}});
}

void ScatterNd(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kNumber, 1, 3);
  const size_t depth = 1 + s.dice.Below(x.dims.size());
  const int64_t limit = Least(s, x, 0, depth);
  const PrimRef count = s.IndexDims({s.Dim()}, limit)[0];
  Dims updates = {count};
  updates.insert(updates.end(), x.dims.begin() + static_cast<int>(depth), x.dims.end());
  const Operand indices =
      s.Index({count, s.Int(static_cast<int64_t>(depth))}, limit, DType::Int(64));
  s.Op(op, {x.value, indices, s.Like(x.dtype, updates)}, {{"reduction", AttrValue(Reduction(s))}});
}

void IndexTensor(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kAny, 1, 3);
  const size_t depth = 1 + s.dice.Below(x.dims.size());
  const DType dtype = IndexType(s);
  const PrimRef count = s.IndexDims({s.Dim()}, Least(s, x, 0, depth))[0];
  Operands indices;
  for (size_t i = 0; i < depth; ++i) {
    indices.push_back(s.Index({count}, s.SizeOf(x.dims[i]), dtype));
  }
  s.Op(op, {x.value, s.builder.Tuple(indices)});
}

void IndexPut(Sketch& s, const std::string& op) {
  const Tensor x = s.Any(Kind::kNumber, 1, 3);
  const DType dtype = IndexType(s);
  const PrimRef count = s.IndexDims({s.Dim()}, Least(s, x, 0, x.dims.size()))[0];
  Operands indices;
  for (PrimRef dim : x.dims) indices.push_back(s.Index({count}, s.SizeOf(dim), dtype));
  s.Op(op, {x.value, s.builder.Tuple(indices), s.Like(x.dtype, {count})},
       {{"accumulate", AttrValue(s.dice.Percent(50))}});
}

void Multinomial(Sketch& s, const std::string& op) {
  const DType dtype = DType::Float(32);
  const PrimRef count = s.Dim();
  const Operand share = s.Constant(dtype, {2, 4}, {0.25, 0.25, 0.25, 0.25, 0.5, 0, 0.25, 0.25});
  const Operand uniform = s.Op("relax.sigmoid", {s.Like(dtype, {count, s.Int(1)})});
  s.Op(op, {share, uniform, s.Index({count, s.Int(1)}, 2, DType::Int(64))},
       {{"dtype", AttrValue(IndexType(s))}});
}

void DynamicStridedSlice(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kAny, 1, 3);
  const DType dtype = DType::Int(64);
  const std::vector<int64_t> one = {x.ndim()};
  const auto list = [&](int64_t low, int64_t high) {
    std::vector<double> numbers;
    for (int i = 0; i < x.ndim(); ++i) {
      numbers.push_back(static_cast<double>(s.dice.Between(low, high)));
    }
    return s.Constant(dtype, one, numbers);
  };
  const Operand begin = list(0, 1), end = list(1, 4), strides = list(1, 2);
  const Operand slice = s.Op(op, {x.value, begin, end, strides});
  s.Note("match_cast: rank only");
  s.Keep(s.builder.MatchCast(slice, s.context.Tensor(x.ndim(), x.dtype)));
}

constexpr OpRow kIndexRows[] = {
    {"relax.dynamic_strided_slice", DynamicStridedSlice},
    {"relax.gather_elements", GatherElements},
    {"relax.gather_nd", GatherNd},
    {"relax.grad.take_backward", TakeBackward},
    {"relax.index_put", IndexPut},
    {"relax.index_tensor", IndexTensor},
    {"relax.multinomial_from_uniform", Multinomial},
    {"relax.scatter_elements", ScatterElements},
    {"relax.scatter_nd", ScatterNd},
    {"relax.take", Take},
};

}  // namespace

absl::Span<const OpRow> IndexRows() { return kIndexRows; }

}  // namespace lathe::random
