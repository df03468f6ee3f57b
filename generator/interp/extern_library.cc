#include "generator/interp/extern_library.h"

#include <dlfcn.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/interp/extern_value.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

// The loader of a static program needs the very C library that the program was linked with.
#ifdef LATHE_STATIC
constexpr bool kIsStaticProgram = true;
#else
constexpr bool kIsStaticProgram = false;
#endif

absl::string_view NameOf(int status) {
  switch (status) {
    case LATHE_E_NULL:
      return "LATHE_E_NULL: a required pointer is null";
    case LATHE_E_ABORTED:
      return "LATHE_E_ABORTED: it was asked to stop";
    case LATHE_E_SHAPE:
      return "LATHE_E_SHAPE: a check of a shape failed";
    case LATHE_E_MEMORY:
      return "LATHE_E_MEMORY: there is not enough memory";
    case LATHE_E_ARGUMENT:
      return "LATHE_E_ARGUMENT: it does not take such arguments";
    case LATHE_E_INDEX:
      return "LATHE_E_INDEX: an index is out of bounds";
    case LATHE_E_MATCH:
      return "LATHE_E_MATCH: no clause of a partial match covers the value";
    case LATHE_E_FAILED:
      return "LATHE_E_FAILED";
    default:
      return "an error of its own";
  }
}

absl::StatusOr<Value> CallFunction(lathe_packed_fn fn, const PackedCall& packed) {
  lathe_call call;
  call.budget = packed.budget;
  std::vector<lathe_value> args;
  for (const Value& arg : packed.args) {
    LATHE_ASSIGN_OR_RETURN(const lathe_value value, ToExtern(arg, &call));
    args.push_back(value);
  }
  lathe_value result = {};
  const int status = fn(&ExternHost(), &call, args.data(), args.size(), &result);
  if (status != LATHE_OK) {
    const std::string why = call.error.empty() ? std::string(NameOf(status)) : call.error;
    if (status == LATHE_E_MEMORY) return absl::ResourceExhaustedError(why);
    return absl::InvalidArgumentError(absl::StrCat(why, " (status ", status, ")"));
  }
  return FromExtern(result, call);
}

}  // namespace

absl::Status LoadExternLibrary(const std::string& path, PackedTable* table) {
  if (kIsStaticProgram) {
    return absl::UnavailableError(absl::StrCat(
        "cannot load '", path,
        "': this lathe is linked statically, as in the packages, and loads no libraries; a lathe "
        "built from source without LATHE_STATIC does"));
  }
  // Without a slash the loader would search the system's folders.
  const std::string file = path.find('/') == path.npos ? absl::StrCat("./", path) : path;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return absl::UnavailableError(absl::StrCat("cannot load '", path, "': ", dlerror()));
  }
  using ListFn = const lathe_packed* (*)();
  const auto list = reinterpret_cast<ListFn>(dlsym(library, "lathe_packed_functions"));
  const lathe_packed* functions = list == nullptr ? nullptr : list();
  if (functions == nullptr) {
    return absl::UnavailableError(absl::StrCat("'", path,
                                               "' does not define lathe_packed_functions, which "
                                               "lists its functions; see include/lathe/extern.h"));
  }
  for (; functions->name != nullptr && functions->fn != nullptr; ++functions) {
    const lathe_packed_fn fn = functions->fn;
    table->Add(functions->name, [fn](const PackedCall& call) { return CallFunction(fn, call); });
  }
  return absl::OkStatus();
}

}  // namespace lathe::interp
