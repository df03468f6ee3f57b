// Collects the constants of Relay text that have no literal, and writes the section #[metadata],
// which holds them.
#ifndef LATHE_READER_RELAY_TEXT_PRINT_RELAY_METADATA_H_
#define LATHE_READER_RELAY_TEXT_PRINT_RELAY_METADATA_H_

#include <string>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "generator/ir/module.h"

namespace lathe::relay {

class MetadataWriter {
 public:
  // Returns n of meta[relay.Constant][n]. Equal constants share an entry.
  size_t Add(const ir::Constant& constant);
  // Returns the section, or "" if there is no constant.
  std::string Section() const;

 private:
  absl::node_hash_map<std::string, size_t> known_;  // by serialized tensor
  std::vector<const std::string*> tensors_;         // keys of `known_`, in order
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_PRINT_RELAY_METADATA_H_
