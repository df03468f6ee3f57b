// Tests kinds of kernels: of every operator, by tests/kernel_kinds/operators.table, and of other
// loop nests.
#include "generator/analysis/kernel_traits.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/pipeline.h"
#include "generator/ops/ops.h"
#include "generator/support/files.h"
#include "generator/transform/legalize.h"
#include "generator/transform/rederive_info.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace lathe::analysis {
namespace {

// The kinds of the PrimFuncs that the program has once it is legalized, by the operator they
// compute, or by their name.
std::vector<std::pair<std::string, KernelKind>> KindsOf(const std::string& text) {
  const SourceFile file("kernels.py", text);
  ir::Context context;
  Diagnostics diags;
  std::optional<ir::Module> module = driver::LoadModule(context, file, diags);
  if (!module) return {};
  transform::Legalize(context, *module);
  std::vector<std::pair<std::string, KernelKind>> kinds;
  for (int32_t i = 0; i < std::ssize(module->globals); ++i) {
    const ir::Global& global = module->globals[ir::GlobalId{i}];
    if (global.prim_func() == nullptr) continue;
    const auto* op = ir::FindAttr<std::string>(global.prim_func()->attrs, transform::kOperatorName);
    kinds.emplace_back(op == nullptr ? global.name : *op, TraitsOf(*global.prim_func()).kind);
  }
  return kinds;
}

TEST(KernelTraits, OfEveryOperator) {
  const std::string path = SourcePath("tests/kernel_kinds/operators.table");
  const absl::StatusOr<std::string> table = ReadFile(path);
  ASSERT_TRUE(table.ok());
  std::vector<std::string> parameters;
  std::set<std::string> seen;
  std::string found;
  for (absl::string_view line : absl::StrSplit(*table, '\n', absl::SkipEmpty())) {
    if (absl::ConsumePrefix(&line, "parameter ")) {
      parameters.emplace_back(line);
      absl::StrAppend(&found, "parameter ", line, "\n");
      continue;
    }
    if (absl::StartsWith(line, "#")) {
      absl::StrAppend(&found, line, "\n");
      continue;
    }
    const std::string call(line.substr(0, line.rfind("  ->  ")));
    const std::string op =
        absl::StrCat("relax", call.substr(call.find('.'), call.find('(') - call.find('.')));
    const auto kinds = KindsOf(absl::StrCat(
        "from tvm.script import ir as I, relax as R, tirx as T\n@I.ir_module\nclass Module:\n",
        "    @R.function\n    def main(", absl::StrJoin(parameters, ", "),
        "):\n        out = ", call, "\n        return out\n"));
    absl::string_view kind = "no kernel";
    for (const auto& [name, its] : kinds) {
      if (name == op) kind = Name(its);
    }
    EXPECT_NE(kind, "no kernel") << call;
    seen.insert(op);
    absl::StrAppend(&found, call, "  ->  ", kind, "\n");
  }
  ExpectGolden(path, found);
  for (const ir::Op& op : ops::AllOps()) {
    EXPECT_TRUE(op.compute == nullptr || seen.count(op.name) > 0) << op.name << " has no line";
  }
}

// One PrimFunc over a, b (8 by 8) and out (8 by 8, and by 16), of that body.
KernelKind KindOfBody(const std::string& body) {
  std::vector<std::string> lines = absl::StrSplit(body, '\n');
  const auto kinds = KindsOf(absl::StrCat(
      "from tvm.script import ir as I, tirx as T\n@I.ir_module\nclass Module:\n",
      "    @T.prim_func\n    def main(A: T.Buffer((8, 8), \"float32\"), B: T.Buffer((8,), "
      "\"float32\"), C: T.Buffer((8, 8), \"float32\"), K: T.Buffer((8,), \"int32\"), D: "
      "T.Buffer((8, 16), \"float32\")):\n",
      "        ", absl::StrJoin(lines, "\n        "), "\n"));
  EXPECT_EQ(kinds.size(), 1u) << body;
  return kinds.empty() ? KernelKind::kOpaque : kinds[0].second;
}

std::string Block(const std::string& axes, const std::string& body) {
  return absl::StrCat("for i, j, k in T.grid(8, 8, 8):\n    with T.block(\"b\"):\n",
                      "        vi, vj, vk = T.axis.remap(\"", axes, "\", [i, j, k])\n        ",
                      absl::StrReplaceAll(body, {{"\n", "\n        "}}));
}

TEST(KernelTraits, ReadAccessesDecide) {
  const auto kind = [](const std::string& value) {
    return Name(KindOfBody(absl::StrCat(
        "for i, j in T.grid(8, 8):\n    with T.block(\"b\"):\n",
        "        vi, vj = T.axis.remap(\"SS\", [i, j])\n        C[vi, vj] = ", value)));
  };
  EXPECT_EQ(kind("A[vi, vj] * T.float32(2)"), "elementwise");
  EXPECT_EQ(kind("T.float32(2)"), "elementwise");
  EXPECT_EQ(kind("A[vi, vj] + B[vj]"), "broadcast");
  EXPECT_EQ(kind("B[vi]"), "broadcast");
  EXPECT_EQ(kind("A[0, vj]"), "injective");
  EXPECT_EQ(kind("A[vj, vi]"), "injective");
  EXPECT_EQ(kind("A[vi, 7 - vj]"), "injective");
  EXPECT_EQ(kind("A[vi, K[vj]]"), "injective");
  EXPECT_EQ(kind("C[vi, vj] + A[vi, vj]"), "opaque");
  EXPECT_EQ(kind("T.call_extern(\"float32\", \"f\", A[vi, vj])"), "opaque");
}

TEST(KernelTraits, WriteAccessesDecide) {
  const auto kind = [](const std::string& store) {
    return Name(
        KindOfBody(absl::StrCat("for i, j in T.grid(8, 8):\n    with T.block(\"b\"):\n",
                                "        vi, vj = T.axis.remap(\"SS\", [i, j])\n        ", store)));
  };
  EXPECT_EQ(kind("C[vj, vi] = A[vj, vi]"), "elementwise");
  EXPECT_EQ(kind("D[vi, vj + 4] = A[vi, vj]"), "injective");
  EXPECT_EQ(kind("C[vi, K[vj]] = A[vi, vj]"), "opaque");
  EXPECT_EQ(kind("C[vi, 0] = A[vi, vj]"), "opaque");
  EXPECT_EQ(kind("C[vi, vi] = A[vi, vj]"), "opaque");
  EXPECT_EQ(kind("D[vi, vj + vi] = A[vi, vj]"), "opaque");
  EXPECT_EQ(kind("if vi < 4:\n            C[vi, vj] = A[vi, vj]"), "opaque");
  EXPECT_EQ(kind("for z in range(2):\n            C[vi, vj] = A[vi, vj]"), "opaque");
}

TEST(KernelTraits, CombinedTraits) {
  const auto kind = [](const std::string& axes, const std::string& body) {
    return Name(KindOfBody(Block(axes, body)));
  };
  const std::string init = "with T.init():\n    C[vi, vj] = T.float32(0)\n";
  EXPECT_EQ(kind("SRR", "with T.init():\n    B[vi] = T.float32(0)\nB[vi] = B[vi] + A[vj, vk]"),
            "output-fusable");
  EXPECT_EQ(kind("RSS", "C[vj, vk] = C[vj, vk] + A[vj, vk]"), "reduction");
  EXPECT_EQ(kind("SSR", init + "C[vi, vj] = C[vi, vj] + A[vi, vk] * A[vk, vj]"), "output-fusable");
  EXPECT_EQ(kind("SSR", init + "C[vi, vj] = T.max(C[vi, vj], A[vi, vj])"), "reduction");
  // An order that counts, or a way of coming together that has one.
  EXPECT_EQ(kind("SSR", init + "C[vi, vj] = C[vi, vj] - A[vi, vj]"), "opaque");
  EXPECT_EQ(kind("SSR", init + "C[vi, vj] = A[vi, vj] + T.float32(1)"), "opaque");
  EXPECT_EQ(kind("SSR", init + "C[vi, vj] = C[vi, vj] + C[vi, vj]"), "opaque");
}

TEST(KernelTraits, CodeOutsideBlocks) {
  EXPECT_EQ(Name(KindOfBody("for i, j in T.grid(8, 8):\n    C[i, j] = A[i, j]")), "opaque");
  EXPECT_EQ(Name(KindOfBody("T.evaluate(0)")), "opaque");
}

}  // namespace
}  // namespace lathe::analysis
