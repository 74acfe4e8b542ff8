#include "engine/train/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tp {
namespace {

using enum SeriesSource;
using enum Better;

constexpr SeriesInfo kSeries[] = {
    {"loss", "", lower, step, "Loss", "손실", "Mean loss of the step's batch.",
     "스텝 배치의 평균 손실입니다."},
    {"perplexity", "", lower, step, "Perplexity", "퍼플렉서티",
     "exp(loss): among how many tokens the model is as unsure as if it rolled a die.",
     "exp(손실)입니다. 모델이 몇 개의 토큰을 놓고 주사위를 던지듯 망설이는지 나타냅니다."},
    {"token_accuracy", "share", higher, step, "Token accuracy", "토큰 정확도",
     "The share of single tokens that are right, each written after the true ones before it.",
     "앞의 정답 토큰이 주어졌을 때 다음 토큰을 맞힌 비율입니다."},
    {"learning_rate", "", neither, step, "Learning rate", "학습률",
     "How far each step goes: the schedule with its warm-up.",
     "한 스텝에 얼마나 움직이는지 나타내며, 워밍업을 포함한 스케줄을 보여 줍니다."},
    {"gradient_norm", "", neither, step, "Gradient norm", "기울기 크기",
     "The length of the whole gradient, before clipping.",
     "클리핑하기 전 전체 기울기의 길이입니다."},
    {"tokens_per_second", "tokens/s", higher, step, "Tokens a second", "초당 토큰 수",
     "Tokens that the model reads in a second of a step.",
     "스텝을 계산하는 동안 모델이 1초에 읽는 토큰 수입니다."},
    {"heldout_loss", "", lower, exam, "Held-out loss", "검증 손실",
     "Mean loss on held-out examples.", "검증 데이터의 평균 손실입니다."},
    {"heldout_exact", "share", higher, exam, "Held-out accuracy", "검증 정확도",
     "The share of held-out answers that are right from beginning to end.",
     "검증 데이터에서 처음부터 끝까지 맞힌 답의 비율입니다."},
    {"heldout_token_accuracy", "share", higher, exam, "Held-out token accuracy", "검증 토큰 정확도",
     "The share of held-out tokens that are right, each written after the true ones before it.",
     "검증 데이터에서 앞의 정답 토큰이 주어졌을 때 다음 토큰을 맞힌 비율입니다."},
    {"heldout_metric", "", neither, exam, "Held-out error", "검증 오차",
     "The task's own measure on held-out examples.",
     "과제 고유의 척도를 검증 데이터에서 잰 값입니다."},
    {"heldout_alignment", "share", higher, exam, "Best head on target", "가장 좋은 헤드의 적중률",
     "How often the best head of the last layer looks at the true source.",
     "마지막 레이어의 가장 좋은 헤드가 올바른 입력 토큰을 보는 비율입니다."},
    {"clipped", "", neither, step, "Clipped", "클리핑 여부",
     "1 where the gradient was clipped, else 0.", "기울기를 클리핑했으면 1, 아니면 0입니다."},
    {"loss_scale", "", neither, step, "Loss scale", "손실 배율",
     "What the loss is multiplied by in half precision.",
     "낮은 정밀도로 학습할 때 손실에 곱하는 수입니다."},
    {"underflows", "", lower, step, "Underflows", "언더플로 수",
     "Numbers that became 0 by rounding.", "반올림되어 0이 된 수의 개수입니다."},
    {"overflows", "", lower, step, "Overflows", "오버플로 수",
     "Numbers that became infinite by rounding.", "반올림되어 무한대가 된 수의 개수입니다."},
    {"update_ratio.", "", neither, step, "Update ratio by layer", "레이어별 갱신 비율",
     "The length of a layer's update over the length of its weights.",
     "레이어의 가중치 크기에 견준 갱신 크기입니다."},
    {"update_ratio", "", neither, step, "Update ratio", "갱신 비율",
     "How large a step's change is beside the weights themselves; about 0.001 is usual.",
     "가중치에 견준 한 스텝의 변화 크기입니다. 흔히 0.001 안팎입니다."},
    {"heldout_baseline", "", neither, exam, "Without learning", "학습 없이",
     "The task's own measure of a guess without learning.",
     "학습하지 않고 추측할 때 과제 고유의 척도로 잰 값입니다."},
    {"heldout_mean_alignment", "share", higher, exam, "Heads on target", "헤드 평균의 적중률",
     "How often the mean over heads of the last layer looks at the true source.",
     "마지막 레이어의 헤드 평균이 올바른 입력 토큰을 보는 비율입니다."},
    {"heldout_perplexity", "", lower, exam, "Held-out perplexity", "검증 퍼플렉서티",
     "exp(loss) on held-out examples.", "검증 데이터의 exp(손실)입니다."},
    {"heldout_alignment.", "share", higher, exam, "Head on target", "헤드별 적중률",
     "How often a head looks at the true source.", "헤드가 올바른 입력 토큰을 보는 비율입니다."},
    {"entropy.", "share", neither, watch, "Entropy by head", "헤드별 엔트로피",
     "How evenly a head spreads its weights on the shown example: 0 is one token, 1 is all alike.",
     "표시된 예제에서 헤드가 가중치를 고르게 나누는 정도입니다. 0은 한 토큰, 1은 모두 같음입니다."},
    {"mean.", "", neither, watch, "Mean", "평균", "Mean of a watched tensor.",
     "관찰 중인 텐서의 평균입니다."},
    {"deviation.", "", neither, watch, "Standard deviation", "표준편차",
     "Standard deviation of a watched tensor.", "관찰 중인 텐서의 표준편차입니다."},
    {"least.", "", neither, watch, "Least", "최솟값", "Least number of a watched tensor.",
     "관찰 중인 텐서의 최솟값입니다."},
    {"most.", "", neither, watch, "Greatest", "최댓값", "Greatest number of a watched tensor.",
     "관찰 중인 텐서의 최댓값입니다."},
    {"norm.", "", neither, watch, "Norm", "크기", "Length of a watched tensor.",
     "관찰 중인 텐서의 크기입니다."},
    {"zeros.", "share", neither, watch, "Zeros", "0의 비율",
     "Share of a watched tensor's numbers that are 0.", "관찰 중인 텐서에서 0인 수의 비율입니다."},
};

std::string head_path(std::size_t layer, std::size_t head) {
  return "decoder." + std::to_string(layer) + ".cross_attn.head." + std::to_string(head);
}

}  // namespace

