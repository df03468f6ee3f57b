#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "tests/hostile/doors.h"
#include "tests/hostile/hostile_name.h"
#include "tests/support/txtar.h"

namespace lathe::hostile {

std::vector<Door> TextDoors(const std::string& archive) {
  std::vector<Door> doors;
  for (const Txtar::Section& section : ParseTxtar(archive).sections) {
    Door door;
    door.path = section.name;
    door.name = std::string(absl::StripSuffix(section.name, ".py"));
    door.any = absl::EndsWith(door.name, "_any");
    door.benign = "benign";
    door.means = absl::StrContains(section.text, "\n# others mean something else\n");
    absl::string_view text = section.text;
    if (absl::ConsumePrefix(&text, "# benign: ")) {
      door.benign = std::string(text.substr(0, text.find('\n')));
    }
    door.program = [text = section.text](const std::string& name) {
      return absl::StrReplaceAll(
          text, {{"HOSTILE_NAME", ToPythonName(name)}, {"HOSTILE_TEXT", ToPythonText(name)}});
    };
    doors.push_back(std::move(door));
  }
  return doors;
}

}  // namespace lathe::hostile
