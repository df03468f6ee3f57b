// Imports RegexFullMatch as an automaton that reads each string byte by byte from a table.
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/pattern/state_table.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr DType kState = DType::Int(16);

Operand TableConstant(NodeCall& n, DType dtype, std::vector<int64_t> shape, const auto& values) {
  return n.builder().Constant(dtype, std::move(shape),
                              std::vector<double>(values.begin(), values.end()));
}

}  // namespace

absl::StatusOr<Results> ImportRegexFullMatch(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand x, StringsIn(n, 0));
  const std::string text = n.String("pattern", "");
  const auto pattern = ParsePattern(text);
  if (absl::IsUnimplemented(pattern.status())) {
    return n.Unsupported() << "'pattern' has " << pattern.status().message()
                           << ", which is not supported";
  }
  if (!pattern.ok()) return n.Error() << "'pattern' is invalid: " << pattern.status().message();
  const auto table = TableOf(*pattern);
  if (!table.ok()) return n.Unsupported() << "'pattern' is too large: " << table.status().message();
  const auto states = static_cast<int64_t>(table->is_accepted.size());
  const Operands args = {x, TableConstant(n, DType::UInt(8), {256}, table->classes),
                         TableConstant(n, kState, {states, table->class_count}, table->next),
                         TableConstant(n, DType::UInt(8), {states}, table->is_accepted)};
  return n.Kernel("match_strings", args, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef strings = te.Input(0);
    const Dims rows(strings->shape.begin(), strings->shape.end() - 1);
    ir::BufferRef state = te.Allocate("state", rows, kState);
    te.Run("read", rows, [&](ops::Statements& s, const Indices& at) {
      s.Store(state, at, m.Const(0, kState));
      s.For("i", strings->shape.back(), [&](PrimRef i) {
        Indices place = at;
        place.push_back(i);
        const PrimRef byte = s.Let("byte", te.At(strings, place));
        const PrimRef kind = te.At(te.Input(1), {m.Cast(byte, kWhole)});
        const PrimRef now = te.At(state, at);
        const PrimRef next = te.At(te.Input(2), {m.Cast(now, kWhole), m.Cast(kind, kWhole)});
        // Zeros after the string are not part of it.
        s.Store(state, at, m.Select(m.Eq(byte, m.Const(0, kByte)), now, next));
      });
    });
    return te.Compute("out", rows, DType::Bool(), [&](const Indices& at) {
      const PrimRef accepted = te.At(te.Input(3), {m.Cast(te.At(state, at), kWhole)});
      return m.Ne(accepted, m.Const(0, DType::UInt(8)));
    });
  });
}

}  // namespace lathe::onnx
