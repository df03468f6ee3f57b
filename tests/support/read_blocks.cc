#include "tests/support/read_blocks.h"

#include <fstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lathe {

absl::StatusOr<std::vector<plan::Block>> ReadBlocks(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  std::vector<plan::Block> blocks;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = absl::StrSplit(line, ',');
    plan::Block block;
    int upper = 0;
    if (fields.size() != 4 || !absl::SimpleAtoi(fields[1], &block.first) ||
        !absl::SimpleAtoi(fields[2], &upper) || !absl::SimpleAtoi(fields[3], &block.size)) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": ", line));
    }
    block.last = upper - 1;
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace lathe
