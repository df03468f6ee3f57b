// Renders the table of Relay operators for `lathe ops --from relay` and docs/relay-operators.md.
#ifndef LATHE_DRIVER_CLI_RELAY_OPERATORS_H_
#define LATHE_DRIVER_CLI_RELAY_OPERATORS_H_

#include <string>

namespace lathe::driver {

std::string RelayOperatorsAsText();
std::string RelayOperatorsAsMarkdown();
std::string RelayOperatorsAsJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_RELAY_OPERATORS_H_
