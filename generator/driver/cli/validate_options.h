// Lists the options of `lathe validate`.
#ifndef LATHE_DRIVER_CLI_VALIDATE_OPTIONS_H_
#define LATHE_DRIVER_CLI_VALIDATE_OPTIONS_H_

#include "generator/driver/options/extern_files.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/step_option.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

inline constexpr Option kValidateOptions[] = {
    {"--on", 0, "PLACE",
     "where it runs: host, interp, qemu, qemu:BOARD, cuda, cuda:N, cuda-emulation (host)"},
    {"--target", 't', "TARGET", "the target (of the board, generic-c99, or cuda:sm_80+ptx)"},
    {"--profile", 0, "", "count the instructions and the stack of each step, on a board"},
    {"--data", 0, "DATA",
     "random:seed=1,n=16, an .npz file, or a folder of ONNX's test data (random:seed=1)"},
    {"--func", 0, "NAME", "the function to run (main)"},
    {"--steps", 0, "N", "runs of a function with a state (3)"},
    {"--dim", 'D', "NAME=N", "compile for this size of a shape variable, or for LOW..HIGH"},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kParamsOption,
    kOutputsOption,
    kTapOption,
    kIoOption,
    {"--per-node", 0, "",
     "compare the outputs of each node of an ONNX model, up to the first difference"},
    {"--no-fuse", 0, "", "one kernel for each operator, its result in memory"},
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

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VALIDATE_OPTIONS_H_
