// Imports sequences of constant length and optionals. They exist only during the import; no code is
// emitted for them.
#include <algorithm>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/specialized_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using Items = std::vector<Term>;

absl::StatusOr<Items> ItemsOf(NodeCall& n, int i) {
  if (!n.Has(i) || n.term(i).sequence == nullptr) {
    return n.Error() << "input " << i << " must be a sequence";
  }
  return *n.term(i).sequence;
}

// Returns the position in input `i`, within `count`, or `otherwise` if the input is omitted.
absl::StatusOr<int64_t> PositionOf(NodeCall& n, int i, int64_t count, int64_t otherwise) {
  if (!n.Has(i)) return otherwise;
  const auto known = SpecializeInts(n, i);
  if (!known || known->size() != 1) {
    return n.Unsupported() << "a dynamic position in a sequence is not supported";
  }
  const int64_t at = (*known)[0] < 0 ? (*known)[0] + count : (*known)[0];
  if (at < 0 || at > count)
    return n.Error() << "position out of range: " << (*known)[0] << " of " << count;
  return at;
}

}  // namespace

absl::StatusOr<Results> ImportSequenceConstruct(NodeCall& n) {
  Items items;
  for (int i = 0; i < n.inputs(); ++i) items.push_back(n.term(i));
  return Term::OfSequence(std::move(items));
}

absl::StatusOr<Results> ImportSequenceInsert(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(Items items, ItemsOf(n, 0));
  const int64_t count = std::ssize(items);
  LATHE_ASSIGN_OR_RETURN(const int64_t at, PositionOf(n, 2, count, count));
  items.insert(items.begin() + at, n.term(1));
  return Term::OfSequence(std::move(items));
}

absl::StatusOr<Results> ImportSequenceErase(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(Items items, ItemsOf(n, 0));
  const int64_t count = std::ssize(items);
  LATHE_ASSIGN_OR_RETURN(const int64_t at, PositionOf(n, 1, count, count - 1));
  if (at < 0 || at >= count) return n.Error() << "position out of range: " << at << " of " << count;
  items.erase(items.begin() + at);
  return Term::OfSequence(std::move(items));
}

absl::StatusOr<Results> ImportSequenceAt(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Items items, ItemsOf(n, 0));
  LATHE_ASSIGN_OR_RETURN(const int64_t at, PositionOf(n, 1, std::ssize(items), 0));
  if (at >= std::ssize(items))
    return n.Error() << "position out of range: " << at << " of " << items.size();
  return items[static_cast<size_t>(at)];
}

absl::StatusOr<Results> ImportSequenceLength(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Items items, ItemsOf(n, 0));
  return Term(Elements{DType::Int(64), 0, {n.ir().Int(std::ssize(items))}});
}

absl::StatusOr<Results> ImportConcatFromSequence(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(Items items, ItemsOf(n, 0));
  Operands tensors;
  for (Term& item : items) {
    if (!item.operand && !item.elements)
      return n.Unsupported() << "sequence elements that are not tensors are not supported";
    tensors.push_back(Materialize(n.import(), item));
  }
  if (tensors.empty()) return n.Error() << "the sequence must not be empty";
  const bool stacked = n.Int("new_axis", 0) != 0;
  const int rank = n.Rank(tensors[0]) + (stacked ? 1 : 0);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), rank));
  return n.Op(stacked ? "relax.stack" : "relax.concat",
              {transform::BlockBuilder::Tuple(std::move(tensors))}, {{"axis", axis}});
}

absl::StatusOr<Results> ImportSplitToSequence(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims dims = n.DimsOf(x);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), n.Rank(x)));
  const auto a = static_cast<size_t>(axis);
  const auto total = NodeCall::IntOf(dims[a]);
  constexpr int64_t kMaxParts = 4096;
  if (!total)
    return n.Unsupported() << "a split of a dimension that is not constant is not supported";
  std::vector<int64_t> sizes;
  bool drops = false;
  if (!n.Has(1)) {
    if (*total > kMaxParts) {
      return n.Unsupported() << "a split into " << *total
                             << " parts is not supported; the maximum is " << kMaxParts;
    }
    sizes.assign(static_cast<size_t>(*total), 1);
    drops = n.Int("keepdims", 1) == 0;
  } else {
    const auto known = SpecializeInts(n, 1);
    if (!known) return n.Unsupported() << "dynamic sizes of parts are not supported";
    sizes = *known;
    if (n.Rank(n.In(1)) == 0) {
      const int64_t each = std::max<int64_t>(1, sizes[0]);
      if (*total / each > kMaxParts) {
        return n.Unsupported() << "a split into " << *total / each
                               << " parts is not supported; the maximum is " << kMaxParts;
      }
      sizes.clear();
      for (int64_t at = 0; at < *total; at += each) sizes.push_back(std::min(each, *total - at));
    }
  }
  Items items;
  int64_t begin = 0;
  for (const int64_t size : sizes) {
    if (size < 0 || size > *total - begin)
      return n.Error() << "the sizes of the parts exceed the dimension, " << *total;
    Dims part = dims;
    part[a] = n.ir().Int(size);
    Operand piece = n.Kernel("split", {x}, [&](Te& te) {
      return te.Compute("out", part, n.TypeOf(x), [&](Indices at) {
        at[a] = te.math().Add(at[a], te.math().Int(begin));
        return te.At(te.Input(0), at);
      });
    });
    if (drops) {
      part.erase(part.begin() + axis);
      piece = n.Reshape(piece, part);
    }
    items.emplace_back(piece);
    begin += size;
  }
  return Term::OfSequence(std::move(items));
}

// Applies the body to each item; an input that is not a sequence is passed to every call.
absl::StatusOr<Results> ImportSequenceMap(NodeCall& n) {
  const Graph* body = n.Subgraph("body");
  if (body == nullptr) return n.Error() << "the body is missing";
  LATHE_ASSIGN_OR_RETURN(const Items items, ItemsOf(n, 0));
  std::vector<Items> outputs(body->outputs.size());
  for (size_t k = 0; k < items.size(); ++k) {
    std::vector<Term> inputs;
    for (int i = 0; i < n.inputs(); ++i) {
      const auto& sequence = n.term(i).sequence;
      if (sequence != nullptr && k >= sequence->size())
        return n.Error() << "the sequences must have equal lengths";
      inputs.push_back(sequence != nullptr ? (*sequence)[k] : n.term(i));
    }
    LATHE_ASSIGN_OR_RETURN(const std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), *body, inputs));
    for (size_t o = 0; o < outputs.size(); ++o) outputs[o].push_back(results[o]);
  }
  std::vector<Term> results;
  for (Items& one : outputs) results.push_back(Term::OfSequence(std::move(one)));
  return results;
}

absl::StatusOr<Results> ImportOptional(NodeCall& n) {
  if (n.Has(0)) return n.term(0);
  Term none;
  none.none = true;
  return none;
}

absl::StatusOr<Results> ImportOptionalHasElement(NodeCall& n) {
  const bool has = n.Has(0) && !n.term(0).none;
  return TermOf(
      n.import(),
      n.builder().ConstantAt(
          *n.builder().Constant(DType::Bool(), {}, {has ? 1.0 : 0.0}).As<ir::ConstantId>()));
}

absl::StatusOr<Results> ImportOptionalGetElement(NodeCall& n) {
  if (!n.Has(0) || n.term(0).none) return n.Error() << "the optional is empty";
  return n.term(0);
}

}  // namespace lathe::onnx
