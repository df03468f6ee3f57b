#include "generator/ir/print/print_tvmscript.h"

#include <gtest/gtest.h>

#include "absl/strings/str_split.h"
#include "generator/ops/ops.h"
#include "tests/support/module_maker.h"

namespace lathe::ir {
namespace {

using testing::Bind;
using testing::CallOp;
using testing::Dataflow;
using testing::Func;
using testing::ModuleMaker;
using testing::Ordinary;
using testing::Tuple;
using testing::Use;

// Without the comments at the top and the class around.
std::string Members(const Module& module, Dialect dialect = Dialect::kV0_26) {
  PrintOptions options;
  options.dialect = dialect;
  const std::string text = PrintTvmScript(module, options);
  EXPECT_EQ(text, PrintTvmScript(module, options));
  std::string out;
  bool inside = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (inside) out += std::string(line.substr(std::min<size_t>(4, line.size()))) + "\n";
    inside |= line == "class Module:";
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

class PrintTvmScriptTest : public ::testing::Test {
 protected:
  // def main(x) with one binding of `rhs`, which it returns.
  std::string OneBinding(const Rhs& rhs, Dialect dialect = Dialect::kV0_26) {
    ModuleMaker m(context_);
    m.module() = m_.module();
    const ValueId y = m.Value("y");
    m.Add("main", Func({x_}, {Ordinary({Bind(y, rhs)})}, Use(y)));
    const std::vector<std::string> lines = absl::StrSplit(Members(m.module(), dialect), '\n');
    std::string out;
    for (size_t i = lines.size(); i-- > 0 && lines[i].find("def main") == std::string::npos;) {
      if (lines[i] != "    return y") out = lines[i].substr(4) + (out.empty() ? "" : "\n") + out;
    }
    return out;
  }
  std::string InAllDialects(const Rhs& rhs) {
    return OneBinding(rhs, Dialect::kClassic) + "\n" + OneBinding(rhs, Dialect::kV0_24) + "\n" +
           OneBinding(rhs, Dialect::kV0_26);
  }
  static const Op& Operator(absl::string_view name) { return *ops::FindOp(name); }

  Context context_;
  ModuleMaker m_{context_};
  ValueId x_ = m_.Value("x");
};

TEST_F(PrintTvmScriptTest, WritesWholeModules) {
  const PrimRef n = context_.NewVar("n");
  const ValueId x = m_.Value("x", m_.Tensor({n, context_.Int(4)}));
  const ValueId lv = m_.DataflowValue("lv", m_.Tensor({n, context_.Int(4)}));
  const ValueId gv = m_.Value("gv");
  Function f = Func({x},
                    {Dataflow({Bind(lv, CallOp(Operator("relax.exp"), {Use(x)})),
                               Bind(gv, CallOp(Operator("relax.add"), {Use(lv), Use(lv)}))})},
                    Use(gv));
  f.ret = m_.Tensor({n, context_.Int(4)});
  m_.Add("main", f);
  m_.AddPrivate("helper", ExternFunc{"my_helper"});
  m_.module().attrs["version"] = 3;
  EXPECT_EQ(PrintTvmScript(m_.module(), {}), R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_attrs({"version": 3})

    helper = R.ExternFunc("my_helper")

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            gv = R.add(lv, lv)
            R.output(gv)
        return gv
)");
}

TEST_F(PrintTvmScriptTest, WritesAnEmptyModule) { EXPECT_EQ(Members({}), "pass"); }

TEST_F(PrintTvmScriptTest, OrdersFunctionsAsTvmDoes) {
  m_.Add("main", Func({}, {}, Tuple({})));
  m_.Add("b", Func({}, {}, Tuple({})));
  m_.AddPrivate("c", ExternFunc{"c"});
  m_.AddPrivate("a", Func({}, {}, Tuple({})));
  EXPECT_EQ(Members(m_.module()), R"(c = R.ExternFunc("c")

@R.function(private=True)
def a():
    return R.tuple()

@R.function
def b():
    return R.tuple()

@R.function
def main():
    return R.tuple())");
}

TEST_F(PrintTvmScriptTest, WritesLeaves) {
  const PrimRef n = context_.NewVar("n");
  EXPECT_EQ(OneBinding(Operand(Use(x_))), "y = x");
  EXPECT_EQ(OneBinding(Tuple({Use(x_)})), "y = (x,)");
  EXPECT_EQ(OneBinding(Tuple({Use(x_), Tuple({})})), "y = (x, R.tuple())");
  EXPECT_EQ(OneBinding(Operand{ShapeExpr{{context_.Int(1), n}}}),
            "n = T.int64()\ny = R.shape([1, n])");
  EXPECT_EQ(OneBinding(Operand{StringImm{"a\"b"}}), R"(y = R.str("a\"b"))");
  EXPECT_EQ(OneBinding(Operand{DTypeImm{DType::Float(16)}}), R"(y = R.dtype("float16"))");
  EXPECT_EQ(OneBinding(Operand{ExternFunc{"f"}}), R"(y = R.ExternFunc("f"))");
  EXPECT_EQ(OneBinding(Use(context_.Int(7))), "y = R.prim_value(7)");
  EXPECT_EQ(OneBinding(Use(context_.Float(1.5, DType::Float(32)))),
            "y = R.prim_value(T.float32(1.5))");
}

TEST_F(PrintTvmScriptTest, WritesConstantsToTheBit) {
  const auto constant = [&](DType dtype, std::vector<int64_t> shape, std::vector<uint8_t> bytes) {
    return OneBinding(Use(m_.Constant(dtype, std::move(shape), std::move(bytes))));
  };
  EXPECT_EQ(constant(DType::Float(32), {}, {0, 0, 0x80, 0x3f}), R"(y = R.const(1.0, "float32"))");
  EXPECT_EQ(constant(DType::Float(32), {}, {0, 0, 0x80, 0xff}),
            R"(y = R.const(float("-inf"), "float32"))");
  EXPECT_EQ(constant(DType::Float(16), {2}, {1, 0, 0, 0xbc}),
            R"(y = R.const([5.960464477539063e-08, -1.0], "float16"))");
  EXPECT_EQ(constant(DType::Make(TypeCode::kBFloat, 16, 1), {}, {0x80, 0x3f}),
            R"(y = R.const(1.0, "bfloat16"))");
  EXPECT_EQ(constant(DType::Int(8), {2, 2}, {1, 2, 0xff, 0x80}),
            R"(y = R.const([[1, 2], [-1, -128]], "int8"))");
  EXPECT_EQ(constant(DType::UInt(64), {}, std::vector<uint8_t>(8, 0xff)),
            R"(y = R.const(18446744073709551615, "uint64"))");
  EXPECT_EQ(constant(DType::Bool(), {2}, {1, 0}), R"(y = R.const([True, False], "bool"))");
}

TEST_F(PrintTvmScriptTest, PutsOtherConstantsInTheMetadata) {
  // A NaN that is not the usual one, an empty tensor, a large one, a type without literals.
  const auto is_metadata = [&](DType dtype, std::vector<int64_t> shape, std::vector<uint8_t> b) {
    return OneBinding(Use(m_.Constant(dtype, std::move(shape), std::move(b)))) ==
           R"(y = metadata["relax.expr.Constant"][0])";
  };
  EXPECT_TRUE(is_metadata(DType::Float(32), {}, {1, 0, 0x80, 0x7f}));
  EXPECT_TRUE(is_metadata(DType::Float(32), {0}, {}));
  EXPECT_TRUE(is_metadata(DType::Int(8), {65}, std::vector<uint8_t>(65)));
  EXPECT_TRUE(is_metadata(DType::Int(4), {2}, {0x21}));
}

TEST_F(PrintTvmScriptTest, WritesMetadataAsTvmDoes) {
  std::vector<uint8_t> bytes;
  for (const uint8_t exponent : {0, 1}) bytes.insert(bytes.end(), {exponent, 0, 0x80, 0x7f});
  const ConstantId c = m_.Constant(DType::Float(32), {2}, bytes);
  m_.Add("main", Func({}, {}, Use(c)));
  const std::string text = PrintTvmScript(m_.module(), {});
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  EXPECT_EQ(lines[4],
            R"(metadata = tvm.ir.load_json("""{"root_index":12,"nodes":[)"
            R"({"type":"ffi.String","data":"relax.expr.Constant"},{"type":"None"},)"
            R"({"type":"ir.PrimType","data":{"span":1,"dtype":"int64"}},)"
            R"({"type":"ir.IntImm","data":{"span":1,"ty":2,"value":2}},)"
            R"({"type":"ffi.Array","data":[3]},)"
            R"({"type":"relax.ShapeType","data":{"span":1,"values":4,"ndim":1}},)"
            R"({"type":"relax.expr.ShapeExpr","data":{"span":1,"ty":5,"values":4}},)"
            R"({"type":"ir.PrimType","data":{"span":1,"dtype":"float32"}},)"
            R"({"type":"relax.TensorType","data":)"
            R"({"span":1,"shape":6,"dtype":7,"vdevice":1,"ndim":1}},)"
            R"({"type":"ffi.Tensor","data":"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAA)"
            R"(AAgAAAAAAAAAAACAfwEAgH8="},)"
            R"({"type":"relax.expr.Constant","data":{"span":1,"ty":8,"data":9}},)"
            R"({"type":"ffi.Array","data":[10]},{"type":"ffi.Map","data":[0,11]}],)"
            R"("metadata":{"tvm_version":"0.26.0"}}"""))");
}