std::span<const SeriesInfo> all_series() { return kSeries; }

const SeriesInfo* series_info(std::string_view name) {
  const auto belongs = [&](const SeriesInfo& info) {
    return info.name.ends_with('.') ? name.starts_with(info.name) && name != info.name
                                    : name == info.name;
  };
  const auto found = std::ranges::find_if(kSeries, belongs);
  return found == std::end(kSeries) ? nullptr : found;
}

void step_values(const Trainer& trainer, double seconds, SeriesSink& to) {
  const StepMetrics& s = trainer.metrics();
  to.add("loss", s.loss);
  if (s.perplexity) to.add("perplexity", *s.perplexity);
  if (s.token_accuracy) to.add("token_accuracy", *s.token_accuracy);
  to.add("learning_rate", s.learning_rate);
  to.add("gradient_norm", s.gradient_norm);
  if (seconds > 0) to.add("tokens_per_second", s.tokens / seconds);
  to.add("clipped", s.clipped ? 1 : 0);
  to.add("loss_scale", s.loss_scale);
  to.add("underflows", static_cast<double>(s.underflows));
  to.add("overflows", static_cast<double>(s.overflows));
  const std::size_t ratios = std::min(trainer.layers().size(), s.update_ratios.size());
  for (std::size_t i = 0; i < ratios; ++i) {
    to.add("update_ratio.", trainer.layers()[i].name, s.update_ratios[i]);
  }
  const double sum = std::accumulate(s.update_ratios.begin(), s.update_ratios.end(), 0.0);
  to.add("update_ratio", sum / static_cast<double>(std::max<std::size_t>(ratios, 1)));
}

void exam_values(const Evaluation& e, const ModelConfig& config, SeriesSink& to) {
  to.add("heldout_loss", e.loss);
  if (config.head != HeadKind::regression) to.add("heldout_perplexity", std::exp(e.loss));
  if (e.exact) to.add("heldout_exact", *e.exact);
  if (e.token_accuracy) to.add("heldout_token_accuracy", *e.token_accuracy);
  to.add("heldout_metric", e.metric);
  if (e.baseline) to.add("heldout_baseline", *e.baseline);
  if (e.alignment.empty()) return;
  to.add("heldout_alignment", e.best_head_alignment());
  to.add("heldout_mean_alignment", e.alignment.back().mean.share);
  // Where layers are recomputed, the last ones alone are there.
  const std::size_t first = static_cast<std::size_t>(config.decoder_layers) - e.alignment.size();
  for (std::size_t l = 0; l < e.alignment.size(); ++l) {
    const std::vector<AlignmentScore>& heads = e.alignment[l].heads;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      to.add("heldout_alignment.", head_path(first + l, h), heads[h].share);
    }
  }
}

void tensor_values(std::string_view path, const std::optional<HeadReading>& reading,
                   const std::optional<TensorStatistics>& statistics, SeriesSink& to) {
  if (reading) to.add("entropy.", path.substr(0, path.rfind('.')), reading->entropy);
  if (!statistics) return;
  to.add("mean.", path, statistics->mean);
  to.add("deviation.", path, statistics->deviation);
  to.add("least.", path, statistics->least);
  to.add("most.", path, statistics->most);
  to.add("norm.", path, statistics->norm);
  to.add("zeros.", path, statistics->zeros);
}

std::vector<std::string> series_columns(const ModelConfig& config,
                                        const std::vector<ParameterLayer>& layers) {
  std::vector<std::string> columns;
  for (const SeriesInfo& info : kSeries) {
    if (info.source == watch) continue;
    if (info.name == "update_ratio.") {
      for (const ParameterLayer& layer : layers) columns.push_back("update_ratio." + layer.name);
    } else if (info.name == "heldout_alignment.") {
      const bool crosses = config.has_encoder() && config.has_decoder();
      const auto heads = static_cast<std::size_t>(config.heads);
      const auto count = crosses ? static_cast<std::size_t>(config.decoder_layers) * heads : 0;
      for (std::size_t i = 0; i < count; ++i) {
        columns.push_back("heldout_alignment." + head_path(i / heads, i % heads));
      }
    } else {
      columns.emplace_back(info.name);
    }
  }
  return columns;
}

}  // namespace tp
