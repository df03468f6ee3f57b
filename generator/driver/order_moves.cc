#include "generator/driver/order_moves.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace lathe::driver {

std::vector<PrecisionMove> OrderMoves(std::vector<PrecisionMove> moves, bool by_loss) {
  const auto cost = [&](const PrecisionMove& move) {
    if (by_loss) return move.loss;
    return move.saved > 0 ? move.loss / static_cast<double>(move.saved)
                          : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(moves.begin(), moves.end(), [&](const auto& a, const auto& b) {
    return std::make_tuple(cost(a), a.loss) < std::make_tuple(cost(b), b.loss);
  });
  // The moves of a layer take the places of its moves in the order of their bits.
  std::map<size_t, std::vector<size_t>> places;
  for (size_t i = 0; i < moves.size(); ++i) places[moves[i].layer].push_back(i);
  for (const auto& [layer, at] : places) {
    std::vector<PrecisionMove> own;
    for (const size_t i : at) own.push_back(moves[i]);
    std::stable_sort(own.begin(), own.end(),
                     [](const auto& a, const auto& b) { return a.bits > b.bits; });
    for (size_t k = 0; k < at.size(); ++k) moves[at[k]] = own[k];
  }
  return moves;
}

}  // namespace lathe::driver
