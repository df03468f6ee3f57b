// Prepares data of a program for pages: all texts become visible text (emit/text/html_text.h).
#ifndef LATHE_DRIVER_VIEW_PAGE_DATA_H_
#define LATHE_DRIVER_VIEW_PAGE_DATA_H_

#include "generator/emit/text/html_text.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::driver {

// Returns `data` for a script element. Texts are as VisibleText returns them, those of members
// called "source" as VisibleSource does.
emit::HtmlJson PageData(nlohmann::ordered_json data);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_PAGE_DATA_H_