TEST_F(PrintTvmScriptTest, WritesCallsByTheSchema) {
  EXPECT_EQ(OneBinding(CallOp(Operator("relax.nn.softmax"), {Use(x_)}, {{"axis", -1}})),
            "y = R.nn.softmax(x, axis=-1)");
  EXPECT_EQ(OneBinding(CallOp(Operator("relax.print"), {Operand{StringImm{"{}"}}, Use(x_)})),
            R"(y = R.print(x, format=R.str("{}")))");
  EXPECT_EQ(InAllDialects(
                CallOp(Operator("relax.matmul"), {Use(x_), Use(x_)}, {{"out_dtype", AttrValue()}})),
            "y = R.matmul(x, x, out_dtype=\"void\")\ny = R.matmul(x, x, out_dtype=\"void\")\n"
            "y = R.matmul(x, x, out_dtype=None)");
  EXPECT_EQ(OneBinding(CallOp(Operator("relax.matmul"), {Use(x_), Use(x_)},
                              {{"out_dtype", DType::Float(32)}})),
            "y = R.matmul(x, x, out_dtype=\"float32\")");
}

TEST_F(PrintTvmScriptTest, WritesScalarArgumentsOfEachDialect) {
  const Call clip = CallOp(Operator("relax.clip"), {Use(x_), Use(context_.Int(0)),
                                                    Use(context_.Float(6, DType::Float(32)))});
  EXPECT_EQ(InAllDialects(clip),
            "y = R.clip(x, R.prim_value(0), R.prim_value(T.float32(6.0)))\n"
            "y = R.clip(x, R.prim_value(0), R.prim_value(T.float32(6.0)))\n"
            "y = R.clip(x, 0, T.float32(6.0))");
}

