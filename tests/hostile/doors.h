// Lists the entry points by which names and texts of a program reach the compiler: one program
// each, with a name inserted.
#ifndef LATHE_TESTS_HOSTILE_DOORS_H_
#define LATHE_TESTS_HOSTILE_DOORS_H_

#include <functional>
#include <string>
#include <vector>

namespace lathe::hostile {

struct Door {
  std::string name;    // "call_extern"
  std::string benign;  // what a user would give
  bool any = false;    // whatever is given is well: it is never refused
  bool means = false;  // others than `benign` mean something else
  std::string path;    // of the program; the suffix is its format
  std::function<std::string(const std::string&)> program;
};

// Those of doors.txtar, programs of TVMScript.
std::vector<Door> TextDoors(const std::string& archive);

// Those of ONNX's messages: each of their fields that is a text.
std::vector<Door> OnnxDoors();

}  // namespace lathe::hostile

#endif  // LATHE_TESTS_HOSTILE_DOORS_H_
