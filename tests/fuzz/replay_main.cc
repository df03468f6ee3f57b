// Runs a fuzz target over files, for machines without libFuzzer: folders and files as arguments.
// --mutate=N runs over N mutations of them, --seed=S selects these. An input may take ten seconds
// of processor time, and --mib=M MiB of memory. An input that crashes, or exceeds the limits, is
// written to --log=FILE.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

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

// What runs now, for the handler.
const std::string* g_input = nullptr;
const char* g_log = nullptr;

void LeaveInput(int signal) {
  const int file = g_log == nullptr ? -1 : open(g_log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && g_input != nullptr) (void)!write(file, g_input->data(), g_input->size());
  ::signal(signal, SIG_DFL);
  raise(signal);
}

// On a stack of their own, since a full stack is one of the reasons.
void LeaveInputOnSignals() {
  static char stack[65536];
  stack_t own = {};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, nullptr);
  struct sigaction action = {};
  action.sa_handler = LeaveInput;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM}) {
    sigaction(signal, &action, nullptr);
  }
}

void RunOn(const std::string& bytes) {
  g_input = &bytes;
  constexpr itimerval kLimit = {{0, 0}, {10, 0}};
  setitimer(ITIMER_VIRTUAL, &kLimit, nullptr);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

// Changes of changes, up to a few, start from the files again and again.
void RunChanged(const std::vector<std::string>& inputs, uint64_t count, uint64_t seed) {
  std::minstd_rand random(static_cast<unsigned>(seed));
  for (uint64_t n = 0; n < count; ++n) {
    std::string input = inputs[random() % inputs.size()];
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      input = lathe::fuzz::Mutate(input, inputs[random() % inputs.size()], random);
    }
    RunOn(input);
    if ((n + 1) % 100'000 == 0)
      std::printf("%llu changed\n", static_cast<unsigned long long>(n + 1));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  uint64_t count = 0, seed = 1, mib = 0;
  static std::string log;
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
    if (absl::ConsumePrefix(&word, "--mib=")) {
      if (!absl::SimpleAtoi(word, &mib)) return 2;
      continue;
    }
    if (absl::ConsumePrefix(&word, "--log=")) {
      log = std::string(word);
      g_log = log.c_str();
      continue;
    }
    if (std::filesystem::is_regular_file(argv[i])) files.emplace_back(argv[i]);
    if (!std::filesystem::is_directory(argv[i])) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  // Sanitizers have handlers of their own, which say more.
  if (mib != 0 || g_log != nullptr) LeaveInputOnSignals();
  if (mib != 0) {
    const rlimit most = {mib << 20, mib << 20};
    setrlimit(RLIMIT_DATA, &most);
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
  if (!inputs.empty()) RunChanged(inputs, count, seed);
  return files.empty() ? 1 : 0;
}
