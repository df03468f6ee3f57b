// Measures the result and the time of block packing:
//
//   ninja -C build/release pack_instances
//   build/release/bin/pack_instances [--capacity=BYTES] [--steps=N] FILE.csv ...
//
// Files have lines of id,lower,upper,size. With a capacity the search ends at the first packing
// that is at most as high; without, it looks for the lowest. Ends with 1 when a packing is wrong or
// too high.
#include <chrono>
#include <cstdio>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/plan/check_packing.h"
#include "generator/plan/pack.h"
#include "tests/support/read_blocks.h"

int main(int argc, char** argv) {
  using lathe::plan::Packing;
  lathe::plan::PackLimits limits;
  bool is_good = true;
  std::printf("%-24s %6s %12s %12s %5s %12s %8s\n", "instance", "blocks", "lower bound", "height",
              "best", "steps", "seconds");
  for (int i = 1; i < argc; ++i) {
    absl::string_view text = argv[i];
    int64_t number = 0;
    if (absl::ConsumePrefix(&text, "--capacity=") && absl::SimpleAtoi(text, &number)) {
      limits.capacity = number;
      continue;
    }
    if (absl::ConsumePrefix(&text, "--steps=") && absl::SimpleAtoi(text, &limits.steps)) continue;
    const auto blocks = lathe::ReadBlocks(argv[i]);
    const absl::Status status = blocks.ok() ? lathe::plan::CheckBlocks(*blocks) : blocks.status();
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.ToString().c_str());
      return 1;
    }
    const auto start = std::chrono::steady_clock::now();
    const Packing packing = lathe::plan::Pack(*blocks, limits);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const absl::Status check = lathe::plan::CheckPacking(*blocks, packing.offsets, packing.height);
    is_good = is_good && check.ok() && packing.height <= limits.capacity.value_or(packing.height);
    const std::string name(text.substr(text.rfind('/') + 1));
    std::printf("%-24s %6zu %12lld %12lld %5s %12lld %8.3f%s\n", name.c_str(), blocks->size(),
                static_cast<long long>(packing.lower_bound), static_cast<long long>(packing.height),
                packing.optimal ? "yes" : "", static_cast<long long>(packing.steps),
                seconds.count(), absl::StrCat(check.ok() ? "" : " ", check.message()).c_str());
  }
  return is_good ? 0 : 1;
}
