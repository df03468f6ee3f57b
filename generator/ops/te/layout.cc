#include "generator/ops/te/layout.h"

#include "absl/strings/ascii.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/operands.h"

namespace lathe::ops {

using ir::PrimRef;

std::optional<Layout> Layout::Parse(absl::string_view text, absl::string_view canonical) {
  constexpr int64_t kMaxBlock = 1 << 20;
  Layout layout;
  layout.text_ = std::string(text);
  layout.canonical_ = std::string(canonical);
  layout.canonical_rank_ = static_cast<int>(canonical.size());
  std::vector<int> outer(canonical.size(), 0), inner(canonical.size(), 0);
  int64_t block = 0;
  for (char ch : text) {
    if (absl::ascii_isdigit(ch)) {
      block = block * 10 + (ch - '0');
      if (block > kMaxBlock) return std::nullopt;
      continue;
    }
    const size_t at = canonical.find(absl::ascii_toupper(ch));
    const bool lower = absl::ascii_islower(ch);
    if (at == absl::string_view::npos || lower != (block > 0)) return std::nullopt;
    if (++(lower ? inner : outer)[at] > 1) return std::nullopt;
    layout.axes_.push_back({static_cast<int>(at), block});
    block = 0;
  }
  for (int count : outer) {
    if (count != 1) return std::nullopt;
  }
  if (block != 0) return std::nullopt;
  return layout;
}

absl::StatusOr<Layout> Layout::Need(ir::InferContext& c, const ir::Call& call,
                                    const std::string& attribute, absl::string_view canonical) {
  const std::string text = FindString(call, attribute);
  if (std::optional<Layout> layout = Parse(text, canonical)) return *std::move(layout);
  return c.Error("op-attribute") << "'" << attribute << "' of " << SurfaceName(call)
                                 << " must be a permutation of the axes " << canonical << ", got \""
                                 << text << "\"";
}

int64_t Layout::BlockOf(int canonical) const {
  for (const Axis& axis : axes_) {
    if (axis.canonical == canonical && axis.block > 0) return axis.block;
  }
  return 1;
}

std::vector<PrimRef> Layout::ToCanonical(ScalarMath m, const std::vector<PrimRef>& dims) const {
  std::vector<PrimRef> out(canonical_rank_, m.Int(1));
  for (size_t i = 0; i < axes_.size(); ++i) {
    PrimRef& dim = out[axes_[i].canonical];
    // The layout defines the block length, even if the shape is unknown.
    dim = m.Mul(dim, axes_[i].block > 0 ? m.Int(axes_[i].block) : dims[i]);
  }
  return out;
}

std::vector<PrimRef> Layout::FromCanonical(ScalarMath m, const std::vector<PrimRef>& dims) const {
  std::vector<PrimRef> out;
  for (const Axis& axis : axes_) {
    out.push_back(axis.block > 0
                      ? m.Int(axis.block)
                      : m.FloorDiv(dims[axis.canonical], m.Int(BlockOf(axis.canonical))));
  }
  return out;
}

absl::StatusOr<std::vector<PrimRef>> Layout::Read(ir::InferContext& c, const ir::Call& call, int i,
                                                  const std::vector<PrimRef>& dims) const {
  ScalarMath m(c.ir());
  for (size_t d = 0; d < axes_.size(); ++d) {
    if (axes_[d].block == 0) continue;
    if (c.CanEqual(dims[d], m.Int(axes_[d].block))) continue;
    return c.Error("op-argument-shape")
           << "dimension " << d << " of " << DescribeArg(c, call, i) << " must be "
           << axes_[d].block << ", its block in the layout \"" << text_ << "\", got "
           << ToString(c.Simplify(dims[d]));
  }
  return ToCanonical(m, dims);
}

absl::StatusOr<std::vector<PrimRef>> Layout::Write(ir::InferContext& c, const ir::Call& call,
                                                   const std::vector<PrimRef>& dims) const {
  ScalarMath m(c.ir());
  for (int axis = 0; axis < canonical_rank_; ++axis) {
    const int64_t block = BlockOf(axis);
    if (block == 1) continue;
    const PrimRef length = c.Simplify(dims[axis]);
    if (c.CanEqual(m.FloorMod(length, m.Int(block)), m.Int(0))) continue;
    return c.Error("op-argument-shape")
           << "the result of " << SurfaceName(call) << " in the layout \"" << text_
           << "\" must have a multiple of " << block << " elements along "
           << canonical_.substr(axis, 1) << ", got " << ToString(length);
  }
  return FromCanonical(m, dims);
}

std::vector<PrimRef> Layout::IndicesFrom(ScalarMath m, const std::vector<PrimRef>& at) const {
  std::vector<PrimRef> out;
  for (const Axis& axis : axes_) {
    const PrimRef block = m.Int(BlockOf(axis.canonical));
    const PrimRef index = at[axis.canonical];
    out.push_back(axis.block > 0 ? m.FloorMod(index, block) : m.FloorDiv(index, block));
  }
  return out;
}

std::vector<PrimRef> Layout::IndicesTo(ScalarMath m, const std::vector<PrimRef>& at) const {
  std::vector<PrimRef> out(canonical_rank_, m.Int(0));
  for (size_t i = 0; i < axes_.size(); ++i) {
    PrimRef& index = out[axes_[i].canonical];
    const PrimRef part =
        axes_[i].block > 0 ? at[i] : m.Mul(at[i], m.Int(BlockOf(axes_[i].canonical)));
    index = m.Add(index, part);
  }
  return out;
}

}  // namespace lathe::ops
