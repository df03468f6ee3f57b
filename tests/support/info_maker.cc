#include "tests/support/info_maker.h"

namespace lathe::testing {

using ir::PrimRef;
using ir::StructInfoRef;

InfoMaker::InfoMaker()
    : n(ir.NewVar("n")),
      m(ir.NewVar("m")),
      k(ir.NewVar("k")),
      a(ir.NewVar("a")),
      b(ir.NewVar("b")) {
  for (PrimRef var : {n, m, k}) scope.Add(var);
  cpu = ir.Make(ir::VDevice{"llvm", 0, "global"});
  gpu = ir.Make(ir::VDevice{"cuda", 0, "global"});
  s = module.values.Add({});
  module.values[s].name = "s";
  module.values[s].info = ir.Shape({n, Int(4)});
  any = module.values.Add({});
  module.values[any].name = "any";
  module.values[any].info = ir.Shape(2);
}

StructInfoRef InfoMaker::TensorOf(ir::ValueId shape, int ndim) {
  return ir.Make(ir::StructInfo::Node(ir::TensorInfo{shape, kFloat, nullptr, ndim, std::nullopt}));
}

StructInfoRef InfoMaker::Func(std::vector<StructInfoRef> params, StructInfoRef ret, bool pure) {
  return ir.Make(
      ir::StructInfo::Node(ir::FuncInfo{std::move(params), ret, pure, ir::Derive::kNone}));
}

StructInfoRef InfoMaker::Packed(ir::Derive derive) {
  return ir.Make(ir::StructInfo::Node(ir::FuncInfo{std::nullopt, ir.Object(), false, derive}));
}

PrimRef InfoMaker::RandomDim(std::mt19937& random, bool own_vars) {
  switch (random() % (own_vars ? 8 : 6)) {
    case 0:
      return Int(4);
    case 1:
      return Int(5);
    case 2:
      return n;
    case 3:
      return m;
    case 4:
      return Plus(n, 1);
    case 5:
      return ir.Make(ir::BinaryOp::kAdd, Int(1), n);
    case 6:
      return a;
    default:
      return b;
  }
}

StructInfoRef InfoMaker::RandomLeaf(std::mt19937& random, bool own_vars) {
  const auto dims = [&](int count) {
    std::vector<PrimRef> list;
    for (int i = 0; i < count; ++i) list.push_back(RandomDim(random, own_vars));
    return list;
  };
  const ir::DType dtype = random() % 4 == 0 ? ir::DType::Void() : random() % 4 == 0 ? kInt : kFloat;
  const ir::VDeviceRef device = random() % 3 != 0 ? nullptr : random() % 2 == 0 ? cpu : gpu;
  switch (random() % 12) {
    case 0:
      return ir.Object();
    case 1:
      return ir.Prim(kInt, random() % 2 == 0 ? nullptr : RandomDim(random, own_vars));
    case 2:
      return ir.Prim(kFloat);
    case 3:
      return ir.Shape(static_cast<int>(random() % 3) - 1);
    case 4:
    case 5:
      return ir.Shape(dims(random() % 3));
    case 6:
      return ir.Tensor(static_cast<int>(random() % 3) - 1, dtype, device);
    case 7:
      return TensorOf(random() % 2 == 0 ? s : any);
    case 8:
      return Packed(random() % 2 == 0 ? ir::Derive::kDefault : ir::Derive::kEmpty);
    default:
      return ir.Tensor(dims(random() % 3), dtype, device);
  }
}

StructInfoRef InfoMaker::RandomData(std::mt19937& random, int depth) {
  if (depth == 0 || random() % 3 != 0) return RandomLeaf(random, false);
  std::vector<StructInfoRef> fields(random() % 3);
  for (StructInfoRef& field : fields) field = RandomData(random, depth - 1);
  return ir.Tuple(std::move(fields));
}

StructInfoRef InfoMaker::Random(std::mt19937& random, int depth) {
  if (depth == 0 || random() % 2 == 0) return RandomData(random, depth);
  std::vector<StructInfoRef> params(random() % 3);
  for (StructInfoRef& param : params) param = RandomLeaf(random, true);
  return Func(std::move(params), RandomLeaf(random, true), random() % 2 == 0);
}

}  // namespace lathe::testing
