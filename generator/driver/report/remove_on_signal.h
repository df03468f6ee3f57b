// Removes a folder when a signal ends the process.
#ifndef LATHE_DRIVER_REPORT_REMOVE_ON_SIGNAL_H_
#define LATHE_DRIVER_REPORT_REMOVE_ON_SIGNAL_H_

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

namespace lathe::driver {

// While it exists, SIGHUP, SIGINT and SIGTERM are blocked, and a thread waits for them: it removes
// the folder, then lets the signal end the process. A signal that arrives in the destructor ends
// the process, too. Signals that the process ignores, as under nohup, stay ignored. One at a time:
// of two, only one receives a signal.
class RemoveOnSignal {
 public:
  explicit RemoveOnSignal(std::string folder);
  ~RemoveOnSignal();
  RemoveOnSignal(const RemoveOnSignal&) = delete;
  RemoveOnSignal& operator=(const RemoveOnSignal&) = delete;

 private:
  void Wait();

  std::string folder_;
  sigset_t waited_, before_;
  bool waits_ = false;  // false if the process ignores all of the signals
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_REMOVE_ON_SIGNAL_H_
