#include "generator/transform/block_builder.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/read_text.h"
#include "tests/unit/transform/block_builder_example.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ir::Operand;
using ::testing::HasSubstr;

interp::TensorRef Floats(std::vector<int64_t> shape, const std::vector<double>& elements) {
  const auto budget = std::make_shared<interp::MemoryBudget>(1 << 20);
  auto tensor = interp::NewTensor(DType::Float(32), std::move(shape), budget);
  EXPECT_THAT(tensor.status(), IsOk());
  for (size_t i = 0; i < elements.size(); ++i) {
    (*tensor)->Set(i, interp::FromDouble(DType::Float(32), elements[i]));
  }
  return *tensor;
}

std::vector<double> Elements(const interp::Value& value) {
  std::vector<double> elements;
  const interp::Tensor* tensor = value.AsTensor();
  if (tensor == nullptr) return elements;
  for (uint64_t i = 0; i < tensor->num_elements(); ++i) {
    elements.push_back(tensor->At(i).AsDouble());
  }
  return elements;
}

TEST(BlockBuilderTest, TheExampleBuildsChecksAndRuns) {
  ir::Context context;
  const auto module = example::BuildLayer(context);
  ASSERT_THAT(module.status(), IsOk());
  // [1 2 3; -1 0 1] * [1 0; 0 1; 1 1] = [4 5; 0 1]
  const auto y = example::RunLayer(context, *module, Floats({2, 3}, {1, 2, 3, -1, 0, 1}),
                                   Floats({3, 2}, {1, 0, 0, 1, 1, 1}));
  ASSERT_THAT(y.status(), IsOk());
  EXPECT_EQ(Elements(*y), (std::vector<double>{4.5 * 4.5, 4.5 * 4.5, 0.25, 0.25}));
}

TEST(BlockBuilderTest, ThePageShowsTheExample) {
  const auto page = ReadFile(SourcePath("docs/block-builder.md"));
  const auto source = ReadFile(SourcePath("tests/unit/transform/block_builder_example.h"));
  ASSERT_THAT(page.status(), IsOk());
  ASSERT_THAT(source.status(), IsOk());
  const std::string begin = "// -- the page begins\n", end = "// -- the page ends\n";
  const size_t from = source->find(begin) + begin.size(), to = source->find(end);
  const std::string shown = absl::StrCat("```cpp\n", source->substr(from, to - from), "```\n");
  EXPECT_TRUE(absl::StrContains(*page, shown)) << shown;
}

