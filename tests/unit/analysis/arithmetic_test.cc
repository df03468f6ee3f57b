// Compares every rewrite with evaluation: random expressions, random values of their variables.
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/context.h"
#include "gtest/gtest.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::Context;
using ir::DType;
using ir::PrimRef;
using ir::Tri;

using Values = absl::flat_hash_map<PrimRef, int64_t>;

// The textbook meaning, sharing nothing with the rewriter; nothing where there is no value.
std::optional<int64_t> Evaluate(PrimRef e, const Values& values) {
  if (const auto* n = e->As<ir::IntImm>()) return n->value;
  if (e->As<ir::SymVar>() != nullptr) return values.at(e);
  if (const auto* n = e->As<ir::Cast>()) return Evaluate(n->value, values);
  if (const auto* n = e->As<ir::Unary>()) {
    const auto v = Evaluate(n->value, values);
    if (!v) return std::nullopt;
    return n->op == ir::UnaryOp::kNeg ? -*v : static_cast<int64_t>(*v == 0);
  }
  if (const auto* n = e->As<ir::Select>()) {
    const auto c = Evaluate(n->cond, values);
    const auto a = Evaluate(n->if_true, values);
    const auto b = Evaluate(n->if_false, values);
    if (!c || !a || !b) return std::nullopt;
    return *c != 0 ? *a : *b;
  }
  const auto* n = e->As<ir::Binary>();
  EXPECT_NE(n, nullptr);
  const auto left = Evaluate(n->lhs, values);
  const auto right = Evaluate(n->rhs, values);
  if (!left || !right) return std::nullopt;
  const int64_t a = *left;
  const int64_t b = *right;
  switch (n->op) {
    case BinaryOp::kAdd:
      return a + b;
    case BinaryOp::kSub:
      return a - b;
    case BinaryOp::kMul:
      return a * b;
    case BinaryOp::kDiv:
      return b == 0 ? std::nullopt : std::optional(a / b);
    case BinaryOp::kMod:
      return b == 0 ? std::nullopt : std::optional(a % b);
    case BinaryOp::kFloorDiv: {
      if (b == 0) return std::nullopt;
      int64_t q = a / b;
      while (q * b != a && (a - q * b < 0) != (b < 0)) --q;
      return q;
    }
    case BinaryOp::kFloorMod: {
      if (b == 0) return std::nullopt;
      return ((a % b) + b) % b;
    }
    case BinaryOp::kMin:
      return a < b ? a : b;
    case BinaryOp::kMax:
      return a < b ? b : a;
    case BinaryOp::kEq:
      return a == b;
    case BinaryOp::kNe:
      return a != b;
    case BinaryOp::kLt:
      return a < b;
    case BinaryOp::kLe:
      return a <= b;
    case BinaryOp::kGt:
      return a > b;
    case BinaryOp::kGe:
      return a >= b;
    case BinaryOp::kAnd:
      return a != 0 && b != 0;
    case BinaryOp::kOr:
      return a != 0 || b != 0;
    default:
      ADD_FAILURE() << "not generated";
      return 0;
  }
}

class RandomExprs {
 public:
  RandomExprs(Context& context, unsigned seed) : context_(context), random_(seed) {
    for (const char* name : {"a", "b", "c"}) vars_.push_back(context.NewVar(name));
    for (const char* name : {"i", "j"}) narrow_.push_back(context.NewVar(name, DType::Int(32)));
  }

  int Pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  PrimRef Int(int depth) {
    if (depth == 0 || Pick(5) == 0) {
      const int k = Pick(8);
      if (k < 4) return vars_[Pick(3)];
      if (k == 4) return context_.MakeCast(DType::Int(64), narrow_[Pick(2)]);
      return context_.Int(Pick(13) - 4);
    }
    static constexpr BinaryOp kOps[] = {
        BinaryOp::kAdd,      BinaryOp::kSub,      BinaryOp::kMul,      BinaryOp::kAdd,
        BinaryOp::kFloorDiv, BinaryOp::kFloorMod, BinaryOp::kFloorDiv, BinaryOp::kMin,
        BinaryOp::kMax,      BinaryOp::kDiv,      BinaryOp::kMod,      BinaryOp::kMul};
    const int k = Pick(14);
    if (k == 12) return context_.MakeSelect(Condition(depth - 1), Int(depth - 1), Int(depth - 1));
    if (k == 13) return context_.Make(ir::UnaryOp::kNeg, Int(depth - 1));
    const bool divides = kOps[k] == BinaryOp::kFloorDiv || kOps[k] == BinaryOp::kFloorMod;
    const PrimRef rhs = divides && Pick(3) > 0 ? context_.Int(Pick(6) + 1) : Int(depth - 1);
    return context_.Make(kOps[k], Int(depth - 1), rhs);
  }

