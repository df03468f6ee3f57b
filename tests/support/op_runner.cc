#include "tests/support/op_runner.h"

#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include "generator/interp/data/tensor.h"
#include "generator/interp/kernel/compile_prim_func.h"
#include "generator/interp/kernel/run_code.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "generator/support/match.h"
#include "gtest/gtest.h"
#include "tests/support/infer_probe.h"

namespace lathe::testing {

using ir::Operand;
using reference::Array;

namespace {

class Computing : public ir::ComputeContext {
 public:
  Computing(InferProbe& probe, ir::StructInfoRef result) : probe_(probe), result_(result) {}
  ir::Context& ir() override { return probe_.ir(); }
  ir::StructInfoRef InfoOf(const Operand& operand) const override { return probe_.InfoOf(operand); }
  ir::StructInfoRef ResultInfo() const override { return result_; }

 private:
  InferProbe& probe_;
  ir::StructInfoRef result_;
};

struct Run {
  InferProbe probe;
  std::shared_ptr<interp::MemoryBudget> budget = std::make_shared<interp::MemoryBudget>();
  std::vector<interp::PrimArg> memory;

  interp::TensorRef New(ir::DType dtype, const std::vector<int64_t>& shape) {
    return *interp::NewTensor(dtype, shape, budget);
  }
  Operand Add(const TypedArray& typed) {
    const ir::DType dtype = *ir::ParseDType(typed.dtype);
    const interp::TensorRef tensor = New(dtype, typed.array.shape);
    for (size_t i = 0; i < typed.array.data.size(); ++i) {
      const interp::Scalar exact = interp::Scalar::Float(typed.array.data[i], ir::DType::Float(64));
      tensor->Set(i, exact.CastTo(dtype).bits);
    }
    for (size_t i = 0; i < typed.whole.size(); ++i) {
      tensor->Set(i, static_cast<interp::Bits>(typed.whole[i]));
    }
    memory.push_back(tensor);
    return probe.Of(probe.ir().Tensor(Dims(typed.array.shape), dtype));
  }
  std::vector<ir::PrimRef> Dims(const std::vector<int64_t>& shape) {
    std::vector<ir::PrimRef> dims;
    for (int64_t dim : shape) dims.push_back(probe.ir().Int(dim));
    return dims;
  }
  Operand Number(int64_t value) { return Operand{ir::PrimValue{probe.ir().Int(value)}}; }
  Operand Add(const OpArg& arg) {
    return Match(
        arg, [&](const TypedArray& a) { return Add(a); },
        [&](const std::vector<TypedArray>& list) {
          ir::TupleExpr tuple;
          for (const TypedArray& a : list) tuple.fields.push_back(Add(a));
          return Operand{tuple};
        },
        [&](int64_t value) { return Number(value); },
        [&](double value) {
          return Operand{ir::PrimValue{probe.ir().Float(value, ir::DType::Float(32))}};
        },
        [&](const Numbers& numbers) {
          ir::TupleExpr tuple;
          for (int64_t value : numbers.values) tuple.fields.push_back(Number(value));
          return Operand{tuple};
        },
        [&](const ShapeArg& shape) { return Operand{ir::ShapeExpr{Dims(shape.dims)}}; });
  }
};

// So that a test which looks at the first result goes on.
std::vector<TypedArray> Nothing() { return std::vector<TypedArray>(1); }

}  // namespace

TypedArray Read(const interp::Tensor& tensor) {
  TypedArray typed{Array(tensor.shape), ToString(tensor.dtype), {}};
  for (size_t i = 0; i < typed.array.data.size(); ++i) {
    typed.array.data[i] = tensor.At(i).AsDouble();
    if (!tensor.dtype.is_floating()) typed.whole.push_back(tensor.At(i).AsInt());
  }
  return typed;
}

std::vector<TypedArray> RunOp(const std::string& name, const std::vector<OpArg>& args,
                              const ir::AttrMap& attrs) {
  const ir::Op* op = ops::FindSurfaceOp(name);
  if (op == nullptr || op->compute == nullptr) {
    ADD_FAILURE() << "nothing computes " << name;
    return Nothing();
  }
  Run run;
  ir::Call call{.callee = op, .attrs = attrs};
  std::vector<std::optional<Operand>> given;
  for (const OpArg& arg : args) given.push_back(run.Add(arg));
  const absl::Status complete = ops::CompleteCall(run.probe.ir(), *op, std::move(given), call);
  EXPECT_TRUE(complete.ok()) << name << ": " << complete;
  const absl::StatusOr<ir::StructInfoRef> info = op->infer(run.probe, call);
  if (!info.ok()) {
    ADD_FAILURE() << name << ": " << info.status();
    return Nothing();
  }
  Computing context(run.probe, *info);
  const absl::StatusOr<ir::PrimFunc> func = op->compute(context, call);
  if (!func.ok()) {
    ADD_FAILURE() << name << ": " << func.status() << " for " << ToString(*info);
    return Nothing();
  }
  const size_t inputs = run.memory.size();
  for (size_t i = inputs; i < func->params.size(); ++i) {
    const ir::Buffer& buffer = *func->params[i].buffer;
    std::vector<int64_t> shape;
    for (ir::PrimRef dim : buffer.shape) {
      const auto* imm = run.probe.Simplify(dim)->As<ir::IntImm>();
      EXPECT_NE(imm, nullptr) << name << ": " << ToString(dim);
      shape.push_back(imm == nullptr ? 0 : imm->value);
    }
    run.memory.push_back(run.New(buffer.dtype, shape));
  }
  const absl::StatusOr<interp::Code> code = interp::CompilePrimFunc(*func, name);
  Diagnostics diags;
  int64_t steps = int64_t{1} << 40;
  const interp::RunEnv env{run.budget, &steps, nullptr, &diags, {}};
  if (!code.ok() || !interp::RunCode(*code, run.memory, env).ok()) {
    ADD_FAILURE() << name << ": " << code.status() << " "
                  << (diags.all().empty() ? "" : diags.all()[0].message);
    return Nothing();
  }
  std::vector<TypedArray> results;
  for (size_t i = inputs; i < run.memory.size(); ++i) {
    results.push_back(Read(*std::get<interp::TensorRef>(run.memory[i])));
  }
  return results;
}

TypedArray RandomArray(reference::Shape shape, const std::string& dtype, uint32_t seed) {
  TypedArray typed{Array(std::move(shape)), dtype};
  const ir::DType t = *ir::ParseDType(dtype);
  std::mt19937 random(seed);
  for (double& x : typed.array.data) {
    const int draw = static_cast<int>(random() % 65);
    x = t.is_bool()   ? draw % 2
        : t.is_uint() ? draw % 8
        : t.is_int()  ? draw % 17 - 8
                      : (draw - 32) / 8.0;
  }
  return typed;
}

void ExpectNear(const TypedArray& got, const Array& want, double relative, double absolute) {
  ASSERT_EQ(got.array.shape, want.shape);
  for (size_t i = 0; i < want.data.size(); ++i) {
    const double a = got.array.data[i], b = want.data[i];
    const bool same = a == b || (std::isnan(a) && std::isnan(b)) ||
                      std::abs(a - b) <= absolute + relative * std::abs(b);
    ASSERT_TRUE(same) << "element " << i << ": got " << a << ", want " << b;
  }
}

}  // namespace lathe::testing
