// Imports CIRCULAR_BUFFER.
#include "generator/reader/tflite/ops/custom_options.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/variables.h"
#include "generator/support/status.h"

namespace lathe::tflite {

// Keeps the last slots: the result moves by one and gets the input as its last slot.
absl::StatusOr<Results> ImportCircularBuffer(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  const std::vector<int64_t>&in = c.In(0).shape, &out = c.Out().shape;
  if (in.size() != 4 || out.size() != 4 || in[0] != 1 || in[1] != 1 || out[0] != 1 ||
      in[2] != out[2] || in[3] != out[3] || c.In(0).type != c.Out().type) {
    return c.Error() << "data of [1, 1, a, b] become [1, n, a, b] of one type";
  }
  int64_t cycles = options.Int("cycles_max");
  // TFLM guesses from the number of slots.
  if (cycles <= 0) cycles = out[1] == 5 || out[1] == 13 || out[1] == 25 ? 1 : 2;
  if (cycles > 1) {
    return c.Unsupported() << "CIRCULAR_BUFFER that ends runs early (every " << cycles
                           << " runs continue); one that never does is supported";
  }
  const std::string key = c.Out().is_variable ? TensorKey(c.graph().index(), c.node().outputs[0])
                                              : c.graph().OperatorKey(c.node());
  Operand& state = c.graph().model().variables[key];
  const int64_t slots = out[1];
  const Operand made = c.Kernel("append_slot", {state, c.Arg(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsFrom(out), c.TypeOf(c.Arg(0)), [&](const Indices& at) {
      const PrimRef next = m.Min(m.Add(at[1], m.Int(1)), m.Int(slots - 1));
      return m.Select(m.Lt(at[1], m.Int(slots - 1)),
                      te.At(te.Input(0), {at[0], next, at[2], at[3]}),
                      te.At(te.Input(1), {at[0], m.Int(0), at[2], at[3]}));
    });
  });
  state = made;
  return made;
}

}  // namespace lathe::tflite
