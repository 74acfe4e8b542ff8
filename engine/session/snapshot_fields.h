#pragma once

#include "engine/session/snapshot.h"

// Which fields a snapshot and its parts have, for the codec; and for a snapshot's own, what becomes
// of each when the next one arrives.

namespace tp {

constexpr EventKind last_of(EventKind) { return EventKind::stopped; }
constexpr AxisKind last_of(AxisKind) { return AxisKind::one; }
constexpr AttentionPattern last_of(AttentionPattern) { return AttentionPattern::focused; }
constexpr SumOrder last_of(SumOrder) { return SumOrder::sixteen; }
constexpr RunState last_of(RunState) { return RunState::failed; }

template <class Archive>
void fields(Archive& archive, Sentence& s) {
  archive(s.english, s.korean);
}

template <class Archive>
void fields(Archive& archive, SeriesRows& r) {
  archive(r.series, r.steps, r.values);
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
void fields(Archive& archive, Depiction& d) {
  archive(d.width, d.patch, d.stride, d.values, d.truth, d.predicted, d.depths, d.digits);
}

template <class Archive>
void fields(Archive& archive, ShownExample& e) {
  archive(e.index, e.source, e.read, e.written, e.links, e.source_text, e.answer_text, e.drawn);
}

template <class Archive>
void fields(Archive& archive, HeadReading& r) {
  archive(r.entropy, r.on_target, r.target_weight, r.pattern);
}

template <class Archive>
void fields(Archive& archive, TensorStatistics& s) {
  archive(s.mean, s.deviation, s.least, s.most, s.norm, s.zeros);
}

template <class Archive>
void fields(Archive& archive, WatchedTensor& t) {
  archive(t.path, t.operation, t.example, t.row_axis, t.column_axis, t.rows, t.columns, t.values,
          t.statistics, t.histogram, t.inputs, t.visible, t.reading);
}

template <class Archive>
void fields(Archive& archive, Still& s) {
  archive(s.moment, s.rows, s.columns, s.weights);
}

template <class Archive>
void fields(Archive& archive, Sample& s) {
  archive(s.source, s.expected, s.produced, s.right, s.judged, s.moment, s.drawn);
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
void fields(Archive& archive, NewValue& v) {
  archive(v.name, v.value);
}

template <class Archive>
void fields(Archive& archive, TryResult& r) {
  archive(r.id, r.input, r.moment, r.problem, r.untrained, r.remedy, r.unknown_word, r.known_words,
          r.source, r.steps, r.output, r.expected, r.right, r.done, r.drawn);
}

template <class Archive>
void fields(Archive& archive, ExplainedTerm& t) {
  archive(t.name, t.path, t.row, t.column, t.value, t.factor, t.factor_path, t.factor_row,
          t.factor_column);
}

template <class Archive>
void fields(Archive& archive, ExplainedConstant& c) {
  archive(c.name, c.value);
}

template <class Archive>
void fields(Archive& archive, Explanation& e) {
  archive(e.path, e.row, e.column, e.value, e.operation, e.equation, e.order, e.terms, e.constants,
          e.gradient, e.finite_difference);
}

template <class Archive>
void fields(Archive& archive, Explained& e) {
  archive(e.id, e.moment, e.example, e.problem, e.explanation);
}

template <class Archive>
void fields(Archive& archive, Estimate& e) {
  archive(e.id, e.problem, e.parameters, e.bytes, e.flops);
}

// Rules of merge(). The newest counts, whatever it is.
struct Newest {};
// Told once, or when it changed: an empty one leaves what was known of this run.
struct OfRun {};
// The same, and a new run leaves it, too.
struct Lasting {};
// What is new since the snapshot before, of the same run.
struct Appended {};
// Each takes the place of the one of its path and example; the others of the run stay.
struct ByPath {};

// Calls visit(member, rule) for every field.
template <class Visit>
void for_each_field(Visit&& visit) {
  using S = Snapshot;
  const auto all = [&](auto rule, auto... members) { (visit(members, rule), ...); };
  all(Newest{}, &S::run, &S::state, &S::moment, &S::total_steps, &S::steps_per_second,
      &S::weights_hash, &S::answered, &S::refused);
  all(OfRun{}, &S::config, &S::material, &S::task, &S::vocabulary, &S::parameters, &S::bytes,
      &S::flops, &S::known_words, &S::series_names);
  all(Appended{}, &S::series, &S::events);
  all(Newest{}, &S::branches, &S::kept, &S::history_bytes, &S::history_limit);
  all(ByPath{}, &S::tensors);
  all(OfRun{}, &S::example, &S::stills, &S::samples, &S::tried, &S::explained);
  all(Lasting{}, &S::estimate);
  all(Newest{}, &S::file, &S::file_name, &S::error, &S::warning);
}

template <class Archive>
void fields(Archive& archive, Snapshot& s) {
  for_each_field([&](auto member, auto) { archive(s.*member); });
}

}  // namespace tp
