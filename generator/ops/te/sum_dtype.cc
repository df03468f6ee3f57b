#include "generator/ops/te/sum_dtype.h"

namespace lathe::ops {

using ir::DType;

DType SumDType(DType dtype) {
  if (dtype.is_floating()) return dtype.bits < 32 ? DType::Float(32) : dtype;
  return dtype.is_integer() && dtype.bits < 64 ? DType::Int(64) : dtype;
}

}  // namespace lathe::ops
