// Rows of neural network operators: products, sliding windows, losses, gradients.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

void Matmul(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1, 3);
  Dims dims;
  if (x.ndim() == 3 && s.dice.Percent(40)) dims.push_back(x.dims[0]);
  dims.push_back(x.dims.back());
  if (dims.size() == 2 || s.dice.Percent(85)) dims.push_back(s.Dim());
  s.Op(op, {x.value, s.Like(x.dtype, dims)});
}

void Outer(Sketch& s, const std::string& op) {
  const DType dtype = s.SomeDType(Kind::kNumber);
  s.Op(op, {s.Like(dtype, {s.Dim()}), s.Like(dtype, {s.Dim()})});
}

void Einsum(Sketch& s, const std::string& op) {
  const DType dtype = s.SomeDType(Kind::kFloat);
  const PrimRef i = s.Dim(), j = s.Dim(), k = s.Dim();
  const Operand a = s.Like(dtype, {i, j});
  switch (s.dice.Below(4)) {
    case 0:
      s.Op(op, {s.builder.Tuple({a, s.Like(dtype, {j, k})})}, {{"subscripts", "ij,jk->ik"}});
      return;
    case 1:
      s.Op(op, {s.builder.Tuple({a})}, {{"subscripts", "ij->ji"}});
      return;
    case 2:
      s.Op(op, {s.builder.Tuple({a})}, {{"subscripts", "ij->i"}});
      return;
    default:
      s.Op(op, {s.builder.Tuple({a, s.Like(dtype, {i, j})})}, {{"subscripts", "ij,ij->"}});
  }
}

// How many dimensions the operator's name says: conv2d has 2.
int Spatial(const std::string& op) {
  for (char digit : {'1', '2', '3'}) {
    if (op.find(absl::StrCat(std::string(1, digit), "d")) != op.npos) return digit - '0';
  }
  return 2;
}

std::vector<int64_t> Several(Sketch& s, int count, int64_t low, int64_t high) {
  std::vector<int64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(s.dice.Between(low, high));
  return numbers;
}

// The batch may be of any size; the image is of numbers, so that windows fit.
Dims Image(Sketch& s, PrimRef channels, int spatial, int64_t low, int64_t high, bool last) {
  Dims dims = {s.Dim()};
  if (!last) dims.push_back(channels);
  for (int i = 0; i < spatial; ++i) dims.push_back(s.Int(s.Size(low, high)));
  if (last) dims.push_back(channels);
  return dims;
}

std::string LayoutOf(int spatial, bool last) {
  const std::string axes = std::string("DHW").substr(3 - static_cast<size_t>(spatial));
  return last ? absl::StrCat("N", axes, "C") : absl::StrCat("NC", axes);
}

void Conv(Sketch& s, const std::string& op) {
  const int n = Spatial(op);
  const bool back = absl::StrContains(op, "transpose"), last = !back && s.dice.Percent(30);
  const int64_t groups = s.dice.Percent(25) ? 2 : 1;
  const int64_t in = s.Size(1, 2) * groups, out = s.Size(1, 2) * groups;
  const DType dtype = s.SomeDType(Kind::kFloat);
  const Operand data = s.Like(dtype, Image(s, s.Int(in), n, n == 3 ? 2 : 2, n == 3 ? 2 : 4, last));
  Dims kernel = back ? Dims{s.Int(in), s.Int(out / groups)} : Dims{s.Int(out), s.Int(in / groups)};
  for (int64_t size : Several(s, n, 1, 2)) kernel.push_back(s.Int(size));
  AttrMap attrs = {{"strides", Ints(Several(s, n, 1, 2))},
                   {"padding", Ints(Several(s, 2 * n, 0, 1))},
                   {"groups", AttrValue(groups)}};
  if (!back) {
    attrs["data_layout"] = AttrValue(LayoutOf(n, last));
    attrs["dilation"] = Ints(Several(s, n, 1, 2));
  }
  if (back && s.dice.Percent(40)) {
    attrs["strides"] = Ints(Several(s, n, 2, 2));
    attrs["output_padding"] = Ints(Several(s, n, 0, 1));
  }
  s.Op(op, {data, s.Like(dtype, kernel)}, attrs);
}