  PrimRef Condition(int depth) {
    const int k = Pick(depth == 0 ? 6 : 9);
    static constexpr BinaryOp kOps[] = {BinaryOp::kEq, BinaryOp::kNe, BinaryOp::kLt,
                                        BinaryOp::kLe, BinaryOp::kGt, BinaryOp::kGe};
    if (k < 6) return context_.Make(kOps[k], Int(depth / 2), Int(depth / 2));
    if (k == 6) return context_.Make(ir::UnaryOp::kNot, Condition(depth - 1));
    return context_.Make(k == 7 ? BinaryOp::kAnd : BinaryOp::kOr, Condition(depth - 1),
                         Condition(depth - 1));
  }

  Values Assign(bool dims) {
    Values values;
    for (PrimRef v : vars_) values[v] = dims ? Pick(9) : Pick(19) - 9;
    for (PrimRef v : narrow_) values[v] = Pick(19) - 9;
    return values;
  }

 private:
  Context& context_;
  std::mt19937 random_;
  std::vector<PrimRef> vars_;
  std::vector<PrimRef> narrow_;
};

constexpr int kExprs = 1500;
constexpr int kAssignments = 12;

TEST(ArithmeticProperty, SimplifyKeepsTheValue) {
  for (const bool dims : {false, true}) {
    const Assumptions known = dims ? Assumptions() : Assumptions::Nothing();
    Context context;
    RandomExprs random(context, dims ? 7 : 11);
    for (int n = 0; n < kExprs; ++n) {
      const PrimRef e = n % 4 == 0 ? random.Condition(3) : random.Int(4);
      const PrimRef simple = Simplify(context, e, known);
      const Interval range = BoundsOf(context, e, known);
      for (int k = 0; k < kAssignments; ++k) {
        const Values values = random.Assign(dims);
        const auto want = Evaluate(e, values);
        if (!want) continue;  // divides by zero
        const auto got = Evaluate(simple, values);
        ASSERT_TRUE(got.has_value()) << ToString(e) << " became " << ToString(simple);
        ASSERT_EQ(*got, *want) << ToString(e) << " became " << ToString(simple);
        if (!e->dtype().is_bool()) {
          ASSERT_TRUE(range.Contains(*want)) << ToString(e);
        }
      }
    }
  }
}

TEST(ArithmeticProperty, ProofsHold) {
  int answered = 0;
  for (const bool dims : {false, true}) {
    const Assumptions known = dims ? Assumptions() : Assumptions::Nothing();
    Context context;
    RandomExprs random(context, dims ? 3 : 5);
    for (int n = 0; n < kExprs; ++n) {
      const PrimRef a = random.Int(3);
      // Half the time something close to `a`, so that there is something to prove.
      const PrimRef b = n % 2 == 0 ? random.Int(3)
                                   : context.Make(BinaryOp::kAdd, Simplify(context, a, known),
                                                  context.Int(random.Pick(3) - 1));
      const Tri equal = ProveEqual(context, a, b, known);
      const Tri less = ProveLess(context, a, b, known);
      const Tri less_equal = ProveLessEqual(context, a, b, known);
      answered += equal != Tri::kUnknown;
      const auto check = [](Tri answer, bool truth) {
        return answer == Tri::kUnknown || (answer == Tri::kYes) == truth;
      };
      for (int k = 0; k < kAssignments; ++k) {
        const Values values = random.Assign(dims);
        const auto x = Evaluate(a, values);
        const auto y = Evaluate(b, values);
        if (!x || !y) continue;
        ASSERT_TRUE(check(equal, *x == *y)) << ToString(a) << " ? " << ToString(b);
        ASSERT_TRUE(check(less, *x < *y)) << ToString(a) << " ? " << ToString(b);
        ASSERT_TRUE(check(less_equal, *x <= *y)) << ToString(a) << " ? " << ToString(b);
      }
    }
  }
  EXPECT_GT(answered, 750);  // the test has something to say
}

class Simplifies : public ::testing::Test {
 protected:
  Context c;
  PrimRef n = c.NewVar("n");
  PrimRef m = c.NewVar("m");
  PrimRef Add(PrimRef a, PrimRef b) { return c.Make(BinaryOp::kAdd, a, b); }
  PrimRef Sub(PrimRef a, PrimRef b) { return c.Make(BinaryOp::kSub, a, b); }
  PrimRef Mul(PrimRef a, PrimRef b) { return c.Make(BinaryOp::kMul, a, b); }
  PrimRef Div(PrimRef a, PrimRef b) { return c.Make(BinaryOp::kFloorDiv, a, b); }
  PrimRef Mod(PrimRef a, PrimRef b) { return c.Make(BinaryOp::kFloorMod, a, b); }
  PrimRef I(int64_t v) { return c.Int(v); }
  std::string Text(PrimRef e) { return ToString(Simplify(c, e)); }
};

