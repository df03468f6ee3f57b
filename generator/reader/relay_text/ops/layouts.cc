// Imports layout_transform.
#include <cctype>
#include <map>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/pad.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// One axis of a layout: "C" has no block, "4c" is a block of 4 of the axis C.
struct LayoutAxis {
  char letter;        // in upper case
  int64_t block = 0;  // 0: the outer axis
};

absl::StatusOr<std::vector<LayoutAxis>> ParseLayout(OpCall& c, const std::string& text) {
  std::vector<LayoutAxis> axes;
  int64_t number = 0;
  constexpr int64_t kMostBlock = 1 << 20;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isdigit(byte) != 0 && number < kMostBlock) {
      number = number * 10 + (letter - '0');
      continue;
    }
    const bool outer = std::isupper(byte) != 0, inner = std::islower(byte) != 0;
    if (!(outer && number == 0) && !(inner && number > 0)) {
      return c.Error() << "'" << text << "' is not a layout";
    }
    axes.push_back({static_cast<char>(std::toupper(byte)), number});
    number = 0;
  }
  std::map<char, int> outers, inners;
  for (const LayoutAxis& axis : axes) ++(axis.block == 0 ? outers : inners)[axis.letter];
  for (const auto& [letter, count] : outers) {
    if (count > 1) return c.Error() << "'" << text << "' is not a layout";
  }
  for (const auto& [letter, count] : inners) {
    if (count > 1 || outers.find(letter) == outers.end()) {
      return c.Error() << "'" << text << "' is not a layout";
    }
  }
  return axes;
}

int64_t BlockOf(const std::vector<LayoutAxis>& layout, char letter) {
  int64_t block = 1;
  for (const LayoutAxis& axis : layout) {
    if (axis.letter == letter && axis.block > 0) block = axis.block;
  }
  return block;
}

}  // namespace

// Goes through the layout that has every axis whole; blocks that the sizes do not fill get zeros.
absl::StatusOr<Operand> ImportLayoutTransform(OpCall& c) {
  Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const auto from, ParseLayout(c, c.Str("src_layout")));
  LATHE_ASSIGN_OR_RETURN(const auto to, ParseLayout(c, c.Str("dst_layout")));
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, static_cast<int>(from.size()), "the data"));
  ScalarMath& m = c.math();
  Dims dims = c.DimsOf(x), whole;
  std::vector<int> order;
  std::string letters;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i].block > 0) {
      LATHE_RETURN_IF_ERROR(RequireSize(c, dims[i], m.Int(from[i].block), "a block"));
      continue;
    }
    letters += from[i].letter;
    order.push_back(static_cast<int>(i));
    PrimRef size = dims[i];
    for (size_t k = 0; k < from.size(); ++k) {
      if (from[k].letter != from[i].letter || from[k].block == 0) continue;
      order.push_back(static_cast<int>(k));
      size = c.Simplify(m.Mul(size, m.Int(from[k].block)));
    }
    whole.push_back(size);
  }
  x = c.Reshape(c.Transposed(x, order), whole);
  PadWidths widths;
  Dims parted;
  std::map<std::pair<char, bool>, int> places;  // letter, inner
  bool padded = false;
  for (size_t i = 0; i < letters.size(); ++i) {
    const int64_t block = BlockOf(to, letters[i]);
    const PrimRef blocks = c.Simplify(m.FloorDiv(m.Add(whole[i], m.Int(block - 1)), m.Int(block)));
    const PrimRef more = c.Simplify(m.Sub(m.Mul(blocks, m.Int(block)), whole[i]));
    padded |= OpCall::IntOf(more) != 0;
    widths.push_back({m.Int(0), more});
    places[{letters[i], false}] = static_cast<int>(parted.size());
    parted.push_back(blocks);
    if (block == 1 && BlockOf(to, letters[i]) == 1) {
      bool inner = false;
      for (const LayoutAxis& axis : to) inner |= axis.letter == letters[i] && axis.block == 1;
      if (!inner) continue;
    }
    places[{letters[i], true}] = static_cast<int>(parted.size());
    parted.push_back(m.Int(block));
  }
  if (padded) x = PaddedBy(c, x, c.Number(0, c.TypeOf(x)), widths);
  std::vector<int> target;
  for (const LayoutAxis& axis : to) {
    const auto place = places.find({axis.letter, axis.block > 0});
    if (place == places.end()) break;
    target.push_back(place->second);
  }
  if (target.size() != to.size() || target.size() != parted.size()) {
    return c.Error() << "'" << c.Str("src_layout") << "' and '" << c.Str("dst_layout")
                     << "' have different axes";
  }
  return c.Transposed(c.Reshape(x, parted), target);
}

}  // namespace lathe::relay