struct Window {
  Operand data;
  DType dtype;
  AttrMap attrs;
};
Window SomeWindow(Sketch& s, const std::string& op) {
  const int n = Spatial(op);
  const bool last = s.dice.Percent(25);
  const DType dtype = s.SomeDType(Kind::kFloat);
  const Operand data = s.Like(dtype, Image(s, s.Dim(), n, 2, n == 3 ? 3 : 5, last));
  AttrMap attrs = {{"pool_size", Ints(Several(s, n, 1, 2))},
                   {"strides", Ints(Several(s, n, 1, 2))},
                   {"padding", Ints(std::vector<int64_t>(2 * static_cast<size_t>(n), 0))},
                   {"ceil_mode", AttrValue(s.dice.Percent(30))},
                   {"count_include_pad", AttrValue(s.dice.Percent(50))},
                   {"layout", AttrValue(LayoutOf(n, last))}};
  if (s.dice.Percent(40)) {
    attrs["pool_size"] = Ints(Several(s, n, 2, 2));
    attrs["padding"] = Ints(Several(s, 2 * n, 0, 1));
  }
  return {data, dtype, attrs};
}

void Pool(Sketch& s, const std::string& op) {
  Window window = SomeWindow(s, op);
  s.Op(op, {window.data}, window.attrs);
}

void PoolBackward(Sketch& s, const std::string& op) {
  Window window = SomeWindow(s, op);
  const std::string forward =
      absl::StrContains(op, "avg") ? "relax.nn.avg_pool2d" : "relax.nn.max_pool2d";
  const auto pooled = s.AsTensor(s.Op(forward, {window.data}, window.attrs));
  if (!pooled) return;
  s.Op(op, {s.Like(pooled->dtype, pooled->dims), window.data}, window.attrs);
}

void AdaptivePool(Sketch& s, const std::string& op) {
  const int n = Spatial(op);
  const Operand data = s.Like(s.SomeDType(Kind::kFloat), Image(s, s.Dim(), n, 1, 4, false));
  AttrMap attrs;
  std::vector<int64_t> sizes;
  for (int i = 0; i < n; ++i) sizes.push_back(s.Size(1, 3));
  if (s.dice.Percent(80)) attrs["output_size"] = Ints(sizes);
  s.Op(op, {data}, attrs);
}

void Prelu(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kFloat, 1);
  const int64_t axis = s.dice.Between(0, x.ndim() - 1);
  s.Op(op, {x.value, s.Like(x.dtype, {x.dims[axis]})}, {{"axis", AttrValue(axis)}});
}

void CrossEntropy(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kFloat, 1, 2);
  s.Op(op, {x.value, s.Like(x.dtype, x.dims)});
}

struct Loss {
  Operands args;
  DType dtype;
  AttrMap attrs;
};
Loss SomeLoss(Sketch& s) {
  const DType dtype = s.SomeDType(Kind::kFloat);
  const int64_t classes = s.Size(1, 4);
  const PrimRef batch = s.IndexDims({s.Dim()}, classes)[0];
  Loss loss;
  loss.dtype = dtype;
  loss.args = {s.Like(dtype, {batch, s.Int(classes)}),
               s.Index({batch}, classes, s.dice.Of({DType::Int(32), DType::Int(64)}))};
  if (s.dice.Percent(60)) loss.args.push_back(s.Like(dtype, {s.Int(classes)}));
  loss.attrs = {{"reduction", AttrValue(s.dice.Of({"mean", "sum", "none"}))},
                {"ignore_index", AttrValue(s.dice.Of({-100, 0, 1}))}};
  return loss;
}
void NllLoss(Sketch& s, const std::string& op) {
  Loss loss = SomeLoss(s);
  s.Op(op, loss.args, loss.attrs);
}
void NllLossBackward(Sketch& s, const std::string& op) {
  Loss loss = SomeLoss(s);
  const auto forward = s.AsTensor(s.Op("relax.nn.nll_loss", loss.args, loss.attrs));
  if (!forward) return;
  loss.args.insert(loss.args.begin(), s.Like(forward->dtype, forward->dims));
  s.Op(op, loss.args, loss.attrs);
}

