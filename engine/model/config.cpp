#include "engine/model/config.h"

#include <string>

namespace tp {
namespace {

// Large enough for anything this engine is for, small enough that products of two stay far from
// overflow.
constexpr int kLargestSize = 1 << 20;
constexpr int kMostLayers = 512;

Error must_lie(const char* what, int value, int low, int high) {
  const std::string least = std::to_string(low), most = std::to_string(high);
  return {std::string(what) + " is " + std::to_string(value) + ": choose a value from " + least +
              " to " + most + ".",
          "범위를 벗어난 값입니다: " + std::string(what) + " = " + std::to_string(value) +
              ". 최소 " + least + ", 최대 " + most + " 안에서 골라 주십시오."};
}

struct Range {
  const char* name;
  int value, low, high;
};

}  // namespace

Status validate(const ModelConfig& c) {
  const Range sizes[] = {
      {"d_model", c.d_model, 1, kLargestSize},
      {"heads", c.heads, 1, kLargestSize},
      {"d_ff", c.d_ff, 1, kLargestSize},
      {"encoder_layers", c.has_encoder() ? c.encoder_layers : 1, 1, kMostLayers},
      {"decoder_layers", c.has_decoder() ? c.decoder_layers : 1, 1, kMostLayers},
      {"source_vocabulary",
       c.has_encoder() && c.input == InputKind::tokens ? c.source_vocabulary : 1, 1, kLargestSize},
      {"target_vocabulary", c.has_decoder() ? c.target_vocabulary : 1, 1, kLargestSize},
      {"max_source_length", c.has_encoder() ? c.max_source_length : 1, 1, kLargestSize},
      {"max_target_length", c.has_decoder() ? c.max_target_length : 1, 1, kLargestSize},
      {"patch_size", c.input == InputKind::patches ? c.patch_size : 1, 1, kLargestSize},
      {"outputs", c.head != HeadKind::tokens ? c.outputs : 1, 1, kLargestSize},
      {"reach", c.sparsity != Sparsity::full ? c.reach : 1, 1, kLargestSize},
  };
  for (const Range& size : sizes) {
    if (size.value < size.low || size.value > size.high) {
      return must_lie(size.name, size.value, size.low, size.high);
    }
  }
  if (c.d_model % c.heads != 0) {
    const std::string d_model = std::to_string(c.d_model), heads = std::to_string(c.heads);
    const std::string better = std::to_string((c.d_model / c.heads + 1) * c.heads);
    return Error{"d_model " + d_model + " cannot be split into " + heads +
                     " equal heads: make d_model a multiple of heads, for example " + better + ".",
                 "d_model 값을 헤드 수로 똑같이 나눌 수 없습니다. d_model: " + d_model +
                     ", 헤드: " + heads +
                     ". d_model 값을 헤드 수의 배수로 정해 주십시오. 예: " + better + "."};
  }
  if (c.positions == PositionKind::rotary && c.d_head() % 2 != 0) {
    const std::string d_head = std::to_string(c.d_head());
    return Error{"rotary positions turn pairs, but d_model / heads is " + d_head +
                     ": choose d_model and heads so that it is even.",
                 "회전 위치 임베딩은 차원을 둘씩 묶어 돌립니다. d_model / 헤드 수: " + d_head +
                     ". 이 값이 짝수가 되도록 정해 주십시오."};
  }
  if (!(c.dropout >= 0 && c.dropout < 1)) {
    return Error{"dropout must be at least 0 and below 1: lower it.",
                 "드롭아웃은 0 이상 1 미만이어야 합니다. 값을 낮춰 주십시오."};
  }
  if (!(c.label_smoothing >= 0 && c.label_smoothing < 1)) {
    return Error{"label smoothing must be at least 0 and below 1: lower it.",
                 "레이블 스무딩은 0 이상 1 미만이어야 합니다. 값을 낮춰 주십시오."};
  }
  if (!(c.norm_eps > 0 && c.norm_eps < 1)) {
    return Error{"norm_eps must lie between 0 and 1: 1e-5 is usual.",
                 "norm_eps 값은 0과 1 사이여야 합니다. 보통 1e-5를 씁니다."};
  }
  if (!(c.position_base > 1 && c.position_base < 1e9)) {
    return Error{"position_base must lie between 1 and 1e9: 10000 is usual.",
                 "position_base 값은 1과 1e9 사이여야 합니다. 보통 10000을 씁니다."};
  }
  if (c.head != HeadKind::tokens && c.architecture != Architecture::encoder_only) {
    return Error{
        "classification and regression read an encoder: choose encoder-only, or a head for "
        "tokens.",
        "분류와 회귀는 인코더의 출력을 읽습니다. 인코더만 있는 구조를 골라 주십시오."};
  }
  if (c.input == InputKind::patches && !c.has_encoder()) {
    return Error{"patches enter through an encoder: choose an architecture that has one.",
                 "패치는 인코더로 들어갑니다. 인코더가 있는 구조를 골라 주십시오."};
  }
  if (c.input == InputKind::patches && c.architecture == Architecture::encoder_only &&
      c.head == HeadKind::tokens) {
    return Error{"patches have no vocabulary to predict: choose classification or regression.",
                 "패치에는 예측할 어휘가 없습니다. 분류나 회귀를 골라 주십시오."};
  }
  if (c.tying != Tying::none && c.head != HeadKind::tokens) {
    return Error{"tied embeddings need a head that predicts tokens: turn tying off.",
                 "임베딩 공유는 토큰을 예측하는 모델에서만 쓸 수 있습니다. 공유를 꺼 주십시오."};
  }
  if (c.tying == Tying::all && c.architecture != Architecture::encoder_decoder) {
    return Error{"there is one embedding only: tie the output, not all.",
                 "임베딩이 하나뿐입니다. 전체가 아니라 출력만 공유해 주십시오."};
  }
  if (c.tying == Tying::all &&
      (c.input == InputKind::patches || c.source_vocabulary != c.target_vocabulary)) {
    return Error{
        "tying all embeddings needs one vocabulary: make source_vocabulary equal to "
        "target_vocabulary.",
        "임베딩을 모두 공유하려면 입력과 출력의 어휘가 같아야 합니다. 출력만 공유해 주십시오."};
  }
  return Done{};
}

Status validate(const ModelConfig& c, const BatchLimits& limits) {
  if (Status status = validate(c); !status) return status;
  if (limits.sequences < 1 || limits.sequences > kLargestSize) {
    return must_lie("the number of sequences in a batch", limits.sequences, 1, kLargestSize);
  }
  if (c.has_encoder() && (limits.source_length < 1 || limits.source_length > c.max_source_length)) {
    return must_lie("the longest source sequence", limits.source_length, 1, c.max_source_length);
  }
  if (c.has_decoder() && (limits.target_length < 1 || limits.target_length > c.max_target_length)) {
    return must_lie("the longest target sequence", limits.target_length, 1, c.max_target_length);
  }
  return Done{};
}

}  // namespace tp
