#include "elf/metadata_text.h"

#define MSGPACK_NO_BOOST

#include <fmt/format.h>
#include <yaml.h>

#include <charconv>
#include <cstdlib>
#include <map>
#include <msgpack.hpp>
#include <span>
#include <vector>

#include "base/suggest.h"

namespace gfxisa {

namespace {

constexpr unsigned deepest = 32;

enum class Kind : u8 { text, number, negative, boolean, real, list, map };

struct Node {
  Kind kind = Kind::text;
  u32 line = 0;
  std::string text;
  u64 number = 0;
  double real = 0;
  std::vector<Node> items;
  std::map<std::string, Node> entries;
};

/// Digits with an optional prefix that names the base: 0x, 0b, 0o or just 0.
bool read_unsigned(std::string_view text, u64& value) {
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    text.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return status == std::errc() && end == text.data() + text.size();
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

/// Gives a scalar the type that its text has, quoted or not.
void settle_type(Node& node) {
  const std::string& text = node.text;
  if (read_unsigned(text, node.number)) {
    node.kind = Kind::number;
  } else if (text.starts_with('-') && read_unsigned(std::string_view(text).substr(1), node.number)) {
    node.kind = Kind::negative;
    node.number = 0 - node.number;
  } else if (is_one_of(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) {
    node.kind = Kind::boolean;
    node.number = (text[0] | 0x20) == 't';
  } else if (!text.empty() && text[0] != ' ') {
    char* end = nullptr;
    node.real = std::strtod(text.c_str(), &end);
    if (end == text.c_str() + text.size()) node.kind = Kind::real;
  }
}

class Reader {
 public:
  Reader(std::string_view text, MetadataTextError& error) : error_(error) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const u8*>(text.data()), text.size());
  }
  ~Reader() {
    if (has_event_) yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool read_document(Node& root) {
    while (next()) {
      if (event_.type == YAML_STREAM_END_EVENT) return fail("the metadata is empty");
      if (event_.type == YAML_STREAM_START_EVENT || event_.type == YAML_DOCUMENT_START_EVENT) continue;
      return read(root, 0);
    }
    return false;
  }

 private:
  bool next() {
    if (has_event_) yaml_event_delete(&event_);
    has_event_ = yaml_parser_parse(&parser_, &event_) != 0;
    if (has_event_) return true;
    error_ = {parser_.problem == nullptr ? "the metadata is no YAML" : fmt::format("YAML: {}", parser_.problem), "",
              static_cast<u32>(parser_.problem_mark.line)};
    return false;
  }

  bool fail(std::string message) {
    error_ = {std::move(message), "", static_cast<u32>(event_.start_mark.line)};
    return false;
  }

  bool read(Node& node, unsigned depth) {
    if (depth > deepest) return fail("the metadata is nested too deeply");
    node.line = static_cast<u32>(event_.start_mark.line);
    switch (event_.type) {
      case YAML_SCALAR_EVENT:
        node.text.assign(reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length);
        settle_type(node);
        return true;
      case YAML_SEQUENCE_START_EVENT:
        return read_list(node, depth);
      case YAML_MAPPING_START_EVENT:
        return read_map(node, depth);
      default:
        return fail("metadata has no anchors and aliases");
    }
  }

  bool read_list(Node& node, unsigned depth) {
    node.kind = Kind::list;
    while (next()) {
      if (event_.type == YAML_SEQUENCE_END_EVENT) return true;
      node.items.emplace_back();
      if (!read(node.items.back(), depth + 1)) return false;
    }
    return false;
  }

  bool read_map(Node& node, unsigned depth) {
    node.kind = Kind::map;
    while (next()) {
      if (event_.type == YAML_MAPPING_END_EVENT) return true;
      if (event_.type != YAML_SCALAR_EVENT) return fail("a key of metadata is a word");
      const std::string key(reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length);
      const auto [entry, is_new] = node.entries.try_emplace(key);
      if (!is_new) return fail(fmt::format("'{}' is there twice", key));
      if (!next() || !read(entry->second, depth + 1)) return false;
    }
    return false;
  }

  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool has_event_ = false;
  MetadataTextError& error_;
};

// What the AMDHSA ABI says about the entries ("Code Object V3 to V6 Metadata" in LLVM's user guide).
enum class Want : u8 { text, number, boolean, numbers, texts, arguments, kernels, globals };

struct EntryRule {
  std::string_view key;
  Want want;
  bool is_required = false;
  u8 count = 0;                 ///< of numbers
  std::string_view words = {};  ///< the only texts allowed, each between bars
};

constexpr std::string_view access_words = "|read_only|write_only|read_write|";

constexpr EntryRule root_rules[] = {
    {"amdhsa.version", Want::numbers, true, 2},
    {"amdhsa.printf", Want::texts},
    {"amdhsa.globals", Want::globals},
    {"amdhsa.kernels", Want::kernels, true},
};
constexpr EntryRule global_rules[] = {{".name", Want::text, true}, {".size", Want::number, true}};
constexpr EntryRule kernel_rules[] = {
    {".name", Want::text, true},
    {".symbol", Want::text, true},
    {".language", Want::text, false, 0, "|OpenCL C|OpenCL C++|HCC|HIP|OpenMP|Assembler|"},
    {".language_version", Want::numbers, false, 2},
    {".args", Want::arguments},
    {".reqd_workgroup_size", Want::numbers, false, 3},
    {".workgroup_size_hint", Want::numbers, false, 3},
    {".vec_type_hint", Want::text},
    {".device_enqueue_symbol", Want::text},
    {".kernarg_segment_size", Want::number, true},
    {".group_segment_fixed_size", Want::number, true},
    {".private_segment_fixed_size", Want::number, true},
    {".uses_dynamic_stack", Want::boolean},
    {".workgroup_processor_mode", Want::number},
    {".kernarg_segment_align", Want::number, true},
    {".wavefront_size", Want::number, true},
    {".sgpr_count", Want::number, true},
    {".vgpr_count", Want::number, true},
    {".max_flat_workgroup_size", Want::number, true},
    {".sgpr_spill_count", Want::number},
    {".vgpr_spill_count", Want::number},
    {".uniform_work_group_size", Want::number},
    {".cluster_dims", Want::numbers, false, 3},
};
constexpr EntryRule argument_rules[] = {
    {".name", Want::text},
    {".type_name", Want::text},
    {".size", Want::number, true},
    {".offset", Want::number, true},
    {".value_kind", Want::text, true, 0,
     "|by_value|global_buffer|dynamic_shared_pointer|sampler|image|pipe|queue|hidden_block_count_x|"
     "hidden_block_count_y|hidden_block_count_z|hidden_group_size_x|hidden_group_size_y|hidden_group_size_z|"
     "hidden_remainder_x|hidden_remainder_y|hidden_remainder_z|hidden_global_offset_x|hidden_global_offset_y|"
     "hidden_global_offset_z|hidden_grid_dims|hidden_none|hidden_printf_buffer|hidden_hostcall_buffer|hidden_heap_v1|"
     "hidden_default_queue|hidden_completion_action|hidden_multigrid_sync_arg|hidden_dynamic_lds_size|"
     "hidden_private_base|hidden_shared_base|hidden_queue_ptr|"},
    {".pointee_align", Want::number},
    {".address_space", Want::text, false, 0, "|private|global|constant|local|generic|region|"},
    {".access", Want::text, false, 0, access_words},
    {".actual_access", Want::text, false, 0, access_words},
    {".is_const", Want::boolean},
    {".is_restrict", Want::boolean},
    {".is_volatile", Want::boolean},
    {".is_pipe", Want::boolean},
};

class Checker {
 public:
  explicit Checker(MetadataTextError& error) : error_(error) {}

  bool map(const Node& node, std::span<const EntryRule> rules, std::string_view what) {
    if (node.kind != Kind::map) return fail(node, fmt::format("{} must be a map", what));
    for (const EntryRule& rule : rules) {
      const auto found = node.entries.find(std::string(rule.key));
      if (found != node.entries.end()) {
        if (!entry(found->second, rule)) return false;
      } else if (rule.is_required) {
        return fail(node, fmt::format("{} needs {}", what, rule.key));
      }
    }
    return true;
  }

 private:
  bool fail(const Node& node, std::string message, std::string hint = {}) {
    error_ = {std::move(message), std::move(hint), node.line};
    return false;
  }

  static bool is_number(const Node& node) { return node.kind == Kind::number || node.kind == Kind::negative; }

  bool entry(const Node& node, const EntryRule& rule) {
    switch (rule.want) {
      case Want::number:
        return is_number(node) || fail(node, fmt::format("{} must be a number", rule.key));
      case Want::boolean:
        return node.kind == Kind::boolean || fail(node, fmt::format("{} must be true or false", rule.key));
      case Want::text:
        return text(node, rule);
      case Want::numbers:
        if (node.kind == Kind::list && node.items.size() == rule.count && std::ranges::all_of(node.items, is_number))
          return true;
        return fail(node, fmt::format("{} must be a list of {} numbers", rule.key, rule.count));
      case Want::texts:
        return list(node, rule, [&](const Node& item) { return text(item, rule); });
      case Want::arguments:
        return list(node, rule, [&](const Node& item) { return map(item, argument_rules, "an argument"); });
      case Want::kernels:
        return list(node, rule, [&](const Node& item) { return map(item, kernel_rules, "a kernel"); });
      case Want::globals:
        return list(node, rule, [&](const Node& item) { return map(item, global_rules, "a global"); });
    }
    return false;
  }

  bool text(const Node& node, const EntryRule& rule) {
    if (node.kind != Kind::text) return fail(node, fmt::format("{} must be text", rule.key));
    if (rule.words.empty() || rule.words.find(fmt::format("|{}|", node.text)) != std::string_view::npos) return true;
    std::vector<std::string_view> words;
    for (std::string_view rest = rule.words.substr(1); !rest.empty();) {
      const std::size_t end = rest.find('|');
      words.push_back(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    const std::string near = suggestion(node.text, words);
    return fail(node, fmt::format("{} cannot be '{}'", rule.key, node.text),
                near.empty() ? fmt::format("one of {}", fmt::join(words, ", ")) : near);
  }

  template <class Check>
  bool list(const Node& node, const EntryRule& rule, const Check& check) {
    if (node.kind != Kind::list) return fail(node, fmt::format("{} must be a list", rule.key));
    return std::ranges::all_of(node.items, check);
  }

  MetadataTextError& error_;
};

using Packer = msgpack::packer<msgpack::sbuffer>;

void pack_text(Packer& packer, const std::string& text) {
  packer.pack_str(static_cast<u32>(text.size()));
  packer.pack_str_body(text.data(), static_cast<u32>(text.size()));
}

void pack(Packer& packer, const Node& node) {
  switch (node.kind) {
    case Kind::text:
      pack_text(packer, node.text);
      break;
    case Kind::number:
      packer.pack_uint64(node.number);
      break;
    case Kind::negative:
      packer.pack_int64(static_cast<i64>(node.number));
      break;
    case Kind::boolean:
      node.number != 0 ? packer.pack_true() : packer.pack_false();
      break;
    case Kind::real:
      if (static_cast<double>(static_cast<float>(node.real)) == node.real)
        packer.pack_float(static_cast<float>(node.real));
      else
        packer.pack_double(node.real);
      break;
    case Kind::list:
      packer.pack_array(static_cast<u32>(node.items.size()));
      for (const Node& item : node.items) pack(packer, item);
      break;
    case Kind::map:
      packer.pack_map(static_cast<u32>(node.entries.size()));
      for (const auto& [key, value] : node.entries) {
        pack_text(packer, key);
        pack(packer, value);
      }
      break;
  }
}

}  // namespace

bool metadata_from_text(std::string_view text, std::string& note, MetadataTextError& error) {
  Node root;
  if (!Reader(text, error).read_document(root)) return false;
  if (!Checker(error).map(root, root_rules, "metadata")) return false;
  msgpack::sbuffer buffer;
  Packer packer(buffer);
  pack(packer, root);
  note.assign(buffer.data(), buffer.size());
  return true;
}

}  // namespace gfxisa
