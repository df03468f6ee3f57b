// Finds constants that several models have, and prints them once, in a source of their own.
//
//   scratch.c    const union {...} scratch_shared_0 = {...};
//   kws.c        extern const union {...} scratch_shared_0;
//                static const float *const kws_weight = scratch_shared_0.values;
#ifndef LATHE_EMIT_C_SHARED_CONSTANTS_H_
#define LATHE_EMIT_C_SHARED_CONSTANTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::emit {

class SharedConstants {
 public:
  // `prefix` is the C prefix of the names and the name of the source.
  explicit SharedConstants(absl::string_view prefix) : prefix_(prefix) {}

  // Adds the constants of the next model for `target`. `program` must outlive this object.
  void Add(const ir::Program& program, const Target& target);

  // Returns the name of the constant `tensor` of `program` if several models have it and it is not
  // small, else "". Every model is added before.
  std::string Find(const ir::Program& program, const ir::Tensor& tensor) const;

  // Returns the number of bytes of the shared constants in their source, and the number that the
  // models have more of them without it.
  int64_t stored_bytes() const;
  int64_t saved_bytes() const;

  // Returns the source with the shared constants.
  absl::StatusOr<OutputFile> Source() const;

 private:
  // The C type of an element, the number of elements, and the bytes.
  using Key = std::tuple<std::string, int64_t, absl::string_view>;
  struct Entry {
    int models = 0;
    int64_t uses = 0;   // a model may have equal constants
    std::string shown;  // dtype and shape, for the comment
  };

  static Key KeyOf(const ir::Program& program, const ir::Tensor& tensor);

  const std::string prefix_;
  std::map<Key, Entry> entries_;
  std::string attribute_;   // which aligns them
  std::vector<Key> order_;  // of the first model that has each
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_SHARED_CONSTANTS_H_
