// Functions, operand stages and addresses: the parts of encodings that compute.
#include <set>

#include "base/suggest.h"
#include "model/builder.h"

namespace gfxisa::model {

namespace {

constexpr core::Type u32_type{core::TypeKind::unsigned_, 32};
constexpr core::Type u64_type{core::TypeKind::unsigned_, 64};
constexpr core::Type i32_type{core::TypeKind::signed_, 32};
constexpr core::Type b1_type{core::TypeKind::bits, 1};
constexpr core::Type b128_type{core::TypeKind::bits, 128};
constexpr std::size_t most_arguments = 4;  // StageRow has room for four

core::SlotInfo input(std::string name, core::Type type) { return {std::move(name), type, true, false, false}; }
core::SlotInfo output(std::string name, core::Type type) { return {std::move(name), type, false, true, false}; }

void collect_calls(const lang::Expression& expression, std::set<std::string>& calls) {
  // A function's name is also an argument of each() and the updates.
  if (expression.kind == lang::Expression::Kind::call || expression.kind == lang::Expression::Kind::name) {
    calls.insert(expression.text);
  }
  for (const lang::ExpressionPtr& argument : expression.args) collect_calls(*argument, calls);
}

void collect_calls(const lang::Block& block, std::set<std::string>& calls, std::set<std::string>& locals) {
  for (const lang::Statement& statement : block) {
    if (statement.value) collect_calls(*statement.value, calls);
    locals.insert(statement.name);
    collect_calls(statement.body, calls, locals);
    collect_calls(statement.other, calls, locals);
  }
}

}  // namespace

lang::ExpressionPtr copy_of(const lang::Expression& from) {
  auto to = std::make_unique<lang::Expression>();
  to->kind = from.kind;
  to->at = from.at;
  to->text = from.text;
  to->value = from.value;
  to->real = from.real;
  for (const lang::ExpressionPtr& argument : from.args) to->args.push_back(copy_of(*argument));
  return to;
}

void Builder::add_functions() {
  for (const lang::File& file : files_) {
    for (const lang::Function& function : file.functions) {
      if (!functions_.emplace(function.name.text, &function).second) {
        fail(function.name.at, "function '" + function.name.text + "' is declared twice");
        continue;
      }
      isa_.functions.push_back(&function);
      std::set<std::string> seen;
      for (const lang::Word& parameter : function.parameters) {
        if (!seen.insert(parameter.text).second)
          fail(parameter.at, "two parameters are called '" + parameter.text + "'");
      }
    }
  }
  for (const lang::Function* function : isa_.functions) {
    if (!calls_itself(*function)) continue;
    fail(function->name.at, "function '" + function->name.text + "' calls itself",
         "functions are unfolded where they are used");
    functions_.erase(function->name.text);
  }
}

bool Builder::calls_itself(const lang::Function& function) const {
  std::set<std::string> reached;
  std::vector<const lang::Function*> open{&function};
  while (!open.empty()) {
    const lang::Function* next = open.back();
    open.pop_back();
    std::set<std::string> calls, locals;
    collect_calls(next->block, calls, locals);
    for (const lang::Word& parameter : next->parameters) calls.erase(parameter.text);
    for (const std::string& local : locals) calls.erase(local);
    for (const std::string& name : calls) {
      if (name == function.name.text) return true;
      const auto found = functions_.find(name);
      if (found != functions_.end() && reached.insert(name).second) open.push_back(found->second);
    }
  }
  return false;
}

void Builder::add_stages(Encoding& encoding, const std::vector<lang::StageLine>& lines, std::vector<Stage>& stages) {
  for (const lang::StageLine& line : lines) add_stage(encoding, line, stages);
}

void Builder::add_stage(Encoding& encoding, const lang::StageLine& line, std::vector<Stage>& stages) {
  const auto found = functions_.find(line.stage.text);
  if (found == functions_.end() || !found->second->is_stage) {
    std::vector<std::string_view> names;
    for (const lang::Function* function : isa_.functions) {
      if (function->is_stage) names.push_back(function->name.text);
    }
    return fail(line.stage.at, "unknown stage '" + line.stage.text + "'", suggestion(line.stage.text, names));
  }
  Stage stage;
  stage.function = line.stage.text;
  stage.chips = resolve(line.on) & encoding.chips;
  if (found->second->parameters.empty() || found->second->parameters.size() != line.arguments.size() + 1) {
    return fail(line.stage.at, "stage '" + stage.function + "' has " +
                                   std::to_string(found->second->parameters.size()) +
                                   " parameters, but the line gives it the operand and " +
                                   std::to_string(line.arguments.size()) + " more");
  }
  if (line.arguments.size() > most_arguments) return fail(line.stage.at, "a stage has at most four arguments");
  for (const lang::ExpressionPtr& argument : line.arguments) {
    if (!stage_argument(encoding, *argument, stage)) return;
  }
  for (const lang::Word& type : line.types) add_stage_types(*found->second, type, stage);
  stages.push_back(std::move(stage));
}

// `clamp`; `neg[i]`, the bit of source operand i; or a word of its own (is_stage_word).
bool Builder::stage_argument(const Encoding& encoding, const lang::Expression& argument, Stage& stage) {
  const bool indexed = argument.kind == lang::Expression::Kind::index;
  const lang::Expression& name = indexed ? *argument.args[0] : argument;
  const bool by_operand =
      !indexed || (argument.args[1]->kind == lang::Expression::Kind::name && argument.args[1]->text == "i");
  if (name.kind != lang::Expression::Kind::name || !by_operand) {
    fail(argument.at, "a stage's argument is a field, or FIELD[i] for the bit of source operand i");
    return false;
  }
  if (!is_stage_word(name.text)) check_stage_field(encoding, name, indexed, stage.chips);
  stage.arguments.push_back(name.text);
  stage.indexed.push_back(indexed);
  return true;
}

// With [i] the source operands may also have fields of their own: src0_neg, src1_neg. A suffix finds fields in its
// hosts, too.
void Builder::check_stage_field(const Encoding& encoding, const lang::Expression& name, bool indexed, ChipSet chips) {
  std::vector<std::string_view> names;
  ChipSet without = chips;
  const auto look_in = [&](const Encoding& other) {
    for (const Field& field : other.fields) {
      if (field.role != FieldRole::modifier) continue;
      names.push_back(field.name);
      if (field.name == name.text || (indexed && field.name == "src0_" + name.text)) without &= ~field.chips;
    }
  };
  look_in(encoding);
  for (const Host& host : encoding.hosts) look_in(isa_.encodings[host.encoding]);
  if (without == 0) return;
  fail(name.at, encoding.name + " on " + chip_names(without) + " has no field '" + name.text + "'",
       suggestion(name.text, names));
}

// `half` stands for all formats of 16 bits and `any` for all up to 32. There a stage sees the whole register.
void Builder::add_stage_types(const lang::Function& function, const lang::Word& type, Stage& stage) {
  if (type.text == "half" || type.text == "any") {
    for (const Format& format : isa_.formats) {
      const bool is_word = format.kind != "mask" && format.kind != "address" && format.bits <= 32;
      if (!is_word || (type.text == "half" && format.bits != 16)) continue;
      stage.types.push_back(format.name);
      stage.bodies.push_back(stage_body(function, type.text, {core::TypeKind::bits, 32}));
    }
    return;
  }
  const bool is_lanes = type.text == "lanes";
  if (!is_lanes && formats_.count(type.text) == 0) {
    std::vector<std::string_view> names{"lanes", "half", "any"};
    for (const Format& format : isa_.formats) names.push_back(format.name);
    return fail(type.at, "unknown format '" + type.text + "'", suggestion(type.text, names));
  }
  stage.types.push_back(type.text);
  stage.bodies.push_back(stage_body(function, type.text, is_lanes ? u32_type : type_of(type.text)));
}

// Equal stages of several encodings share a body.
u32 Builder::stage_body(const lang::Function& function, const std::string& format, core::Type operand) {
  const auto [entry, is_new] = stage_bodies_.emplace(function.name.text + '/' + format, isa_.stage_bodies.size());
  if (!is_new) return entry->second;
  std::vector<core::SlotInfo> parameters{output("d", operand)};
  for (const lang::Word& parameter : function.parameters) {
    const bool is_operand = parameters.size() == 1 || parameter.text == "old";
    parameters.push_back(input(parameter.text, is_operand ? operand : u32_type));
    parameters.back().is_uniform = !is_operand;
  }
  core::Scope scope;
  scope.functions = &functions_;
  isa_.stage_bodies.push_back(
      {function.name.text, format, core::check_function(function, parameters, scope, diagnostics_)});
  return entry->second;
}

void Builder::add_address(Encoding& encoding, const lang::AddressLine& line) {
  Address address;
  address.slot = line.slot.text;
  address.chips = resolve(line.on) & encoding.chips;
  const Location& at = line.value->at;
  // From the `=` on: the expression's own place begins behind a parenthesis that opens it.
  const std::string_view text = sources_.line(at.source, at.line);
  const std::size_t start = text.rfind(" = ", at.column - 1) + 3;
  address.source = std::string(text.substr(start, at.column - 1 + at.length - start));
  lang::Function function;
  function.name = {encoding.name, line.slot.at};
  std::vector<core::SlotInfo> parameters{
      output(address.slot, u64_type), input("vaddr", u64_type),   input("saddr", u64_type), input("has_saddr", b1_type),
      input("offset", i32_type),      input("scratch", u64_type), input("base", b128_type), input("soffset", u32_type),
      input("idxen", b1_type),        input("offen", b1_type),    input("format", u32_type)};
  for (std::size_t i = 1; i < parameters.size(); ++i) {
    function.parameters.push_back({parameters[i].name, line.slot.at});
    parameters[i].is_uniform = parameters[i].name != "vaddr" && parameters[i].name != "scratch";
  }
  lang::Statement result{};
  result.kind = lang::Statement::Kind::result;
  result.at = at;
  result.value = copy_of(*line.value);
  function.block.push_back(std::move(result));
  core::Scope scope;
  scope.functions = &functions_;
  StageBody body{encoding.name, "address", core::check_function(function, parameters, scope, diagnostics_)};
  address.body = static_cast<u32>(isa_.address_bodies.size());
  isa_.address_bodies.push_back(std::move(body));
  encoding.addresses.push_back(std::move(address));
}

}  // namespace gfxisa::model
