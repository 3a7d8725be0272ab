// The command line as data: what every command takes, gathered from the same objects that parse it, so that the manual
// page, docs/cli.md and the shells' completions cannot say otherwise.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gfxisa::cli {

/// What a shell offers where a value stands.
enum class Offer { nothing, words, architectures, encodings, mnemonics, files, folders };

struct ManualOption {
  std::string short_name, long_name;  ///< -o, --arch; of an operand both are empty
  std::string value;                  ///< what stands behind it: ARCH; the name of an operand; empty for a flag
  std::vector<std::string> choices;
  std::string text, environment;
  bool is_required = false, may_repeat = false;
  Offer offer = Offer::nothing;

  bool is_operand() const { return short_name.empty() && long_name.empty(); }
  std::string name() const { return long_name.empty() ? short_name : long_name; }
};

struct ManualCommand {
  std::string name, summary, synopsis;
  std::vector<ManualOption> options;  ///< operands first
  std::string remarks;                ///< what stands before the examples
  std::vector<std::string> examples;
};

struct Manual {
  std::string summary;
  std::vector<ManualCommand> commands;
};
Manual gather_manual(const CLI::App& app);

std::string manual_page(const Manual& manual);
std::string manual_markdown(const Manual& manual);
std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

/// What a shell offers: names from the tables, or the choices of the option.
std::vector<std::string> offered_words(const ManualOption& option);

/// What stands in the manual beside the commands: exit codes and the environment. Title and paragraphs.
struct ManualSection {
  std::string title;
  std::vector<std::pair<std::string, std::string>> items;
};
std::vector<ManualSection> manual_sections();

}  // namespace gfxisa::cli
