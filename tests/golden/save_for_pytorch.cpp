#include <cstdio>
#include <string>

#include "engine/io/parameters_file.h"
#include "engine/model/transformer.h"

// Saves models of every architecture into a folder, for load_into_pytorch.py.

namespace tp {
namespace {

bool save(const std::string& folder, const char* name, const ModelConfig& config) {
  auto model = Transformer<float>::create(config);
  if (!model) {
    std::fprintf(stderr, "%s: %s\n", name, model.error().message.c_str());
    return false;
  }
  model.value()->parameters().initialise(1);
  const Status saved =
      save_parameters(folder + "/" + name + ".safetensors", model.value()->parameters());
  if (!saved) std::fprintf(stderr, "%s: %s\n", name, saved.error().message.c_str());
  return saved.ok();
}

bool save_all(const std::string& folder) {
  ModelConfig config;
  config.d_model = 16;
  config.heads = 4;
  config.d_ff = 24;
  config.encoder_layers = 3;
  config.decoder_layers = 2;
  bool good = save(folder, "transformer_pre", config);
  config.norm = NormPlacement::post;
  config.positions = PositionKind::learned;
  good &= save(folder, "transformer_post", config);
  config.tying = Tying::all;
  good &= save(folder, "transformer_tied", config);
  config.tying = Tying::none;
  config.architecture = Architecture::encoder_only;
  config.head = HeadKind::classification;
  config.outputs = 5;
  good &= save(folder, "encoder", config);
  config.input = InputKind::patches;
  config.patch_size = 6;
  good &= save(folder, "encoder_patches", config);
  config = {};
  config.d_model = 16;
  config.heads = 4;
  config.d_ff = 24;
  config.architecture = Architecture::decoder_only;
  good &= save(folder, "decoder", config);
  return good;
}

}  // namespace
}  // namespace tp

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: save_for_pytorch FOLDER\n");
    return 2;
  }
  return tp::save_all(argv[1]) ? 0 : 1;
}
