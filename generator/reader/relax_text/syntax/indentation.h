// Tracks the indentation columns of the open blocks of a file, by the rules of Python.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_INDENTATION_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_INDENTATION_H_

#include <cstdint>
#include <vector>

namespace lathe::relax_text {

// The indentation of a line. A tab advances `column` to the next multiple of eight, and `narrow` by
// one. If the two order two lines differently, the meaning of the file depends on the width of a
// tab.
struct Column {
  uint32_t column = 0;
  uint32_t narrow = 0;

  void Advance(char blank);
};

class Indentation {
 public:
  struct Change {
    bool indent = false;
    int dedents = 0;
    bool matches = true;     // false: no open block has this column
    bool consistent = true;  // false: the result depends on the width of a tab
  };

  // Returns the blocks that open or close before a line that starts at `column`. A line whose
  // column matches no outer block is treated as part of the innermost block with a smaller column,
  // which gets the column of the line.
  Change MoveTo(Column column);

  // Closes all blocks and returns their number.
  int Close();

  int depth() const { return static_cast<int>(levels_.size()); }
  uint32_t current() const { return levels_.empty() ? 0 : levels_.back().column; }

 private:
  std::vector<Column> levels_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_INDENTATION_H_
