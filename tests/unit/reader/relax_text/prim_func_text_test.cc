// PrimFuncs as text: what each construct means, and that printing gives what reading took.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/ir/print/print_tvmscript.h"
#include "gmock/gmock.h"
#include "tests/support/verified_program.h"

namespace lathe::relax_text {
namespace {

using ::lathe::testing::RoundTripDifference;
using ::lathe::testing::VerifiedProgram;
using ::testing::ElementsAre;

constexpr char kNew[] = "from tvm.script import ir as I, tirx as T\n\n";
constexpr char kOld[] = "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n";

// A function with that body, four spaces in; its first line is line 5.
std::string Function(const std::string& body, const std::string& params,
                     const std::string& decorator = "@T.prim_func(s_tir=True)",
                     const std::string& head = kNew) {
  return absl::StrCat(head, decorator, "\ndef main(", params, "):\n    ",
                      absl::StrReplaceAll(body, {{"\n", "\n    "}}), "\n");
}

constexpr char kParams[] =
    "A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((16,), \"float16\"), C: T.Buffer((64,), "
    "\"int8\"), i: T.int32, j: T.int64, u: T.uint8, f: T.float32, p: T.handle, b: T.bool";

// The expression as the 0.26 dialect prints it.
std::string Printed(const std::string& expression) {
  const VerifiedProgram program(Function(absl::StrCat("T.evaluate(", expression, ")"), kParams));
  if (!program.module) return program.diags.all().empty() ? "?" : program.diags.all()[0].message;
  const std::string text = ir::PrintTvmScript(*program.module, {});
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const size_t at = line.find("T.evaluate(");
    if (at != absl::string_view::npos) {
      return std::string(line.substr(at + 11, line.size() - at - 12));
    }
  }
  // Calls with arguments are statements.
  std::vector<std::string> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
  return lines.empty() ? "?" : lines.back().substr(lines.back().find_first_not_of(' '));
}

TEST(PrimFuncTextTest, LiteralsTakeTheTypeOfTheOtherOperand) {
  EXPECT_EQ(Printed("i + 1"), "i + 1");
  EXPECT_EQ(Printed("j + 1"), "j + T.int64(1)");
  EXPECT_EQ(Printed("1 + j"), "T.int64(1) + j");
  EXPECT_EQ(Printed("i + j"), "T.Cast(\"int64\", i) + j");
  EXPECT_EQ(Printed("u + 1"), "T.Cast(\"int32\", u) + 1");
  EXPECT_EQ(Printed("u < 1"), "u < T.uint8(1)");
  EXPECT_EQ(Printed("f + 1"), "f + T.float32(1.0)");
  EXPECT_EQ(Printed("B[0] + 1"), "B[0] + T.float16(1.0)");
  EXPECT_EQ(Printed("B[0] + 1.5"), "T.Cast(\"float32\", B[0]) + T.float32(1.5)");
  EXPECT_EQ(Printed("i + f"), "T.Cast(\"float32\", i) + f");
  EXPECT_EQ(Printed("i + T.int64(2)"), "T.Cast(\"int64\", i) + T.int64(2)");
  EXPECT_EQ(Printed("j * T.int32(2)"), "j * T.int64(2)");
  EXPECT_EQ(Printed("3000000000"), "T.int64(3000000000)");
  EXPECT_EQ(Printed("True"), "T.bool(True)");
  EXPECT_EQ(Printed("0.5"), "T.float32(0.5)");
}

TEST(PrimFuncTextTest, LiteralArithmeticMatchesPython) {
  EXPECT_EQ(Printed("2 * 3 + 4 // 3 - -7 // 2"), "11");
  EXPECT_EQ(Printed("2 ** 10 % 7"), "2");
  EXPECT_EQ(Printed("1 << 4 | 3"), "19");
  EXPECT_EQ(Printed("7 / 2"), "T.float32(3.5)");
  EXPECT_EQ(Printed("i if 1 < 2 else j"), "i");
  EXPECT_EQ(Printed("A.shape[0] * 2"), "T.Mul(16, 2)");
  EXPECT_EQ(Printed("1 // 0"), "the expression has no value: division by zero");
}

TEST(PrimFuncTextTest, Operators) {
  EXPECT_EQ(Printed("i // 4 % 2 - 1"), "i // 4 % 2 - 1");
  EXPECT_EQ(Printed("-i"), "-i");
  EXPECT_EQ(Printed("not b and i < 4 or i == 7"), "not b and i < 4 or i == 7");
  EXPECT_EQ(Printed("0 <= i < 4"), "0 <= i and i < 4");
  EXPECT_EQ(Printed("i & 3"), "T.bitwise_and(i, 3)");
  EXPECT_EQ(Printed("~i ^ i | i"), "T.bitwise_or(T.bitwise_xor(T.bitwise_not(i), i), i)");
  EXPECT_EQ(Printed("i << 2 >> 1"), "T.shift_right(T.shift_left(i, 2), 1)");
  EXPECT_EQ(Printed("T.ceildiv(i, 4)"), "(i + 4 - 1) // 4");
  EXPECT_EQ(Printed("T.truncdiv(i, 4)"), "T.Div(i, 4)");
  EXPECT_EQ(Printed("T.indexmod(i, 4)"), "i % 4");
  EXPECT_EQ(Printed("T.min(i, 4)"), "T.min(i, 4)");
  EXPECT_EQ(Printed("T.Select(i < 4, i, 0)"), "T.Select(i < 4, i, 0)");
  EXPECT_EQ(Printed("f ** 2.0"), "T.pow(f, T.float32(2.0))");
  EXPECT_EQ(Printed("f.astype(\"float16\")"), "T.Cast(\"float16\", f)");
  EXPECT_EQ(Printed("T.cast(1, \"float16\")"), "T.float16(1.0)");
  EXPECT_EQ(Printed("T.Cast(\"float16\", 1)"), "T.Cast(\"float16\", 1)");
  EXPECT_EQ(Printed("T.int64(i)"), "T.Cast(\"int64\", i)");
}

TEST(PrimFuncTextTest, Literals) {
  EXPECT_EQ(Printed("T.float32(\"inf\")"), "T.float32(\"inf\")");
  EXPECT_EQ(Printed("float(\"-inf\")"), "T.float32(\"-inf\")");
  EXPECT_EQ(Printed("T.i64(3)"), "T.int64(3)");
  EXPECT_EQ(Printed("T.max_value(\"int8\")"), "T.int8(127)");
  EXPECT_EQ(Printed("T.min_value(\"float16\")"), "T.float16(-65504.0)");
  EXPECT_EQ(Printed("T.max_value(\"uint64\")"), "T.uint64(18446744073709551615)");
  EXPECT_EQ(Printed("T.float64(1e300)"), "T.float64(1e+300)");
}

TEST(PrimFuncTextTest, BuffersInExpressions) {
  EXPECT_EQ(Printed("A[i, 3]"), "A[i, 3]");
  EXPECT_EQ(Printed("A[(i, 3)]"), "A[i, 3]");
  EXPECT_EQ(Printed("B[0:4:1]"), "B[T.Ramp(0, 1, 4)]");
  EXPECT_EQ(Printed("B.vload([i], \"float16x8\")"), "B[T.Ramp(i, 1, 8)]");
  EXPECT_EQ(Printed("A.shape[1]"), "16");
  EXPECT_EQ(Printed("A.dtype == \"float32\""), "T.bool(True)");
  EXPECT_EQ(Printed("len(A.shape)"), "2");
  EXPECT_EQ(Printed("C.access_ptr(\"rw\", offset=16)"),
            "T.tvm_access_ptr(T.type_annotation(\"int8\"), C.data, 16, 48, 3)");
  EXPECT_EQ(Printed("T.address_of(A)"), "T.address_of(A[0, 0])");
}

TEST(PrimFuncTextTest, Intrinsics) {
  EXPECT_EQ(Printed("T.exp(f)"), "T.exp(f)");
  EXPECT_EQ(Printed("T.exp(f, dtype=\"float32\")"), "T.exp(f)");
  EXPECT_EQ(Printed("T.call_extern(\"f\", i, dtype=\"int32\")"),
            "T.call_extern(\"int32\", \"f\", i)");
  EXPECT_EQ(Printed("T.call_intrin(\"int32\", \"tir.tvm_storage_sync\", \"shared\")"),
            "T.tvm_storage_sync(\"shared\")");
  EXPECT_EQ(Printed("T.reinterpret(\"int32\", f)"), "T.reinterpret(\"int32\", f)");
  EXPECT_EQ(Printed("T.tvm_call_packed(\"f\", i)"), "T.call_packed(\"f\", i)");
  EXPECT_EQ(Printed("T.ptx.bar_sync(0, 32)"), "T.ptx.bar_sync(0, 32)");
}

struct Snippet {
  const char* name;
  const char* body;
};

class RoundTripTest : public ::testing::TestWithParam<Snippet> {};

TEST_P(RoundTripTest, PrintsAsItIsRead) {
  EXPECT_EQ(RoundTripDifference(Function(GetParam().body, kParams)), "");
}

constexpr Snippet kSnippets[] = {
    {"Block",
     "D = T.sblock_alloc_buffer((16, 16))\n"
     "for x, y, z in T.grid(16, 16, 16):\n"
     "    with T.sblock(\"update\"):\n"
     "        vx, vy, vz = T.axis.remap(\"SSR\", [x, y, z])\n"
     "        T.where(x * 4 + y < 16)\n"
     "        T.reads(A[vx, vz], B[0:16])\n"
     "        T.writes(D[vx, vy])\n"
     "        T.sblock_attr({\"key\": \"value\", \"n\": 1, \"deep\": [1, 2.5, {\"k\": None}]})\n"
     "        with T.init():\n"
     "            D[vx, vy] = T.float32(0)\n"
     "        D[vx, vy] += A[vx, vz] * 2.0"},
    {"Axes",
     "for x in range(16):\n"
     "    with T.sblock(\"b\"):\n"
     "        v0 = T.axis.spatial(16, x)\n"
     "        v1 = T.axis.reduce((1, 11), x)\n"
     "        v2 = T.axis.scan(T.int64(4), x)\n"
     "        v3 = T.axis.opaque((i, i + 4), x * 2)\n"
     "        A[v0, v1] = T.float32(v2 + v3)"},
    {"Unrealised",
     "with T.sblock(\"b\", no_realize=True):\n"
     "    vi = T.axis.spatial(16, 0)\n"
     "    A[vi, vi] = 1"},
    {"RootBlock",
     "with T.sblock(\"root\"):\n"
     "    T.reads()\n"
     "    T.writes()\n"
     "    A[0, 0] = 1"},
    {"MatchRegion",
     "for x in range(4):\n"
     "    with T.sblock(\"b\"):\n"
     "        vx = T.axis.spatial(4, x)\n"
     "        s = T.int32()\n"
     "        M = T.match_buffer(A[vx * 4:vx * 4 + 4, 0:8], (4, 8), strides=[s, 1],\n"
     "                           offset_factor=1)\n"
     "        M[0, 0] = T.float32(s)"},
    {"Loops",
     "for a in T.serial(2, 10, annotations={\"k\": 1}):\n"
     "    for c in T.parallel(0, i):\n"
     "        for d in T.vectorized(4):\n"
     "            for e in T.unroll(i, i + 4):\n"
     "                for g in T.thread_binding(8, thread=\"threadIdx.x\"):\n"
     "                    A[a, c] = A[d, e] + T.float32(g)\n"
     "for a in range(0, 10, 2):\n"
     "    for c in T.grid(T.int64(4)):\n"
     "        for d, e in T.grid(j, 3):\n"
     "            A[a, c] = A[d, e]\n"
     "for a in range(i, j):\n"
     "    for c in T.serial(a, 16, step=3):\n"
     "        T.evaluate(a + c)"},
    {"Flow",
     "while A[0, 0] < 10.0:\n"
     "    if i < 4:\n"
     "        break\n"
     "    elif i < 5:\n"
     "        continue\n"
     "    else:\n"
     "        A[0, 0] = 1\n"
     "assert i > 0, \"text\"\n"
     "assert i > 0, (\"ValueError\", [\"a\", \"b\"])\n"
     "with T.Assert(i > 0, \"text\"):\n"
     "    T.evaluate(0)\n"
     "if b:\n"
     "    pass\n"
     "return i"},
    {"Scalars",
     "x: T.let[T.int32] = i + 1\n"
     "y = T.bind(x * 2)\n"
     "z: T.let = y\n"
     "q: T.let[T.handle(\"float32\", \"global\")] = A.data\n"
     "D = T.decl_buffer((256,), \"float32\", data=q)\n"
     "w = i + z\n"
     "w = w + 1\n"
     "w += 2\n"
     "v: T.float32 = f\n"
     "v = v * v\n"
     "t: T.int32[4, 4]\n"
     "t[0, 0] = w\n"
     "D[w] = v\n"
     "with T.LetStmt(i) as k:\n"
     "    T.evaluate(k)\n"
     "n = T.int32()\n"
     "with T.LetStmt(i, var=n):\n"
     "    T.evaluate(n)"},
    {"Memory",
     "D = T.alloc_buffer((16,), \"int8\", scope=\"shared\", align=64)\n"
     "E = T.decl_buffer((4,), \"int32\", data=D.data, elem_offset=i)\n"
     "F = T.decl_buffer((4, 4), \"float32\", data=A.data, strides=[16, 1], scope=\"global\")\n"
     "q = T.allocate([16], \"float32\", \"local\")\n"
     "G = T.decl_buffer((16,), data=q, scope=\"local\")\n"
     "with T.allocate([i], \"float32\", condition=i < 4) as r:\n"
     "    T.evaluate(T.call_extern(\"int32\", \"f\", r))\n"
     "k = T.allocate_const([1, 2, 3, -4], \"int32\", [4])\n"
     "K = T.decl_buffer((4,), \"int32\", data=k)\n"
     "D[0] = T.int8(0)\n"
     "E[0] = K[1]\n"
     "F[0, 0] = G[0]\n"
     "L = T.alloc_local((4,), \"float32\")\n"
     "L[0] = 1.0"},
    {"Vectors",
     "A[0, 0:4] = A[1, 0:4]\n"
     "A[0, T.Ramp(0, 2, 4)] = T.Broadcast(f, 4)\n"
     "A[1, 0:8:2] = T.Shuffle([f, f, f, f], [0, 1, 2, 3])\n"
     "A[0, T.Ramp(0, 1, 4 * T.vscale())] = T.Broadcast(f, T.vscale() * 4)\n"
     "A.vstore([0, T.Ramp(0, 1, 4)], T.Broadcast(f, 4),\n"
     "         predicate=T.get_active_lane_mask(\"boolx4\", 0, 3))\n"
     "T.evaluate(A.vload([0, T.Ramp(0, 1, 4)], predicate=T.Broadcast(b, 4)))"},
    {"Threads",
     "bx = T.launch_thread(\"blockIdx.x\", 64)\n"
     "tx = T.env_thread(\"threadIdx.x\")\n"
     "with T.launch_thread(tx, 32):\n"
     "    A[bx, tx] = 1\n"
     "with T.launch_thread(tx, 32):\n"
     "    A[bx, tx] = 2\n"
     "with T.launch_thread(\"vthread\", 2) as vt:\n"
     "    A[bx, vt] = 2\n"
     "with T.attr(T.iter_var(T.int32(), T.Range(0, 8), \"DataPar\", \"\"), \"pragma\", 1):\n"
     "    T.evaluate(0)"},
    {"Attributes",
     "T.func_attr({\"tirx.noalias\": True, \"op_pattern\": 8, \"f\": 0.5,\n"
     "             \"target\": T.target({\"kind\": \"cuda\", \"arch\": \"sm_80\"}),\n"
     "             \"map\": T.index_map(lambda a, c: (a // 4, c, a % 4)),\n"
     "             \"inv\": T.index_map(lambda a: (a // 4, a % 4),\n"
     "                                inverse_index_map=lambda x, y: x * 4 + y)})\n"
     "T.attr(A, \"storage_alignment\", 128)\n"
     "T.attr(\"default\", \"device_scope\", 0)\n"
     "T.attr(T.target(\"llvm\"), \"target\", 0)\n"
     "with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), \"reduce_scope\",\n"
     "            T.reinterpret(\"handle\", T.uint64(0))):\n"
     "    T.tvm_thread_allreduce(T.uint32(1), A[0, 0], True, A.data, i)\n"
     "T.attr(T.comm_reducer(lambda x0, x1, y0, y1: (x0 + y0, T.max(x1, y1)),\n"
     "                      [T.float32(0), T.float32(\"-inf\")]), \"reduce_scope\", 0)\n"
     "T.evaluate(0)"},
    {"Calls",
     "T.call_packed(\"f\", A, A[0:4, i], A.data, \"text\", T.float32(1))\n"
     "T.call_extern(\"void\", \"g\", T.address_of(A[i, 0]))\n"
     "T.call_llvm_pure_intrin(\"float32x4\", \"llvm.sqrt\", T.Broadcast(f, 4))\n"
     "T.tvm_struct_set(p, 0, 1, T.Cast(\"handle\", i))\n"
     "T.evaluate(T.tvm_struct_get(p, 0, 1, \"int32\"))\n"
     "T.evaluate(T.if_then_else(i < 4, A[i, 0], T.float32(0)))\n"
     "T.evaluate(T.likely(i < 4))\n"
     "T.evaluate(T.tvm_stack_alloca(\"array\", 4))\n"
     "x = T.int32()\n"
     "T.evaluate(T.Let(x * x, where={x: i + 1}))"},
};

INSTANTIATE_TEST_SUITE_P(Constructs, RoundTripTest, ::testing::ValuesIn(kSnippets),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(PrimFuncTextTest, SignaturesRoundTrip) {
  for (const char* text : {
           "@T.prim_func\ndef main(a: T.handle, n: T.int32, q: T.handle(\"int8\", \"shared\")) -> "
           "T.int32:\n    m = T.int64()\n    A = T.match_buffer(a, (m, m * 2), \"float16\", "
           "strides=[\"s0\", \"s1\"], offset_factor=4, align=16, axis_separators=[1])\n    A[0, 0] "
           "= T.float16(n)\n    return 1\n",
           "@T.prim_func\ndef main(A: T.Buffer((\"n\", \"n * 2\"), \"int8\"), n: T.int64, B: "
           "T.Buffer((n,), \"int8\")):\n    A[0, 0] = B[0]\n",
           "@T.prim_func\ndef main(A: T.Buffer(16, \"float32\"), B: T.Buffer[(16, 4), \"int8\"], "
           "C: "
           "T.Buffer(())):\n    C[()] = A[0]\n",
           "@T.prim_func(private=True)\ndef main[n](A: T.Buffer((n,))):\n    A[0] = 1\n",
           "@T.prim_func(s_tir=True, persistent=True)\ndef main(A: T.Buffer((4,), "
           "buffer_type=\"auto\")):\n    T.func_attr({\"global_symbol\": \"other\"})\n    A[0] = "
           "1\n",
       }) {
    EXPECT_EQ(RoundTripDifference(absl::StrCat(kNew, text)), "") << text;
  }
}

TEST(PrimFuncTextTest, CallsOfTheModule) {
  EXPECT_EQ(RoundTripDifference(absl::StrCat(kNew, R"(
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4,), "int32")):
        cls = Module
        A[0] = cls.two(A.data, 3)
        cls.none()

    @T.prim_func(private=True, s_tir=True)
    def two(p: T.handle("int32", "global"), n: T.int32) -> T.int32:
        return n * 2

    @T.prim_func(private=True, s_tir=True)
    def none():
        T.evaluate(0)
)")),
            "");
}

