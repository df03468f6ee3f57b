// Inference of transform_layout.cc, pool.cc, einsum.cc.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/infer_probe.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using testing::ExpectNear;
using ::testing::HasSubstr;
using testing::InferProbe;
using testing::RunOp;
using testing::TypedArray;

ir::AttrValue Map(std::vector<ir::PrimRef> inputs, std::vector<ir::PrimRef> outputs) {
  ir::IndexMap map;
  map.inputs = std::move(inputs);
  map.outputs = std::move(outputs);
  return ir::AttrValue::Node(std::make_shared<const ir::IndexMap>(std::move(map)));
}

TEST(LayoutTransform, BlocksArePaddedAndSumsHaveTheLastIndex) {
  InferProbe p;
  ir::Context& ir = p.ir();
  const ir::PrimRef i = p.Dim("i"), j = p.Dim("j");
  const auto transform = [&](absl::string_view dims, std::vector<ir::PrimRef> outputs) {
    return p.Infer("layout_transform", {p.T(dims, "float32")},
                   {{"index_map", Map({i, j}, std::move(outputs))}});
  };
  const std::vector<ir::PrimRef> blocks = {i, ir.Make(ir::BinaryOp::kFloorDiv, j, ir.Int(3)),
                                           ir.Make(ir::BinaryOp::kFloorMod, j, ir.Int(3))};
  EXPECT_EQ(transform("5, 2", blocks), "R.Tensor((5, 1, 3), dtype=\"float32\")");
  EXPECT_EQ(transform("5, 7", blocks), "R.Tensor((5, 3, 3), dtype=\"float32\")");
  EXPECT_EQ(transform("a, b", blocks), "R.Tensor((a, (b + 2) // 3, 3), dtype=\"float32\")");
  const ir::PrimRef row = ir.Make(ir::BinaryOp::kMul, i, ir.Int(7));
  EXPECT_EQ(transform("5, 7", {ir.Make(ir::BinaryOp::kAdd, row, j)}),
            "R.Tensor((35,), dtype=\"float32\")");
  EXPECT_EQ(transform("a, 7", {ir.Make(ir::BinaryOp::kAdd, row, j)}),
            "R.Tensor((a * 7,), dtype=\"float32\")");
  EXPECT_EQ(transform("a, 7", {j, ir.Int(0), i}), "R.Tensor((7, 1, a), dtype=\"float32\")");
  EXPECT_EQ(transform("a, 7", {ir.Make(ir::BinaryOp::kSub, i, j)}),
            "R.Tensor(dtype=\"float32\", ndim=1)");
}

TEST(LayoutTransform, PaddingIsOfTheDataDtype) {
  InferProbe p;
  const ir::PrimRef i = p.Dim("i");
  const ir::PrimRef half = p.ir().Float(2.5, ir::DType::Float(32));
  const auto transform = [&](absl::string_view dtype) {
    return p.Infer("layout_transform", {p.T("4", dtype)},
                   {{"index_map", Map({i}, {i})}, {"pad_value", half}});
  };
  EXPECT_EQ(transform("float32"), "R.Tensor((4,), dtype=\"float32\")");
  EXPECT_THAT(transform("int32"), HasSubstr("must have the data's dtype, int32, got float32"));
}

TEST(AdaptivePool, LayoutDeterminesTheRank) {
  InferProbe p;
  EXPECT_EQ(p.Infer("nn.adaptive_avg_pool2d", {p.T(-1, "float32")}),
            "R.Tensor(dtype=\"float32\", ndim=4)");
  EXPECT_EQ(p.Infer("nn.adaptive_avg_pool2d", {p.T(-1, "float32")}, {{"layout", "NCHW4c"}}),
            "R.Tensor(dtype=\"float32\", ndim=5)");
}

