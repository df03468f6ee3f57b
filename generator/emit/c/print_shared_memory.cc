#include "generator/emit/c/print_shared_memory.h"

#include <cstdint>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace lathe::emit {
namespace {

struct Bytes {
  size_t pool = 0;
  int64_t begin = 0, end = 0;
};

std::optional<Bytes> BytesOf(const plan::Frame& frame, ir::TensorId tensor) {
  const auto place = frame.place_of.find(tensor);
  if (place == frame.place_of.end()) return std::nullopt;
  const std::vector<plan::Buffer>& buffers = frame.shares[place->second.pool].buffers;
  const auto buffer = absl::c_find_if(
      buffers, [&](const plan::Buffer& other) { return other.call < 0 && other.tensor == tensor; });
  if (buffer == buffers.end()) return std::nullopt;
  return Bytes{place->second.pool, place->second.offset, place->second.offset + buffer->size};
}

}  // namespace

void PrintSharedMemory(const ir::Program& program, const plan::Frame& frame,
                       const ir::KernelStep& step, const std::vector<bool>& writes,
                       const std::vector<std::string>& names, LineWriter& out) {
  for (size_t to = 0; to < step.tensors.size(); ++to) {
    const auto written =
        writes[to] ? BytesOf(frame, program.Whole(step.tensors[to])) : std::nullopt;
    if (!written) continue;
    for (size_t from = 0; from < step.tensors.size(); ++from) {
      if (writes[from] || program.Whole(step.tensors[from]) == program.Whole(step.tensors[to])) {
        continue;
      }
      const auto read = BytesOf(frame, program.Whole(step.tensors[from]));
      const bool shares = read && read->pool == written->pool && read->begin < written->end &&
                          written->begin < read->end;
      if (!shares) continue;
      out.Line("/* ", names[to], " overwrites ", names[from], " after it is read */");
    }
  }
}

}  // namespace lathe::emit
