#include "generator/ops/te/statistics.h"

#include "generator/ops/te/sum_dtype.h"

namespace lathe::ops {

using ir::PrimRef;

Statistics::Statistics(Te& te, const std::vector<int>& axes, int channel, int64_t groups)
    : te_(te), x_(te.Input(0)), reduced_(x_->shape.size(), false) {
  dtype_ = SumDType(x_->dtype);
  for (int axis : axes) reduced_[axis] = true;
  if (groups > 0) {
    channel_ = channel;
    group_size_ = te.math().FloorDiv(x_->shape[channel], te.math().Int(groups));
  }
  for (size_t i = 0; i < reduced_.size(); ++i) {
    const bool parted = static_cast<int>(i) == channel_;
    if (parted) dims_.push_back(te.math().Int(groups));
    if (!parted && !reduced_[i]) dims_.push_back(x_->shape[i]);
    if (parted || reduced_[i]) over_.push_back(parted ? group_size_ : x_->shape[i]);
  }
}

Indices Statistics::In(const Indices& at, const Indices& r) const {
  ScalarMath& m = te_.math();
  Indices in;
  size_t kept = 0, gone = 0;
  for (size_t i = 0; i < reduced_.size(); ++i) {
    if (static_cast<int>(i) == channel_) {
      in.push_back(m.Add(m.Mul(at[kept++], group_size_), r[gone++]));
    } else {
      in.push_back(reduced_[i] ? r[gone++] : at[kept++]);
    }
  }
  return in;
}

Indices Statistics::Of(const Indices& in) const {
  Indices at;
  for (size_t i = 0; i < reduced_.size(); ++i) {
    if (static_cast<int>(i) == channel_) {
      at.push_back(te_.math().FloorDiv(in[i], group_size_));
    } else if (!reduced_[i]) {
      at.push_back(in[i]);
    }
  }
  return at;
}

PrimRef Statistics::Element(const Indices& in) { return te_.math().Cast(te_.At(x_, in), dtype_); }

ir::BufferRef Statistics::Average(const char* name,
                                  const std::function<PrimRef(const Indices&, const Indices&)>& f) {
  ScalarMath& m = te_.math();
  ir::BufferRef sum =
      te_.Reduce("sum", dims_, over_, te_.Sum(dtype_),
                 [&](const Indices& at, const Indices& r) { return f(at, In(at, r)); });
  PrimRef count = m.Int(1);
  for (PrimRef extent : over_) count = m.Mul(count, extent);
  return te_.Compute(name, dims_, dtype_, [&](const Indices& at) {
    return m.Div(te_.At(sum, at), m.Cast(count, dtype_));
  });
}

ir::BufferRef Statistics::Mean() {
  return Average("mean", [&](const Indices&, const Indices& in) { return Element(in); });
}

ir::BufferRef Statistics::Variance(ir::BufferRef mean) {
  return Average("variance", [&](const Indices& at, const Indices& in) {
    const PrimRef difference = te_.math().Sub(Element(in), te_.At(mean, at));
    return te_.math().Mul(difference, difference);
  });
}

ir::BufferRef Statistics::MeanSquare() {
  return Average("mean_square", [&](const Indices&, const Indices& in) {
    return te_.math().Mul(Element(in), Element(in));
  });
}

PrimRef Normalized(ScalarMath& m, PrimRef x, PrimRef mean, PrimRef variance, double epsilon) {
  const PrimRef spread = m.Add(variance, m.Const(epsilon, x->dtype()));
  return m.Mul(m.Sub(x, mean), m.Call("rsqrt", {spread}));
}

}  // namespace lathe::ops
