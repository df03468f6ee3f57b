// Describes the output of an emitter: the files of a model, and the interface of its functions.
#ifndef LATHE_EMIT_TEXT_EMITTED_MODEL_H_
#define LATHE_EMIT_TEXT_EMITTED_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/emit/text/c_name.h"
#include "generator/ir/form.h"
#include "generator/ir/program.h"

namespace lathe::emit {

// A generated file.
struct OutputFile {
  std::string name;  // path in the bundle: "hello_add.c"
  std::string text;
  bool of_model = true;  // false for a self-test and for the files of a package
};
// An input or output of an exported function, and its member of the generated struct.
struct ApiPort {
  CName name;            // of the member
  std::string type;      // the C type of an element: "float"
  ir::Part part;         // the value in the program
  bool written = false;  // an output, or an input that is overwritten
  // The member that holds the capacity of an output of dynamic size; the next port receives its
  // sizes. Empty for other ports.
  std::string capacity;
  bool is_value = false;  // a lathe_value, whose structure is dynamic
  bool is_dim = false;    // GPU models: a member of the struct of sizes, not of the inputs
  bool on_host = false;   // GPU models: the sizes of an output, in host memory
  int device = 0;         // the device of a tensor, if the program has several
};
// An exported function.
struct ApiFunction {
  ir::RoutineId routine;  // the routine that it calls
  CName function;         // "net_run"
  CName prefix;           // the prefix of its structs: "net"
  bool open;              // its arena usage depends on sizes, data or the recursion depth
  std::vector<ApiPort> inputs;
  std::vector<ApiPort> outputs;
  // The function that computes the arena usage of a run, and its arguments: "net_arena_size" and
  // "n". Empty if the usage is constant or depends on more than sizes, and in GPU models.
  std::string need;
  std::vector<std::string> need_args;
  std::vector<ir::Form> params;  // the structure of each parameter
  ir::Form result;               // the structure of the result
  // The function that runs one part, and the macro of the number of parts: "net_step" and
  // "NET_STEP_COUNT". Empty without --step.
  std::string step = {};
  std::string step_count = {};

  // Returns whether any input or output is a lathe_value.
  bool has_values() const {
    for (const std::vector<ApiPort>* ports : {&inputs, &outputs}) {
      for (const ApiPort& port : *ports) {
        if (port.is_value) return true;
      }
    }
    return false;
  }
};
// How a model finds external functions.
enum class Externs {
  kLink,   // by their symbols, at link time
  kTable,  // in a table that is passed to init
};
// Where the constants of a model are stored.
enum class Weights {
  kWords,     // in the generated source, as numbers
  kIncbin,    // in a file that the assembler includes (.incbin)
  kExternal,  // in a file that the user loads or maps and passes to init
  kDecoded,   // the same, stored compressed or encrypted: with NAME_decode_weights; C only
};
// Returns whether init takes the constants.
constexpr bool AreExternal(Weights weights) {
  return weights == Weights::kExternal || weights == Weights::kDecoded;
}
// How the steps of a run can be observed and separated, in C.
struct StepOptions {
  bool hooks = false;                     // LATHE_ON_STEP around each step
  bool parts = false;                     // NAME_step, which runs a part of a run; implies hooks
  std::optional<int64_t> most_macs = {};  // of a part; nullopt: a part is one layer
  bool hooked() const { return hooks || parts; }
};
class SharedConstants;  // emit/c/shared_constants.h

// The options that all backends have.
struct EmitOptions {
  Externs externs = Externs::kLink;   // how external functions are found
  Weights weights = Weights::kWords;  // where constants are stored
  bool selftest = false;              // the header declares NAME_selftest
  std::vector<std::string> origin;    // lines about the command and the model
  std::string numerics;               // how quantized operators are computed; empty without any
  std::vector<std::string> stream;    // the new frames of each input of a streamed model
  StepOptions steps = {};
  const SharedConstants* shared_constants = nullptr;  // for C with Weights::kWords
};
// The printed function of a kernel.
struct EmittedKernel {
  CName name;
  std::vector<bool> writes;  // for each tensor of the kernel whether it writes it
  std::string text;          // its functions with comments (kernel_text.h)
};
// The output of an emitter.
struct EmittedModel {
  std::vector<OutputFile> files;
  std::vector<ApiFunction> functions;
  IdVector<ir::KernelId, EmittedKernel> kernels;
  std::string weights;  // the weights as one blob; empty: none, or each in the source
  std::vector<std::string> constants;       // C names of the constants in the source
  bool takes_table = false;                 // init has a table of external functions
  bool kernels_fail = false;                // a GPU kernel may fail, and writes its error to memory
  std::vector<std::string> externs;         // external functions: names in the program
  std::vector<std::string> kernel_externs;  // external functions that GPU kernels call
  std::vector<int64_t> before;              // bytes reserved at the start of each GPU workspace
  std::vector<std::string> runtime;  // headers of runtime-c/ that the files include: "half.h"
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_TEXT_EMITTED_MODEL_H_
