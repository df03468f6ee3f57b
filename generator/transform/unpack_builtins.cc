#include "generator/transform/unpack_builtins.h"

#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/transform/emit_ops.h"

namespace lathe::transform {
namespace {

enum class Takes { kNothing, kTensor, kTensorAndShape };
struct BuiltinRow {
  absl::string_view function;
  absl::string_view op;
  Takes takes;
};
constexpr BuiltinRow kBuiltinRows[] = {
    {"vm.builtin.null_value", "relax.null_value", Takes::kNothing},
    {"vm.builtin.reshape", "relax.reshape", Takes::kTensorAndShape},
    {"vm.builtin.shape_of", "relax.shape_of", Takes::kTensor},
    {"vm.builtin.tensor_to_shape", "relax.tensor_to_shape", Takes::kTensor},
};

class Unpacking {
 public:
  Unpacking(ir::Context& context, ir::Module& module) : context_(context), module_(module) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> bindings;
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
        Unpack(binding, block.dataflow, bindings);
        bindings.push_back(std::move(binding));
      }
      block.bindings = std::move(bindings);
    }
  }

 private:
  // The result of the operator is cast to the declared info of the call.
  void Unpack(ir::Binding& binding, bool dataflow, std::vector<ir::Binding>& before) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr) return;
    absl::Span<const ir::Operand> args = call->args;
    const BuiltinRow* row = RowOf(*call, args);
    if (row == nullptr || call->sinfo_args.size() > 1 || !Fits(row->takes, args)) return;
    ir::StructInfoRef declared = call->sinfo_args.empty() ? context_.Object() : call->sinfo_args[0];
    const Location declared_loc = call->sinfo_loc;
    const size_t taken = static_cast<size_t>(row->takes);
    EmitOps emit(module_, before, dataflow, binding.loc);
    const bool views = row->takes == Takes::kTensorAndShape && !SameCount(args);
    std::vector<ir::Operand> operands(args.begin(), args.begin() + taken);
    // The same dtype and offset.
    if (views) operands.insert(operands.end(), 2, ir::Operand{ir::TupleExpr{}});
    ir::Operand value = emit.Op(views ? "relax.memory.view" : row->op, std::move(operands));
    if (declared->As<ir::ObjectInfo>() != nullptr) {
      binding.rhs = std::move(value);
    } else {
      binding.rhs = ir::MatchCast{std::move(value), declared, declared_loc};
    }
  }

  // The row of the called function. `args` becomes its arguments.
  const BuiltinRow* RowOf(const ir::Call& call, absl::Span<const ir::Operand>& args) const {
    const auto* f = std::get_if<ir::ExternFunc>(&call.callee);
    if (call.op() != nullptr && call.op()->name == "relax.call_pure_packed") {
      f = call.args[0].As<ir::ExternFunc>();
      args.remove_prefix(1);
    }
    if (f == nullptr) return nullptr;
    for (const BuiltinRow& row : kBuiltinRows) {
      if (row.function == f->name) return &row;
    }
    return nullptr;
  }

  // Extra arguments are ignored, as in the functions.
  bool Fits(Takes takes, absl::Span<const ir::Operand> args) const {
    if (args.size() < static_cast<size_t>(takes)) return false;
    if (takes != Takes::kNothing && Info(args[0])->As<ir::TensorInfo>() == nullptr) return false;
    return takes != Takes::kTensorAndShape || Info(args[1])->As<ir::ShapeInfo>() != nullptr;
  }

  // True when the shape certainly has as many elements as the tensor. R.reshape requires that; the
  // function allows fewer.
  bool SameCount(absl::Span<const ir::Operand> args) const {
    const auto* from = Info(args[0])->As<ir::TensorInfo>()->dims();
    const auto& to = Info(args[1])->As<ir::ShapeInfo>()->values;
    const auto count = [&](const std::vector<ir::PrimRef>& dims) {
      ir::PrimRef product = context_.Int(1);
      for (ir::PrimRef dim : dims) product = context_.Make(ir::BinaryOp::kMul, product, dim);
      return product;
    };
    return from != nullptr && to.has_value() &&
           analysis::ProveEqual(context_, count(*from), count(*to)) == ir::Tri::kYes;
  }

  ir::StructInfoRef Info(const ir::Operand& arg) const {
    return analysis::KnownInfo(context_, module_, arg);
  }

  ir::Context& context_;
  ir::Module& module_;
};

}  // namespace

void UnpackBuiltins(ir::Context& context, ir::Module& module) {
  ir::ForEachFunction(module, [&](ir::Function& f) { Unpacking(context, module).In(f.body); });
}

}  // namespace lathe::transform
