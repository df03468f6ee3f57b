// Divides the steps of a routine into nested blocks, which the page of a report folds.
#ifndef LATHE_DRIVER_VIEW_FIND_BLOCKS_H_
#define LATHE_DRIVER_VIEW_FIND_BLOCKS_H_

#include <string>
#include <vector>

namespace lathe::driver {

// A range of at least two consecutive steps. Contracting ranges of an order leaves it an order, so
// a graph with folded blocks has no cycles.
struct StepBlock {
  int first = 0, last = 0;          // steps
  std::string name;                 // the common part of their names: "encoder/layer.0"; or empty
  bool group = false;               // a page of a long list, without a meaning in the program
  std::vector<StepBlock> children;  // disjoint, ascending
};

// The properties of a step that determine the blocks.
struct BlockStep {
  std::string name;            // parts separated by '/': "/encoder/layer.0/Add"
  std::vector<int> producers;  // earlier steps whose results it reads
  bool constant = false;       // it reads nothing, so its result connects no blocks
};

// Returns the blocks of `steps`. If at least half of the names have several parts, blocks are runs
// of steps with equal first parts. Without such runs, and inside long ones, a block is the steps
// between two places where at most one result is alive, such as the branches and the join of a
// residual connection. Lists of more than 150 entries are divided into groups.
std::vector<StepBlock> FindBlocks(const std::vector<BlockStep>& steps);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_FIND_BLOCKS_H_
