// The probabilities p minimize the sum of (r_ji p_i - r_ij p_j)^2 over all pairs, where r_ij is the
// probability of class i against class j. This is the second method of Wu, Lin and Weng (2004).
// With Q as the matrix of this form, p is the fixed point of p_i <- p_i + (p'Qp - (Qp)_i) / Q_ii
// followed by scaling to a sum of one. The limit of iterations and the tolerance are those of
// LIBSVM, so that results agree.
#include "generator/reader/onnx/pairwise_probabilities.h"

#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/score_transforms.h"

namespace lathe::onnx {
namespace {

constexpr int64_t kIterations = 100;
constexpr double kTolerance = 0.005;  // divided by the number of classes
constexpr double kLeast = 1e-7;       // probabilities of pairs are at least this far from 0 and 1

const DType kScore = DType::Float(32);

class PairwiseKernel {
 public:
  PairwiseKernel(Te& te, PrimRef rows, int64_t classes)
      : te_(te), m_(te.math()), rows_(rows), classes_(m_.Int(classes)), count_(classes) {
    const Dims square = {rows_, classes_, classes_};
    pairs_ = Pairs(square);
    q_ = Form(square);
    qp_ = te.Allocate("qp", {rows_, classes_}, kScore);
    pqp_ = te.Allocate("pqp", {rows_}, kScore);
    open_ = te.Allocate("open", {rows_}, DType::Bool());
  }

  ir::BufferRef Run() {
    out_ = te_.Compute("out", {rows_, classes_}, kScore, [&](const Indices&) {
      return m_.Const(1.0 / static_cast<double>(count_), kScore);
    });
    te_.Run("iterate", {rows_}, [&](ops::Statements& s, const Indices& row) {
      s.Store(open_, row, m_.ir().Bool(true));
      s.For("turn", m_.Int(kIterations), [&](PrimRef) {
        s.If(te_.At(open_, row), [&] {
          Multiply(s, row[0]);
          s.If(te_.At(open_, row),
               [&] { s.For("t", classes_, [&](PrimRef t) { Improve(s, row[0], t); }); });
        });
      });
    });
    return out_;
  }

 private:
  // The probability of each class against each other one.
  ir::BufferRef Pairs(const Dims& square) {
    return te_.Compute("pair", square, kScore, [&](const Indices& at) {
      const PrimRef low = m_.Min(at[1], at[2]), high = m_.Max(at[1], at[2]);
      // Pairs before those of `low`: (classes - 1) + (classes - 2) + ...
      const PrimRef before =
          m_.FloorDiv(m_.Mul(low, m_.Sub(m_.Int(2 * count_ - 1), low)), m_.Int(2));
      const PrimRef pair = m_.Add(before, m_.Sub(m_.Sub(high, low), m_.Int(1)));
      // The diagonal has no pair and is not used; its index only has to be valid.
      const PrimRef last = m_.Int(count_ * (count_ - 1) / 2 - 1);
      const PrimRef index = m_.Max(m_.Int(0), m_.Min(pair, last));
      const PrimRef score = te_.At(te_.Input(0), {at[0], index});
      const PrimRef fitted =
          m_.Add(m_.Mul(score, te_.At(te_.Input(1), {index})), te_.At(te_.Input(2), {index}));
      PrimRef p = m_.Sub(m_.Const(1, kScore), LogisticOf(m_, fitted));
      p = m_.Min(m_.Max(p, m_.Const(kLeast, kScore)), m_.Const(1 - kLeast, kScore));
      return m_.Select(m_.Lt(at[1], at[2]), p, m_.Sub(m_.Const(1, kScore), p));
    });
  }

