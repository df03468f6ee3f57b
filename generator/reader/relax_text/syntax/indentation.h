// The columns at which the open blocks of a file stand, as Python counts them.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_INDENTATION_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_INDENTATION_H_

#include <cstdint>
#include <vector>

namespace lathe::relax_text {

// A tab goes to the next multiple of eight in `column`, and is one wide in `narrow`. When the two
// order two lines differently, the meaning of the file depends on the width of a tab.
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
    bool matches = true;     // no outer block stands at this column
    bool consistent = true;  // tabs and spaces agree
  };

  // A line starts at `column`: what opens or closes before it. One that matches no outer block
  // is taken for part of the innermost block that it is not left of, from then on at its column.
  Change MoveTo(Column column);

  // Closes all blocks; returns how many there were.
  int Close();

  int depth() const { return static_cast<int>(levels_.size()); }
  uint32_t current() const { return levels_.empty() ? 0 : levels_.back().column; }

 private:
  std::vector<Column> levels_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_INDENTATION_H_
