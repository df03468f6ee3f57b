// Implements the methods of AccessWalk that prove that offsets are in bounds.
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/schedule/accesses/access_walk.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;

}  // namespace

bool AccessWalk::IsWithin(PrimRef index, PrimRef extent) {
  if (const auto* ramp = index->As<ir::Ramp>()) {
    const PrimRef far =
        ir_.Make(BinaryOp::kMul, Wide(ramp->stride), ir_.Int(int64_t{index->dtype().lanes} - 1));
    return IsWithin(ramp->base, extent) &&
           IsWithin(ir_.Make(BinaryOp::kAdd, Wide(ramp->base), far), extent);
  }
  if (const auto* all = index->As<ir::Broadcast>()) return IsWithin(all->value, extent);
  if (!IsScalar(index) || !index->dtype().is_integer()) return false;
  const auto* number = index->As<ir::IntImm>();
  const auto* size = extent->As<ir::IntImm>();
  if (number != nullptr && size != nullptr) {
    return number->value >= 0 && number->value < size->value;
  }
  return facts_.IsNotNegative(index) && facts_.IsBelow(index, extent);
}

PrimRef AccessWalk::PlaceOf(const ir::Buffer& buffer, const std::vector<PrimRef>& indices) {
  PrimRef place = ir_.Int(0);
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!IsScalar(indices[d])) return nullptr;
    if (buffer.strides.empty()) {
      place = ir_.Make(BinaryOp::kMul, place, Wide(buffer.shape[d]));
      place = ir_.Make(BinaryOp::kAdd, place, Wide(indices[d]));
    } else {
      const PrimRef step = ir_.Make(BinaryOp::kMul, Wide(indices[d]), Wide(buffer.strides[d]));
      place = ir_.Make(BinaryOp::kAdd, place, step);
    }
  }
  return place;
}

PrimRef AccessWalk::SizeOf(const ir::Buffer& buffer) {
  PrimRef size = ir_.Int(1);
  if (buffer.strides.empty()) {
    for (PrimRef dim : buffer.shape) size = ir_.Make(BinaryOp::kMul, size, Wide(dim));
    return size;
  }
  for (size_t d = 0; d < buffer.shape.size(); ++d) {
    const PrimRef last = ir_.Make(BinaryOp::kSub, Wide(buffer.shape[d]), ir_.Int(1));
    size = ir_.Make(BinaryOp::kAdd, size, ir_.Make(BinaryOp::kMul, last, Wide(buffer.strides[d])));
  }
  return size;
}

bool AccessWalk::IsInMemory(const ir::Buffer& buffer, PrimRef place, PrimRef count) {
  return facts_.IsNotNegative(place) &&
         facts_.IsAtMost(ir_.Make(BinaryOp::kAdd, place, count), SizeOf(buffer));
}

void AccessWalk::Access(BufferRef buffer, const std::vector<PrimRef>& indices) {
  if (indices.size() != buffer->shape.size()) return Fail(*buffer, indices);
  bool fine = true;
  for (size_t d = 0; fine && d < indices.size(); ++d) {
    const auto* one = buffer->shape[d]->As<ir::IntImm>();
    const bool broadcast = buffer->auto_broadcast && one != nullptr && one->value == 1;
    fine = broadcast || IsWithin(indices[d], buffer->shape[d]);
  }
  // For contiguous rows, an index may exceed its row if the offset stays in the buffer.
  if (!fine && indices.size() > 1) {
    const PrimRef place = PlaceOf(*buffer, indices);
    fine = place != nullptr && IsInMemory(*buffer, place, ir_.Int(1));
  }
  if (fine) {
    ++proved_;
    return;
  }
  PrimRef need = nullptr;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (IsWithin(indices[d], buffer->shape[d])) continue;
    const PrimRef within = Within(indices[d], buffer->shape[d]);
    if (within == nullptr) return Fail(*buffer, indices);
    need = need == nullptr ? within : ir_.Make(BinaryOp::kAnd, need, within);
  }
  if (need != nullptr && IsAsserted(need)) {
    ++proved_;
    return;
  }
  Fail(*buffer, indices);
  if (need == nullptr) return;
  missing_checks_.pop_back();
  missing_checks_.push_back({at_, UnderConditions(need)});
}

PrimRef AccessWalk::Within(PrimRef index, PrimRef extent) {
  if (const auto* ramp = index->As<ir::Ramp>()) {
    const PrimRef far =
        ir_.Make(BinaryOp::kMul, Wide(ramp->stride), ir_.Int(int64_t{index->dtype().lanes} - 1));
    const PrimRef first = Within(ramp->base, extent);
    const PrimRef last = Within(ir_.Make(BinaryOp::kAdd, Wide(ramp->base), far), extent);
    return first == nullptr || last == nullptr ? nullptr : ir_.Make(BinaryOp::kAnd, first, last);
  }
  if (const auto* all = index->As<ir::Broadcast>()) return Within(all->value, extent);
  if (!IsScalar(index) || !index->dtype().is_integer()) return nullptr;
  return ir_.Make(BinaryOp::kAnd, ir_.Make(BinaryOp::kLe, ir_.Int(0), Wide(index)),
                  ir_.Make(BinaryOp::kLt, Wide(index), Wide(extent)));
}

PrimRef AccessWalk::UnderConditions(PrimRef need) {
  for (size_t i = when_.size(); i-- > 0;) {
    need = ir_.Make(BinaryOp::kOr, ir_.Make(ir::UnaryOp::kNot, when_[i]), need);
  }
  return need;
}

// An assertion need not have a form that the proofs understand.
bool AccessWalk::IsAsserted(PrimRef need) {
  return facts_.IsAssumed(need) || (!when_.empty() && facts_.IsAssumed(UnderConditions(need)));
}

void AccessWalk::Run(BufferRef buffer, const std::vector<PrimRef>& indices, PrimRef count) {
  if (indices.size() != buffer->shape.size()) return Fail(*buffer, indices);
  const PrimRef place = PlaceOf(*buffer, indices);
  // If there are no elements, there is nothing to prove.
  const auto mark = facts_.Here();
  facts_.Assume(ir_.Make(BinaryOp::kLt, ir_.Int(0), Wide(count)));
  const bool fine = place != nullptr && IsInMemory(*buffer, place, Wide(count));
  facts_.RestoreTo(mark);
  if (!fine) return Fail(*buffer, indices);
  ++proved_;
}

void AccessWalk::Place(BufferRef buffer, PrimRef place) {
  if (!IsInMemory(*buffer, Wide(place), ir_.Int(1))) return Fail(*buffer, {place});
  ++proved_;
}

void AccessWalk::Fail(const ir::Buffer& buffer, const std::vector<PrimRef>& indices) {
  missing_checks_.push_back({});
  const auto list = [](const std::vector<PrimRef>& all) {
    std::string text;
    for (PrimRef e : all) absl::StrAppend(&text, text.empty() ? "" : ", ", ir::ToString(e));
    return text;
  };
  Need(false,
       absl::StrCat("'", buffer.name, "' of [", list(buffer.shape), "] at [", list(indices), "]"));
}

}  // namespace lathe::schedule
