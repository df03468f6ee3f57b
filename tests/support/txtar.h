// Parses several named texts in one file, separated by lines of the form "-- name --".
#ifndef LATHE_TESTS_SUPPORT_TXTAR_H_
#define LATHE_TESTS_SUPPORT_TXTAR_H_

#include <string>
#include <vector>

namespace lathe {

struct Txtar {
  struct Section {
    std::string name;
    std::string text;
  };
  std::string comment;  // text before the first section
  std::vector<Section> sections;
};

// PrintTxtar(ParseTxtar(text)) == text if text ends with a newline.
Txtar ParseTxtar(const std::string& text);
std::string PrintTxtar(const Txtar& archive);

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_TXTAR_H_