TEST_F(PrintTvmScriptTest, WritesCallsOfOtherFunctions) {
  Call call;
  call.args = {Use(x_)};
  call.callee = ExternFunc{"f"};
  call.sinfo_args = {m_.Tensor({context_.Int(2)})};
  EXPECT_EQ(InAllDialects(call),
            "y = R.call_packed(\"f\", x, sinfo_args=(R.Tensor((2,), dtype=\"float32\"),))\n"
            "y = R.call_packed(\"f\", x, sinfo_args=(R.Tensor((2,), dtype=\"float32\"),))\n"
            "y = R.call_packed(\"f\", x, ty_args=(R.Tensor((2,), dtype=\"float32\"),))");
  call.sinfo_args.clear();
  call.callee = x_;
  EXPECT_EQ(OneBinding(call), "y = x(x)");
  call.callee = m_.AddPrivate("g", ExternFunc{"g"});
  EXPECT_EQ(OneBinding(call), "cls = Module\ny = cls.g(x)");
}

TEST_F(PrintTvmScriptTest, WritesCallTirWithItsOutputs) {
  const GlobalId g = m_.AddPrivate("g", ExternFunc{"g"});
  Call call = CallOp(Operator("relax.call_tir"), {Operand{g}, Tuple({Use(x_)})});
  const StructInfoRef info = m_.Tensor({context_.Int(2)});
  call.sinfo_args = {info};
  EXPECT_EQ(OneBinding(call, Dialect::kClassic),
            "cls = Module\n"
            "y = R.call_tir(cls.g, (x,), out_sinfo=R.Tensor((2,), dtype=\"float32\"))");
  call.sinfo_args = {context_.Tuple({info, info})};
  EXPECT_EQ(OneBinding(call),
            "cls = Module\n"
            "y = R.call_tir(cls.g, (x,), out_ty=[R.Tensor((2,), dtype=\"float32\"), "
            "R.Tensor((2,), dtype=\"float32\")])");
}