  // Q: the sums of squares on the diagonal, negative products elsewhere.
  ir::BufferRef Form(const Dims& square) {
    ir::BufferRef sums =
        te_.Reduce("squares", {rows_, classes_}, {classes_}, te_.Sum(kScore),
                   [&](const Indices& at, const Indices& r) {
                     const PrimRef p = te_.At(pairs_, {at[0], r[0], at[1]});
                     return m_.Select(m_.Eq(r[0], at[1]), m_.Const(0, kScore), m_.Mul(p, p));
                   });
    return te_.Compute("q", square, kScore, [&](const Indices& at) {
      const PrimRef product =
          m_.Mul(te_.At(pairs_, {at[0], at[1], at[2]}), te_.At(pairs_, {at[0], at[2], at[1]}));
      return m_.Select(m_.Eq(at[1], at[2]), te_.At(sums, {at[0], at[1]}), m_.Neg(product));
    });
  }

  // Computes Qp and p'Qp, and closes the row if all of Qp are close to p'Qp.
  void Multiply(ops::Statements& s, PrimRef row) {
    const PrimRef zero = m_.Const(0, kScore);
    s.Store(pqp_, {row}, zero);
    s.For("t", classes_, [&](PrimRef t) {
      s.Store(qp_, {row, t}, zero);
      s.For("j", classes_, [&](PrimRef j) {
        const PrimRef term = m_.Mul(te_.At(q_, {row, t, j}), te_.At(out_, {row, j}));
        s.Store(qp_, {row, t}, m_.Add(te_.At(qp_, {row, t}), term));
      });
      const PrimRef term = m_.Mul(te_.At(out_, {row, t}), te_.At(qp_, {row, t}));
      s.Store(pqp_, {row}, m_.Add(te_.At(pqp_, {row}), term));
    });
    s.Store(open_, {row}, m_.ir().Bool(false));
    const PrimRef limit = m_.Const(kTolerance / static_cast<double>(count_), kScore);
    s.For("t", classes_, [&](PrimRef t) {
      const PrimRef error = m_.Call("abs", {m_.Sub(te_.At(qp_, {row, t}), te_.At(pqp_, {row}))});
      s.If(m_.Le(limit, error), [&] { s.Store(open_, {row}, m_.ir().Bool(true)); });
    });
  }

  // Moves p_t to its best value, scales p to a sum of one, and updates Qp and p'Qp for it.
  void Improve(ops::Statements& s, PrimRef row, PrimRef t) {
    const PrimRef diagonal = s.Let("diagonal", te_.At(q_, {row, t, t}));
    const PrimRef old = s.Let("old", te_.At(qp_, {row, t}));
    const PrimRef by = s.Let("by", m_.Div(m_.Sub(te_.At(pqp_, {row}), old), diagonal));
    const PrimRef scale = s.Let("scale", m_.Add(m_.Const(1, kScore), by));
    s.Store(out_, {row, t}, m_.Add(te_.At(out_, {row, t}), by));
    const PrimRef twice = m_.Mul(m_.Const(2, kScore), old);
    const PrimRef change = m_.Mul(by, m_.Add(m_.Mul(by, diagonal), twice));
    s.Store(pqp_, {row}, m_.Div(m_.Div(m_.Add(te_.At(pqp_, {row}), change), scale), scale));
    s.For("j", classes_, [&](PrimRef j) {
      const PrimRef moved = m_.Add(te_.At(qp_, {row, j}), m_.Mul(by, te_.At(q_, {row, t, j})));
      s.Store(qp_, {row, j}, m_.Div(moved, scale));
      s.Store(out_, {row, j}, m_.Div(te_.At(out_, {row, j}), scale));
    });
  }

  Te& te_;
  ScalarMath& m_;
  const PrimRef rows_, classes_;
  const int64_t count_;
  ir::BufferRef pairs_, q_, qp_, pqp_, open_, out_;
};

}  // namespace

Operand PairwiseProbabilities(NodeCall& n, const Operand& scores, int64_t classes,
                              const std::vector<double>& a, const std::vector<double>& b) {
  const Operands args = {scores, NumberTable(n, a, kScore), NumberTable(n, b, kScore)};
  return n.Kernel("pairwise_probabilities", args,
                  [&](Te& te) { return PairwiseKernel(te, n.DimsOf(scores)[0], classes).Run(); });
}

}  // namespace lathe::onnx
