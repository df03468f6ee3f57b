// Caches the results of type relations: networks repeat the same calls.
#ifndef LATHE_READER_RELAY_TEXT_INFER_RELATION_CACHE_H_
#define LATHE_READER_RELAY_TEXT_INFER_RELATION_CACHE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/reader/relay_text/infer/relate.h"

namespace lathe::relay {

// Returns a key for the type of a call; nullopt if it has large constants or attributes that are
// not plain values.
std::optional<std::string> RelationKey(const Types& types, const OpRow& row,
                                       const ir::AttrMap& attrs,
                                       const std::vector<RelationArg>& args);

using RelationCache = absl::flat_hash_map<std::string, TypeRef>;

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_INFER_RELATION_CACHE_H_
