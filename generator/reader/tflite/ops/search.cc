// Imports TOPK_V2, UNIQUE and WHERE. Results that are as large as the data says need constant data.
#include <cmath>

#include "absl/container/flat_hash_map.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {

// The largest elements along the last axis, in order; of equal ones the first.
absl::StatusOr<Results> ImportTopkV2(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> k, c.NeedInts(1, "the number of elements"));
  const std::vector<int64_t>& shape = c.In(0).shape;
  if (k.size() != 1 || shape.empty() || k[0] < 0 || k[0] > shape.back()) {
    return c.Error() << "it does not take a part of the last axis";
  }
  if (k[0] == 0) {
    Operands none;
    for (int i = 0; i < c.outputs(); ++i) {
      none.push_back(
          c.Op("relax.zeros", {ImportBuilder::Shape(c.OutDims(i))}, {{"dtype", c.OutType(i)}}));
    }
    return none;
  }
  const DType places = c.outputs() > 1 ? c.OutType(1) : kWhole;
  const Operand made = c.Op("relax.topk", {c.Arg(0)},
                            {{"k", k[0]}, {"axis", -1}, {"ret_type", "both"}, {"dtype", places}});
  return Operands{c.Field(made, 0), c.Field(made, 1)};
}

namespace {

absl::StatusOr<Results> SizedByData(OpCall& c) {
  return c.Unsupported() << c.op()
                         << " of data that is not known at compile time: its result is as large as "
                            "the data says";
}

}  // namespace

// Distinct elements in the order of their first occurrence, and the place of each element.
absl::StatusOr<Results> ImportUnique(OpCall& c) {
  const auto values = c.ConstantNumbers(0);
  if (!values) return SizedByData(c);
  std::vector<double> distinct, places;
  absl::flat_hash_map<double, double> place_of;  // in `distinct`
  for (const double value : *values) {
    const auto next = static_cast<double>(distinct.size());
    double place = next;
    if (!std::isnan(value)) place = place_of.try_emplace(value, next).first->second;
    places.push_back(place);
    if (place == next) distinct.push_back(value);
  }
  const DType index = c.outputs() > 1 ? c.OutType(1) : kWhole;
  return Operands{c.builder().Constant(c.OutType(), {std::ssize(distinct)}, distinct),
                  c.builder().Constant(index, {std::ssize(places)}, places)};
}

// The positions of elements that are not zero, one row each.
absl::StatusOr<Results> ImportWhere(OpCall& c) {
  const auto values = c.ConstantNumbers(0);
  if (!values) return SizedByData(c);
  const std::vector<int64_t>& shape = c.In(0).shape;
  std::vector<double> made;
  int64_t rows = 0;
  for (size_t i = 0; i < values->size(); ++i) {
    if ((*values)[i] == 0) continue;
    ++rows;
    std::vector<double> place;
    auto rest = static_cast<int64_t>(i);
    for (size_t axis = shape.size(); axis > 0; --axis) {
      place.push_back(static_cast<double>(rest % shape[axis - 1]));
      rest /= shape[axis - 1];
    }
    made.insert(made.end(), place.rbegin(), place.rend());
  }
  return c.builder().Constant(c.OutType(), {rows, std::ssize(shape)}, made);
}

}  // namespace lathe::tflite
