#include "tests/support/mma_program.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace lathe::testing {
namespace {

int BitsOf(const std::string& name) {
  if (name == "fp64") return 64;
  if (name == "int4" || name == "uint4") return 4;
  if (name == "int8" || name == "uint8" || name == "e4m3" || name == "e5m2") return 8;
  return name == "fp16" || name == "bf16" ? 16 : 32;
}

}  // namespace

std::string DTypeOf(const std::string& name) {
  static const std::map<std::string, std::string>* const kNames =
      new std::map<std::string, std::string>{
          {"fp16", "float16"},    {"bf16", "bfloat16"}, {"tf32", "float32"},
          {"fp32", "float32"},    {"fp64", "float64"},  {"int8", "int8"},
          {"uint8", "uint8"},     {"int32", "int32"},   {"int4", "int4"},
          {"uint4", "uint4"},     {"b1", "uint32"},     {"e4m3", "float8_e4m3fn"},
          {"e5m2", "float8_e5m2"}};
  return kNames->at(name);
}

int DepthOf(const MmaProduct& product) {
  return std::string(product.a) == "b1" ? product.k / 32 : product.k;
}

std::string MmaFunction(const std::string& name, const MmaProduct& p) {
  const int bits = BitsOf(p.a), depth = DepthOf(p);
  const int each = bits >= 32 ? 1 : 32 / bits;  // elements that a register has
  const int halves = p.m / 8;                   // of eight rows
  const std::string a = DTypeOf(p.a), b = DTypeOf(p.b), c = DTypeOf(p.c);
  return absl::StrCat(
      absl::Substitute("    @T.prim_func\n"
                       "    def $0(A: T.Buffer(($1, $3), \"$4\"), B: T.Buffer(($3, $2), \"$5\"), "
                       "D: T.Buffer(($1, $2), \"$6\")):\n"
                       "        for tx in T.thread_binding(32, thread=\"threadIdx.x\"):\n",
                       name, p.m, p.n, depth, a, b, c),
      absl::Substitute("            a = T.alloc_local(($0,), \"$3\")\n"
                       "            b = T.alloc_local(($1,), \"$4\")\n"
                       "            c = T.alloc_local(($2,), \"$5\")\n",
                       p.m * depth / 32, depth * p.n / 32, p.m * p.n / 32, a, b, c),
      absl::Substitute("            for i in range($0):\n"
                       "                a[i] = A[tx // 4 + i // $1 % $2 * 8, tx % 4 * $1 + i % $1 "
                       "+ i // $3 * $4]\n",
                       p.m * depth / 32, each, halves, each * halves, 4 * each),
      absl::Substitute("            for i in range($0):\n"
                       "                b[i] = B[tx % 4 * $1 + i % $1 + i // $1 * $2, tx // 4]\n",
                       depth * p.n / 32, each, 4 * each),
      absl::Substitute("            for i in range($0):\n"
                       "                c[i] = T.Cast(\"$1\", 1)\n"
                       "            T.evaluate(T.ptx_mma(\"$1\", \"m$2n$3k$4\", \"row\", \"col\", "
                       "\"$5\", \"$6\", "
                       "\"$7\", a.data, 0, b.data, 0, c.data, 0, False$8))\n",
                       p.m * p.n / 32, c, p.m, p.n, p.k, p.a, p.b, p.c,
                       *p.op == 0 ? "" : absl::StrCat(", \"", p.op, "\"")),
      absl::Substitute("            for i in range($0):\n"
                       "                D[tx // 4 + i // 2 * 8, tx % 4 * 2 + i % 2] = c[i]\n",
                       p.m * p.n / 32));
}

}  // namespace lathe::testing
