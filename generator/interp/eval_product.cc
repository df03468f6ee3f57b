#include "generator/interp/eval_product.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

using Floats = std::vector<float>;

Floats FloatsOf(const Tensor& tensor) {
  Floats out(tensor.num_elements());
  if (!out.empty()) std::memcpy(out.data(), tensor.data(), out.size() * sizeof(float));
  return out;
}

absl::StatusOr<Value> TensorOfFloats(const OpCall& call, std::vector<int64_t> dims,
                                     const Floats& values) {
  LATHE_ASSIGN_OR_RETURN(TensorRef tensor,
                         NewTensor(ir::DType::Float(32), std::move(dims), call.rt.budget));
  if (!values.empty()) std::memcpy(tensor->data(), values.data(), values.size() * sizeof(float));
  return Value(std::move(tensor));
}

// The length and distance of an axis of a tensor, by its letter in the layout.
struct Strided {
  int64_t length = 1;
  int64_t stride = 0;
};
Strided AxisIn(const std::string& layout, const std::vector<int64_t>& dims, char letter) {
  const size_t at = layout.find(letter);
  if (at == std::string::npos) return {};
  int64_t stride = 1;
  for (size_t i = at + 1; i < dims.size(); ++i) stride *= dims[i];
  return {dims[at], stride};
}

// A convolution over an image; one line is an image of height 1.
struct Convolution {
  const float* x;
  const float* w;
  float* y;
  Strided xn, xc, xh, xw, wo, wi, wh, ww, yn, yc, yh, yw;
  int64_t stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1, top = 0, left = 0, groups = 1;

  bool channels_last = false;  // the order of the additions: window, then channels

  void Run() const {
    const int64_t each = yc.length / groups;
    for (int64_t n = 0; n < yn.length; ++n) {
      for (int64_t o = 0; o < yc.length; ++o) {
        const float* image = x + n * xn.stride + o / each * wi.length * xc.stride;
        const float* taps = w + o * wo.stride;
        float* out = y + n * yn.stride + o * yc.stride;
        const auto add = [&](int64_t i, int64_t ky, int64_t kx) {
          const float tap = taps[i * wi.stride + ky * wh.stride + kx * ww.stride];
          AddTap(image + i * xc.stride, tap, ky, kx, out);
        };
        if (channels_last) {
          ForEach(wh.length, ww.length, wi.length,
                  [&](int64_t ky, int64_t kx, int64_t i) { add(i, ky, kx); });
        } else {
          ForEach(wi.length, wh.length, ww.length, add);
        }
      }
    }
  }

 private:
  template <typename F>
  static void ForEach(int64_t a, int64_t b, int64_t c, F visit) {
    for (int64_t i = 0; i < a; ++i) {
      for (int64_t j = 0; j < b; ++j) {
        for (int64_t k = 0; k < c; ++k) visit(i, j, k);
      }
    }
  }

  // Adds the products with one weight to a channel of the result.
  void AddTap(const float* image, float tap, int64_t ky, int64_t kx, float* out) const {
    const int64_t shift = kx * dilation_w - left;
    // The columns whose window is in the image.
    const int64_t first = shift >= 0 ? 0 : (-shift + stride_w - 1) / stride_w;
    const int64_t room = xw.length - 1 - shift;
    const int64_t last = room < 0 ? 0 : std::min(yw.length, room / stride_w + 1);
    for (int64_t row = 0; row < yh.length; ++row) {
      const int64_t from = row * stride_h + ky * dilation_h - top;
      if (from < 0 || from >= xh.length) continue;
      const float* line = image + from * xh.stride + shift * xw.stride;
      float* to = out + row * yh.stride;
      for (int64_t column = first; column < last; ++column) {
        to[column * yw.stride] += line[column * stride_w * xw.stride] * tap;
      }
    }
  }
};

