#include "generator/driver/cli/verb_targets.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

std::string AsText() {
  std::string out;
  for (const Target& t : AllTargets()) absl::StrAppendFormat(&out, "%-12s %s\n", t.name, t.summary);
  for (const Gpu& gpu : AllGpus()) {
    absl::StrAppendFormat(&out, "%-12s %s\n", absl::StrCat("cuda:", gpu.name), gpu.summary);
  }
  return out;
}

std::string AsJson() {
  Json list = Json::array();
  for (const Target& t : AllTargets()) {
    list.push_back(Json{{"name", std::string(t.name)},
                        {"summary", std::string(t.summary)},
                        {"int_bits", t.int_bits},
                        {"pointer_bits", t.pointer_bits},
                        {"double_bits", t.double_bits},
                        {"has_c99_math", t.has_c99_math},
                        {"ram_align", t.ram_align},
                        {"flash_align", t.flash_align},
                        {"l1_bytes", t.l1_bytes},
                        {"l2_bytes", t.l2_bytes},
                        {"tcm_bytes", t.tcm_bytes},
                        {"vector_bytes", t.vector_bytes},
                        {"vector_registers", t.vector_registers},
                        {"float_registers", t.float_registers},
                        {"integer_lanes", t.integer_lanes},
                        {"vector_macro", std::string(t.vector_macro)},
                        {"has_fma", t.has_fma},
                        {"has_scalar_fma", t.has_scalar_fma},
                        {"has_float", t.has_float},
                        {"has_double", t.has_double},
                        {"has_half", t.has_half},
                        {"dot_products", t.dot_products},
                        {"compiler", std::string(t.compiler)},
                        {"flags", std::string(t.flags)},
                        {"debian_packages", std::string(t.packages)}});
  }
  Json gpus = Json::array();
  for (const Gpu& gpu : AllGpus()) {
    gpus.push_back(Json{{"name", absl::StrCat("cuda:", gpu.name)},
                        {"summary", std::string(gpu.summary)},
                        {"shared_bytes", gpu.shared_bytes},
                        {"registers", gpu.registers},
                        {"threads", gpu.threads}});
  }
  return Json{{"schema_version", 1}, {"targets", std::move(list)}, {"gpus", std::move(gpus)}}.dump(
             2) +
         "\n";
}

ExitCode Targets(const Invocation& in) {
  Print(in.io.out, in.args.Has("--json") ? AsJson() : AsText());
  return kExitOk;
}

}  // namespace

constexpr Verb kVerbTargets = {
    .name = "targets",
    .summary = "list the targets",
    .operands = "",
    .reports = true,
    .options = {},
    .details =
        "--json adds the properties that determine the code, and the compiler of each target.\n"
        "\n"
        "Examples:\n"
        "  lathe targets\n"
        "  lathe targets --json\n",
    .run = Targets,
};

}  // namespace lathe::driver
