// Builds the loops of products that operations of ir/defined_operations.h compute: rows times
// columns, and windows of channels.
#ifndef LATHE_OPS_DEFINITIONS_PRODUCT_LOOPS_H_
#define LATHE_OPS_DEFINITIONS_PRODUCT_LOOPS_H_

#include <cstdint>
#include <functional>

#include "generator/ir/context.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/tir.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/ops/te/statements.h"
#include "generator/support/check.h"

namespace lathe::ops {

// The arguments of a call.
class OperationArguments {
 public:
  OperationArguments(ir::Context& context, const ir::Intrinsic& call) : m_(context), call_(call) {}

  ScalarMath& math() { return m_; }
  size_t count() const { return call_.args.size(); }
  // True if results are rounded once (ir/once_result.h).
  bool once() const { return ir::RoundsOnce(call_.name); }
  // The position of x, after the numbers, of which the range of results is the last.
  size_t first() const { return ir::NumbersOfDefined(call_.name).size(); }
  size_t range() const { return first() - 2; }
  // Before the range: the zero point, or start and shift.
  size_t zero() const { return range() - 1; }
  size_t start() const { return range() - 2; }
  size_t shift() const { return range() - 1; }
  ir::PrimRef At(size_t arg) const { return call_.args[arg]; }
  int64_t Number(size_t arg) const {
    const auto* imm = call_.args[arg]->As<ir::IntImm>();
    LATHE_CHECK(imm != nullptr, "a number");
    return imm->value;
  }
  // An element of the memory that starts at the argument.
  ir::PrimRef Load(size_t arg, ir::PrimRef index) {
    return m_.ir().MakeLoad(BufferOf(arg), {m_.Add(IndexOf(arg), index)});
  }
  void Store(Statements& s, size_t arg, ir::PrimRef index, ir::PrimRef value) {
    s.Store(BufferOf(arg), {m_.Add(IndexOf(arg), index)}, value);
  }

 private:
  ir::BufferRef BufferOf(size_t arg) const { return call_.args[arg]->As<ir::Load>()->buffer; }
  ir::PrimRef IndexOf(size_t arg) const { return call_.args[arg]->As<ir::Load>()->indices[0]; }

  ScalarMath m_;
  const ir::Intrinsic& call_;
};

inline ir::PrimRef Widened(ScalarMath& m, ir::PrimRef value) {
  return m.Cast(value, ir::DType::Int(32));
}
inline ir::PrimRef WholeOf(ScalarMath& m, int64_t value) {
  return m.ir().Int(value, ir::DType::Int(32));
}

// Returns the int32 result of `sum` with one rounding, before it is clamped.
ir::PrimRef ScaledByFactor(OperationArguments& a, ir::PrimRef sum, ir::PrimRef factor);

// Describes what differs between the products of rows: the initial sum of column `c`, the weight of
// an element of a row, and the scaled sum.
struct RowLayout {
  std::function<ir::PrimRef(ir::PrimRef c)> start;
  std::function<ir::PrimRef(ir::PrimRef c, ir::PrimRef piece, ir::PrimRef k)> weight;
  std::function<ir::PrimRef(ir::PrimRef sum, ir::PrimRef c)>
      scaled;  // an int32, with the zero point
};

// Returns the loops of a product of rows and columns.
ir::StmtRef RowProducts(OperationArguments& a, const RowLayout& layout);

// Returns the loops of a depthwise convolution. `start` returns the initial sum of channel `c`,
// `weight` the weight at place `tap` of the window, and `scaled` the int32 result for a sum.
ir::StmtRef ChannelProducts(
    OperationArguments& a, const std::function<ir::PrimRef(ir::PrimRef c)>& start,
    const std::function<ir::PrimRef(ir::PrimRef c, int64_t tap)>& weight,
    const std::function<ir::PrimRef(ir::PrimRef sum, ir::PrimRef c)>& scaled);

}  // namespace lathe::ops

#endif  // LATHE_OPS_DEFINITIONS_PRODUCT_LOOPS_H_
