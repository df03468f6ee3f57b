// What runs on one kind of device, as text: launches, device intrinsics, tile primitives, layouts.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/scope_id.h"
#include "tests/support/verified_program.h"

namespace lathe::relax_text {
namespace {

using ::lathe::testing::RoundTripDifference;
using ::lathe::testing::VerifiedProgram;

std::string Kernel(const std::string& body) {
  return absl::StrCat(
      "from tvm.script import ir as I, tirx as T\nfrom tvm.script.tirx import tile as Tx\n\n"
      "@T.prim_func\ndef main(A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((4,), \"uint32\")):\n"
      "    ",
      absl::StrReplaceAll(body, {{"\n", "\n    "}}), "\n");
}

// The last line of the program with `body` as the 0.26 dialect prints it, or the first problem.
std::string LastLine(const std::string& body) {
  const VerifiedProgram program(Kernel(body));
  if (!program.module) return program.diags.all().empty() ? "?" : program.diags.all()[0].message;
  std::string text = ir::PrintTvmScript(*program.module, {});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::string line = text.substr(text.rfind('\n') + 1);
  return line.substr(line.find_first_not_of(' '));
}

struct Kept {
  const char* read;
  const char* printed;
};
class KeptTest : public ::testing::TestWithParam<Kept> {};

TEST_P(KeptTest, IsPreserved) {
  EXPECT_EQ(LastLine(GetParam().read), GetParam().printed);
  EXPECT_EQ(RoundTripDifference(Kernel(GetParam().read)), "");
}

constexpr Kept kKept[] = {
    {"T.device_entry()", "T.device_entry()"},
    {"T.cta_id([2])", "T.cta_id([2])"},
    {"T.warp_id()", "T.warp_id()"},
    {"T.lane_id([32], dtype=\"uint32\")", "T.lane_id([32], dtype=\"uint32\")"},
    {"bx, by = T.cta_id([2, 3])\nT.evaluate(bx + by)", "T.evaluate(bx + by)"},
    {"T.cta_id_in_cluster([2], preferred=[4])", "T.cta_id_in_cluster([2], preferred=[4])"},
    {"T.ptx.bar.sync(0, 128)", "T.ptx.bar.sync(0, 128)"},
    {"T.cuda.cta_sync()", "T.cuda.cta_sync()"},
    {"T.ptx[\"ld.global.b32\"](B[0], A.data)", "T.ptx[\"ld.global.b32\"](B[0], A.data)"},
    {"T.ptx[\"mov.b32\"](B[0], B[1])", "T.ptx.mov.b32(B[0], B[1])"},
    {"T.ptx.ld.global_.b32(B[0], A.data, pred=B[1])",
     "T.ptx.ld.global_.b32(B[0], A.data, pred=B[1])"},
    {"T.cuda.ldg(A.data, \"int32\", dst=(B[0], None), vec=\"v4\")",
     "T.cuda.ldg(A.data, \"int32\", dst=(B[0], None), vec=\"v4\")"},
    {"B[0] = T.cuda.float_as_uint(A[0, 0])", "B[0] = T.cuda.float_as_uint(A[0, 0])"},
    {"A[0, 0] = T.cuda.func_call(\"f\", 1, source_code=\"\", return_type=\"float32\")",
     "A[0, 0] = T.cuda.func_call(\"f\", 1, source_code=\"\", return_type=\"float32\")"},
    {"Tx.copy(A[0:4, 0], B)", "T.tile.copy(A[0:4, 0], B)"},
    {"Tx.cta.fill(A, 0.)", "T.tile.cta.fill(A, T.float32(0.0))"},
    {"T.tile.warp.max(A, A, workspace={\"C\": B}, dispatch=None)",
     "T.tile.warp.max(A, A, workspace={\"C\": B}, dispatch=None)"},
    {"with Tx.compose_op(schedule=\"A\"):\n    Tx.zero(A)", "T.tile.zero(A)"},
    {"T.attr({\"tirx.a\": 1, \"tirx.b\": 2})", "T.attr(0, \"tirx.b\", 2)"},
    {"with T.attr({\"tirx.a\": 1, \"tirx.b\": 2}):\n    T.evaluate(B[0])", "T.evaluate(B[0])"},
    {"T.hint(\"here\", mode=\"x\")", "T.attr({\"mode\": \"x\"}, \"tirx.hint\", \"here\")"},
    {"with T.hint(\"here\"):\n    T.evaluate(0)", "T.evaluate(0)"},
    {"D = T.alloc_buffer((8, 4), layout=T.TileLayout(T.S[(8, 4) : (4, 1)]))",
     "D = T.alloc_buffer((8, 4), \"float32\", layout=T.TileLayout(T.S[(8, 4) : (4, 1)]))"},
    {"D = T.alloc_buffer((8, 4), layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[8, 4])))",
     "D = T.alloc_buffer((8, 4), \"float32\", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(8, "
     "4)])))"},
    {"D = T.alloc_buffer((8, 4), layout=\"PF\", allocated_addr=[64])",
     "D = T.alloc_buffer((8, 4), \"float32\", layout=\"PF\", allocated_addr=[64])"},
    {"D = T.alloc_buffer((8, 4), layout=None)", "D = T.alloc_buffer((8, 4), \"float32\")"},
    {"x = T.meta_var(B[0])\nB[1] = x", "B[1] = B[0]"},
    {"x = I.meta_var(B[0])\nB[1] = x", "B[1] = B[0]"},
    {"n = T.Var(\"n\", ty=\"int32\")\nT.bind(4, var=n)\nT.evaluate(n)", "T.evaluate(n)"},
    {"p: T.let[T.handle(\"int64\")] = T.call_extern(\"f\", dtype=T.handle(\"int64\").ty)",
     "p: T.let[T.handle(\"int64\", \"global\")] = T.call_extern(\"handle\", \"f\")"},
    {"A[0, 0:4 * T.vscale()] = T.Broadcast(T.float32(1), T.vscale() * 4)",
     "A[0, T.Ramp(0, 1, T.vscale() * 4)] = T.Broadcast(T.float32(1.0), T.vscale() * 4)"},
    {"with T.sblock():\n    T.sblock_attr({\"a\": {\"b\": 1}})\n    T.sblock_attr({\"a\": {\"c\": "
     "2}})\n    T.evaluate(0)",
     "T.evaluate(0)"},
};
INSTANTIATE_TEST_SUITE_P(All, KeptTest, ::testing::ValuesIn(kKept));

TEST(DeviceTextTest, AScopeIdDefinesItsVariables) {
  const VerifiedProgram program(
      Kernel("T.device_entry()\nbx, by = T.cta_id([2, 3])\nB[bx] = B[by]"));
  ASSERT_TRUE(program.module.has_value());
  const auto* seq = program.module->globals[ir::GlobalId{0}].prim_func()->body->As<ir::SeqStmt>();
  ASSERT_NE(seq, nullptr);
  const auto id = ir::ScopeIdOf(*seq->stmts[1]->As<ir::AttrStmt>());
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->function, "cta_id");
  EXPECT_EQ(id->vars.size(), 2u);
  EXPECT_EQ(id->extents->size(), 2u);
  EXPECT_FALSE(id->preferred.has_value());
}

TEST(DeviceTextTest, NamesOfDeviceIntrinsics) {
  EXPECT_TRUE(ir::IsDeviceIntrinsic("ptx.anything"));
  EXPECT_TRUE(ir::IsDeviceIntrinsic("tile.cta.copy"));
  EXPECT_FALSE(ir::IsDeviceIntrinsic("tile.cta.anything"));
  EXPECT_FALSE(ir::IsDeviceIntrinsic("exp"));
  EXPECT_EQ(ir::DeviceCallee("ptx.st.async"), "T.ptx[\"st.async\"]");
  EXPECT_EQ(ir::DeviceCallee("ptx.a::b"), "T.ptx[\"a::b\"]");
}

}  // namespace
}  // namespace lathe::relax_text