// Which statements the function has, one letter each.
std::string Shape(const std::string& text) {
  const VerifiedProgram program(text);
  if (!program.module) return program.diags.all().empty() ? "?" : program.diags.all()[0].code;
  const ir::PrimFunc& f = *program.module->globals[ir::GlobalId{0}].prim_func();
  std::string out;
  const auto letter = [&out](ir::StmtRef s) {
    out += s->As<ir::LetStmt>()     ? 'L'
           : s->As<ir::AllocStmt>() ? 'M'
           : s->As<ir::StoreStmt>() ? 'S'
           : s->As<ir::BlockStmt>() ? 'B'
                                    : '.';
  };
  if (const auto* seq = f.body->As<ir::SeqStmt>()) {
    for (ir::StmtRef s : seq->stmts) letter(s);
  } else {
    letter(f.body);
  }
  return out;
}

TEST(PrimFuncTextTest, AssignmentsDependOnTheDialect) {
  const std::string once = "x = i + 1\nA[x, 0] = 1";
  const std::string twice = "x = i + 1\nx = x + 1\nA[x, 0] = 1";
  const std::string typed = "x: T.int32 = i + 1\nA[x, 0] = 1";
  const char* plain = "@T.prim_func";
  EXPECT_EQ(Shape(Function(once, kParams)), "MSS");
  EXPECT_EQ(Shape(Function(typed, kParams)), "MSS");
  EXPECT_EQ(Shape(Function(once, kParams, plain, kNew)), "LS");
  EXPECT_EQ(Shape(Function(twice, kParams, plain, kNew)), "MSSS");
  EXPECT_EQ(Shape(Function(typed, kParams, plain, kNew)), "LS");
  EXPECT_EQ(Shape(Function(once, kParams, plain, kOld)), "LS");
  EXPECT_EQ(Shape(Function(twice, kParams, plain, kOld)), "name-redefined");
  const std::string memory = "D = T.alloc_buffer((4,))\nD[0] = 1";
  EXPECT_EQ(Shape(Function(memory, kParams, plain, kNew)), "MS");
  EXPECT_EQ(Shape(Function(memory, kParams, plain, kOld)), "B");
}

