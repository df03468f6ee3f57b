// Builds a module binding by binding, for importers of other formats and for programs that use
// Lathe as a library. docs/block-builder.md walks through an example.
//
//   BlockBuilder b(context);
//   b.Function("main", {{"x", b.Tensor({n, 4})}}, [&](const Operands& in) {
//     return b.Dataflow([&] {
//       Operand lv = b.Op("relax.exp", {in[0]});
//       return b.Output(b.Op("relax.add", {lv, in[0]}), "y");
//     });
//   });
//   absl::StatusOr<ir::Module> module = b.Finish();
//
// The info of each value is derived when it is bound. Errors do not stop the construction: Finish
// checks the module like one that was read, and lists all errors.
#ifndef LATHE_TRANSFORM_BLOCK_BUILDER_H_
#define LATHE_TRANSFORM_BLOCK_BUILDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/analysis/derive/derivation.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ops/te/te.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/global_names.h"

namespace lathe::transform {

using Operands = std::vector<ir::Operand>;

class BlockBuilder {
 public:
  // `context` must outlive the builder and the module.
  explicit BlockBuilder(ir::Context& context);
  BlockBuilder(const BlockBuilder&) = delete;
  BlockBuilder& operator=(const BlockBuilder&) = delete;

  // Infos and literals.
  ir::PrimRef ShapeVar(absl::string_view name) { return context_.NewVar(name); }
  ir::StructInfoRef Tensor(std::vector<ir::PrimRef> dims, ir::DType dtype = ir::DType::Float(32)) {
    return context_.Tensor(std::move(dims), dtype);
  }
  ir::StructInfoRef Tensor(std::initializer_list<int64_t> dims,
                           ir::DType dtype = ir::DType::Float(32));
  ir::Operand Constant(ir::DType dtype, std::vector<int64_t> shape,
                       const std::vector<double>& elements);
  ir::Operand Constant(ir::Constant constant) {
    return {module_.constants.Add(std::move(constant))};
  }
  const ir::Constant& ConstantAt(ir::ConstantId id) const { return module_.constants[id]; }
  static ir::Operand Shape(std::vector<ir::PrimRef> dims) {
    return {ir::ShapeExpr{std::move(dims)}};
  }
  static ir::Operand Tuple(Operands fields) { return {ir::TupleExpr{std::move(fields)}}; }
  ir::Operand Number(int64_t value) { return {ir::PrimValue{context_.Int(value)}}; }

  // Returns the info of `operand` at this point.
  ir::StructInfoRef InfoOf(const ir::Operand& operand);

  // Functions.
  struct Param {
    std::string name;
    ir::StructInfoRef info = nullptr;  // null: an object
  };
  struct FunctionOptions {
    bool exported = true;  // under its name
    bool pure = true;
    ir::StructInfoRef ret = nullptr;  // null: derived
  };
  // Adds a function to the module. `body` emits its bindings and returns its result.
  ir::GlobalId Function(absl::string_view name, const std::vector<Param>& params,
                        const std::function<ir::Operand(const Operands&)>& body,
                        const FunctionOptions& options);
  ir::GlobalId Function(absl::string_view name, const std::vector<Param>& params,
                        const std::function<ir::Operand(const Operands&)>& body) {
    return Function(name, params, body, FunctionOptions());
  }
  // Declare and Define add a function in two steps, for recursive functions. `options.ret` is
  // required, and every declared function must be defined.
  ir::GlobalId Declare(absl::string_view name, const std::vector<Param>& params,
                       const FunctionOptions& options);
  void Define(ir::GlobalId function, const std::function<ir::Operand(const Operands&)>& body);
  // Adds a local function, which may capture values. `self` is the function itself, for recursion;
  // that requires `options.ret`.
  ir::Operand LocalFunction(
      absl::string_view name, const std::vector<Param>& params,
      const std::function<ir::Operand(const Operands&, const ir::Operand& self)>& body,
      const FunctionOptions& options);
  // Adds a private PrimFunc. Its name may get a number.
  ir::GlobalId PrimFunc(absl::string_view name, ir::PrimFunc func);

