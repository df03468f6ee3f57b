// Prints the steps of a routine that create or unpack values of any structure as C.
#ifndef LATHE_EMIT_C_PRINT_VALUE_STEPS_H_
#define LATHE_EMIT_C_PRINT_VALUE_STEPS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "generator/emit/c/print_moves.h"

namespace lathe::emit {

class ValueStepPrinter {
 public:
  // `floor` is the end of the memory that the routine uses in the arena: "&arena[frame_size]".
  ValueStepPrinter(Model& model, CScope& scope, MovePrinter& moves, std::string floor)
      : program_(model.program), scope_(scope), moves_(moves), floor_(std::move(floor)) {}

  absl::Status Keep(const ir::BoxStep& step, LineWriter& out);
  absl::Status Open(const ir::UnboxStep& step, LineWriter& out);
  absl::Status Rank(const ir::RankStep& step, LineWriter& out);
  absl::Status Function(const ir::FunctionStep& step, LineWriter& out);
  // Returns the names of the variables that the steps defined.
  const std::vector<std::string>& defined() const { return defined_; }

 private:
  // The C expression of a value's address and the prefix of its members: "x" and "x->", or
  // "&parts[1]" and "parts[1].".
  struct Place {
    std::string address;
    std::string member;
  };
  absl::Status Part(const Place& value, const ir::Form& form, const std::string& hint,
                    LineWriter& out);
  absl::Status Tensor(const Place& value, ir::TensorId id, LineWriter& out);
  absl::Status Scalar(const Place& value, ir::PrimRef var, LineWriter& out);
  absl::Status Shape(const Place& value, const ir::ShapeForm& shape, const std::string& hint,
                     LineWriter& out);
  absl::Status Fields(const Place& value, const std::vector<ir::Form>& forms,
                      const std::string& taker, const std::string& hint, LineWriter& out);
  void DefineSizes(const Place& value, const ir::Tensor& tensor, LineWriter& out);
  // Prints the definition of a constant variable for `var` and adds it to the scope.
  void Define(ir::PrimRef var, const std::string& value, LineWriter& out);

  const ir::Program& program_;
  CScope& scope_;
  MovePrinter& moves_;
  const std::string floor_;
  std::vector<std::string> defined_;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_VALUE_STEPS_H_
