#include "generator/reader/onnx/fold_shape_ops.h"

#include <algorithm>

#include "generator/analysis/arithmetic/prove.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/format/tensor_data.h"

namespace lathe::onnx {
namespace {

using ir::BinaryOp;
using Values = std::vector<PrimRef>;

// Returns the elements of input `i`, or null.
const Elements* Of(NodeCall& n, int i) {
  return n.Has(i) && n.term(i).elements ? &*n.term(i).elements : nullptr;
}

// Returns true if the dtype can represent the value, so that no arithmetic wrapped around.
bool Fits(PrimRef value, DType dtype) {
  const auto* imm = value->As<ir::IntImm>();
  if (imm == nullptr || dtype.bits >= 64) return true;
  const int64_t half = int64_t{1} << (dtype.bits - 1);
  return dtype.is_uint() ? imm->value >= 0 && imm->value < 2 * half
                         : imm->value >= -half && imm->value < half;
}

std::optional<Results> Give(Elements e) {
  if (std::ssize(e.values) > kMaxShapeArithmeticElements) return std::nullopt;
  for (const PrimRef value : e.values) {
    if (!e.dtype.is_bool() && !Fits(value, e.dtype)) return std::nullopt;
  }
  return Results(Term(std::move(e)));
}

std::optional<Results> FollowShape(NodeCall& n) {
  if (!n.Has(0) || (!n.term(0).operand && !n.term(0).elements)) return std::nullopt;
  if (const Elements* e = Of(n, 0)) {
    Values dims;
    if (e->rank == 1) dims.push_back(n.ir().Int(std::ssize(e->values)));
    if (n.op() == "Size") return Give({DType::Int(64), 0, {n.ir().Int(std::ssize(e->values))}});
    if (!n.HasAttribute("start") && !n.HasAttribute("end")) {
      return Give({DType::Int(64), 1, std::move(dims)});
    }
  }
  const Dims& dims = n.DimsOf(n.In(0));
  if (n.op() == "Size") return Give({DType::Int(64), 0, {n.Product(dims, 0, dims.size())}});
  const int64_t rank = std::ssize(dims);
  const auto within = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t start = within(n.Int("start", 0)), end = within(n.Int("end", rank));
  if (start >= end) return Give({DType::Int(64), 1, {}});
  return Give({DType::Int(64), 1, Values(dims.begin() + start, dims.begin() + end)});
}

std::optional<Results> FollowGather(NodeCall& n) {
  const Elements *data = Of(n, 0), *which = Of(n, 1);
  const auto indices = n.ConstantInts(1);
  if (data == nullptr || data->rank != 1 || which == nullptr || !indices || n.Int("axis", 0) != 0) {
    return std::nullopt;
  }
  Elements out{data->dtype, which->rank, {}};
  for (int64_t i : *indices) {
    const int64_t at = i < 0 ? i + std::ssize(data->values) : i;
    if (at < 0 || at >= std::ssize(data->values)) return std::nullopt;
    out.values.push_back(data->values[static_cast<size_t>(at)]);
  }
  return Give(std::move(out));
}

std::optional<Results> FollowConcat(NodeCall& n) {
  const int64_t axis = n.Int("axis", 0);
  Elements out{DType::Void(), 1, {}};
  for (int i = 0; i < n.inputs(); ++i) {
    const Elements* e = Of(n, i);
    if (e == nullptr || e->rank != 1 || (axis != 0 && axis != -1)) return std::nullopt;
    out.dtype = e->dtype;
    out.values.insert(out.values.end(), e->values.begin(), e->values.end());
  }
  return n.inputs() == 0 ? std::nullopt : Give(std::move(out));
}

std::optional<Results> FollowSlice(NodeCall& n) {
  const Elements* data = Of(n, 0);
  if (data == nullptr || data->rank != 1) return std::nullopt;
  const auto starts = n.IntsOf(1, "starts"), ends = n.IntsOf(2, "ends");
  std::optional<std::vector<int64_t>> steps;
  if (n.Has(4)) {
    steps = n.ConstantInts(4);
    if (!steps) return std::nullopt;
  }
  if (!starts || !ends || starts->size() != 1 || ends->size() != 1) return std::nullopt;
  const int64_t step = steps && steps->size() == 1 ? (*steps)[0] : 1;
  const int64_t size = std::ssize(data->values);
  if (step == 0) return std::nullopt;
  const auto within = [&](int64_t at, int64_t low, int64_t high) {
    return std::clamp(at < 0 ? at + size : at, low, high);
  };
  Elements out{data->dtype, 1, {}};
  if (step > 0) {
    const int64_t end = within((*ends)[0], 0, size);
    for (int64_t i = within((*starts)[0], 0, size); i < end; i += step) {
      out.values.push_back(data->values[static_cast<size_t>(i)]);
      if (step > size) break;
    }
  } else {
    const int64_t end = (*ends)[0] < -size ? -1 : within((*ends)[0], -1, size - 1);
    for (int64_t i = within((*starts)[0], -1, size - 1); i > end; i += step) {
      out.values.push_back(data->values[static_cast<size_t>(i)]);
      if (step < -size) break;
    }
  }
  return Give(std::move(out));
}

// Folds operators that change the rank between 0 and 1, or nothing at all.
std::optional<Results> FoldRankOp(NodeCall& n) {
  const Elements* data = Of(n, 0);
  if (data == nullptr) return std::nullopt;
  Elements out = *data;
  if (n.op() == "Squeeze") {
    const auto axes = n.IntsOf(1, "axes");
    if (data->values.size() != 1 || (axes && axes->empty()) || (n.Has(1) && !axes)) {
      return std::nullopt;
    }
    out.rank = 0;
  } else if (n.op() == "Unsqueeze") {
    const auto axes = n.IntsOf(1, "axes");
    if (data->rank != 0 || !axes || axes->size() != 1) return std::nullopt;
    out.rank = 1;
  } else if (n.op() == "Reshape") {
    const auto shape = n.IntsOf(1, "shape");
    if (!shape || shape->size() > 1) return std::nullopt;
    const int64_t count = std::ssize(data->values);
    if (shape->empty() ? count != 1 : (*shape)[0] != -1 && (*shape)[0] != count) {
      return std::nullopt;
    }
    out.rank = static_cast<int>(shape->size());
  } else if (n.op() == "Cast" || n.op() == "CastLike") {
    const auto to = n.op() == "CastLike" ? std::optional(n.TypeOf(n.In(1)))
                                         : DTypeOf(static_cast<int32_t>(n.Int("to", 0)));
    if (!to || !to->is_integer() || to->bits < 32 || !data->dtype.is_integer()) {
      return std::nullopt;
    }
    out.dtype = *to;
  }
  return Give(std::move(out));
}

std::optional<Results> FollowArithmetic(NodeCall& n) {
  const Elements* a = Of(n, 0);
  const Elements* b = Of(n, 1);
  if (a == nullptr || b == nullptr || n.inputs() != 2 || a->dtype.bits < 32) return std::nullopt;
  if (a->dtype.is_uint() || b->dtype != a->dtype) return std::nullopt;
  struct Row {
    const char* op;
    BinaryOp binary;
  };
  // Sizes are nonnegative and divisors positive, so truncating and flooring division agree.
  constexpr Row kRows[] = {{"Add", BinaryOp::kAdd}, {"Sub", BinaryOp::kSub},
                           {"Mul", BinaryOp::kMul}, {"Div", BinaryOp::kDiv},
                           {"Min", BinaryOp::kMin}, {"Max", BinaryOp::kMax}};
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Row& r) { return n.op() == r.op; });
  if (row == std::end(kRows)) return std::nullopt;
  const size_t count = std::max(a->values.size(), b->values.size());
  if ((a->values.size() != count && a->values.size() != 1) ||
      (b->values.size() != count && b->values.size() != 1)) {
    return std::nullopt;
  }
  Elements out{a->dtype, std::max(a->rank, b->rank), {}};
  for (size_t i = 0; i < count; ++i) {
    const PrimRef x = a->values[a->values.size() == 1 ? 0 : i];
    const PrimRef y = b->values[b->values.size() == 1 ? 0 : i];
    const auto* divisor = y->As<ir::IntImm>();
    if (row->binary == BinaryOp::kDiv && (divisor == nullptr || divisor->value == 0)) {
      return std::nullopt;
    }
    out.values.push_back(n.Simplify(n.ir().Make(row->binary, x, y)));
    if (out.values.back()->depth() > 40) return std::nullopt;
  }
  return Give(std::move(out));
}

