// Lists the options of `lathe validate`, and describes it.
#ifndef LATHE_DRIVER_CLI_VALIDATE_OPTIONS_H_
#define LATHE_DRIVER_CLI_VALIDATE_OPTIONS_H_

#include "generator/driver/options/extern_files.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/step_option.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

inline constexpr Option kValidateOptions[] = {
    {"--on", 0, "PLACE",
     "where it runs: host, interp, qemu, qemu:BOARD, cuda, cuda:N, cuda-emulation (host)"},
    {"--target", 't', "TARGET", "the target (of the board, generic-c99, or cuda:sm_80+ptx)"},
    {"--profile", 0, "", "count the instructions and the stack of each step, on a board"},
    {"--data", 0, "DATA",
     "random:seed=1,n=16, an .npz file, or a folder of .npy files or of ONNX's test data "
     "(random:seed=1)"},
    {"--func", 0, "NAME", "the function to run (main)"},
    {"--steps", 0, "N", "runs of a function with a state (3)"},
    {"--dim", 'D', "NAME=N", "compile for this size of a shape variable, or for LOW..HIGH"},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kParamsOption,
    kOutputsOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kIoOption,
    {"--per-node", 0, "",
     "compare the outputs of each node of an ONNX model, up to the first difference"},
    kNoFuseOption,
    kPreferOption,
    kPoolOption,
    kStepOption,
    kStepMacsOption,
    kHooksOption,
    {"--extern", 0, "FILE", "external functions: C or a library; for GPUs .cu, .cpp"},
    {"--externs", 0, "link|table", "how the generated code gets external functions (link)"},
    {"--cc", 0, "PROGRAM", "the compiler (cc, the target's, nvcc for GPUs, c++ in the emulation)"},
    {"--cflags", 0, "FLAGS", "compiler flags, separated by spaces (-O2; -O1 in the emulation)"},
    {"--rtol", 0, "R", "relative tolerance of floats (1e-5; 2^-10 with tf32; 1e-3 for test data)"},
    {"--atol", 0, "A",
     "absolute tolerance of floats (1e-6; 1e-5 with vectors and on GPUs; 2^-7 with tf32; 1e-7 for "
     "test data)"},
    {"--time-limit", 0, "SECONDS", "time limit of a run (300)"},
    {"--keep", 0, "FOLDER", "keep the compiled files and the program in FOLDER"},
};

inline constexpr char kValidateDetails[] =
    "Runs the compiled program twice, with differently filled memory, and compares each\n"
    "output with the result of 'lathe run'; if that fails, the compiled program has to end\n"
    "with an error status. Ends with exit code 6 if they differ.\n"
    "On a board, an emulator runs it without an operating system; the compilers and emulators\n"
    "are those of Debian 12. 'interp' evaluates the program after the graph passes.\n"
    "On 'cuda' or 'cuda:1' nvcc compiles it, and a GPU runs it.\n"
    "On 'cuda-emulation' the kernels run on this machine, thread by thread, with checks of\n"
    "their memory accesses.\n"
    "A folder of ONNX's test data holds test_data_set_0, ..., or input_0.pb, output_0.pb, "
    "...:\n"
    "outputs are compared with these. Of an .npz file or a folder of .npy files, arrays with\n"
    "names of outputs are compared.\n"
    "\n"
    "Examples:\n"
    "  lathe validate model.py\n"
    "  lathe validate model.py --data random:seed=3,n=16 --cflags '-O0 -fsanitize=undefined'\n"
    "  lathe validate model.py --data inputs.npz --func predict\n"
    "  lathe validate model.onnx --data test_model --per-node\n"
    "  lathe validate model.py --on qemu -t cortex-m0\n"
    "  lathe validate model.py --on qemu:mps2-an386 --profile\n";

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VALIDATE_OPTIONS_H_
