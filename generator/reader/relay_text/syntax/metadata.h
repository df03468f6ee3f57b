// Reads the section #[metadata] of Relay text: the constants and attributes that meta[K][n] names.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_METADATA_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_METADATA_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"
#include "generator/ir/module.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::relay {

class Metadata {
 public:
  Metadata();
  ~Metadata();
  Metadata(const Metadata&) = delete;
  Metadata& operator=(const Metadata&) = delete;

  // Reads the JSON text of the section.
  absl::Status Read(absl::string_view json);
  bool present() const { return present_; }

  // Returns meta[relay.Constant][index].
  absl::StatusOr<ir::Constant> ConstantAt(int64_t index) const;
  // Returns the fields of an object, such as meta[relay.attrs.ScanopAttrs][0]; numbers and lists of
  // them as attribute values.
  absl::StatusOr<ir::AttrMap> AttrsAt(const std::string& key, int64_t index) const;

 private:
  absl::StatusOr<const nlohmann::json*> NodeAt(const std::string& key, int64_t index) const;
  absl::StatusOr<const nlohmann::json*> NodeAt(int64_t index) const;
  ir::AttrValue ValueOf(const nlohmann::json& text, int depth) const;
  ir::AttrValue ObjectAt(int64_t index, int depth) const;

  bool present_ = false;
  std::unique_ptr<nlohmann::json> root_;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_METADATA_H_