  // Bindings, inside a function. `name` is a hint.
  ir::Operand Emit(ir::Rhs rhs, absl::string_view name = "lv");
  // Emits a call of an operator. Missing attributes get their defaults. Finish reports unknown
  // operators, surplus arguments and missing attributes without a default.
  ir::Operand Op(absl::string_view op, Operands args, ir::AttrMap attrs = {},
                 absl::string_view name = "lv");
  ir::Operand Call(ir::GlobalId function, Operands args, absl::string_view name = "lv");
  ir::Operand Call(const ir::Operand& function, Operands args, absl::string_view name = "lv");
  ir::Operand Field(ir::Operand tuple, int index, absl::string_view name = "lv");
  // Emits a match_cast, which binds new shape variables that are whole dimensions of `info`.
  ir::Operand MatchCast(ir::Operand value, ir::StructInfoRef info, absl::string_view name = "lv");
  ir::Operand If(ir::Operand cond, const std::function<ir::Operand()>& then_body,
                 const std::function<ir::Operand()>& else_body, absl::string_view name = "lv");
  ir::Operand CallTir(ir::GlobalId func, Operands args, ir::StructInfoRef result,
                      absl::string_view name = "lv");

  // Emits a call of a PrimFunc that `compute` generates for the tensors `args`. `compute` returns
  // the buffers of the results. As in operators, indices from data are checked at run time, and a
  // condition of Te::Need is asserted, or reported when it is always false.
  using ComputeFn = std::function<std::vector<ir::BufferRef>(ops::Te&)>;
  ir::Operand EmitTe(absl::string_view name, const Operands& args, const ComputeFn& compute);

  // Puts the bindings that `body` emits into one dataflow block. Only its outputs are visible
  // outside.
  ir::Operand Dataflow(const std::function<ir::Operand()>& body);
  ir::Operand Output(ir::Operand value, absl::string_view name = "gv");

  // Sets the source location of the next bindings, for messages. Returns the previous one. A branch
  // or function does not change the location of what follows it.
  Location At(Location loc) { return std::exchange(loc_, std::move(loc)); }

  // Returns the checked and normalized module and leaves the builder empty. Fails with all errors,
  // which diags() lists too.
  absl::StatusOr<ir::Module> Finish();
  const Diagnostics& diags() const { return diags_; }
  // Names a bound variable for printers. Ignores parameters and operands that are not variables.
  void Name(const ir::Operand& operand, absl::string_view name);
  // Returns the errors in the bindings so far; Finish reports them again.
  const Diagnostics& premature() const { return premature_; }

  // A position in the open body. RestoreTo drops the bindings and errors after it; what they bound
  // must not be used afterwards.
  struct Mark {
    size_t blocks = 0, bindings = 0, errors = 0, premature = 0;
  };
  Mark Here() const;
  void RestoreTo(const Mark& mark);
  // Returns the number of calls of MatchCast so far, including those that RestoreTo dropped.
  int64_t match_casts() const { return match_casts_; }

 private:
  ir::Operand Bind(ir::Rhs rhs, absl::string_view name, bool dataflow);
  ir::Operand Place(ir::ValueId id, ir::Rhs rhs);
  ir::Body CollectBody(const std::function<ir::Operand()>& body);
  ir::Function MakeSignature(const std::vector<Param>& params, const FunctionOptions& options);
  void FillBody(ir::Function& f, absl::string_view name,
                const std::function<ir::Operand(const Operands&)>& body);
  void Fail(absl::string_view message);

  ir::Context& context_;
  ir::Module module_;
  Diagnostics diags_;
  Diagnostics premature_;  // errors during construction; Finish reports them again
  GlobalNames names_;
  std::unique_ptr<analysis::Derivation> derivation_;
  std::vector<ir::Body*> bodies_;  // open, the innermost last
  bool in_dataflow_ = false;
  int64_t match_casts_ = 0;
  Location loc_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_BLOCK_BUILDER_H_
