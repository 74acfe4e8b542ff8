#include "engine/session/snapshot.h"

#include "engine/session/archive.h"

namespace tp {
namespace {

constexpr MessageKind kSnapshot = {0x50414e53, 2, "snapshot"};  // SNAP

}  // namespace

constexpr EventKind last_of(EventKind) { return EventKind::stopped; }
constexpr AttentionKind last_of(AttentionKind) { return AttentionKind::cross; }
constexpr AttentionPattern last_of(AttentionPattern) { return AttentionPattern::focused; }
constexpr RunState last_of(RunState) { return RunState::failed; }

template <class Archive>
void fields(Archive& archive, Sentence& s) {
  archive(s.english, s.korean);
}

template <class Archive>
void fields(Archive& archive, MetricPoint& p) {
  archive(p.step, p.loss, p.token_accuracy, p.learning_rate, p.gradient_norm, p.update_ratio,
          p.clipped);
}

template <class Archive>
void fields(Archive& archive, ExamPoint& p) {
  archive(p.step, p.examples, p.loss, p.exact, p.token_accuracy, p.metric, p.baseline, p.alignment,
          p.mean_alignment);
}

template <class Archive>
void fields(Archive& archive, CurveEvent& e) {
  archive(e.step, e.kind, e.name, e.before, e.after);
}

template <class Archive>
void fields(Archive& archive, Branch& b) {
  archive(b.id, b.parent, b.first_step, b.last_step);
}

template <class Archive>
void fields(Archive& archive, Moment& m) {
  archive(m.branch, m.step);
}

template <class Archive>
void fields(Archive& archive, ShownLink& l) {
  archive(l.output, l.source, l.scored);
}

template <class Archive>
void fields(Archive& archive, ShownExample& e) {
  archive(e.index, e.source, e.read, e.written, e.links, e.source_text, e.answer_text);
}

template <class Archive>
void fields(Archive& archive, HeadReading& r) {
  archive(r.entropy, r.on_target, r.target_weight, r.pattern);
}

template <class Archive>
void fields(Archive& archive, AttentionMap& m) {
  archive(m.kind, m.layer, m.heads, m.rows, m.columns, m.weights, m.readings);
}

template <class Archive>
void fields(Archive& archive, Still& s) {
  archive(s.moment, s.rows, s.columns, s.weights);
}

template <class Archive>
void fields(Archive& archive, PositionTable& t) {
  archive(t.side, t.rows, t.columns, t.values);
}

template <class Archive>
void fields(Archive& archive, Sample& s) {
  archive(s.source, s.expected, s.produced, s.right);
}

template <class Archive>
void fields(Archive& archive, Candidate& c) {
  archive(c.token, c.probability);
}

template <class Archive>
void fields(Archive& archive, TryStep& s) {
  archive(s.token, s.probability, s.right, s.candidates);
}

template <class Archive>
void fields(Archive& archive, TryResult& r) {
  archive(r.id, r.input, r.problem, r.unknown_word, r.known_words, r.source, r.steps, r.output,
          r.expected, r.right, r.done);
}

template <class Archive>
void fields(Archive& archive, Estimate& e) {
  archive(e.id, e.problem, e.parameters, e.bytes, e.flops);
}

template <class Archive>
void fields(Archive& archive, Snapshot& s) {
  archive(s.run, s.state, s.moment, s.total_steps, s.steps_per_second, s.weights_hash, s.answered,
          s.refused);
  archive(s.config, s.task, s.vocabulary, s.parameters, s.bytes, s.flops, s.known_words);
  archive(s.points, s.exams, s.events, s.branches, s.kept, s.history_bytes, s.history_limit);
  archive(s.example, s.attention, s.stills, s.positions, s.samples);
  archive(s.tried, s.estimate, s.file, s.file_name, s.error, s.warning);
}

std::vector<std::byte> encode(const Snapshot& snapshot) {
  return encode_message(kSnapshot, snapshot);
}

Result<Snapshot> decode_snapshot(std::span<const std::byte> bytes) {
  return decode_message<Snapshot>(kSnapshot, bytes);
}

}  // namespace tp
