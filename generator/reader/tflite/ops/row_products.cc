#include "generator/reader/tflite/ops/row_products.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/hybrid.h"

namespace lathe::tflite {

RowProducts::RowProducts(Te& te, const std::string& name, int64_t size, WeightKind kind)
    : te_(te), size_(size), kind_(kind) {
  const auto scalar = [&](const char* part, DType dtype) {
    return te.Allocate(absl::StrCat(name, "_", part), {}, dtype);
  };
  sum_ = scalar("sum", kind.hybrid ? kWhole : kReal);
  if (!kind.hybrid) return;
  integers_ = te.Allocate(absl::StrCat(name, "_integers"), {m().Int(size)}, DType::Int(8));
  high_ = scalar("high", kReal);
  scale_ = scalar("scale", kReal);
  if (!kind.asymmetric) return;
  low_ = scalar("low", kReal);
  zero_ = scalar("zero", kWhole);
}

void RowProducts::Load(ops::Statements& s, Elements element) {
  element_ = std::move(element);
  if (kind_.hybrid) Quantize(s, element_);
}

void RowProducts::Quantize(ops::Statements& s, const Elements& element) {
  const PrimRef none = m().Const(0, kReal);
  s.Store(high_, {}, none);
  if (kind_.asymmetric) s.Store(low_, {}, none);
  s.For("k", m().Int(size_), [&](PrimRef k) {
    const PrimRef x = s.Let("x", element(k));
    s.Store(high_, {}, m().Max(ValueOf(high_), kind_.asymmetric ? x : m().Call("abs", {x})));
    if (kind_.asymmetric) s.Store(low_, {}, m().Min(ValueOf(low_), x));
  });
  if (kind_.asymmetric) {
    s.Store(scale_, {}, AsymmetricScale(m(), ValueOf(low_), ValueOf(high_)));
    s.Store(zero_, {}, AsymmetricZero(m(), ValueOf(low_), ValueOf(high_)));
  } else {
    s.Store(scale_, {}, m().Div(ValueOf(high_), m().Const(127, kReal)));
  }
  s.For("k", m().Int(size_), [&](PrimRef k) {
    const PrimRef q = kind_.asymmetric
                          ? AsymmetricInteger(m(), element(k), ValueOf(scale_), ValueOf(zero_))
                          : SymmetricInteger(m(), element(k), ValueOf(high_));
    s.Store(integers_, {k}, m().Cast(q, DType::Int(8)));
  });
}

PrimRef RowProducts::Product(ops::Statements& s, const Elements& weight, double scale) {
  s.Store(sum_, {}, m().Const(0, kind_.hybrid ? kWhole : kReal));
  s.For("k", m().Int(size_), [&](PrimRef k) {
    PrimRef x = nullptr;
    if (kind_.hybrid) {
      x = m().Cast(te_.At(integers_, {k}), kWhole);
      if (kind_.asymmetric) x = m().Sub(x, ValueOf(zero_));
      x = m().Mul(m().Cast(weight(k), kWhole), x);
    } else {
      x = m().Mul(weight(k), element_(k));
    }
    s.Store(sum_, {}, m().Add(ValueOf(sum_), x));
  });
  if (!kind_.hybrid) return s.Let("product", ValueOf(sum_));
  const PrimRef both = m().Mul(ValueOf(scale_), m().Const(scale, kReal));
  return s.Let("product", m().Mul(m().Cast(ValueOf(sum_), kReal), both));
}

absl::StatusOr<WeightKind> WeightKindOf(OpCall& c, const std::vector<int>& inputs) {
  WeightKind kind;
  bool first = true;
  for (const int i : inputs) {
    if (i < 0 || !c.Has(i)) continue;
    const Tensor& weight = c.In(i);
    const bool integer = weight.type == kInt8;
    if ((!integer && weight.type != kFloat32) || (!first && integer != kind.hybrid)) {
      return c.Unsupported() << c.op() << " of float data with weights '" << weight.name << "' of "
                             << TypeName(weight.type)
                             << "; supported are weights that are all float32 or all int8";
    }
    if (integer && (weight.quantization.scales.size() != 1 || c.InAffine(i).zero != 0)) {
      return c.Unsupported() << "weights '" << weight.name << "' with "
                             << weight.quantization.scales.size() << " scales and zero point "
                             << c.InAffine(i).zero << "; one scale and zero point 0 are supported";
    }
    kind.hybrid = integer;
    first = false;
  }
  kind.asymmetric = kind.hybrid && c.Int("asymmetric") != 0;
  return kind;
}

}  // namespace lathe::tflite
