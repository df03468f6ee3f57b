// Tests that the order of expressions depends on their structure alone.
#include "generator/ir/canonical_order.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"
#include "gtest/gtest.h"

namespace lathe::ir {
namespace {

// Expressions over n and m, as functions so that a test chooses the order of their creation.
using Make = std::function<PrimRef(Context&, PrimRef n, PrimRef m)>;
const std::vector<Make>& Expressions() {
  const auto binary = [](BinaryOp op, int64_t by) {
    return [op, by](Context& c, PrimRef n, PrimRef) { return c.Make(op, n, c.Int(by)); };
  };
  static const std::vector<Make> all = {
      [](Context&, PrimRef n, PrimRef) { return n; },
      [](Context&, PrimRef, PrimRef m) { return m; },
      [](Context& c, PrimRef, PrimRef) { return c.Int(3); },
      [](Context& c, PrimRef, PrimRef) { return c.Int(-3); },
      [](Context& c, PrimRef, PrimRef) { return c.Int(3, DType::Int(32)); },
      binary(BinaryOp::kFloorDiv, 4),
      binary(BinaryOp::kFloorDiv, 2),
      binary(BinaryOp::kFloorMod, 2),
      [](Context& c, PrimRef, PrimRef m) { return c.Make(BinaryOp::kFloorDiv, m, c.Int(2)); },
      [](Context& c, PrimRef n, PrimRef m) { return c.Make(BinaryOp::kMin, n, m); },
      [](Context& c, PrimRef n, PrimRef m) { return c.Make(BinaryOp::kMin, m, n); },
      [](Context& c, PrimRef n, PrimRef) { return c.MakeCast(DType::Int(32), n); },
      [](Context& c, PrimRef n, PrimRef) { return c.Make(UnaryOp::kNeg, n); },
      [](Context& c, PrimRef n, PrimRef m) {
        return c.MakeIntrinsic(DType::Int(64), "shift_right", {n, m});
      },
      [](Context& c, PrimRef n, PrimRef m) {
        return c.Make(BinaryOp::kMul, c.Make(BinaryOp::kFloorDiv, n, c.Int(2)), m);
      },
  };
  return all;
}

std::vector<std::string> Sorted(bool backwards) {
  Context c;
  const PrimRef n = c.NewVar("n", DType::Int(64));
  const PrimRef m = c.NewVar("m", DType::Int(64));
  std::vector<Make> makes = Expressions();
  if (backwards) absl::c_reverse(makes);
  std::vector<PrimRef> made;
  for (const Make& make : makes) made.push_back(make(c, n, m));
  std::sort(made.begin(), made.end(), PrecedesCanonically);
  std::vector<std::string> texts;
  for (PrimRef e : made) texts.push_back(ToString(e));
  return texts;
}

TEST(CanonicalOrderTest, DoesNotDependOnTheOrderOfCreation) {
  EXPECT_EQ(Sorted(false), Sorted(true));
}

TEST(CanonicalOrderTest, IsTotal) {
  Context c;
  const PrimRef n = c.NewVar("n", DType::Int(64));
  const PrimRef m = c.NewVar("m", DType::Int(64));
  std::vector<PrimRef> made;
  for (const Make& make : Expressions()) made.push_back(make(c, n, m));
  for (double value : {0.0, -0.0, 1.5}) made.push_back(c.Make(DType::Float(32), FloatImm{value}));
  made.push_back(c.Make(DType::Handle(), StringImm{"exp"}));
  made.push_back(c.Make(DType::Int(64), Select{c.Bool(true), n, m}));
  // Two views of one memory differ in nothing but their offset.
  Buffer view;
  view.name = "A";
  view.dtype = DType::Int(64);
  view.data = c.NewPointer("A", view.dtype, "global");
  view.shape = {c.Int(4)};
  const BufferRef first = c.NewBuffer(view);
  view.elem_offset = c.Int(4);
  const BufferRef second = c.NewBuffer(view);
  for (BufferRef buffer : {first, second}) {
    made.push_back(c.MakeLoad(buffer, {c.Int(0)}));
    made.push_back(c.MakeLoad(buffer, {n}));
    made.push_back(c.MakeLoad(buffer, {c.Int(0)}, c.Bool(true)));
    made.push_back(c.Make(DType::Handle(), RegionArg{buffer, {c.Int(0)}, {nullptr}}));
  }
  for (PrimRef a : made) {
    for (PrimRef b : made) {
      EXPECT_EQ(CompareCanonically(a, b) == 0, a == b) << ToString(a) << " and " << ToString(b);
      EXPECT_EQ(PrecedesCanonically(a, b), CompareCanonically(b, a) > 0);
      for (PrimRef d : made) {
        if (PrecedesCanonically(a, b) && PrecedesCanonically(b, d)) {
          EXPECT_TRUE(PrecedesCanonically(a, d));
        }
      }
    }
  }
}

// Which operand the compiler of lathe evaluates first must not show in what lathe writes.
TEST(CanonicalOrderTest, SumsAndExtremesDoNotDependOnTheOrderOfCreation) {
  std::vector<std::string> texts;
  for (const bool m_first : {false, true}) {
    Context c;
    const PrimRef n = c.NewVar("n", DType::Int(64));
    const PrimRef m = c.NewVar("m", DType::Int(64));
    const auto half = [&](PrimRef e) { return c.Make(BinaryOp::kFloorDiv, e, c.Int(2)); };
    if (m_first) half(m);
    half(n);
    for (BinaryOp op : {BinaryOp::kAdd, BinaryOp::kMul, BinaryOp::kMin, BinaryOp::kMax}) {
      texts.push_back(ToString(analysis::Simplify(c, c.Make(op, half(m), half(n)))));
    }
    texts.push_back(ToString(analysis::Simplify(c, c.Make(BinaryOp::kMax, c.Int(5), half(n)))));
  }
  const std::vector<std::string> want = {"n // 2 + m // 2", "n // 2 * (m // 2)",
                                         "min(n // 2, m // 2)", "max(n // 2, m // 2)",
                                         "max(5, n // 2)"};
  EXPECT_EQ(std::vector(texts.begin(), texts.begin() + 5), want);
  EXPECT_EQ(std::vector(texts.begin() + 5, texts.end()), want);
}

}  // namespace
}  // namespace lathe::ir
