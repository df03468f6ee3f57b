// Derives programs in tests: the info of their variables, and the codes of their errors.
#ifndef LATHE_TESTS_SUPPORT_DERIVE_TEXT_H_
#define LATHE_TESTS_SUPPORT_DERIVE_TEXT_H_

#include <map>
#include <string>

namespace lathe::testing {

struct DerivedProgram {
  std::map<std::string, std::string> infos;  // by variable, and by function with an @ in front
  std::string problems;                      // "code: message", one a line
};

// A module of the functions in `functions`, which starts with a decorator at no indent: rules of
// form are checked, devices settled, infos derived.
DerivedProgram DeriveText(const std::string& functions);

// The same for one function `main` of that signature and body.
DerivedProgram DeriveMain(const std::string& signature, const std::string& body);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_DERIVE_TEXT_H_
