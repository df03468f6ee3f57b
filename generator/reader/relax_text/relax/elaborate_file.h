// Reads the file-level statements around the module: imports, metadata, type variables and host
// values. Other Python code, which builds or runs the module, is skipped with a warning.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FILE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FILE_H_

#include <optional>
#include <vector>

#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

struct FileContent {
  const ast::ClassDef* module = nullptr;  // the class decorated with @I.ir_module; null: none
  std::vector<ast::StmtRef> functions;    // the functions of the file, if it has no such class
};

// Reads imports, metadata, type variables and host values into `el` and returns the module of the
// file. Returns nullopt, after a diagnostic, if the file has no module or more than one.
std::optional<FileContent> ReadFileContent(Elaboration& el, const ast::Module& file);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FILE_H_
