#pragma once

#include "engine/session/command.h"

// Which fields a command has, for the codec.

namespace tp {

template <class Archive>
void fields(Archive&, Pause&) {}

template <class Archive>
void fields(Archive& archive, Start& c) {
  archive(c.config, c.material, c.play);
}

template <class Archive>
void fields(Archive&, Play&) {}

template <class Archive>
void fields(Archive& archive, Step& c) {
  archive(c.count);
}

template <class Archive>
void fields(Archive& archive, SetPace& c) {
  archive(c.steps_per_second);
}

template <class Archive>
void fields(Archive& archive, Retune& c) {
  archive(c.training);
}

template <class Archive>
void fields(Archive& archive, WatchedPath& p) {
  archive(p.pattern, p.wanted, p.example);
}

template <class Archive>
void fields(Archive& archive, Watch& c) {
  archive(c.paths, c.samples, c.stills);
}

template <class Archive>
void fields(Archive& archive, ChooseExample& c) {
  archive(c.index);
}

template <class Archive>
void fields(Archive& archive, TryInput& c) {
  archive(c.text, c.temperature, c.top_k, c.seed);
}

template <class Archive>
void fields(Archive& archive, Rewind& c) {
  archive(c.branch, c.step);
}

template <class Archive>
void fields(Archive&, Save&) {}

template <class Archive>
void fields(Archive& archive, Load& c) {
  archive(c.name, c.bytes);
}

template <class Archive>
void fields(Archive& archive, EstimateRun& c) {
  archive(c.config);
}

template <class Archive>
void fields(Archive& archive, Explain& c) {
  archive(c.path, c.row, c.column, c.check);
}

template <class Archive>
void fields(Archive& archive, Command& c) {
  archive(c.id, c.what);
}

}  // namespace tp
