// Loops that turn when the program runs: a function within the function that calls itself in its
// last place, which becomes a loop in C. Its parameters are the number of the turn, whether to go
// on where the body says so, what a turn hands to the next, and the tensors that collect an element
// of each turn. Both are written in place, in memory of the loop's own.
#ifndef LATHE_READER_ONNX_RUN_TIME_LOOP_H_
#define LATHE_READER_ONNX_RUN_TIME_LOOP_H_

#include <functional>
#include <optional>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// What one turn leaves behind.
struct Turn {
  std::optional<Operand> go;  // whether there is to be another; without it there is
  std::vector<Term> states;
  std::vector<Term> elements;
};

// What is collected of each turn: its dimensions and dtype.
struct Collected {
  Dims dims;
  DType dtype;
  int axis = 0;            // of what is collected, along which the turns are
  bool backwards = false;  // the last turn first
  // The tensor has an axis of `parts` behind that of the turns, and this loop fills one of them.
  int part = 0, parts = 0;
  std::optional<Operand> into = {};  // made by another loop, which filled other parts
};

// As the body of a loop declares it.
absl::StatusOr<Collected> CollectedOf(NodeCall& n, const ValueInfo& output);

struct RunTimeLoop {
  PrimRef most = nullptr;     // turns; null where only `go` ends it
  std::optional<Operand> go;  // a scalar of bool, whether there is a first turn, where the loop may
                              // end before there were so many
  std::vector<Term> states;
  std::vector<Collected> collected;
  bool makes_states = false;  // the body computes all states anew, and gives none on as it is
  // `go` is true where the loop has none.
  std::function<absl::StatusOr<Turn>(PrimRef turn, const Operand& go,
                                     const std::vector<Term>& states)>
      body;
};

// The states after the last turn, then what was collected. States are tensors, and keep their
// shapes.
absl::StatusOr<std::vector<Term>> TurnAtRunTime(NodeCall& n, RunTimeLoop loop);

// A number, or a truth, as a tensor without dimensions.
Operand ScalarOf(NodeCall& n, PrimRef value);

// `scalar`, of int64, as a size, a new shape variable; a run where it is negative ends with
// LATHE_E_SHAPE.
PrimRef SizeOf(NodeCall& n, const Operand& scalar, absl::string_view name = "turns");

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_LOOP_H_
