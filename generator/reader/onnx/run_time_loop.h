// Emits loops whose trip count is known only at run time, as a local tail-recursive function, which
// becomes a C loop. Its parameters are the iteration number, an optional condition, the
// loop-carried states, and the tensors that collect scan outputs. States and scan outputs are
// written in place, in memory that the loop owns.
#ifndef LATHE_READER_ONNX_RUN_TIME_LOOP_H_
#define LATHE_READER_ONNX_RUN_TIME_LOOP_H_

#include <functional>
#include <optional>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Results of one iteration.
struct Iteration {
  std::optional<Operand> go;  // condition of the next iteration; none: it always runs
  std::vector<Term> states;
  std::vector<Term> elements;
};

// A scan output: dimensions and dtype of the element that each iteration contributes.
struct ScanOutput {
  Dims dims;
  DType dtype;
  int axis = 0;            // axis of the scan output that the iterations index
  bool backwards = false;  // store iterations in reverse order
  // The scan output has an axis of `parts` after the iteration axis; this loop fills index `part`.
  int part = 0, parts = 0;
  std::optional<Operand> into = {};  // allocated by another loop, which filled other parts
};

// Returns the scan output that the loop body declares.
absl::StatusOr<ScanOutput> ScanOutputOf(NodeCall& n, const ValueInfo& output);

struct RunTimeLoop {
  PrimRef most = nullptr;     // trip count; null: only `go` ends the loop
  std::optional<Operand> go;  // condition of the first iteration, if the loop has one
  std::vector<Term> states;
  std::vector<ScanOutput> scan_outputs;
  bool computes_states = false;  // the body computes every state; it forwards none unchanged
  bool proves_shapes = false;    // fail where a shape would be checked at run time
  // Emits one iteration. `go` is a constant true if the loop has no condition.
  std::function<absl::StatusOr<Iteration>(PrimRef iteration, const Operand& go,
                                          const std::vector<Term>& states)>
      body;
};

// Emits the loop. Returns the final states, then the scan outputs. States are tensors of
// loop-invariant shape.
absl::StatusOr<std::vector<Term>> EmitRunTimeLoop(NodeCall& n, RunTimeLoop loop);

// Returns an integer or bool as a tensor of rank 0.
Operand ScalarOf(NodeCall& n, PrimRef value);

// Binds the int64 tensor `scalar` to a new shape variable. The run fails with LATHE_E_SHAPE if it
// is negative.
PrimRef SizeOf(NodeCall& n, const Operand& scalar, absl::string_view name = "turns");

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_LOOP_H_