void Dropout(Sketch& s, const std::string& op) {
  const Operand both = s.Op(op, {s.Any(Kind::kFloat).value}, {{"rate", AttrValue(0.5)}});
  s.Keep(s.builder.Field(both, 0));
}

void Quantize(Sketch& s, const std::string& op) {
  Tensor x = s.AnyOf(DType::Float(32), 1, 3);
  const DType out = s.dice.Of({DType::Int(8), DType::UInt(8), DType::Int(16)});
  const Operand scale = s.Constant(DType::Float(32), {}, {s.dice.Of({0.125, 0.5, 1.0})});
  s.Op(op, {x.value, scale, s.Constant(DType::Int(8), {}, {s.dice.Of({0.0, 3.0})})},
       {{"out_dtype", AttrValue(out)}});
}
void Dequantize(Sketch& s, const std::string& op) {
  Tensor x = s.AnyOf(s.dice.Of({DType::Int(8), DType::UInt(8), DType::Int(16)}), 1, 3);
  const size_t axis = s.dice.Below(x.dims.size());
  const Operand scale = s.dice.Percent(50) ? s.Constant(DType::Float(32), {}, {0.25})
                                           : s.Like(DType::Float(32), {x.dims[axis]});
  s.Op(op, {x.value, scale, s.Constant(DType::Int(8), {}, {s.dice.Of({0.0, 3.0})})},
       {{"axis", AttrValue(static_cast<int64_t>(axis))}});
}

// Of sums, with one factor or one of each position along an axis.
void Requantize(Sketch& s, const std::string& op) {
  const bool twice = s.dice.Percent(70);
  Tensor x = s.AnyOf(twice ? DType::Int(32) : DType::Int(64), 1, 3);
  const DType out = s.dice.Of({DType::Int(8), DType::UInt(8), DType::Int(16)});
  const int64_t low = out.is_uint() ? 0 : -100;
  const Operand mantissa = s.Constant(DType::Int(32), {}, {s.dice.Of({1073741824.0, 2e9})});
  const Operand shift = s.Constant(DType::Int(32), {}, {s.dice.Of({-9.0, -1.0, 0.0, 2.0})});
  s.Op(op, {x.value, mantissa, shift},
       {{"zero_point", AttrValue(int64_t{3})},
        {"low", AttrValue(low)},
        {"high", AttrValue(int64_t{100})},
        {"rounding", AttrValue(twice ? "twice" : "once")},
        {"out_dtype", AttrValue(out)}});
}

constexpr OpRow kNeuralRows[] = {
    {"relax.dequantize", Dequantize},
    {"relax.einsum", Einsum},
    {"relax.grad.avg_pool2d_backward", PoolBackward},
    {"relax.grad.max_pool2d_backward", PoolBackward},
    {"relax.grad.nll_loss_backward", NllLossBackward},
    {"relax.lathe.requantize", Requantize},
    {"relax.matmul", Matmul},
    {"relax.nn.adaptive_avg_pool1d", AdaptivePool},
    {"relax.nn.adaptive_avg_pool2d", AdaptivePool},
    {"relax.nn.adaptive_avg_pool3d", AdaptivePool},
    {"relax.nn.avg_pool1d", Pool},
    {"relax.nn.avg_pool2d", Pool},
    {"relax.nn.avg_pool3d", Pool},
    {"relax.nn.conv1d", Conv},
    {"relax.nn.conv1d_transpose", Conv},
    {"relax.nn.conv2d", Conv},
    {"relax.nn.conv2d_transpose", Conv},
    {"relax.nn.conv3d", Conv},
    {"relax.nn.conv3d_transpose", Conv},
    {"relax.nn.cross_entropy_with_logits", CrossEntropy},
    {"relax.nn.dropout", Dropout},
    {"relax.nn.max_pool1d", Pool},
    {"relax.nn.max_pool2d", Pool},
    {"relax.nn.max_pool3d", Pool},
    {"relax.nn.nll_loss", NllLoss},
    {"relax.nn.prelu", Prelu},
    {"relax.outer", Outer},
    {"relax.quantize", Quantize},
};

}  // namespace

absl::Span<const OpRow> NeuralRows() { return kNeuralRows; }

}  // namespace lathe::random
