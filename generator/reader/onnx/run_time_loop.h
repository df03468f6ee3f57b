// Loops that turn as often as the run says: a function within the function that calls itself in its
// last place, which becomes a loop in C. Its parameters are the number of the turn, whether to go
// on, what a turn hands to the next, and the tensors that collect an element of each turn.
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

// What is collected of each turn: its dimensions and dtype, the last turn first perhaps.
struct Collected {
  Dims dims;
  DType dtype;
  bool backwards = false;
};

// As the body of a loop declares it.
absl::StatusOr<Collected> CollectedOf(NodeCall& n, const ValueInfo& output);

struct RunTimeLoop {
  std::optional<Operand> trips;  // a scalar of int64: the most turns there are
  std::optional<Operand> go;     // a scalar of bool: whether there is a first one
  PrimRef most = nullptr;        // `trips` as a size, where something is collected
  bool may_end = false;          // before the turns are as many
  std::vector<Term> states;
  std::vector<Collected> collected;
  std::function<absl::StatusOr<Turn>(const Operand& turn, const Operand& go,
                                     const std::vector<Term>& states)>
      body;
};

// The states after the last turn, then what was collected, along a new first axis. States are
// tensors, and keep their shapes.
absl::StatusOr<std::vector<Term>> TurnAtRunTime(NodeCall& n, RunTimeLoop loop);

// `scalar`, of int64, as a size, a new shape variable; a run where it is negative ends with
// LATHE_E_SHAPE.
PrimRef SizeOf(NodeCall& n, const Operand& scalar, absl::string_view name = "turns");

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RUN_TIME_LOOP_H_
