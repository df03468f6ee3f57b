// Imports support vector machines: kernels between the rows and the support vectors, combined with
// constant coefficients.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "generator/reader/onnx/class_labels.h"
#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/pairwise_probabilities.h"
#include "generator/reader/onnx/score_transforms.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

const DType kReal32 = DType::Float(32);

struct KernelFunction {
  std::string type;
  double gamma = 0, offset = 0, degree = 0;
};

absl::StatusOr<KernelFunction> ReadKernelFunction(NodeCall& n) {
  KernelFunction kernel;
  kernel.type = n.String("kernel_type", "LINEAR");
  if (kernel.type != "LINEAR" && kernel.type != "POLY" && kernel.type != "RBF" &&
      kernel.type != "SIGMOID") {
    return n.Error() << "unknown kernel_type '" << kernel.type
                     << "'; known: LINEAR, POLY, RBF, SIGMOID";
  }
  const std::vector<double> params = n.Floats("kernel_params");
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "kernel_params", params));
  if (!params.empty() && params.size() != 3) {
    return n.Error() << "'kernel_params' has " << params.size()
                     << " elements; it needs 3: gamma, coef0, degree";
  }
  if (params.size() == 3) {
    kernel.gamma = params[0];
    kernel.offset = params[1];
    kernel.degree = params[2];
  }
  return kernel;
}

// Small integer powers are products, as most models use degree 2 or 3.
PrimRef PowerOf(ScalarMath& m, PrimRef x, double degree) {
  if (degree == 1) return x;
  if (degree == 2) return m.Mul(x, x);
  if (degree == 3) return m.Mul(m.Mul(x, x), x);
  return m.Call("pow", {x, m.Const(degree, x->dtype())});
}

// A list of floats without NaN, whose length is a multiple of `of`.
absl::StatusOr<std::vector<double>> FloatRows(NodeCall& n, const std::string& name, int64_t of) {
  std::vector<double> values = n.Floats(name);
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, name, values));
  if (values.empty() || std::ssize(values) % of != 0) {
    return n.Error() << "attribute '" << name << "' has " << values.size()
                     << " elements, which are not rows for each of " << of;
  }
  return values;
}

// The kernel function of each row with each vector: (rows, count).
absl::StatusOr<Operand> KernelValues(NodeCall& n, const Operand& rows,
                                     const std::vector<double>& vectors, int64_t count,
                                     const KernelFunction& kernel) {
  const PrimRef width = n.DimsOf(rows)[1];
  const int64_t features = std::ssize(vectors) / count;
  const std::optional<int64_t> known = NodeCall::IntOf(width);
  if (known && *known != features) {
    return n.Error() << "has vectors of " << features << " features; the input has " << *known;
  }
  const Operand table = n.builder().Constant(kReal32, {count, features}, vectors);
  const Dims dims = {n.DimsOf(rows)[0], n.ir().Int(count)};
  return n.Kernel("kernel_values", {rows, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    if (!known)
      te.Need(m.Eq(width, m.Int(features)), "the input needs as many features as the model");
    const bool distance = kernel.type == "RBF";
    ir::BufferRef sum = te.Reduce("sum", dims, {m.Int(features)}, te.Sum(kReal32),
                                  [&](const Indices& at, const Indices& r) {
                                    const PrimRef x = te.At(te.Input(0), {at[0], r[0]});
                                    const PrimRef v = te.At(te.Input(1), {at[1], r[0]});
                                    const PrimRef apart = m.Sub(x, v);
                                    return distance ? m.Mul(apart, apart) : m.Mul(x, v);
                                  });
    if (kernel.type == "LINEAR") return sum;
    return te.Compute("out", dims, kReal32, [&](const Indices& at) {
      const PrimRef gamma = m.Const(kernel.gamma, kReal32);
      const PrimRef scaled = m.Mul(gamma, te.At(sum, at));
      if (distance) return m.Call("exp", {m.Neg(scaled)});
      const PrimRef moved = m.Add(scaled, m.Const(kernel.offset, kReal32));
      return kernel.type == "POLY" ? PowerOf(m, moved, kernel.degree) : m.Call("tanh", {moved});
    });
  });
}

// The lists of a classifier with support vectors, sorted by class.
struct SupportVectors {
  std::vector<int64_t> per_class, begins;
  int64_t count = 0;
  std::vector<double> vectors, coefficients, rho, prob_a, prob_b;
};