struct Wrong {
  const char* problem;  // code and line
  const char* body;
};

class WrongTest : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongTest, IsReportedAtItsLocation) {
  const VerifiedProgram program(Function(GetParam().body, kParams));
  EXPECT_THAT(program.Problems(), ElementsAre(GetParam().problem)) << GetParam().body;
}

constexpr Wrong kWrong[] = {
    {"unknown-function:5", "T.match_buffer((16, 16), \"float32\")[0]"},
    {"match-buffer-source:5", "D = T.match_buffer((16, 16), (4,))"},
    {"match-buffer-source:5", "D = T.match_buffer(i, (4,))"},
    {"wrong-arguments:5", "D = T.match_buffer(p)"},
    {"unbound-name:6", "T.evaluate(0)\nT.evaluate(Z[0])"},
    {"unknown-function:5", "T.const_rang(16)"},
    {"not-a-loop:5", "for x in T.const_range(16):\n    A[x, x] = 0.0"},
    {"not-a-loop:5", "for x in T.evaluate(0.0):\n    A[x, x] = 0.0"},
    {"with-without-scope:5", "with T.evaluate(0.0):\n    T.evaluate(1.0)"},
    {"unknown-function:5", "return T.evaluate(0)"},
    {"wrong-number-of-names:5",
     "with T.allocate([1], \"float32\", \"\") as [X, Y]:\n    T.evaluate(1.0)"},
    {"outside-block:6",
     "for x, y in T.grid(16, 16):\n    vx, vy = T.axis.remap(\"SS\", [x])\n    T.evaluate(1.0)"},
    {"axis-remap:7",
     "for x, y in T.grid(16, 16):\n    with T.sblock():\n        vx, vy = T.axis.remap(\"TT\", [x, "
     "y])"},
    {"axis-remap:7",
     "for x, y in T.grid(16, 16):\n    with T.sblock():\n        vx, vy = T.axis.remap(\"SS\", [x "
     "+ y, y])"},
    {"buffer-not-indexed:7",
     "for x in range(16):\n    with T.sblock():\n        vx = T.axis.S(x, A)"},
    {"name-redefined:8",
     "for x, y in T.grid(16, 16):\n    with T.sblock():\n        vx = T.axis.S(16, x)\n        vx "
     "= T.axis.S(16, y)"},
    {"name-redefined:7",
     "for x, y in T.grid(16, 16):\n    with T.sblock():\n        vx, vx = T.axis.remap(\"SS\", [x, "
     "y])"},
    {"wrong-arguments:7", "for x in range(16):\n    with T.sblock():\n        vx = T.axis.S(x)"},
    {"wrong-number-of-names:5", "for x, y in range(0, 16):\n    T.evaluate(1.0)"},
    {"wrong-kind-of-value:6", "for x in T.grid(16, 16):\n    T.evaluate(A[x, 0])"},
    {"match-buffer-source:7",
     "for x in range(16):\n    with T.sblock():\n        M = T.match_buffer(x)"},
    {"name-redefined:6", "D = T.alloc_buffer((128,))\nD = T.alloc_buffer((128,))"},
    {"duplicate-block-statement:7",
     "with T.sblock():\n    T.reads(A[0:8, 0:8])\n    T.reads(A[0:16, 0:16])"},
    {"duplicate-block-statement:7",
     "with T.sblock():\n    T.writes(A[0:8, 0:8])\n    T.writes(A[0:16, 0:16])"},
    {"duplicate-block-statement:7", "with T.sblock():\n    T.where(1)\n    T.where(0)"},
    {"duplicate-block-statement:8",
     "with T.sblock():\n    with T.init():\n        T.evaluate(1.0)\n    with T.init():\n        "
     "T.evaluate(1.0)"},
    {"duplicate-attribute:7",
     "with T.sblock():\n    T.sblock_attr({\"k\": 1})\n    T.sblock_attr({\"k\": 2})"},
    {"buffer-index-type:5", "A[0, 0] = A[0:2, 0] + 1"},
    {"buffer-shape-type:5", "D = T.alloc_buffer((128.0, 128), \"float32\")"},
    {"wrong-kind-of-value:5", "for x in T.serial(\"1\", \"1\"):\n    T.evaluate(1)"},
    {"buffer-not-indexed:5", "T.evaluate(A)"},
    {"buffer-not-indexed:5", "A[0, 0] = A[A, 0]"},
    {"match-buffer-shape:7",
     "with T.sblock():\n    T.reads([])\n    M = T.match_buffer(A[i, 0:4], (5))"},
    {"store-target:6", "X = T.allocate([256], \"float32\", \"global\")\nX[0, 0] = 1.0"},
    {"with-without-value:5", "with T.sblock(\"root\") as x:\n    T.evaluate(0.0)"},
    {"outside-block:5", "T.reads([])"},
    {"outside-block:5", "T.where(True)"},
    {"outside-block:5", "T.sblock_attr({})"},
    {"outside-block:5", "v = T.axis.S(0, 0)"},
    {"wrong-kind-of-value:5", "A[0, 0] = f[2]"},
    {"store-target:5", "p[0] = f"},
    {"wrong-kind-of-value:5", "A[0, 0] = f + [2]"},
    {"scalar-type-mismatch:5", "A[0, 0] = p + 2"},
    {"axis-type:6", "with T.sblock():\n    v = T.axis.S(0.1, 0.1)"},
    {"slice-not-a-region:6", "with T.sblock():\n    T.writes([A[0, 0:16:3]])"},
    {"slice-not-a-vector:5", "A[0, 0:16:-1] = T.Broadcast(f, 4)"},
    {"slice-not-a-vector:5", "A[0, 0:i:1] = f"},
    {"condition-type:5", "if f:\n    pass"},
    {"condition-type:5", "while p:\n    pass"},
    {"loop-step:5", "for x in range(4, 0, -1):\n    pass"},
    {"loop-bound-type:5", "for x in range(f):\n    pass"},
    {"integer-division:5", "A[i / 2, 0] = f"},
    {"buffer-index-count:5", "A[0] = f"},
    {"buffer-index-type:5", "A[f, 0] = f"},
    {"index-out-of-range:5", "T.evaluate(A.shape[2])"},
    {"store-type:5", "A[0, 0] = T.Broadcast(f, 4)"},
    {"let-without-value:5", "x: T.let[T.int32]"},
    {"tir-realize:5", "T.realize(A[0:1, 0:1], \"\")"},
    {"intrinsic-keyword:5", "T.evaluate(T.Call(\"tirx.exp\", [f], attrs={}, ret_ty=\"float32\"))"},
    {"limit-vector-lanes:5", "A[0, 0:99999] = f"},
    {"unknown-dtype:5", "T.evaluate(T.Cast(\"floot\", i))"},
    {"number-out-of-range:5", "T.evaluate(T.int8(300))"},
    {"wrong-arguments:5", "T.exp(f, f)"},
    {"host-python:5", "T.evaluate(sum([1]))"},
    {"host-python:5", "T.evaluate([x for x in 3])"},
    {"wrong-arguments:5", "D = A.view(4, 4)"},
    {"host-python:5", "T.ptx.bar_sync(**i)"},
    {"wrong-number-of-names:5", "bx, by = T.cta_id([1])"},
    {"loop-bound-type:5", "bx = T.cta_id([f])"},
    {"unknown-function:5", "T.tile.copyy(A, A)"},
    {"unknown-function:5", "T.call_intrin(\"handle\", \"argument.keyword\", f, f)"},
    {"wrong-kind-of-value:5", "D = T.alloc_buffer((4,), layout=T.exp(f))"},
    {"wrong-arguments:5", "D = T.alloc_buffer((4,), layout=T.TileLayout(T.S[4:]))"},
    {"duplicate-attribute:7",
     "with T.sblock():\n    T.sblock_attr({\"a\": {\"b\": 1}})\n    T.sblock_attr({\"a\": {\"b\": "
     "2}})"},
    {"undefined-variable:6", "n = T.int32()\nA[n, 0] = f"},
    {"unbound-name:7", "with T.LetStmt(i) as n:\n    T.evaluate(n)\nA[0, 0] = T.float32(n)"},
    {"variable-redefined:8",
     "n = T.int32()\nwith T.LetStmt(1, var=n):\n    T.evaluate(n)\nwith T.LetStmt(2, var=n):\n    "
     "T.evaluate(n)"},
    {"loop-var-in-block:8",
     "for x in range(16):\n    with T.sblock(\"b\"):\n        vx = T.axis.S(16, x)\n        A[x, "
     "0] = f"},
};