// Returns entry `i` of a list that is broadcast to more entries.
PrimRef EntryOf(const Elements& e, size_t i) { return e.values[e.values.size() == 1 ? 0 : i]; }

// Returns the number of entries that the lists broadcast to.
std::optional<size_t> CommonCount(const std::vector<const Elements*>& lists) {
  size_t count = 1;
  for (const Elements* e : lists) {
    if (e == nullptr) return std::nullopt;
    if (e->values.size() != 1) count = e->values.size();
  }
  for (const Elements* e : lists) {
    if (e->values.size() != count && e->values.size() != 1) return std::nullopt;
  }
  return count;
}

// Compares sizes, as far as each comparison has one result for all sizes.
std::optional<Results> FollowEqual(NodeCall& n) {
  const Elements *a = Of(n, 0), *b = Of(n, 1);
  const auto count = CommonCount({a, b});
  if (!count) return std::nullopt;
  Elements out{DType::Bool(), std::max(a->rank, b->rank), {}};
  for (size_t i = 0; i < *count; ++i) {
    const PrimRef x = EntryOf(*a, i), y = EntryOf(*b, i);
    const auto p = NodeCall::IntOf(x), q = NodeCall::IntOf(y);
    bool same = x == y;
    if (p && q) {
      same = *p == *q;
    } else if (!same &&
               analysis::ProveLessEqual(n.ir(), n.math().Add(x, n.ir().Int(1)), y) !=
                   ir::Tri::kYes &&
               analysis::ProveLessEqual(n.ir(), n.math().Add(y, n.ir().Int(1)), x) !=
                   ir::Tri::kYes) {
      return std::nullopt;
    }
    out.values.push_back(n.ir().Int(same ? 1 : 0));
  }
  return Give(std::move(out));
}

