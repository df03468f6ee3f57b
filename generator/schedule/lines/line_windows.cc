#include "generator/schedule/lines/line_windows.h"

#include "generator/ir/buffer_extent.h"
#include "generator/ir/defined_operations.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {

using analysis::ConstantValue;
using analysis::ConstantValues;
using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;

std::optional<int64_t> SpanOf(const ir::Intrinsic& product) {
  const auto n = [&](size_t i) { return nest::Number(product.args[i]); };
  for (size_t i = 0; i < (ir::IsRowProducts(product.name) ? 5 : 7); ++i) {
    if (!n(i)) return std::nullopt;
  }
  if (ir::IsRowProducts(product.name)) {
    return ir::SpanOfRows(*n(0), *n(1), *n(2), *n(3), *n(4));
  }
  return ir::SpanOfWindows(*n(0), *n(1), *n(2), *n(3), *n(4), *n(5), *n(6));
}

int64_t LinesIn(const ir::Intrinsic& product) {
  return nest::Number(product.args[ir::IsRowProducts(product.name) ? 2 : 3]).value_or(1);
}

std::optional<ir::Intrinsic> CopyOfLines(ir::Context& ir, const LineLoop& loop,
                                         const ir::Intrinsic& product, int64_t height,
                                         int64_t length, ir::BufferRef memory) {
  const auto* x = product.args[ir::NumbersOfDefined(product.name).size()]->As<ir::Load>();
  const auto pitch = nest::Number(product.args[ir::IsRowProducts(product.name) ? 3 : 4]);
  const auto span = SpanOf(product);
  const int64_t lines = LinesIn(product);
  if (!ir::IsPlainMemory(*x->buffer) || x->indices.size() != 1 || pitch != length || !span ||
      *span > lines * length) {
    return std::nullopt;
  }
  int64_t step = lines;
  (void)ForEachTurn(loop, [&](int64_t line, const ConstantValues& values) {
    if (line == 1) step = ConstantValue(x->indices[0], values).value_or(0) / length;
    return line < 1;
  });
  if (step < 1 || step > lines || !IsStartOfLine(loop, x->indices[0], step * length)) {
    return std::nullopt;
  }
  const DType narrow = DType::Int(32);
  const auto number = [&](int64_t value) { return ir.Int(value, narrow); };
  const PrimRef first = ir.Make(BinaryOp::kEq, loop.line, ir.Int(0));
  const PrimRef top = ir.MakeCast(narrow, ir.Make(BinaryOp::kMul, loop.line, ir.Int(step)));
  const PrimRef fresh = ir.MakeSelect(first, number(lines), number(step));
  return ir::Intrinsic{ir::kPaddedLines,
                       {top, number(height), number(length), number(0), number(0), number(lines),
                        number(1), fresh, number(0), number(0), ir.MakeLoad(x->buffer, {ir.Int(0)}),
                        ir.MakeLoad(memory, {ir.Int(0)})}};
}

std::optional<bool> LinesInOrder(const LineLoop& loop, const ir::Intrinsic& padded, int64_t height,
                                 int64_t length) {
  const auto number = [&](PaddedArgument i) { return nest::Number(padded.args[i]); };
  const auto is_start = [&](PaddedArgument i) {
    const auto* load = padded.args[i]->As<ir::Load>();
    return ir::IsPlainMemory(*load->buffer) && load->indices.size() == 1 &&
           ConstantValue(load->indices[0], {}) == 0;
  };
  const auto lines = number(kLines);
  if (!lines || !number(kBefore) || !number(kAfter) || number(kHeight) != height ||
      number(kLength) != length || number(kDilation) != 1 || !is_start(kX) || !is_start(kOut)) {
    return std::nullopt;
  }
  bool outside = false;
  int64_t next = 0;
  std::optional<int64_t> above;
  const bool in_order = ForEachTurn(loop, [&](int64_t, const ConstantValues& values) {
    const auto top = ConstantValue(padded.args[kTop], values);
    const auto fresh = ConstantValue(padded.args[kFresh], values);
    if (!top || !fresh || *fresh < 1 || *fresh > *lines) return false;
    if (*fresh < *lines && (!above || *top - *above != *fresh)) return false;
    above = top;
    for (int64_t y = *top + *lines - *fresh; y < *top + *lines; ++y) {
      const bool is_outside = y < 0 || y >= height;
      outside = outside || is_outside;
      if (!is_outside && y != next++) return false;
    }
    return true;
  });
  return in_order ? std::optional(outside) : std::nullopt;
}

}  // namespace lathe::schedule
