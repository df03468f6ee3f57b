// What an emitter gives: the files of a model, and what their users need to know of its functions.
#ifndef LATHE_EMIT_TEXT_EMITTED_MODEL_H_
#define LATHE_EMIT_TEXT_EMITTED_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "generator/emit/text/c_name.h"
#include "generator/ir/form.h"
#include "generator/ir/program.h"

namespace lathe::emit {

struct OutputFile {
  std::string name;  // "hello_add.c", below the bundle's folder
  std::string text;
};
// A value that goes in or out of an exported function, and the member of its struct.
struct ApiPort {
  CName name;
  std::string type;  // in C, of an element: "float"
  ir::Part part;
  bool written = false;  // an output, or an input that is overwritten
  // A member that says what an output of any size has room for; the port behind it gets the sizes.
  std::string capacity;
  bool is_value = false;  // a lathe_value, of any structure
  bool is_dim = false;    // of a GPU's model: a member of its dims, not of its inputs
  bool on_host = false;   // of a GPU's model: the sizes of an output, which the host writes
  int device = 0;         // of a tensor, where the program has several
};
struct ApiFunction {
  ir::RoutineId routine;
  CName function;  // "net_run"
  CName prefix;    // of the structs: "net"
  bool open;       // what it takes from the arena is known when it runs
  std::vector<ApiPort> inputs;
  std::vector<ApiPort> outputs;
  // A function that says what a run takes of the arena, and the inputs it is given:
  // "net_arena_size" and "n". Empty where it is a number, or not known.
  std::string need;
  std::vector<std::string> need_args;
  std::vector<ir::Form> params;  // what the inputs and the outputs are together
  ir::Form result;

  bool has_values() const {
    for (const std::vector<ApiPort>* ports : {&inputs, &outputs}) {
      for (const ApiPort& port : *ports) {
        if (port.is_value) return true;
      }
    }
    return false;
  }
};
// How a model is told of the functions that come from outside.
enum class Externs {
  kLink,   // by their symbols
  kTable,  // in a table given to init
};
// Where the constants of a model are.
enum class Weights {
  kWords,     // in its source
  kIncbin,    // in a file that the assembler puts into the program
  kExternal,  // in a file that the user maps or loads, and gives to init
};
struct EmitOptions {
  Externs externs = Externs::kLink;
  Weights weights = Weights::kWords;
  bool selftest = false;  // the header declares NAME_selftest
  std::string numerics;   // how quantised operators are computed; empty: there are none
};
struct EmittedModel {
  std::vector<OutputFile> files;
  std::vector<ApiFunction> functions;
  IdVector<ir::KernelId, CName> kernels;    // what they are called in C
  std::string weights;                      // of a file beside the source
  std::vector<std::string> constants;       // what those in the source are called in C
  bool takes_table = false;                 // init is given the functions from outside
  bool kernels_fail = false;                // those of a GPU, which say so in its memory
  std::vector<std::string> externs;         // their names in the program
  std::vector<std::string> kernel_externs;  // those that kernels of a GPU call
  std::vector<int64_t> before;       // of a GPU's workspaces, ahead of what the plan lays out
  std::vector<std::string> runtime;  // the parts of runtime-c/ that they include: "half.h"
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_EMITTED_MODEL_H_