TEST(Einsum, EllipsisMatchesUnnamedAxes) {
  InferProbe p;
  const auto einsum = [&](std::vector<ir::Operand> x, absl::string_view text) {
    return p.Infer("einsum", {p.Tuple(std::move(x))}, {{"subscripts", std::string(text)}});
  };
  const ir::Operand x = p.T("a, 3, 4", "int8"), y = p.T("a, 4, b", "int8"), v = p.T("4", "int8");
  EXPECT_EQ(einsum({x}, "...j->..."), "R.Tensor((a, 3), dtype=\"int8\")");
  EXPECT_EQ(einsum({x}, "...j->j..."), "R.Tensor((4, a, 3), dtype=\"int8\")");
  EXPECT_EQ(einsum({x, v}, "...j, j"), "R.Tensor((a, 3), dtype=\"int8\")");
  EXPECT_EQ(einsum({x, y}, "...ij,...jk->...ik"), "R.Tensor((a, 3, b), dtype=\"int8\")");
  EXPECT_EQ(einsum({p.T("3, 4", "int8"), y}, "...ij,...jk->i...k"),
            "R.Tensor((3, a, b), dtype=\"int8\")");
  EXPECT_EQ(einsum({p.T("1, 3", "int8"), p.T("5, 1", "int8")}, "...,..."),
            "R.Tensor((5, 3), dtype=\"int8\")");
  EXPECT_EQ(einsum({p.T(-1, "int8")}, "...j->..."), "R.Tensor(dtype=\"int8\")");
  EXPECT_THAT(einsum({x}, "......->..."), HasSubstr("must name the indices of 1 tensors"));
  EXPECT_THAT(einsum({x}, "ij->..."), HasSubstr("but its indices are \"ij\""));
  EXPECT_THAT(einsum({v}, "...ij->..."), HasSubstr("but its indices are \"...ij\""));
}

TEST(Einsum, MultipliesAndSumsAlongEllipses) {
  const TypedArray x{Array({2, 3}, {1, 2, 3, 4, 5, 6}), "float32"};
  const TypedArray y{Array({3}, {1, 10, 100}), "float32"};
  const auto einsum = [&](std::vector<TypedArray> all, const char* text) {
    return RunOp("einsum", {std::move(all)}, {{"subscripts", std::string(text)}})[0];
  };
  ExpectNear(einsum({x, y}, "...j,j->..."), Array({2}, {321, 654}));
  ExpectNear(einsum({x, y}, "...,..."), Array({2, 3}, {1, 20, 300, 4, 50, 600}));
  ExpectNear(einsum({x}, "...j->j..."), Array({3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST(Arange, HasUnknownLengthIfAScalarIsUnknown) {
  InferProbe p;
  const ir::Operand unknown = p.Of(p.ir().Prim(ir::DType::Float(32), nullptr));
  EXPECT_EQ(p.Infer("arange", {p.Prim("0"), unknown, p.Prim("1")}, {{"dtype", ir::DType::Int(8)}}),
            "R.Tensor(dtype=\"int8\", ndim=1)");
}

TEST(Concat, OneTensorStaysAsItIs) {
  InferProbe p;
  EXPECT_EQ(p.Infer("concat", {p.Tuple({p.T("n, 3", "int8")})}, {{"axis", 1}}),
            "R.Tensor((n, 3), dtype=\"int8\")");
  EXPECT_EQ(p.Infer("concat", {p.Tuple({p.T(-1, "int8")})}, {{"axis", ir::AttrValue()}}),
            "R.Tensor(dtype=\"int8\")");
  EXPECT_THAT(p.Infer("concat", {p.Tuple({p.T("n, 3", "int8")})}, {{"axis", ir::AttrValue()}}),
              HasSubstr("without an axis must have 1 dimension, got 2"));
}

TEST(RedistributeReplicaToShard, KeepsTheWholeShapeOfADistributedTensor) {
  InferProbe p;
  ir::TensorInfo whole = *p.Tensor("n, 8", "float32")->As<ir::TensorInfo>();
  const auto redistribute = [&](const char* placement) {
    whole.sharding = ir::Sharding{"mesh[0]", placement};
    return p.Infer("dist.redistribute_replica_to_shard",
                   {p.Of(p.ir().Make(ir::StructInfo::Node(whole)))},
                   {{"num_workers", 4}, {"axis", 1}});
  };
  EXPECT_EQ(redistribute("R"),
            "R.DTensor((n, 8), dtype=\"float32\", device_mesh=\"mesh[0]\", placement=\"S[1]\")");
  EXPECT_THAT(redistribute("S[0]"), HasSubstr("must be replicated"));
}

TEST(Checkpoint, MarksAVariable) {
  InferProbe p;
  EXPECT_EQ(p.Infer("grad.start_checkpoint", {p.T("n", "int8")}), "R.Tensor((n,), dtype=\"int8\")");
  EXPECT_THAT(p.Infer("grad.end_checkpoint", {p.Prim("1")}), HasSubstr("must be a variable"));
}

}  // namespace
}  // namespace lathe::ops
