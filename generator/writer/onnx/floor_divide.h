// Writes the floor division of integers, which ONNX does not have: Div truncates.
#ifndef LATHE_WRITER_ONNX_FLOOR_DIVIDE_H_
#define LATHE_WRITER_ONNX_FLOOR_DIVIDE_H_

#include <vector>

#include "generator/ir/dtype.h"
#include "generator/writer/onnx/graph_writer.h"

namespace lathe::onnx {

// emit(operator, operands, attributes) emits a node and returns its result.
template <typename Value, typename Emit>
Value FloorDivide(const Value& a, const Value& b, ir::DType dtype, Emit emit) {
  const Value quotient = emit("Div", std::vector<Value>{a, b}, std::vector<Attribute>{});
  if (dtype.is_uint()) return quotient;
  // The remainders of both divisions differ where the quotients do. The difference a - remainder
  // could overflow.
  const Value floored = emit("Mod", std::vector<Value>{a, b}, std::vector<Attribute>{});
  const Value truncated = emit("Mod", std::vector<Value>{a, b}, {IntAttribute("fmod", 1)});
  const Value equal =
      emit("Equal", std::vector<Value>{floored, truncated}, std::vector<Attribute>{});
  const Value differ = emit("Not", std::vector<Value>{equal}, std::vector<Attribute>{});
  const Value one =
      emit("Cast", std::vector<Value>{differ}, {IntAttribute("to", ElementTypeOf(dtype))});
  return emit("Sub", std::vector<Value>{quotient, one}, std::vector<Attribute>{});
}

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_FLOOR_DIVIDE_H_
