// Splits a page into its tags, as a browser does.
#ifndef LATHE_TESTS_HOSTILE_HTML_TAGS_H_
#define LATHE_TESTS_HOSTILE_HTML_TAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::hostile {

struct HtmlPage {
  std::vector<std::string> tags;  // "<td class=number>", "</td>"; contents of scripts and styles
  std::string data;               // the content of the script element with JSON; or empty
};

// Fails for characters that are not text, and for markup that is not closed.
absl::StatusOr<HtmlPage> ReadHtml(absl::string_view page);

}  // namespace lathe::hostile

#endif  // LATHE_TESTS_HOSTILE_HTML_TAGS_H_