TEST_F(PrintTvmScriptTest, WritesStructuralInformation) {
  const auto cast = [&](StructInfoRef info, Dialect dialect = Dialect::kV0_26) {
    const std::string text = OneBinding(MatchCast{Use(x_), info, {}}, dialect);
    const size_t at = text.find("R.match_cast(x, ");
    return text.substr(at + 16, text.size() - at - 17);
  };
  const PrimRef n = context_.NewVar("n");
  EXPECT_EQ(cast(context_.Object(), Dialect::kClassic), "R.Object");
  EXPECT_EQ(cast(context_.Object()), "R.Any");
  EXPECT_EQ(cast(context_.Prim(DType::Int(64)), Dialect::kV0_24), "R.Prim(\"int64\")");
  EXPECT_EQ(cast(context_.Prim(DType::Int(64))), "T.int64");
  EXPECT_EQ(cast(context_.Prim(DType::Int(64), n)), "R.Prim(value=n)");
  EXPECT_EQ(cast(context_.Shape(2)), "R.Shape(ndim=2)");
  EXPECT_EQ(cast(context_.Shape({n, context_.Int(2)})), "R.Shape([n, 2])");
  EXPECT_EQ(cast(context_.Tensor(kUnknownRank, DType::Void())), "R.Tensor");
  EXPECT_EQ(cast(context_.Tensor(2, DType::Float(32))), "R.Tensor(dtype=\"float32\", ndim=2)");
  EXPECT_EQ(cast(context_.Tensor(std::vector<PrimRef>(), DType::Bool())),
            "R.Tensor((), dtype=\"bool\")");
  EXPECT_EQ(cast(context_.Tuple({})), "R.Tuple");
  EXPECT_EQ(cast(context_.Tuple({context_.Shape(1)})), "R.Tuple(R.Shape(ndim=1))");
  FuncInfo f;
  f.ret = context_.Object();
  f.pure = false;
  f.derive = Derive::kDefault;
  EXPECT_EQ(cast(context_.Make(StructInfo::Node(f))), "R.Callable");
  f.params = {context_.Object()};
  f.derive = Derive::kNone;
  EXPECT_EQ(cast(context_.Make(StructInfo::Node(f))), "R.Callable((R.Any,), R.Any, False)");
}

TEST_F(PrintTvmScriptTest, CountsDevicesByKind) {
  const VDeviceRef llvm = context_.Make(VDevice{"llvm", 0, "global"});
  const VDeviceRef one = context_.Make(VDevice{R"({"kind":"cuda","arch":"sm_80"})", 0, "global"});
  const VDeviceRef two = context_.Make(VDevice{"cuda", 1, "shared"});
  m_.module().global_infos["vdevice"] = {llvm, one, two};
  const auto on = [&](VDeviceRef device) {
    const std::string text =
        OneBinding(MatchCast{Use(x_), context_.Tensor(1, DType::Void(), device), {}});
    return text.substr(text.find("vdevice="));
  };
  EXPECT_EQ(on(llvm), "vdevice=\"llvm:0:global\"))");
  EXPECT_EQ(on(one), "vdevice=\"cuda:0:global\"))");
  EXPECT_EQ(on(two), "vdevice=\"cuda:1:shared\"))");
  EXPECT_EQ(on(context_.Make(VDevice{"metal", 0, "global"})),
            "vdevice=I.vdevice(\"metal\", 0, \"global\")))");
  EXPECT_EQ(Members(m_.module()),
            "I.module_global_infos({\"vdevice\": [I.vdevice(\"llvm\", 0, \"global\"), "
            "I.vdevice({\"kind\":\"cuda\",\"arch\":\"sm_80\"}, 0, \"global\"), "
            "I.vdevice(\"cuda\", 1, \"shared\")]})");
}

