#include "engine/session/trial.h"

#include <algorithm>

#include "engine/session/shown_answer.h"

namespace tp {
namespace {

constexpr std::size_t kLongestInput = 20'000;  // bytes

// The true answer, where the task knows it.
std::optional<std::string> expected_text(const Task& task, const Example& example) {
  const bool known = task.info().kind == TaskKind::encoder_decoder ? !example.target.empty()
                     : task.info().kind == TaskKind::decoder_only
                         ? false
                         : example.label >= 0 || !example.values.empty();
  if (!known) return std::nullopt;
  return answer_text(task, example, answer_of(example));
}

}  // namespace

Trial::Trial(std::uint32_t id, const TryInput& command, const Transformer<float>& model,
             const std::shared_ptr<const Task>& task)
    : command_(command), task_(task), answerer_(model, task) {
  result_.id = id;
  result_.input = command.text;
  read();
}

void Trial::read() {
  if (!(command_.temperature >= 0 && command_.temperature <= 100) || command_.top_k < 0) {
    return refuse(
        {"the temperature is a number from 0 to 100, and top-k is not negative: change "
         "them.",
         "온도는 0에서 100 사이의 수이고, top-k는 0 이상입니다. 값을 바꿔 주십시오."});
  }
  if (command_.text.size() > kLongestInput) {
    return refuse({"that is too long: type less.", "입력이 너무 깁니다. 줄여 주십시오."});
  }
  Parsed parsed = task_->parse(command_.text);
  for (const auto& [name, value] : parsed.remedy) {
    result_.remedy.push_back({std::string(name), std::to_string(value)});
  }
  if (!parsed.example) {
    result_.unknown_word = parsed.unknown_word;
    for (std::string_view word : parsed.known_words) result_.known_words.emplace_back(word);
    return refuse(parsed.example.error());
  }
  const Example& example = parsed.example.value();
  if (parsed.untrained) result_.untrained = sentence_of(*parsed.untrained);
  result_.source = read_words(*task_, example);
  result_.expected = expected_text(*task_, example);
  result_.drawn = task_->depict(example);
  AnswerOptions options;
  options.temperature = command_.temperature;
  options.top_k = command_.top_k;
  options.seed = command_.seed;
  options.candidates = true;
  const Status status = answerer_.begin(std::move(parsed.example.value()), options);
  if (!status) refuse(status.error());
}

void Trial::refuse(const Error& error) {
  result_.problem = sentence_of(error);
  result_.done = true;
}

void Trial::advance(Moment moment) {
  result_.moment = moment;
  result_.done = answerer_.advance();
  tell();
}

Example Trial::answered() const {
  Example example = answerer_.example();
  const ModelAnswer& answer = answerer_.answer();
  std::vector<int>& target = example.target;
  if (task_->info().kind != TaskKind::decoder_only) target.clear();  // else it is the beginning
  target.insert(target.end(), answer.tokens.begin(), answer.tokens.end());
  target.resize(std::min(target.size(), static_cast<std::size_t>(task_->sizes().target)));
  example.label = answer.label;
  example.values = answer.values;
  const int rows = static_cast<int>(target.size());
  std::erase_if(example.links, [&](const Link& link) { return link.output > rows; });
  return example;
}

void Trial::tell() {
  result_.steps = answerer_.steps();
  const Answer answer = answerer_.answer().answer();
  result_.output = answer_text(*task_, answerer_.example(), answer);
  result_.drawn = depiction_of(*task_, answerer_.example(), answer);
  result_.right = result_.done && result_.expected == result_.output &&
                  std::ranges::all_of(result_.steps, &TryStep::right);
}

}  // namespace tp