absl::StatusOr<SupportVectors> ReadSupportVectors(NodeCall& n, int64_t classes) {
  SupportVectors svm;
  svm.per_class = n.Ints("vectors_per_class");
  for (const int64_t size : svm.per_class) {
    if (size < 0 || size > (int64_t{1} << 31)) {
      return n.Error() << "an element of 'vectors_per_class' is " << size;
    }
    svm.begins.push_back(svm.count);
    svm.count += size;
  }
  svm.rho = n.Floats("rho");
  svm.prob_a = n.Floats("prob_a");
  svm.prob_b = n.Floats("prob_b");
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "rho", svm.rho));
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "prob_a", svm.prob_a));
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "prob_b", svm.prob_b));
  if (svm.rho.empty()) return n.Error() << "attribute 'rho' has no elements";
  if (svm.count == 0) {
    LATHE_ASSIGN_OR_RETURN(svm.coefficients, FloatRows(n, "coefficients", classes));
    return svm;
  }
  if (std::ssize(svm.per_class) != classes || classes < 2) {
    return n.Error() << "'vectors_per_class' has " << svm.per_class.size() << " elements for "
                     << classes << " labels; it needs one for each of at least 2";
  }
  const int64_t pairs = classes * (classes - 1) / 2;
  LATHE_ASSIGN_OR_RETURN(svm.vectors, FloatRows(n, "support_vectors", svm.count));
  LATHE_ASSIGN_OR_RETURN(svm.coefficients, FloatRows(n, "coefficients", svm.count));
  if (std::ssize(svm.coefficients) != (classes - 1) * svm.count) {
    return n.Error() << "has " << svm.coefficients.size() << " coefficients; " << classes
                     << " classes with " << svm.count << " support vectors have "
                     << (classes - 1) * svm.count;
  }
  const auto fits = [&](const std::vector<double>& list) { return std::ssize(list) == pairs; };
  if (!fits(svm.rho) || svm.prob_a.size() != svm.prob_b.size() ||
      !(svm.prob_a.empty() || fits(svm.prob_a))) {
    return n.Error() << "'rho', 'prob_a' and 'prob_b' have " << svm.rho.size() << ", "
                     << svm.prob_a.size() << " and " << svm.prob_b.size() << " elements; "
                     << classes << " classes have " << pairs << " pairs";
  }
  return svm;
}

// The decision value of each pair of classes (rows, pairs), and the number of pairs that each class
// wins (rows, classes). The sums are double, so that a value near zero has the sign that other
// implementations give it.
struct Decisions {
  Operand values, votes;
};

Decisions DecidePairs(NodeCall& n, const SupportVectors& svm, const Operand& kernels,
                      int64_t classes) {
  const DType wide = DType::Float(64);
  const PrimRef rows = n.DimsOf(kernels)[0];
  const Operands args = {
      kernels, n.builder().Constant(kReal32, {classes - 1, svm.count}, svm.coefficients),
      NumberTable(n, svm.rho, kReal32), IntTable(n, svm.begins), IntTable(n, svm.per_class)};
  const Operands made = n.Kernels("decide_pairs", args, [&](Te& te) -> std::vector<ir::BufferRef> {
    ScalarMath& m = te.math();
    const PrimRef one = m.Int(1);
    ir::BufferRef votes = te.Compute("votes", {rows, m.Int(classes)}, DType::Int(32),
                                     [&](const Indices&) { return m.Const(0, DType::Int(32)); });
    ir::BufferRef values = te.Allocate("values", {rows, m.Int(std::ssize(svm.rho))}, kReal32);
    ir::BufferRef sum = te.Allocate("sum", {rows}, wide);
    ir::BufferRef pair = te.Allocate("pair", {rows}, DType::Int(64));
    te.Run("decide", {rows}, [&](ops::Statements& s, const Indices& row) {
      // Adds the support vectors of `of` with the coefficients that separate it from another class.
      const auto add = [&](PrimRef of, PrimRef line) {
        const PrimRef begin = s.Let("begin", TableEntry(te, 3, of));
        s.For("v", TableEntry(te, 4, of), [&](PrimRef v) {
          const PrimRef at = s.Let("at", m.Add(begin, v));
          const PrimRef term =
              m.Mul(te.At(te.Input(1), {line, at}), te.At(te.Input(0), {row[0], at}));
          s.Store(sum, row, m.Add(te.At(sum, row), m.Cast(term, wide)));
        });
      };
      s.Store(pair, row, m.Int(0));
      s.For("i", m.Int(classes - 1), [&](PrimRef i) {
        s.For("k", m.Sub(m.Int(classes - 1), i), [&](PrimRef k) {
          const PrimRef j = s.Let("j", m.Add(m.Add(i, k), one));
          const PrimRef at = s.Let("p", te.At(pair, row));
          s.Store(sum, row, m.Const(0, wide));
          add(i, m.Sub(j, one));
          add(j, i);
          const PrimRef value =
              s.Let("value", m.Add(te.At(sum, row), m.Cast(te.At(te.Input(2), {at}), wide)));
          s.Store(values, {row[0], at}, m.Cast(value, kReal32));
          const PrimRef winner = s.Let("winner", m.Select(m.Lt(m.Const(0, wide), value), i, j));
          const PrimRef old = te.At(votes, {row[0], winner});
          s.Store(votes, {row[0], winner}, m.Add(old, m.Const(1, DType::Int(32))));
          s.Store(pair, row, m.Add(at, one));
        });
      });
    });
    return {values, votes};
  });
  return {made[0], made[1]};
}

