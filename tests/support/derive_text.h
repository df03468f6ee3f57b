// Derives programs in tests: the info of their variables, and the codes of their errors.
#ifndef LATHE_TESTS_SUPPORT_DERIVE_TEXT_H_
#define LATHE_TESTS_SUPPORT_DERIVE_TEXT_H_

#include <map>
#include <string>

namespace lathe::testing {

struct DerivedProgram {
  std::map<std::string, std::string> infos;  // by variable, and by function with the prefix @
  std::string problems;                      // "code: message", one per line
};

// Derives a module of `functions`, which starts with a decorator without indentation: checks rules
// of form, places devices, derives infos.
DerivedProgram DeriveText(const std::string& functions);

// The same for one function `main` with that signature and body.
DerivedProgram DeriveMain(const std::string& signature, const std::string& body);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_DERIVE_TEXT_H_
