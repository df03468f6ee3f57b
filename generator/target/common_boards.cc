#include "generator/target/common_boards.h"

namespace lathe {
namespace {

constexpr CommonBoard kCommonBoards[] = {
#define BOARD(name, product, core, target, ram, flash, mhz) \
  {name, product, core, target, int64_t{ram} * 1024, int64_t{flash} * 1024, mhz},
#include "generator/target/common_boards.def"
#undef BOARD
};

}  // namespace

absl::Span<const CommonBoard> CommonBoards() { return kCommonBoards; }

const CommonBoard* FindCommonBoard(absl::string_view name) {
  for (const CommonBoard& board : kCommonBoards) {
    if (board.name == name) return &board;
  }
  return nullptr;
}

}  // namespace lathe