absl::StatusOr<Value> EvalConvolution(const OpCall& call, const Tensor& x, const Tensor& w) {
  const std::string data = ops::FindString(call.call, "data_layout");
  const std::string kernel = ops::FindString(call.call, "kernel_layout");
  const std::string out = ops::FindString(call.call, "out_layout");
  const auto* info = call.result_info == nullptr ? nullptr : call.result_info->As<ir::TensorInfo>();
  if (info == nullptr || info->dims() == nullptr || info->dtype != ir::DType::Float(32)) {
    return Value();
  }
  std::vector<int64_t> dims;
  for (ir::PrimRef dim : *info->dims()) {
    const auto* number = dim->As<ir::IntImm>();
    if (number == nullptr) return Value();
    dims.push_back(number->value);
  }
  if (data.size() != x.shape.size() || kernel.size() != w.shape.size() ||
      out.size() != dims.size() || data.size() > 4 ||
      data.find_first_of("0123456789") != std::string::npos ||
      kernel.find_first_of("0123456789") != std::string::npos ||
      out.find_first_of("0123456789") != std::string::npos) {
    return Value();
  }
  const auto attribute = [&](const char* name) { return ops::IntsAttr(call.call, name); };
  const std::vector<int64_t> strides = attribute("strides"), dilation = attribute("dilation"),
                             padding = attribute("padding");
  const Floats image = FloatsOf(x), taps = FloatsOf(w);
  uint64_t count = 1;
  for (int64_t dim : dims) count *= static_cast<uint64_t>(dim);
  Floats result(count);
  Convolution c{image.data(), taps.data(), result.data()};
  const bool flat = strides.size() == 1;
  const auto axis = [](const std::string& layout, const std::vector<int64_t>& shape, char letter) {
    return AxisIn(layout, shape, letter);
  };
  c.xn = axis(data, x.shape, 'N');
  c.xc = axis(data, x.shape, 'C');
  c.xh = axis(data, x.shape, 'H');
  c.xw = axis(data, x.shape, 'W');
  c.wo = axis(kernel, w.shape, 'O');
  c.wi = axis(kernel, w.shape, 'I');
  c.wh = axis(kernel, w.shape, 'H');
  c.ww = axis(kernel, w.shape, 'W');
  c.yn = axis(out, dims, 'N');
  c.yc = axis(out, dims, 'C');
  c.yh = axis(out, dims, 'H');
  c.yw = axis(out, dims, 'W');
  c.stride_w = strides.back();
  c.dilation_w = dilation.back();
  c.left = padding[padding.size() / 2 - 1];
  if (!flat) {
    c.stride_h = strides[0];
    c.dilation_h = dilation[0];
    c.top = padding[0];
  }
  c.groups = ops::IntAttr(call.call, "groups");
  c.channels_last = data.back() == 'C';
  if (c.groups < 1 || c.yc.length % c.groups != 0 || c.wi.length * c.groups != c.xc.length ||
      c.xn.length != c.yn.length || c.wo.length != c.yc.length) {
    return Value();
  }
  c.Run();
  return TensorOfFloats(call, std::move(dims), result);
}

// Matrices with equal batches, or one matrix for all batches.
absl::StatusOr<Value> EvalMatMul(const OpCall& call, const Tensor& x, const Tensor& w) {
  const size_t rank = x.shape.size();
  if (rank < 2 || w.shape.size() < 2 || w.shape.size() > rank) return Value();
  const int64_t rows = x.shape[rank - 2], depth = x.shape[rank - 1];
  const int64_t columns = w.shape.back();
  if (w.shape[w.shape.size() - 2] != depth) return Value();
  const bool one = w.shape.size() == 2;
  if (!one && (w.shape.size() != rank ||
               !std::equal(x.shape.begin(), x.shape.end() - 2, w.shape.begin()))) {
    return Value();
  }
  std::vector<int64_t> dims = x.shape;
  dims.back() = columns;
  int64_t batches = 1;
  for (size_t i = 0; i + 2 < rank; ++i) batches *= dims[i];
  const Floats a = FloatsOf(x), b = FloatsOf(w);
  Floats result(static_cast<size_t>(batches * rows * columns));
  for (int64_t n = 0; n < batches; ++n) {
    const float* factors = b.data() + (one ? 0 : n * depth * columns);
    for (int64_t r = 0; r < rows; ++r) {
      float* to = result.data() + (n * rows + r) * columns;
      for (int64_t k = 0; k < depth; ++k) {
        const float factor = a[static_cast<size_t>((n * rows + r) * depth + k)];
        const float* line = factors + k * columns;
        for (int64_t j = 0; j < columns; ++j) to[j] += factor * line[j];
      }
    }
  }
  return TensorOfFloats(call, std::move(dims), result);
}

}  // namespace

absl::StatusOr<Value> EvalProduct(const OpCall& call) {
  const std::string& name = call.op.name;
  const bool is_conv = name == "relax.nn.conv1d" || name == "relax.nn.conv2d";
  if (!is_conv && name != "relax.matmul") return Value();
  const Tensor* x = call.args[0].AsTensor();
  const Tensor* w = call.args[1].AsTensor();
  const ir::DType real = ir::DType::Float(32);
  if (x == nullptr || w == nullptr || x->dtype != real || w->dtype != real) return Value();
  const ir::DType out = ops::FindDType(call.call, "out_dtype");
  if (!out.is_void() && out != real) return Value();
  return is_conv ? EvalConvolution(call, *x, *w) : EvalMatMul(call, *x, *w);
}

}  // namespace lathe::interp
