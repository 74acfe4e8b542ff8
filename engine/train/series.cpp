#include "engine/train/series.h"

#include <algorithm>
#include <numeric>

namespace tp {
namespace {

using enum SeriesSource;
using enum Better;

constexpr SeriesInfo kSeries[] = {
    {"loss", "", lower, step, "Mean loss of the step's batch.", "스텝 배치의 평균 손실입니다."},
    {"perplexity", "", lower, step, "e to the loss: among how many tokens the model hesitates.",
     "손실의 지수 값입니다. 모델이 몇 개의 토큰 사이에서 망설이는지를 뜻합니다."},
    {"token_accuracy", "share", higher, step, "Share of the batch's tokens that are right.",
     "배치에서 맞힌 토큰의 비율입니다."},
    {"learning_rate", "", neither, step, "Learning rate of the step.", "스텝의 학습률입니다."},
    {"gradient_norm", "", neither, step, "Length of the gradient before clipping.",
     "클리핑하기 전 기울기의 크기입니다."},
    {"tokens_per_second", "tokens/s", higher, step, "Tokens that the model reads in a second.",
     "모델이 1초에 읽는 토큰 수입니다."},
    {"heldout_loss", "", lower, exam, "Mean loss on held-out examples.",
     "검증 예제의 평균 손실입니다."},
    {"heldout_exact", "share", higher, exam,
     "Share of held-out answers that are right from beginning to end.",
     "처음부터 끝까지 맞힌 검증 답의 비율입니다."},
    {"heldout_token_accuracy", "share", higher, exam,
     "Share of held-out tokens that are right after the true ones before them.",
     "앞의 정답 토큰이 주어졌을 때 맞힌 검증 토큰의 비율입니다."},
    {"heldout_metric", "", neither, exam, "The task's own measure on held-out examples.",
     "검증 예제에 대한 과제 고유의 척도입니다."},
    {"heldout_alignment", "share", higher, exam,
     "How often the best head of the last layer looks at the true source.",
     "마지막 레이어의 가장 좋은 헤드가 맞는 입력 토큰을 보는 비율입니다."},
    {"clipped", "", neither, step, "1 where the gradient was clipped, else 0.",
     "기울기를 클리핑했으면 1, 아니면 0입니다."},
    {"loss_scale", "", neither, step, "What the loss is multiplied by in half precision.",
     "낮은 정밀도로 학습할 때 손실에 곱하는 수입니다."},
    {"underflows", "", lower, step, "Numbers that became 0 by rounding.",
     "반올림되어 0이 된 수의 개수입니다."},
    {"overflows", "", lower, step, "Numbers that became infinite by rounding.",
     "반올림되어 무한대가 된 수의 개수입니다."},
    {"update_ratio.", "share", neither, step,
     "Length of a layer's update over length of its weights.",
     "레이어의 가중치 크기에 대한 업데이트 크기의 비율입니다."},
    {"update_ratio", "share", neither, step, "Mean of the update ratios over the layers.",
     "모든 레이어의 업데이트 비율의 평균입니다."},
    {"heldout_baseline", "", neither, exam, "The task's own measure of a guess without learning.",
     "학습 없이 추측할 때의 과제 고유의 척도입니다."},
    {"heldout_mean_alignment", "share", higher, exam,
     "How often the mean over heads of the last layer looks at the true source.",
     "마지막 레이어의 헤드 평균이 맞는 입력 토큰을 보는 비율입니다."},
    {"heldout_alignment.", "share", higher, exam, "How often a head looks at the true source.",
     "헤드가 맞는 입력 토큰을 보는 비율입니다."},
    {"entropy.", "share", neither, watch,
     "How evenly a head spreads its weights on the shown example: 0 is one token, 1 is all alike.",
     "표시된 예제에서 헤드가 가중치를 고르게 나누는 정도입니다. 0은 한 토큰, 1은 모두 같음입니다."},
    {"mean.", "", neither, watch, "Mean of a watched tensor.", "관찰 중인 텐서의 평균입니다."},
    {"deviation.", "", neither, watch, "Standard deviation of a watched tensor.",
     "관찰 중인 텐서의 표준편차입니다."},
    {"least.", "", neither, watch, "Least number of a watched tensor.",
     "관찰 중인 텐서의 최솟값입니다."},
    {"most.", "", neither, watch, "Greatest number of a watched tensor.",
     "관찰 중인 텐서의 최댓값입니다."},
    {"norm.", "", neither, watch, "Length of a watched tensor.", "관찰 중인 텐서의 크기입니다."},
    {"zeros.", "share", neither, watch, "Share of a watched tensor's numbers that are 0.",
     "관찰 중인 텐서에서 0인 수의 비율입니다."},
};

std::string head_path(std::size_t layer, std::size_t head) {
  return "heldout_alignment.decoder." + std::to_string(layer) + ".cross_attn.head." +
         std::to_string(head);
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

std::vector<SeriesValue> step_values(const StepMetrics& s,
                                     const std::vector<ParameterLayer>& layers) {
  std::vector<SeriesValue> values = {{"loss", s.loss},
                                     {"learning_rate", s.learning_rate},
                                     {"gradient_norm", s.gradient_norm},
                                     {"clipped", s.clipped ? 1.0 : 0.0},
                                     {"loss_scale", s.loss_scale},
                                     {"underflows", static_cast<double>(s.underflows)},
                                     {"overflows", static_cast<double>(s.overflows)}};
  if (s.perplexity) values.push_back({"perplexity", *s.perplexity});
  if (s.token_accuracy) values.push_back({"token_accuracy", *s.token_accuracy});
  const std::size_t ratios = std::min(layers.size(), s.update_ratios.size());
  for (std::size_t i = 0; i < ratios; ++i) {
    values.push_back({"update_ratio." + layers[i].name, s.update_ratios[i]});
  }
  const double sum = std::accumulate(s.update_ratios.begin(), s.update_ratios.end(), 0.0);
  values.push_back({"update_ratio", sum / static_cast<double>(std::max<std::size_t>(ratios, 1))});
  return values;
}

std::vector<SeriesValue> exam_values(const Evaluation& e, const ModelConfig& config) {
  std::vector<SeriesValue> values = {{"heldout_loss", e.loss}, {"heldout_metric", e.metric}};
  if (e.exact) values.push_back({"heldout_exact", *e.exact});
  if (e.token_accuracy) values.push_back({"heldout_token_accuracy", *e.token_accuracy});
  if (e.baseline) values.push_back({"heldout_baseline", *e.baseline});
  if (e.alignment.empty()) return values;
  values.push_back({"heldout_alignment", e.best_head_alignment()});
  values.push_back({"heldout_mean_alignment", e.alignment.back().mean.share});
  // Where layers are recomputed, the last ones alone are there.
  const std::size_t first = static_cast<std::size_t>(config.decoder_layers) - e.alignment.size();
  for (std::size_t l = 0; l < e.alignment.size(); ++l) {
    const std::vector<AlignmentScore>& heads = e.alignment[l].heads;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      values.push_back({head_path(first + l, h), heads[h].share});
    }
  }
  return values;
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
      for (std::size_t i = 0; i < count; ++i) columns.push_back(head_path(i / heads, i % heads));
    } else {
      columns.emplace_back(info.name);
    }
  }
  return columns;
}

}  // namespace tp
