// Runs a fuzz target over files, for machines without libFuzzer: folders and files as arguments.
// With
// --mutate=N, then over N of them that are changed. --seed=S says how; --log=FILE has the input at
// hand, for the one that crashes.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "tests/fuzz/mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void RunOn(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

// Changes of changes, up to a few, start from the files again and again.
void RunChanged(const std::vector<std::string>& inputs, uint64_t count, uint64_t seed,
                const std::string& log) {
  std::minstd_rand random(static_cast<unsigned>(seed));
  for (uint64_t n = 0; n < count; ++n) {
    std::string input = inputs[random() % inputs.size()];
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      input = lathe::fuzz::Mutate(input, inputs[random() % inputs.size()], random);
    }
    if (!log.empty()) std::ofstream(log, std::ios::binary) << input;
    RunOn(input);
    if ((n + 1) % 100'000 == 0)
      std::printf("%llu changed\n", static_cast<unsigned long long>(n + 1));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  uint64_t count = 0, seed = 1;
  std::string log;
  for (int i = 1; i < argc; ++i) {
    absl::string_view word = argv[i];
    if (absl::ConsumePrefix(&word, "--mutate=")) {
      if (!absl::SimpleAtoi(word, &count)) return 2;
      continue;
    }
    if (absl::ConsumePrefix(&word, "--seed=")) {
      if (!absl::SimpleAtoi(word, &seed)) return 2;
      continue;
    }
    if (absl::ConsumePrefix(&word, "--log=")) {
      log = std::string(word);
      continue;
    }
    if (std::filesystem::is_regular_file(argv[i])) files.emplace_back(argv[i]);
    if (!std::filesystem::is_directory(argv[i])) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    inputs.emplace_back((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    // Named before it runs, so that a crash says where.
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    RunOn(inputs.back());
  }
  std::printf("%zu files\n", files.size());
  if (!inputs.empty()) RunChanged(inputs, count, seed, log);
  return files.empty() ? 1 : 0;
}