TEST_F(Simplifies, SumsOfProducts) {
  EXPECT_EQ(Text(Add(Mul(n, I(2)), n)), "n * 3");
  EXPECT_EQ(Text(Sub(Mul(Add(n, I(1)), Add(n, I(1))), Mul(n, n))), "n * 2 + 1");
  EXPECT_EQ(Text(Sub(I(4), n)), "4 - n");
  EXPECT_EQ(Text(Mul(m, n)), "n * m");
}

TEST_F(Simplifies, Divisions) {
  EXPECT_EQ(Text(Div(Add(Mul(n, I(4)), I(2)), I(2))), "n * 2 + 1");
  EXPECT_EQ(Text(Div(Mul(n, m), m)), "n");
  EXPECT_EQ(Text(Div(Add(Mul(n, I(4)), Mod(m, I(4))), I(4))), "n");
  EXPECT_EQ(Text(Mod(Add(Mul(n, I(4)), Mod(m, I(4))), I(4))), "m % 4");
  EXPECT_EQ(Text(Div(Div(n, I(2)), I(3))), "n // 6");
  const PrimRef both = Add(n, m);
  EXPECT_EQ(Text(Div(Mul(Mul(both, m), I(8)), Mul(both, I(2)))), "m * 4");
  EXPECT_EQ(Text(Div(Mul(both, Add(n, I(3))), both)), "n + 3");
  EXPECT_EQ(Text(Mod(Mul(both, Add(n, I(3))), both)), "0");
  EXPECT_EQ(Text(Div(Add(Mul(both, m), I(1)), both)), "(n * m + m * m + 1) // (n + m)");
  EXPECT_EQ(Text(Mod(Mul(n, I(6)), I(4))), "n * 2 % 4");
  for (const PrimRef divisor : {Sub(m, n), Sub(n, m), Sub(I(4), n), Sub(Mul(m, I(2)), n)}) {
    EXPECT_EQ(Text(Div(divisor, divisor)), "1");
    EXPECT_EQ(Text(Div(Mul(divisor, I(8)), divisor)), "8");
  }
}

TEST_F(Simplifies, MinAndMax) {
  EXPECT_EQ(Text(c.Make(BinaryOp::kMin, n, Add(n, I(1)))), "n");
  EXPECT_EQ(Text(c.Make(BinaryOp::kMax, n, I(0))), "n");
  EXPECT_EQ(Text(c.Make(BinaryOp::kMax, c.Make(BinaryOp::kMax, n, m), n)), "max(n, m)");
}

TEST_F(Simplifies, ProvesShapeEqualities) {
  EXPECT_EQ(ProveEqual(c, Add(Mul(Div(n, I(4)), I(4)), Mod(n, I(4))), n), Tri::kYes);
  EXPECT_EQ(ProveEqual(c, Div(Sub(n, I(1)), I(4)), Sub(Div(Add(n, I(3)), I(4)), I(1))), Tri::kYes);
  EXPECT_EQ(ProveEqual(c, n, Add(n, I(1))), Tri::kNo);
  EXPECT_EQ(ProveEqual(c, Mul(n, I(2)), Add(Mul(m, I(2)), I(1))), Tri::kNo);
  EXPECT_EQ(ProveEqual(c, n, m), Tri::kUnknown);
  EXPECT_EQ(ProveEqual(c, Add(n, I(1)), I(0)), Tri::kNo);  // dimensions are not negative
  EXPECT_EQ(ProveLess(c, Mod(n, m), m), Tri::kUnknown);    // m may be zero
  Assumptions bounded;
  bounded.Bound(n, {1, 512});
  EXPECT_EQ(ProveLessEqual(c, Mul(n, I(2)), I(1024), bounded), Tri::kYes);
  EXPECT_EQ(ProveEqual(c, n, I(0), bounded), Tri::kNo);
}

TEST_F(Simplifies, KeepsOverflowingConstants) {
  const PrimRef big = I(std::numeric_limits<int64_t>::max());
  const PrimRef sum = Add(big, Add(big, n));
  EXPECT_EQ(ProveEqual(c, sum, n), Tri::kUnknown);
  EXPECT_EQ(Simplify(c, Mul(big, I(2))), Mul(big, I(2)));
  EXPECT_EQ(Text(Sub(I(0), I(std::numeric_limits<int64_t>::min()))), "0 - -9223372036854775808");
}

TEST_F(Simplifies, DeepExpressionsAreSafe) {
  PrimRef e = n;
  for (int i = 0; i < 5000; ++i) e = c.Make(BinaryOp::kMax, Add(e, m), Mul(e, I(1)));
  EXPECT_NE(Simplify(c, e), nullptr);
}

}  // namespace
}  // namespace lathe::analysis
