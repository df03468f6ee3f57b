#include "generator/reader/relax_text/syntax/indentation.h"

namespace lathe::relax_text {

void Column::Advance(char blank) {
  constexpr uint32_t kTabWidth = 8;
  if (blank == '\f') {
    *this = Column();
  } else if (blank == '\t') {
    column = (column / kTabWidth + 1) * kTabWidth;
    ++narrow;
  } else {
    ++column;
    ++narrow;
  }
}

Indentation::Change Indentation::MoveTo(Column column) {
  Change change;
  const Column top = levels_.empty() ? Column() : levels_.back();
  if (column.column == top.column) {
    change.consistent = column.narrow == top.narrow;
    return change;
  }
  if (column.column > top.column) {
    change.consistent = column.narrow > top.narrow;
    change.indent = true;
    levels_.push_back(column);
    return change;
  }
  while (!levels_.empty() && column.column < levels_.back().column) {
    levels_.pop_back();
    ++change.dedents;
  }
  const Column outer = levels_.empty() ? Column() : levels_.back();
  if (column.column == outer.column) {
    change.consistent = column.narrow == outer.narrow;
    return change;
  }
  change.matches = false;
  --change.dedents;
  levels_.push_back(column);
  return change;
}

int Indentation::Close() {
  const int open = depth();
  levels_.clear();
  return open;
}

}  // namespace lathe::relax_text
