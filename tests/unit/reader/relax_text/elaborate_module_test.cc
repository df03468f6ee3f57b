#include "generator/reader/relax_text/relax/elaborate_module.h"

#include <string>

#include "generator/ir/op.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::relax_text {
namespace {

using testing::DifferenceOf;
using testing::ProblemsOf;
using testing::ReadProgram;
using testing::ReadText;

constexpr char kFunction[] = "    @R.function\n    def main(x: R.Tensor):\n        return x\n";

std::string Module(const std::string& members) { return "@I.ir_module\nclass Module:\n" + members; }

TEST(ElaborateModuleTest, Skeletons) {
  const std::string plain = Module(kFunction);
  for (const std::string& other : {
           "import tvm\nfrom tvm.script import ir as I, relax as R, tir as T\n" + plain,
           std::string("import tvm.script\n@tvm.script.ir_module\nclass MyModule:\n") + kFunction,
           std::string("from tvm.script import ir_module\n@ir_module\nclass A:\n") + kFunction,
           std::string("from tvm.script.parser import ir as J, relax as Q\n@J.ir_module\n"
                       "class A:\n    @Q.function\n    def main(x: Q.Tensor):\n        return x\n"),
           std::string(
               "@I.ir_module(check_well_formed=False)\nclass A:\n    \"\"\"A module.\"\"\"\n") +
               kFunction,
           std::string("from __future__ import annotations\n@R.function\ndef main(x: R.Tensor):\n"
                       "    return x\n"),
           std::string("@R.func\ndef main(x: R.Tensor):\n    return x\n"),
       }) {
    EXPECT_EQ(DifferenceOf(plain, other), "") << other;
  }
}

TEST(ElaborateModuleTest, AttributesAndGlobalInfos) {
  const ReadProgram program = ReadText(
      Module(
          "    I.module_attrs({\"a\": 1, \"b\": {\"c\": [\"d\", None, 2.5]}})\n"
          "    I.module_global_infos({\"vdevice\": [I.vdevice(\"llvm\"), I.vdevice(\"metal\", 1, "
          "\"shared\")], \"mesh\": [R.device_mesh((2, 2), I.Range(0, 4))], \"dummy\": "
          "[I.dummy_global_info()]})\n") +
      kFunction);
  ASSERT_TRUE(program.module) << program.problems;
  EXPECT_EQ(*ir::FindAttr<int64_t>(program.module->attrs, "a"), 1);
  ASSERT_EQ(program.module->vdevices().size(), 2u);
  EXPECT_EQ(ir::ToString(*program.module->vdevices()[1]), "metal:1:shared");
  EXPECT_EQ(std::get<ir::AttrObject>(program.module->global_infos.at("mesh")[0]).kind,
            "device_mesh");
  EXPECT_EQ(program.module->global_infos.at("dummy").size(), 1u);
}

TEST(ElaborateModuleTest, ManyGlobalInfos) {
  std::string devices;
  for (int i = 0; i < 1001; ++i) devices += "I.vdevice(\"cuda\", " + std::to_string(i) + "), ";
  EXPECT_EQ(
      ProblemsOf(Module("    I.module_global_infos({\"vdevice\": [" + devices + "]})\n") +
                 kFunction),
      "3:39: limit-global-infos: a module has at most 1000 global infos of a kind, got 1001\n");
}

TEST(ElaborateModuleTest, FunctionsKnowEachOther) {
  EXPECT_EQ(ProblemsOf(Module("    @R.function\n    def a(x: R.Tensor) -> R.Tensor:\n"
                              "        cls = Module\n        return cls.b(x)\n"
                              "    @R.function\n    def b(x: R.Tensor) -> R.Tensor:\n"
                              "        return Module.a(x)\n")),
            "");
  EXPECT_EQ(ProblemsOf("@R.function\ndef a(x: R.Tensor) -> R.Tensor:\n    return b(x)\n"
                       "@R.function\ndef b(x: R.Tensor) -> R.Tensor:\n    return a(x)\n"),
            "");
  EXPECT_EQ(
      ProblemsOf(Module("    @R.function\n    def first(x: R.Tensor):\n"
                        "        return Module.frist(x)\n")),
      "5:16: var-not-bound-once: the module has no function 'frist'; did you mean 'first'?\n");
}

TEST(ElaborateModuleTest, ExportedUnlessPrivate) {
  const ReadProgram program = ReadText(
      "@R.function(private=True)\ndef a(x: R.Tensor):\n    return x\n"
      "@R.function(pure=False)\ndef b(x: R.Tensor):\n    return x\n");
  ASSERT_TRUE(program.module) << program.problems;
  EXPECT_FALSE(ir::IsExported(program.module->globals[ir::GlobalId{0}]));
  EXPECT_TRUE(ir::IsExported(program.module->globals[ir::GlobalId{1}]));
  EXPECT_FALSE(program.module->globals[ir::GlobalId{1}].function()->pure);
}

TEST(ElaborateModuleTest, RefusedByName) {
  EXPECT_EQ(ProblemsOf(Module(kFunction) + Module(kFunction)),
            "6:1: several-modules: a file must contain one module: a class, or functions without a "
            "class\n  2:7: the first one is here\n");
  EXPECT_EQ(ProblemsOf("x = f(3)\n"),
            "1:1: host-statement-ignored: an assignment outside the module is ignored: programs "
            "are parsed, not run\n1:1: no-module: the file contains no module and no function\n");
  EXPECT_EQ(
      ProblemsOf(Module("    @I.pyfunc\n    def f(x):\n        return x\n")),
      "3:6: host-python: 'f' is a Python function; supported: @R.function and @T.prim_func\n");
  EXPECT_EQ(ProblemsOf(Module("    def f(x):\n        return x\n")),
            "3:9: missing-decorator: 'f' needs the decorator @R.function or @T.prim_func\n");
  EXPECT_EQ(ProblemsOf(Module(std::string(kFunction) + kFunction)),
            "7:9: duplicate-function: redefinition of function 'main'\n  4:9: previously "
            "defined here\n");
  EXPECT_EQ(ProblemsOf("@R.function(prue=False)\ndef f(x: R.Tensor):\n    return x\n"),
            "1:13: wrong-arguments: the decorator has no option 'prue'; did you mean 'pure'?\n");
}

}  // namespace
}  // namespace lathe::relax_text