// A model without support vectors has the coefficients of one linear model per class, and one
// offset for all of them.
absl::StatusOr<Results> LinearMachine(NodeCall& n, const SupportVectors& svm, const Operand& rows,
                                      const ClassLabels& labels, ScoreTransform transform) {
  LATHE_ASSIGN_OR_RETURN(Operand scores,
                         KernelValues(n, rows, svm.coefficients, labels.count(), {"LINEAR"}));
  scores = n.Op("relax.add", {scores, n.Number(svm.rho[0], kReal32)});
  Operand which = LargestScore(n, scores);
  if (labels.count() == 2 && svm.prob_a.empty()) {
    // A positive score of either class selects the second one. This is how ONNX Runtime reads the
    // models of exporters that store one decision value twice.
    const bool positive = std::all_of(svm.coefficients.begin(), svm.coefficients.end(),
                                      [](double c) { return c >= 0; });
    which = n.Kernel("which", {scores, which}, [&](Te& te) {
      ScalarMath& m = te.math();
      return te.Compute("out", {n.DimsOf(scores)[0]}, DType::Int(64), [&](const Indices& at) {
        const PrimRef most =
            m.Max(te.At(te.Input(0), {at[0], m.Int(0)}), te.At(te.Input(0), {at[0], m.Int(1)}));
        const PrimRef second =
            positive ? m.Le(m.Const(0.5, kReal32), most) : m.Lt(m.Const(0, kReal32), most);
        return m.Select(second, m.Int(1), te.At(te.Input(1), at));
      });
    });
  }
  Term label = LabelsAt(n, labels, which);
  return std::vector<Term>{std::move(label), Term(TransformScores(n, scores, transform))};
}

}  // namespace

absl::StatusOr<Results> ImportSvmClassifier(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand rows, FeatureRows(n, n.In(0), kReal32));
  LATHE_ASSIGN_OR_RETURN(const ClassLabels labels, ReadClassLabels(n, "classlabels_ints"));
  LATHE_ASSIGN_OR_RETURN(const ScoreTransform transform, ReadScoreTransform(n));
  LATHE_ASSIGN_OR_RETURN(const KernelFunction kernel, ReadKernelFunction(n));
  const int64_t classes = labels.count();
  LATHE_ASSIGN_OR_RETURN(const SupportVectors svm, ReadSupportVectors(n, classes));
  if (svm.count == 0) return LinearMachine(n, svm, rows, labels, transform);
  LATHE_ASSIGN_OR_RETURN(const Operand kernels,
                         KernelValues(n, rows, svm.vectors, svm.count, kernel));
  const Decisions decided = DecidePairs(n, svm, kernels, classes);
  Term label = LabelsAt(n, labels, LargestScore(n, decided.votes));
  Operand scores = decided.values;
  if (!svm.prob_a.empty()) {
    scores = PairwiseProbabilities(n, scores, classes, svm.prob_a, svm.prob_b);
  } else if (classes == 2) {
    scores = TwoScores(n, scores, OtherScore::kNegative);
  }
  return std::vector<Term>{std::move(label), Term(TransformScores(n, scores, transform))};
}

absl::StatusOr<Results> ImportSvmRegressor(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand rows, FeatureRows(n, n.In(0), kReal32));
  LATHE_ASSIGN_OR_RETURN(const ScoreTransform transform, ReadScoreTransform(n));
  LATHE_ASSIGN_OR_RETURN(const KernelFunction kernel, ReadKernelFunction(n));
  const int64_t count = n.Int("n_supports", 0);
  const std::vector<double> rho = n.Floats("rho");
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "rho", rho));
  if (rho.size() != 1) return n.Error() << "'rho' has " << rho.size() << " elements; it needs 1";
  if (count < 0) return n.Error() << "'n_supports' must not be negative: " << count;
  LATHE_ASSIGN_OR_RETURN(const std::vector<double> coefficients, FloatRows(n, "coefficients", 1));
  Operand scores = rows;
  if (count == 0) {
    LATHE_ASSIGN_OR_RETURN(scores, KernelValues(n, rows, coefficients, 1, {"LINEAR"}));
  } else {
    if (std::ssize(coefficients) != count) {
      return n.Error() << "has " << coefficients.size() << " coefficients for " << count
                       << " support vectors";
    }
    LATHE_ASSIGN_OR_RETURN(const std::vector<double> vectors,
                           FloatRows(n, "support_vectors", count));
    LATHE_ASSIGN_OR_RETURN(const Operand kernels, KernelValues(n, rows, vectors, count, kernel));
    scores =
        n.Op("relax.matmul", {kernels, n.builder().Constant(kReal32, {count, 1}, coefficients)});
  }
  scores = n.Op("relax.add", {scores, n.Number(rho[0], kReal32)});
  if (n.Int("one_class", 0) != 0) {
    return n.Elementwise("one_class", {scores}, [&](ScalarMath& m, const Scalars& x) {
      return m.Select(m.Lt(m.Const(0, kReal32), x[0]), m.Const(1, kReal32), m.Const(-1, kReal32));
    });
  }
  return TransformScores(n, scores, transform);
}

}  // namespace lathe::onnx