// Selects between sizes by known conditions.
std::optional<Results> FollowWhere(NodeCall& n) {
  const Elements *a = Of(n, 1), *b = Of(n, 2);
  const auto conditions = n.ConstantInts(0);
  if (!conditions || a == nullptr || b == nullptr || a->dtype != b->dtype) return std::nullopt;
  Elements which{DType::Bool(), n.Rank(n.In(0)), {}};
  if (which.rank > 1) return std::nullopt;
  for (const int64_t c : *conditions) which.values.push_back(n.ir().Int(c));
  const auto count = CommonCount({&which, a, b});
  if (!count || which.values.empty() || a->values.empty() || b->values.empty()) {
    return std::nullopt;
  }
  Elements out{a->dtype, std::max({which.rank, a->rank, b->rank}), {}};
  for (size_t i = 0; i < *count; ++i) {
    const bool first = NodeCall::IntOf(EntryOf(which, i)) != 0;
    out.values.push_back(EntryOf(first ? *a : *b, i));
  }
  return Give(std::move(out));
}

// Splits a list into parts of known length.
std::optional<Results> FollowSplit(NodeCall& n) {
  const Elements* data = Of(n, 0);
  if (data == nullptr || data->rank != 1) return std::nullopt;
  auto sizes = n.IntsOf(1, "split");
  if (!sizes && n.Has(1)) return std::nullopt;
  if (!sizes) {
    const int64_t all = std::ssize(data->values), parts = n.Int("num_outputs", n.outputs());
    if (parts < 1 || parts > all || parts != n.outputs()) return std::nullopt;
    const int64_t each = (all + parts - 1) / parts;
    sizes.emplace();
    for (int64_t k = 0; k < parts; ++k) {
      sizes->push_back(std::max<int64_t>(0, std::min(each, all - k * each)));
    }
  }
  std::vector<Term> parts;
  size_t begin = 0;
  for (const int64_t size : *sizes) {
    if (size < 0 || static_cast<size_t>(size) > data->values.size() - begin) return std::nullopt;
    const auto first = data->values.begin() + static_cast<std::ptrdiff_t>(begin);
    parts.emplace_back(Elements{data->dtype, 1, {first, first + size}});
    begin += static_cast<size_t>(size);
  }
  if (begin != data->values.size() || std::ssize(parts) < n.outputs()) return std::nullopt;
  return Results(std::move(parts));
}

std::optional<Results> FollowProduct(NodeCall& n) {
  const Elements* data = Of(n, 0);
  if (data == nullptr || data->rank != 1 || n.Has(1)) return std::nullopt;
  if (n.HasAttribute("axes") || n.Int("noop_with_empty_axes", 0) != 0) return std::nullopt;
  return Give({data->dtype,
               n.Int("keepdims", 1) != 0 ? 1 : 0,
               {n.Product(data->values, 0, data->values.size())}});
}

}  // namespace

std::optional<Results> FoldShapeOps(NodeCall& n) {
  if (!n.node().domain.empty()) return std::nullopt;
  struct Row {
    const char* op;
    std::optional<Results> (*follow)(NodeCall&);
  };
  constexpr Row kRows[] = {
      {"Shape", FollowShape},    {"Size", FollowShape},         {"Gather", FollowGather},
      {"Concat", FollowConcat},  {"Slice", FollowSlice},        {"Squeeze", FoldRankOp},
      {"Unsqueeze", FoldRankOp}, {"Reshape", FoldRankOp},       {"Cast", FoldRankOp},
      {"Identity", FoldRankOp},  {"Add", FollowArithmetic},     {"Sub", FollowArithmetic},
      {"Mul", FollowArithmetic}, {"Div", FollowArithmetic},     {"Min", FollowArithmetic},
      {"Max", FollowArithmetic}, {"ReduceProd", FollowProduct}, {"CastLike", FoldRankOp},
      {"Equal", FollowEqual},    {"Where", FollowWhere},        {"Split", FollowSplit},
  };
  for (const Row& row : kRows) {
    if (n.op() == row.op) return row.follow(n);
  }
  return std::nullopt;
}

}  // namespace lathe::onnx
