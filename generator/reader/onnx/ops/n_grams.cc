// Imports TfIdfVectorizer, which counts n-grams.
#include <algorithm>
#include <string>
#include <utility>

#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Counts each n-gram of the pool in the input, with gaps up to the maximum skip count.
absl::StatusOr<Results> ImportTfIdf(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const auto counts = n.Ints("ngram_counts"), indexes = n.Ints("ngram_indexes");
  const auto pool = n.Ints("pool_int64s");
  const int64_t least = n.Int("min_gram_length", 1), most = n.Int("max_gram_length", 1);
  const int64_t skips = n.Int("max_skip_count", 0);
  if (from.empty() || from.size() > 2 || pool.empty() || indexes.empty() || most < 1 || most > 64 ||
      skips < 0 || skips > (1 << 24) || std::ssize(counts) < most) {
    return n.Unsupported()
           << "only numeric inputs of rank 1 or 2 with a numeric pool are supported";
  }
  const int64_t last = *std::max_element(indexes.begin(), indexes.end());
  constexpr int64_t kMaxColumns = 1 << 20;
  if (last < 0 || last >= kMaxColumns) return n.Error() << "'ngram_indexes' out of range: " << last;
  const int64_t width = last + 1;
  std::vector<int64_t> grams(static_cast<size_t>(width * most), 0);
  std::vector<int64_t> lengths(static_cast<size_t>(width), 0);
  std::vector<double> weights(static_cast<size_t>(width), 1);
  const std::vector<double> given = n.Floats("weights");
  size_t gram = 0;
  for (int64_t length = 1; length <= most; ++length) {
    const int64_t begin = counts[static_cast<size_t>(length - 1)];
    const int64_t end =
        length < std::ssize(counts) ? counts[static_cast<size_t>(length)] : std::ssize(pool);
    if (begin < 0 || begin > end || end > std::ssize(pool)) {
      return n.Error() << "'ngram_counts' do not match the pool";
    }
    for (int64_t at = begin; at + length <= end; at += length, ++gram) {
      if (gram >= indexes.size())
        return n.Error() << "'ngram_indexes' has fewer elements than there are n-grams";
      if (indexes[gram] < 0 || length < least) continue;
      const auto column = static_cast<size_t>(indexes[gram]);
      lengths[column] = length;
      if (gram < given.size()) weights[column] = given[gram];
      for (int64_t j = 0; j < length; ++j) {
        grams[column * static_cast<size_t>(most) + static_cast<size_t>(j)] =
            pool[static_cast<size_t>(at + j)];
      }
    }
  }
  const std::string mode = n.String("mode", "TF");
  Dims dims = {n.ir().Int(width)};
  if (from.size() == 2) dims.insert(dims.begin(), from[0]);
  const Operand gram_table = IntTable(n, grams, {width, most});
  const Operand length_table = IntTable(n, lengths);
  const Operand weight_table = n.builder().Constant(DType::Float(32), {width}, weights);
  return n.Kernel("tf_idf", {x, gram_table, length_table, weight_table}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType real = DType::Float(32);
    const PrimRef items = from.back();
    ir::BufferRef count =
        te.Reduce("count", dims, {items, m.Int(skips + 1)}, te.Sum(real),
                  [&](const Indices& at, const Indices& r) {
                    const PrimRef length = te.At(te.Input(2), {at.back()});
                    const PrimRef apart = m.Add(r[1], m.Int(1));
                    const PrimRef end = m.Add(r[0], m.Mul(m.Sub(length, m.Int(1)), apart));
                    PrimRef same = m.And(m.Lt(m.Int(0), length), m.Lt(end, items));
                    same = m.And(same, m.Or(m.Lt(m.Int(1), length), m.Eq(r[1], m.Int(0))));
                    for (int64_t j = 0; j < most; ++j) {
                      const PrimRef place = m.Add(r[0], m.Mul(m.Int(j), apart));
                      Indices source = {m.Min(place, m.Sub(items, m.Int(1)))};
                      if (at.size() == 2) source.insert(source.begin(), at[0]);
                      const PrimRef item = m.Cast(te.At(te.Input(0), source), DType::Int(64));
                      const PrimRef wanted = te.At(te.Input(1), {at.back(), m.Int(j)});
                      same = m.And(same, m.Or(m.Le(length, m.Int(j)), m.Eq(item, wanted)));
                    }
                    return m.Select(same, m.Const(1, real), m.Const(0, real));
                  });
    return te.Compute("out", dims, real, [&](const Indices& at) {
      const PrimRef tf = te.At(count, at), weight = te.At(te.Input(3), {at.back()});
      if (mode == "TF") return tf;
      const PrimRef zero = m.Const(0, real);
      return mode == "IDF" ? m.Select(m.Lt(zero, tf), weight, zero) : m.Mul(tf, weight);
    });
  });
}

}  // namespace lathe::onnx
