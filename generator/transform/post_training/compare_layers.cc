#include "generator/transform/post_training/compare_layers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "generator/support/status.h"
#include "generator/transform/post_training/constant_values.h"

namespace lathe::transform {
namespace {

bool IsFloat(const interp::Tensor& tensor) { return tensor.dtype == ir::DType::Float(32); }

// The float32 tensors of a result.
void CollectTensors(const interp::Value& value, std::vector<interp::TensorRef>& out) {
  if (const auto* fields = value.AsTuple()) {
    for (const interp::Value& field : *fields) CollectTensors(field, out);
  } else if (const auto* tensor = value.As<interp::TensorRef>()) {
    if (IsFloat(**tensor)) out.push_back(*tensor);
  }
}

std::optional<int64_t> LargestIndex(const std::vector<interp::TensorRef>& outputs) {
  if (outputs.empty()) return std::nullopt;
  const std::vector<float> values = FloatsOf(*outputs[0]);
  if (values.empty()) return std::nullopt;
  return std::max_element(values.begin(), values.end()) - values.begin();
}

}  // namespace

void Deviation::Add(const interp::Tensor& real, const interp::Tensor& other) {
  const std::vector<float> a = FloatsOf(real), b = FloatsOf(other);
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    signal += x * x;
    noise += (x - y) * (x - y);
    product += x * y;
    quantized += y * y;
  }
}

double Deviation::sqnr() const {
  if (noise == 0) return kExactSqnr;
  return signal == 0 ? -kExactSqnr
                     : std::clamp(10 * std::log10(signal / noise), -kExactSqnr, kExactSqnr);
}

double Deviation::cosine() const {
  if (signal == 0 || quantized == 0) return signal == quantized ? 1 : 0;
  return product / std::sqrt(signal * quantized);
}

absl::StatusOr<Comparison> CompareLayers(const FloatNetwork& real,
                                         const QuantizedNetwork& quantized,
                                         const std::vector<Sample>& samples,
                                         const std::vector<int64_t>& labels, Diagnostics& diags,
                                         const ProgressCallback& report) {
  absl::flat_hash_set<ir::ValueId> points, dequantized;
  for (const auto& [point, value] : quantized.dequantized) {
    points.insert(point);
    dequantized.insert(value);
  }
  SampleRunner first(real.ir, real.module, real.function, points);
  SampleRunner second(real.ir, quantized.module, real.function, dequantized);
  Comparison out;
  for (size_t s = 0; s < samples.size(); ++s) {
    LATHE_ASSIGN_OR_RETURN(const interp::Value expected, first.Run(samples[s], diags));
    LATHE_ASSIGN_OR_RETURN(const interp::Value actual, second.Run(samples[s], diags));
    for (const auto& [point, value] : quantized.dequantized) {
      const auto a = first.tensors().find(point), b = second.tensors().find(value);
      if (a == first.tensors().end() || b == second.tensors().end()) continue;
      out.points[point].Add(*a->second, *b->second);
    }
    std::vector<interp::TensorRef> a, b;
    CollectTensors(expected, a);
    CollectTensors(actual, b);
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) out.outputs.Add(*a[i], *b[i]);
    const auto chosen = LargestIndex(a), found = LargestIndex(b);
    out.agreeing += chosen == found ? 1 : 0;
    if (s < labels.size()) {
      out.float_correct += chosen == labels[s] ? 1 : 0;
      out.quantized_correct += found == labels[s] ? 1 : 0;
    }
    ++out.samples;
    ReportTenths(report, "comparing", s + 1, samples.size());
  }
  return out;
}

}  // namespace lathe::transform
