#include "generator/driver/options/stream_option.h"

#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lathe::driver {
namespace {

// Names of inputs may contain ':' and '=', so the text is split at the last ones.
std::optional<StreamSpec> ParseStream(absl::string_view text) {
  StreamSpec spec;
  const size_t equals = text.rfind('=');
  if (equals == text.npos || !absl::SimpleAtoi(text.substr(equals + 1), &spec.frames) ||
      spec.frames < 1) {
    return std::nullopt;
  }
  text = text.substr(0, equals);
  const size_t colon = text.rfind(':');
  int axis = 0;
  if (colon != text.npos && absl::SimpleAtoi(text.substr(colon + 1), &axis)) {
    if (axis < 0) return std::nullopt;
    spec.axis = axis;
    text = text.substr(0, colon);
  }
  if (text.empty()) return std::nullopt;
  spec.input = std::string(text);
  return spec;
}

}  // namespace

absl::Status ReadStreamOptions(const Arguments& args, ReadOptions& read) {
  const bool streams = absl::c_any_of(
      args.declared, [](const Option* option) { return option->name == kStreamOption.name; });
  if (!streams) return absl::OkStatus();
  for (absl::string_view text : args.Values("--stream")) {
    auto spec = ParseStream(text);
    if (!spec) {
      return absl::InvalidArgumentError(
          absl::StrCat("option '--stream' must be INPUT:AXIS=N, with a number N of new frames, or "
                       "frames=N; got '",
                       text, "'"));
    }
    read.streams.push_back(*std::move(spec));
  }
  if (!args.Has("--stream-padding")) return absl::OkStatus();
  if (args.Value("--stream-padding") != "start") {
    return absl::InvalidArgumentError(absl::StrCat("option '--stream-padding' must be start; got '",
                                                   args.Value("--stream-padding"), "'"));
  }
  read.pads_at_start = true;
  if (read.streams.empty()) {
    return absl::InvalidArgumentError("option '--stream-padding' needs '--stream'");
  }
  return absl::OkStatus();
}

}  // namespace lathe::driver
