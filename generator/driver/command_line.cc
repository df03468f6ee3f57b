#include "generator/driver/command_line.h"

#include "generator/driver/version.h"

namespace lathe::driver {

int RunLathe(absl::Span<const std::string> args, const Streams& streams) {
  if (args.size() == 1 && args[0] == "--version") {
    std::fputs(VersionLine().c_str(), streams.out);
    return kExitOk;
  }
  if (args.size() == 2 && args[0] == "--version" && args[1] == "--json") {
    std::fputs(VersionJson().c_str(), streams.out);
    return kExitOk;
  }
  std::fputs("lathe: usage: lathe --version [--json]\n", streams.err);
  return kExitUsage;
}

}  // namespace lathe::driver
