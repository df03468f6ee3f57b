#include "tests/reference/conv.h"

namespace lathe::reference {

namespace {

bool Inside(const Shape& shape, const Shape& at) {
  for (size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 0 || at[i] >= shape[i]) return false;
  }
  return true;
}

}  // namespace

Array Conv(const Array& x, const Array& w, const ConvNumbers& n) {
  const size_t rank = n.strides.size();
  Array out;
  out.shape = {x.shape[0], w.shape[0]};
  for (size_t i = 0; i < rank; ++i) {
    const int64_t reach = (w.shape[2 + i] - 1) * n.dilation[i] + 1;
    const int64_t padded = x.shape[2 + i] + n.padding[i] + n.padding[rank + i];
    out.shape.push_back((padded - reach) / n.strides[i] + 1);
  }
  out = Array(out.shape);
  const Shape taps(w.shape.begin() + 1, w.shape.end());
  const int64_t outputs_per_group = w.shape[0] / n.groups;
  ForEach(out.shape, [&](const Shape& o) {
    double sum = 0;
    ForEach(taps, [&](const Shape& k) {
      const int64_t group = o[1] / outputs_per_group;
      Shape from = {o[0], group * w.shape[1] + k[0]};
      Shape tap = {o[1], k[0]};
      for (size_t i = 0; i < rank; ++i) {
        from.push_back(o[2 + i] * n.strides[i] + k[1 + i] * n.dilation[i] - n.padding[i]);
        tap.push_back(k[1 + i]);
      }
      if (Inside(x.shape, from)) sum += x[from] * w[tap];
    });
    out[o] = sum;
  });
  return out;
}

Array ConvTranspose(const Array& x, const Array& w, const ConvNumbers& n) {
  const size_t rank = n.strides.size();
  Array out;
  out.shape = {x.shape[0], w.shape[1] * n.groups};
  for (size_t i = 0; i < rank; ++i) {
    out.shape.push_back((x.shape[2 + i] - 1) * n.strides[i] - n.padding[i] - n.padding[rank + i] +
                        (w.shape[2 + i] - 1) * n.dilation[i] + n.output_padding[i] + 1);
  }
  out = Array(out.shape);
  const Shape taps(w.shape.begin() + 1, w.shape.end());
  const int64_t inputs_per_group = x.shape[1] / n.groups;
  ForEach(x.shape, [&](const Shape& at) {
    ForEach(taps, [&](const Shape& k) {
      const int64_t group = at[1] / inputs_per_group;
      Shape to = {at[0], group * w.shape[1] + k[0]};
      Shape tap = {at[1], k[0]};
      for (size_t i = 0; i < rank; ++i) {
        to.push_back(at[2 + i] * n.strides[i] + k[1 + i] * n.dilation[i] - n.padding[i]);
        tap.push_back(k[1 + i]);
      }
      if (Inside(out.shape, to)) out[to] += x[at] * w[tap];
    });
  });
  return out;
}

}  // namespace lathe::reference