TEST(BlockBuilderTest, BuiltModuleEqualsParsedModule) {
  ir::Context context;
  BlockBuilder b(context);
  ir::PrimRef n = b.ShapeVar("n"), m = b.ShapeVar("m");
  ir::StructInfoRef row = b.Tensor({4});
  const ir::GlobalId twice = b.Function("twice", {{"a", row}},
                                        [&](const Operands& in) {
                                          return b.Op("relax.add", {in[0], in[0]});
                                        },
                                        {.exported = false, .ret = row});
  b.Function("main", {{"x", b.Tensor({n, context.Int(4)})}, {"c", b.Tensor({}, DType::Bool())}},
             [&](const Operands& in) {
               Operand top = b.Op("relax.max", {in[0]}, {{"axis", ir::AttrList{{0}}}}, "top");
               Operand picked = b.If(
                   in[1], [&] { return b.Call(twice, {top}, "r"); },
                   [&] { return b.Op("relax.exp", {top}, {}, "s"); }, "picked");
               Operand cast = b.MatchCast(picked, b.Tensor({m}), "cast");
               return b.Emit(BlockBuilder::Tuple({cast, BlockBuilder::Shape({m, n})}), "t");
             });
  const auto module = b.Finish();
  ASSERT_THAT(module.status(), IsOk());
  EXPECT_EQ(testing::DifferenceOf(ir::PrintTvmScript(*module, {}), R"(
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function(private=True)
    def twice(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        lv = R.add(a, a)
        return lv

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")):
        n, m = T.int64(), T.int64()
        top = R.max(x, axis=[0])
        if c:
            r = Module.twice(top)
            picked = r
        else:
            s = R.exp(top)
            picked = s
        cast = R.match_cast(picked, R.Tensor((m,), "float32"))
        t = (cast, R.shape([m, n]))
        return t
)"),
            "");
}

TEST(BlockBuilderTest, MutualRecursionAndNestedFunctions) {
  ir::Context context;
  BlockBuilder b(context);
  ir::StructInfoRef row = b.Tensor({4}), flag = b.Tensor({}, DType::Bool());
  const std::vector<BlockBuilder::Param> params = {{"c", flag}, {"x", row}};
  const BlockBuilder::FunctionOptions options{.exported = false, .ret = row};
  const ir::GlobalId ping = b.Declare("ping", params, options);
  const ir::GlobalId pong = b.Declare("pong", params, options);
  b.Define(ping, [&](const Operands& in) {
    return b.If(
        in[0],
        [&] {
          return b.Call(pong, {in[0], in[1]}, "r");
        },
        [&] { return in[1]; }, "picked");
  });
  b.Define(pong, [&](const Operands& in) { return b.Call(ping, {in[0], in[1]}, "r"); });
  b.Function("main", params, [&](const Operands& in) {
    Operand plus = b.LocalFunction("plus", {{"y", row}},
                                   [&](const Operands& y, const Operand&) {
                                     return b.Op("relax.add", {y[0], in[1]}, {}, "s");
                                   },
                                   {});
    Operand loop = b.LocalFunction("loop", params,
                                   [&](const Operands& inner, const Operand& self) {
                                     return b.Call(self, {inner[0], inner[1]}, "t");
                                   },
                                   {.ret = row});
    EXPECT_EQ(ToString(b.InfoOf(plus)),
              "R.Callable((R.Tensor((4,), dtype=\"float32\"),), R.Tensor((4,), "
              "dtype=\"float32\"), True)");
    b.Call(loop, {in[0], in[1]}, "u");
    return b.Call(plus, {b.Call(ping, {in[0], in[1]}, "v")}, "w");
  });
  const auto module = b.Finish();
  ASSERT_THAT(module.status(), IsOk());
  EXPECT_EQ(testing::DifferenceOf(ir::PrintTvmScript(*module, {}), R"(
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function(private=True)
    def ping(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        if c:
            r = Module.pong(c, x)
            picked = r
        else:
            picked = x
        return picked

    @R.function(private=True)
    def pong(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        r = Module.ping(c, x)
        return r

    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        @R.function
        def plus(y: R.Tensor((4,), "float32")):
            s = R.add(y, x)
            return s
        @R.function
        def loop(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            t = loop(c, x)
            return t
        u = loop(c, x)
        v = Module.ping(c, x)
        w = plus(v)
        return w
)"),
            "");
}

TEST(BlockBuilderTest, DerivesInfoOfBindings) {
  ir::Context context;
  BlockBuilder b(context);
  ir::PrimRef n = b.ShapeVar("n");
  b.Function("main", {{"x", b.Tensor({n, n})}}, [&](const Operands& in) {
    Operand flat = b.Op("relax.flatten", {in[0]});
    EXPECT_EQ(ToString(b.InfoOf(flat)), "R.Tensor((n * n,), dtype=\"float32\")");
    Operand pair = b.Emit(BlockBuilder::Tuple({flat, in[0]}));
    EXPECT_EQ(b.InfoOf(b.Field(pair, 1)), b.InfoOf(in[0]));
    return flat;
  });
  EXPECT_THAT(b.Finish().status(), IsOk());
}

TEST(BlockBuilderTest, UnboundSizesBecomeParameters) {
  ir::Context context;
  BlockBuilder b(context);
  ir::PrimRef n = b.ShapeVar("n");
  b.Function(
      "main",
      {{"x", b.Tensor({context.Make(ir::BinaryOp::kMul, n, context.Int(2))})},
       {"s", context.Shape({n})}},
      [&](const Operands& in) {
        return b.EmitTe("halves", {in[0]}, [&](ops::Te& te) {
          auto x = te.Input(0);
          return std::vector{te.Compute("out", x->shape, x->dtype, [&](const ops::Indices& at) {
            return te.math().Select(te.math().Lt(at[0], n), te.At(x, at),
                                    te.math().Const(0, x->dtype));
          })};
        });
      });
  const auto module = b.Finish();
  ASSERT_THAT(module.status(), IsOk());
  interp::Interpreter interpreter(context, *module);
  Diagnostics diags;
  const auto y = interpreter.Run(
      *module->Find("main"),
      {interp::Value(Floats({4}, {1, 2, 3, 4})), interp::Value::OfShape({2})}, diags);
  ASSERT_THAT(y.status(), IsOk());
  EXPECT_EQ(Elements(*y), (std::vector<double>{1, 2, 0, 0}));
}

TEST(BlockBuilderTest, ListsAllMistakes) {
  ir::Context context;
  BlockBuilder b(context);
  b.At(std::make_shared<const ModelNode>(ModelNode{"net.onnx", "sum", "Sum", 3}));
  b.Function("main", {{"x", b.Tensor({2})}}, [&](const Operands& in) {
    b.Op("relax.ad", {in[0], in[0]});
    b.Op("relax.add", {in[0]});
    b.Op("relax.exp", {in[0], in[0]});
    return b.EmitTe("f", {BlockBuilder::Shape({})}, [](ops::Te&) -> std::vector<ir::BufferRef> {
      ADD_FAILURE() << "there is nothing to compute with";
      return {};
    });
  });
  const std::string why(b.Finish().status().message());
  EXPECT_THAT(why, HasSubstr("no operator is named 'relax.ad'"));
  EXPECT_THAT(why, HasSubstr("relax.add: argument 'x2' is missing"));
  EXPECT_THAT(why, HasSubstr("relax.exp takes 1 argument, got 2"));
  EXPECT_THAT(why, HasSubstr("argument 0 of 'f' is R.Shape([]), not a tensor"));
  EXPECT_THAT(why, HasSubstr("builder-misuse"));
  EXPECT_THAT(why, HasSubstr("net.onnx: node 'sum'"));
}

TEST(BlockBuilderTest, RejectsIllTypedCalls) {
  ir::Context context;
  BlockBuilder b(context);
  b.Function("main", {{"x", b.Tensor({2})}, {"y", b.Tensor({3})}}, [&](const Operands& in) {
    return b.Op("relax.add", {in[0], in[1]});
  });
  EXPECT_THAT(b.Finish().status().message(), HasSubstr("R.add"));
}

}  // namespace
}  // namespace lathe::transform
