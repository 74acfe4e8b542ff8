#include "cli/setting_texts.h"

#include <algorithm>
#include <iterator>

namespace tp::cli {
namespace {

struct Named {
  std::string_view name, text;
};

// The English half of the page's table.
constexpr Named kPageTexts[] = {
#define TP_TEXT(name, english, korean) {#name, english},
#include "imgui_app/strings/table.inc"
#undef TP_TEXT
};

constexpr Named kUnits[] = {
    {"steps", "steps"},
    {"warmup", "steps"},
    {"eval_every", "steps"},
    {"batch", "examples"},
    {"eval_size", "examples"},
    {"train_size", "examples"},
    {"accumulation", "batches"},
    {"epochs", "passes"},
    {"min_length", "tokens"},
    {"max_length", "tokens"},
    {"length", "tokens"},
    {"reach", "tokens"},
    {"vocabulary", "tokens"},
    {"vocabulary_size", "tokens"},
    {"min_count", "times"},
    {"d_model", "numbers"},
    {"d_ff", "numbers"},
    {"encoder_layers", "layers"},
    {"decoder_layers", "layers"},
    {"days", "days"},
    {"patch", "days"},
    {"stride", "days"},
    {"horizon", "days"},
    {"size", "pixels"},
    {"symbols", "letters"},
    {"digits", "digits"},
};

constexpr Named kHeadings[] = {
    {"architecture", "Model: size"},
    {"norm", "Model: normalisation and feed-forward"},
    {"positions", "Model: positions and embeddings"},
    {"sparsity", "Model: attention and pooling"},
    {"seed", "Training: length and batches"},
    {"learning_rate", "Training: learning rate"},
    {"optimiser", "Training: optimiser"},
    {"dropout", "Training: regularisation"},
    {"arithmetic", "Training: numbers and memory"},
    {"train_size", "Training: examples and exams"},
};

template <std::size_t N>
std::string_view find(const Named (&list)[N], std::string_view name, std::string_view prefix = {}) {
  const auto at = std::find_if(std::begin(list), std::end(list), [&](const Named& entry) {
    return entry.name.starts_with(prefix) && entry.name.substr(prefix.size()) == name;
  });
  return at == std::end(list) ? std::string_view() : at->text;
}

}  // namespace

std::string_view meaning_of(std::string_view setting) { return find(kPageTexts, setting, "help_"); }
std::string_view unit_of(std::string_view setting) { return find(kUnits, setting); }
std::string_view heading_before(std::string_view setting) { return find(kHeadings, setting); }

}  // namespace tp::cli
