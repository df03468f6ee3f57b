#include "generator/driver/validate/validate_place.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/target_option.h"
#include "generator/driver/validate/cuda_device.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kEmulation = "cuda-emulation";
constexpr absl::string_view kCuda = "cuda";
// Runs on every GPU of the table.
constexpr absl::string_view kDefaultGpu = "cuda:sm_80+ptx";

absl::Status NoBoard(absl::string_view name, absl::string_view target) {
  const std::string boards = absl::StrJoin(AllBoards(), ", ", [](std::string* out, const Board& b) {
    absl::StrAppend(out, b.name, " (", b.target, ")");
  });
  const Board* board = FindBoard(name, "");
  const std::string what = board == nullptr ? absl::StrCat("no board is named '", name, "'")
                           : name.empty()   ? absl::StrCat("no board runs code for '", target, "'")
                                            : absl::StrCat("board '", name, "' (", board->target,
                                                           ") does not run code for '", target, "'");
  return absl::InvalidArgumentError(absl::StrCat(what, "\nsupported boards: ", boards));
}

// Returns the N of "cuda:N", or "".
absl::StatusOr<std::string> ReadDevice(absl::string_view on) {
  int number = 0;
  if (!absl::ConsumePrefix(&on, "cuda:")) return std::string();
  if (absl::SimpleAtoi(on, &number) && number >= 0) return absl::StrCat(number);
  return absl::InvalidArgumentError(
      absl::StrCat("option '--on cuda:N' needs the number of a GPU, from 0; got '", on, "'"));
}

absl::StatusOr<const Board*> ReadBoard(absl::string_view name, absl::string_view target) {
  // The most common target of firmware is the default.
  if (name.empty() && target.empty()) target = "cortex-m4f";
  if (const Board* board = FindBoard(name, target)) return board;
  return NoBoard(name, target);
}

// Reads the options of a GPU or of the emulation.
absl::Status ReadGpu(const Arguments& args, const ChosenTarget& chosen, ValidatePlace& place) {
  const absl::string_view named = args.Value("--target");
  if (!chosen.gpus && !named.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("option '--on ", args.Value("--on"),
                                                   "' runs code for GPUs, not for '", named, "'"));
  }
  place.emulates = args.Value("--on") == kEmulation;
  LATHE_ASSIGN_OR_RETURN(place.device, ReadDevice(args.Value("--on")));
  LATHE_ASSIGN_OR_RETURN(place.gpus, ReadGpus(named.empty() ? kDefaultGpu : named));
  place.target = &CudaTarget();
  return absl::OkStatus();
}

// Reads the compiler, its flags and the time limit.
absl::Status ReadTools(const Arguments& args, ValidatePlace& place) {
  place.cc = std::string(args.Value("--cc", place.emulates           ? "c++"
                                            : place.gpus             ? FindNvcc()
                                            : place.board != nullptr ? place.target->compiler
                                                                     : "cc"));
  place.cflags = absl::StrSplit(args.Value("--cflags", place.emulates ? "-O1" : "-O2"), ' ',
                                absl::SkipEmpty());
  if (args.Has("--time-limit") && (!absl::SimpleAtoi(args.Value("--time-limit"), &place.seconds) ||
                                   place.seconds < 1 || place.seconds > 86400)) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--time-limit' must be a number of seconds from 1 to 86400; got '",
                     args.Value("--time-limit"), "'"));
  }
  return absl::OkStatus();
}

absl::Status ReadExterns(const Arguments& args, ValidatePlace& place) {
  for (absl::string_view path : args.Values("--extern")) {
    const bool for_gpu = absl::EndsWith(path, ".cu") || absl::EndsWith(path, ".cpp");
    if (for_gpu && !place.gpus) {
      return absl::InvalidArgumentError(absl::StrCat(
          "option '--extern' needs a C file or a library; for GPUs also CUDA or C++; got '", path,
          "'"));
    }
    (for_gpu ? place.on_gpu : place.externs).emplace_back(path);
  }
  return absl::OkStatus();
}

bool IsOnGpu(absl::string_view on) {
  return on == kEmulation || on == kCuda || absl::StartsWith(on, absl::StrCat(kCuda, ":"));
}

}  // namespace

