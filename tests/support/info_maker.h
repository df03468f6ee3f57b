// Creates structural information for tests of its relations: short names, and random infos from a
// small set so that related infos are common.
#ifndef LATHE_TESTS_SUPPORT_INFO_MAKER_H_
#define LATHE_TESTS_SUPPORT_INFO_MAKER_H_

#include <random>
#include <vector>

#include "generator/analysis/facts.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::testing {

class InfoMaker {
 public:
  InfoMaker();

  ir::Context ir;
  ir::Module module;
  analysis::ShapeScope scope;  // contains n, m and k, not a and b
  analysis::Assumptions assumptions;
  ir::PrimRef n, m, k, a, b;
  ir::VDeviceRef cpu, gpu;
  ir::ValueId s;    // a shape variable: R.Shape([n, 4])
  ir::ValueId any;  // a shape of which only the rank, 2, is known

  analysis::Facts facts() { return {ir, module, scope, assumptions}; }

  ir::PrimRef Int(int64_t v) { return ir.Int(v); }
  ir::PrimRef Plus(ir::PrimRef x, int64_t v) { return ir.Make(ir::BinaryOp::kAdd, x, Int(v)); }
  ir::PrimRef Times(ir::PrimRef x, int64_t v) { return ir.Make(ir::BinaryOp::kMul, x, Int(v)); }
  // R.Tensor(dims, "float32")
  ir::StructInfoRef Tensor(std::vector<ir::PrimRef> dims) { return ir.Tensor(dims, kFloat); }
  ir::StructInfoRef Tensor(int ndim) { return ir.Tensor(ndim, kFloat); }
  ir::StructInfoRef TensorOf(ir::ValueId shape, int ndim = 2);
  ir::StructInfoRef Func(std::vector<ir::StructInfoRef> params, ir::StructInfoRef ret,
                         bool pure = true);
  ir::StructInfoRef Packed(ir::Derive derive = ir::Derive::kDefault);

  ir::StructInfoRef Random(std::mt19937& random, int depth = 2);
  // Excludes functions with parameters.
  ir::StructInfoRef RandomData(std::mt19937& random, int depth = 2);

  static constexpr ir::DType kFloat = ir::DType::Float(32);
  static constexpr ir::DType kInt = ir::DType::Int(64);

 private:
  ir::PrimRef RandomDim(std::mt19937& random, bool own_vars);
  ir::StructInfoRef RandomLeaf(std::mt19937& random, bool own_vars);
};

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_INFO_MAKER_H_
