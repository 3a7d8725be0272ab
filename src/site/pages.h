// The sorts of pages. Each function gives whole files, or a file's text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "doc/search.h"

namespace gfxisa::site {

struct File {
  std::string path;  ///< within the site's folder
  std::string text;
};

/// The page of an instruction, and short ones at its other names that lead to it.
std::vector<File> instruction_pages(const SearchEntry& entry);
File home_page(const std::vector<SearchEntry>& entries);
File all_page(const std::vector<SearchEntry>& entries);
File search_index(const std::vector<SearchEntry>& entries);
std::vector<File> encoding_pages(const std::vector<SearchEntry>& entries);
File operands_page();
File formats_page();
std::vector<File> matrix_pages(const std::vector<SearchEntry>& entries);
File ptx_page();
std::vector<File> compare_pages();
File decoder_page(bool has_decoder);

/// Encodings of an instruction that people know by name: VOP3P for all of VOP3P_DOT, VOP3P_IU, ...
std::string_view known_encoding(std::string_view name);

}  // namespace gfxisa::site