TEST_F(PrintTvmScriptTest, EndsBranchesWithTheNameOfTheIf) {
  const ValueId a = m_.Value("a");
  const ValueId z = m_.Value("z");
  If branch{Use(x_),
            {{Ordinary({Bind(a, CallOp(Operator("relax.exp"), {Use(x_)}))})}, Use(a), {}},
            {{}, Use(x_), {}}};
  m_.Add("main", Func({x_}, {Ordinary({Bind(z, std::move(branch))})}, Use(z)));
  EXPECT_EQ(Members(m_.module()), R"(@R.function
def main(x):
    if x:
        z = R.exp(x)
    else:
        z = x
    return z)");
}

TEST_F(PrintTvmScriptTest, NestsFunctions) {
  const PrimRef n = context_.NewVar("n");
  const PrimRef k = context_.NewVar("k");
  const ValueId x = m_.Value("x", m_.Tensor({n}));
  const ValueId p = m_.Value("p", m_.Tensor({n, k}));
  const ValueId inner = m_.Value("inner");
  Function f = Func({p}, {}, Operand{ShapeExpr{{n, k}}});
  f.pure = false;
  f.attrs["Composite"] = "c";
  m_.Add("main", Func({x}, {Ordinary({Bind(inner, std::move(f))})}, Use(inner)));
  EXPECT_EQ(Members(m_.module()), R"(@R.function
def main(x: R.Tensor(("n",), dtype="float32")):
    n = T.int64()
    @R.function(pure=False)
    def inner(p: R.Tensor((n, "k"), dtype="float32")):
        k = T.int64()
        R.func_attr({"Composite": "c"})
        return R.shape([n, k])
    return inner)");
}

// From 0.26 on the parameter is the shape variable, as long as something shows that it is one.
TEST_F(PrintTvmScriptTest, LetsScalarParametersBeShapeVariables) {
  const PrimRef n = context_.NewVar("n");
  const ValueId p = m_.Value("n", context_.Prim(DType::Int(64), n));
  const ValueId x = m_.Value("x", m_.Tensor({n}));
  m_.Add("main", Func({p, x}, {}, Use(x)));
  const ValueId q = m_.Value("m", context_.Prim(DType::Int(64), context_.NewVar("m")));
  m_.Add("f", Func({q}, {}, Use(q)));
  EXPECT_EQ(Members(m_.module()), R"(@R.function
def f(m: R.Prim(value="m_1")):
    m_1 = T.int64()
    return m

@R.function
def main(n: T.int64, x: R.Tensor(("n",), dtype="float32")):
    return x)");
  EXPECT_EQ(Members(m_.module(), Dialect::kClassic), R"(@R.function
def f(m: R.Prim(value="m_1")):
    m_1 = T.int64()
    return m

@R.function
def main(n: R.Prim(value="n_1"), x: R.Tensor(("n_1",), dtype="float32")):
    n_1 = T.int64()
    return x)");
}

TEST_F(PrintTvmScriptTest, ShowsDerivedInformationWhenAsked) {
  const ValueId y = m_.Value("y");
  const ValueId v = m_.Value("v");
  m_.module().values[x_].info = m_.Tensor({context_.Int(2)});
  m_.module().values[y].info = m_.Tensor({context_.Int(2)});
  m_.module().values[v].info = context_.Tuple({});
  m_.Add("main",
         Func({x_},
              {Ordinary({Bind(y, CallOp(Operator("relax.exp"), {Use(x_)})),
                         Bind(v, CallOp(Operator("relax.print"), {Operand{StringImm{""}}}))})},
              Use(y)));
  EXPECT_EQ(Members(m_.module()), R"(@R.function
def main(x):
    y = R.exp(x)
    R.print(format=R.str(""))
    return y)");
  PrintOptions options;
  options.show_info = true;
  const std::string text = PrintTvmScript(m_.module(), options);
  EXPECT_NE(text.find("y: R.Tensor((2,), dtype=\"float32\") = R.exp(x)"), std::string::npos)
      << text;
}

TEST_F(PrintTvmScriptTest, PrintsDifferentGlobalSymbols) {
  Function f = Func({}, {}, Tuple({}));
  f.attrs[kGlobalSymbol] = "other";
  m_.AddPrivate("main", f);
  EXPECT_EQ(Members(m_.module()), R"(@R.function
def main():
    R.func_attr({"global_symbol": "other"})
    return R.tuple())");
}

}  // namespace
}  // namespace lathe::ir
