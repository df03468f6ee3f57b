// Counts the bytes that an evaluation holds and reports an error above a limit. Also defines the
// contents of new memory.
#ifndef LATHE_INTERP_DATA_MEMORY_BUDGET_H_
#define LATHE_INTERP_DATA_MEMORY_BUDGET_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "generator/interp/data/limits.h"

namespace lathe::interp {

// All ones are NaN in every float format and -1 in integers.
inline constexpr uint8_t kFreshMemory = 0xff;

class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t max_bytes = kMaxBytes, uint8_t fresh = kFreshMemory)
      : max_bytes_(max_bytes), fresh_(fresh) {}

  // Takes `bytes`. Returns false, without taking anything, when this would exceed the limit.
  bool Take(uint64_t bytes) {
    if (bytes > max_bytes_ - used_) return false;
    used_ += bytes;
    return true;
  }
  void Release(uint64_t bytes) { used_ -= bytes; }

  uint64_t used() const { return used_; }
  uint64_t max_bytes() const { return max_bytes_; }
  uint8_t fresh() const { return fresh_; }

 private:
  uint64_t max_bytes_;
  uint8_t fresh_;
  uint64_t used_ = 0;
};

// Returns its bytes to the budget when it is destroyed. Empty: nothing was counted.
class BudgetShare {
 public:
  BudgetShare() = default;
  BudgetShare(std::shared_ptr<MemoryBudget> budget, uint64_t bytes)
      : budget_(std::move(budget)), bytes_(bytes) {}
  BudgetShare(const BudgetShare&) = delete;
  BudgetShare(BudgetShare&& other) noexcept
      : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}
  BudgetShare& operator=(BudgetShare&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~BudgetShare() {
    if (budget_ != nullptr) budget_->Release(bytes_);
  }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  uint64_t bytes_ = 0;
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_MEMORY_BUDGET_H_
