#include "generator/driver/report/remove_on_signal.h"

#include <pthread.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace lathe::driver {
namespace {

// Wakes the thread in the destructor. None of the signals that end the process: the thread could
// not tell it from one that a user sends. By default it is ignored.
constexpr int kWake = SIGURG;

}  // namespace

RemoveOnSignal::RemoveOnSignal(std::string folder) : folder_(std::move(folder)) {
  sigemptyset(&waited_);
  for (int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    sigaddset(&waited_, signal);
    waits_ = true;
  }
  if (!waits_) return;
  sigaddset(&waited_, kWake);
  pthread_sigmask(SIG_BLOCK, &waited_, &before_);
  thread_ = std::thread([this] { Wait(); });
}

RemoveOnSignal::~RemoveOnSignal() {
  if (!waits_) return;
  done_ = true;
  pthread_kill(thread_.native_handle(), kWake);
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void RemoveOnSignal::Wait() {
  int signal = 0;
  while (sigwait(&waited_, &signal) != 0 || (signal == kWake && !done_)) {
  }
  // A signal that is still pending ends the process once the destructor unblocks it.
  if (signal == kWake) return;
  std::error_code ignored;
  // A compiler or an emulator may write a file meanwhile. It ends with this process.
  for (int tries = 0; tries < 3 && std::filesystem::exists(folder_, ignored); ++tries) {
    std::filesystem::remove_all(folder_, ignored);
  }
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
}

}  // namespace lathe::driver