absl::StatusOr<ValidatePlace> ReadGpuPlace(const Arguments& args) {
  ValidatePlace place;
  if (!IsOnGpu(args.Value("--on"))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "option '--on' must be cuda, cuda:N or ", kEmulation,
        args.Has("--on") ? absl::StrCat("; got '", args.Value("--on"), "'") : ", but is missing"));
  }
  LATHE_ASSIGN_OR_RETURN(const ChosenTarget chosen, ReadTargetOption(args, "generic-c99"));
  LATHE_RETURN_IF_ERROR(ReadGpu(args, chosen, place));
  LATHE_RETURN_IF_ERROR(ReadTools(args, place));
  LATHE_RETURN_IF_ERROR(ReadExterns(args, place));
  return place;
}

absl::StatusOr<ValidatePlace> ReadBoardPlace(const Arguments& args) {
  ValidatePlace place;
  const std::pair<absl::string_view, absl::string_view> on =
      absl::StrSplit(args.Value("--on"), absl::MaxSplits(':', 1));
  if (on.first != "qemu") {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--on' must be qemu or qemu:BOARD; got '", args.Value("--on"), "'"));
  }
  LATHE_ASSIGN_OR_RETURN(const ChosenTarget chosen, ReadTargetOption(args, "generic-c99"));
  LATHE_ASSIGN_OR_RETURN(place.board, ReadBoard(on.second, args.Value("--target")));
  if (place.board->kind == BoardKind::kUser) {
    return absl::InvalidArgumentError(
        absl::StrCat("instructions are counted on boards without an operating system, not on '",
                     place.board->name, "'"));
  }
  place.target = args.Has("--target") ? chosen.target : FindTarget(place.board->target);
  LATHE_RETURN_IF_ERROR(ReadTools(args, place));
  LATHE_RETURN_IF_ERROR(ReadExterns(args, place));
  return place;
}

absl::StatusOr<ValidatePlace> ReadValidatePlace(const Arguments& args) {
  ValidatePlace place;
  LATHE_ASSIGN_OR_RETURN(place.pools, ReadPoolOptions(args));
  const absl::string_view named = args.Value("--target");
  LATHE_ASSIGN_OR_RETURN(const ChosenTarget chosen, ReadTargetOption(args, "generic-c99"));
  const std::pair<absl::string_view, absl::string_view> on =
      absl::StrSplit(args.Value("--on", "host"), absl::MaxSplits(':', 1));
  const bool on_gpu = IsOnGpu(args.Value("--on", "host"));
  if (chosen.gpus && !on_gpu) {
    return absl::InvalidArgumentError(absl::StrCat("code for GPUs needs '--on ", kCuda,
                                                   "' or '--on ", kEmulation, "'; got '--on ",
                                                   args.Value("--on", "host"), "'"));
  }
  if (on.first == "qemu") {
    LATHE_ASSIGN_OR_RETURN(place.board, ReadBoard(on.second, named));
  } else if (on_gpu) {
    LATHE_RETURN_IF_ERROR(ReadGpu(args, chosen, place));
  } else if (args.Value("--on", "host") == "interp") {
    place.interprets = true;
  } else if (args.Value("--on", "host") != "host") {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--on' must be host, interp, qemu, qemu:BOARD, cuda, cuda:N or ",
                     kEmulation, "; got '", args.Value("--on"), "'"));
  }
  place.target = place.gpus               ? &CudaTarget()
                 : !named.empty()         ? chosen.target
                 : place.board != nullptr ? FindTarget(place.board->target)
                                          : FindTarget("generic-c99");
  LATHE_RETURN_IF_ERROR(ReadTools(args, place));
  LATHE_RETURN_IF_ERROR(ReadExterns(args, place));
  if (place.gpus && !place.pools.empty()) {
    return absl::InvalidArgumentError("option '--pool' is supported for C targets, not for GPUs");
  }
  place.profile = args.Has("--profile");
  if (place.profile && (place.board == nullptr || place.board->kind == BoardKind::kUser)) {
    return absl::InvalidArgumentError(
        "option '--profile' counts the instructions of a board; choose one with '--on qemu:BOARD'");
  }
  if (place.profile && (args.Has("--step") || args.Has("--step-macs"))) {
    return absl::InvalidArgumentError(
        "options '--profile' and '--step' exclude each other; '--prefer speed' has the same "
        "layers");
  }
  return place;
}

}  // namespace lathe::driver