INSTANTIATE_TEST_SUITE_P(All, WrongTest, ::testing::ValuesIn(kWrong));

TEST(PrimFuncTextTest, ParametersAreChecked) {
  EXPECT_THAT(VerifiedProgram(Function("pass", "a")).Problems(),
              ElementsAre("prim-func-parameter:4"));
  EXPECT_THAT(VerifiedProgram(Function("pass", "a: T.int32 = 4")).Problems(),
              ElementsAre("prim-func-parameter:4"));
  EXPECT_THAT(VerifiedProgram(Function("pass", "A: T.Buffer((n,))")).Problems(),
              ElementsAre("unbound-name:4"));
  EXPECT_THAT(VerifiedProgram(Function("pass", "a: \"T.int32\"")).Problems(),
              ElementsAre("prim-func-parameter:4"));
}

std::string Repeated(absl::string_view text, int times) {
  std::string out;
  for (int k = 0; k < times; ++k) absl::StrAppend(&out, text);
  return out;
}

TEST(PrimFuncTextTest, DeepAndLongTextsEndInLimits) {
  const auto problems = [](const std::string& body) {
    return VerifiedProgram(Function(body, kParams)).Problems();
  };
  EXPECT_THAT(problems("T.evaluate(i" + Repeated(" + i", 100000) + ")"),
              ElementsAre("limit-nesting:5"));
  EXPECT_THAT(problems("T.evaluate(" + Repeated("(", 1000) + "i" + Repeated(")", 1000) + ")"),
              ElementsAre("limit-nesting:5"));
  EXPECT_THAT(problems("T.evaluate(b" + Repeated(" and b", 100000) + ")"),
              ElementsAre("limit-expression-depth:5"));
  EXPECT_THAT(problems("T.evaluate(i" + Repeated(" + i", 350) + ")"),
              ElementsAre("limit-expression-depth:5"));
  std::string doubling = "t0 = (i + j,)\n";
  for (int k = 0; k < 60; ++k) {
    absl::StrAppend(&doubling, "t", k + 1, " = (t", k, "[0] + t", k, "[0],)\n");
  }
  EXPECT_THAT(problems(doubling), ElementsAre("limit-scalar-size:14"));
  EXPECT_THAT(problems("for x in T.grid(1" + Repeated(", 1", 300) + "):\n    pass"),
              ElementsAre("limit-nesting:5"));
  EXPECT_THAT(problems("T.evaluate(" + Repeated("-", 200) + "i)"), ::testing::IsEmpty());
  EXPECT_EQ(
      RoundTripDifference(Function("T.evaluate(i" + Repeated(" * j + i", 140) + ")", kParams)), "");
}

}  // namespace
}  // namespace lathe::relax_text
