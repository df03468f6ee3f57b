// Emits products of a float vector with rows of weights, in statements. Integer weights are
// multiplied by the vector quantized at run time, as in hybrid.h.
#ifndef LATHE_READER_TFLITE_OPS_ROW_PRODUCTS_H_
#define LATHE_READER_TFLITE_OPS_ROW_PRODUCTS_H_

#include <functional>
#include <string>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// The kinds of weights for float data.
struct WeightKind {
  bool hybrid = false;      // int8 instead of float32
  bool asymmetric = false;  // the vector gets a zero point
};

class RowProducts {
 public:
  using Elements = std::function<PrimRef(PrimRef k)>;

  // Allocates what vectors of `size` elements need; `name` starts the names of buffers.
  RowProducts(Te& te, const std::string& name, int64_t size, WeightKind kind);

  // Sets the vector.
  void Load(ops::Statements& s, Elements element);
  // Returns the product of the vector with a row of weights; `scale` is that of integer weights.
  PrimRef Product(ops::Statements& s, const Elements& weight, double scale);

 private:
  void Quantize(ops::Statements& s, const Elements& element);
  ScalarMath& m() { return te_.math(); }
  PrimRef ValueOf(BufferRef scalar) { return te_.At(scalar, {}); }

  Te& te_;
  const int64_t size_;
  const WeightKind kind_;
  Elements element_;
  BufferRef sum_ = nullptr, integers_ = nullptr, low_ = nullptr, high_ = nullptr, scale_ = nullptr,
            zero_ = nullptr;
};

// Returns the kind of the weights that are inputs of an operator with float data; -1 and absent
// inputs do not count. Reports an error unless all are float32, or all int8 with one scale and zero
// point 0.
absl::StatusOr<WeightKind> WeightKindOf(OpCall& c, const std::vector<int>& inputs);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_ROW_PRODUCTS_H_
