#include "engine/model/block.h"

namespace tp {

template <class T>
Block<T>::Block(LayerBuilder<T>& builder, BlockKind kind)
    : d_model_(builder.config.d_model),
      self_attention_(builder.self_attention("self_attn", kind.causal)),
      cross_attention_(kind.reads_memory ? std::optional(builder.cross_attention("multihead_attn"))
                                         : std::nullopt),
      feed_forward_(builder.feed_forward()),
      around_self_(builder.residual("norm1")),
      around_cross_(kind.reads_memory ? std::optional(builder.residual("norm2")) : std::nullopt),
      around_feed_forward_(builder.residual(kind.reads_memory ? "norm3" : "norm2")) {}

// ---------------------------------------------------------------------------------------- buffers

template <class T>
void Block<T>::prepare(Arena& arena, const SequenceLayout& layout,
                       const SequenceLayout* memory_layout, const DropoutRun& run, Keep keep,
                       Cache& cache) const {
  const int tokens = layout.tokens();
  self_attention_.prepare_self(arena, layout, run, cache.self_attention, keep);
  around_self_.prepare(arena, tokens, d_model_, run, cache.around_self, keep);
  cache.attended = arena.matrix<T>(tokens, d_model_);
  if (cross_attention_) {
    cross_attention_->prepare_cross(arena, layout, *memory_layout, run, cache.cross_attention,
                                    keep);
    around_cross_->prepare(arena, tokens, d_model_, run, cache.around_cross, keep);
    cache.crossed = arena.matrix<T>(tokens, d_model_);
  }
  feed_forward_.prepare(arena, tokens, run, cache.feed_forward, keep);
  around_feed_forward_.prepare(arena, tokens, d_model_, run, cache.around_feed_forward, keep);
  cache.output = arena.matrix<T>(tokens, d_model_);
}

template <class T>
void Block<T>::prepare_gradients(Arena& arena, Cache& cache) const {
  const int tokens = cache.output.rows;
  self_attention_.prepare_gradients(arena, cache.self_attention);
  around_self_.prepare_gradients(arena, tokens, d_model_, cache.around_self);
  if (cross_attention_) {
    cross_attention_->prepare_gradients(arena, cache.cross_attention);
    around_cross_->prepare_gradients(arena, tokens, d_model_, cache.around_cross);
  }
  feed_forward_.prepare_gradients(arena, tokens, cache.feed_forward);
  around_feed_forward_.prepare_gradients(arena, tokens, d_model_, cache.around_feed_forward);
  if (cross_attention_) cache.d_crossed = arena.matrix<T>(tokens, d_model_);
  cache.d_attended = arena.matrix<T>(tokens, d_model_);
}

// ------------------------------------------------------------------------------------- the passes

template <class T>
void Block<T>::forward(ConstMatrix<T> x, ConstMatrix<T> memory, const DropoutRun& run,
                       Cache& cache) const {
  around_self_.forward(x, run, cache.attended, cache.around_self,
                       [&](ConstMatrix<T> in, Matrix<T> out) {
                         self_attention_.forward_self(in, run, out, cache.self_attention);
                       });
  if (cross_attention_) {
    around_cross_->forward(cache.attended, run, cache.crossed, cache.around_cross,
                           [&](ConstMatrix<T> in, Matrix<T> out) {
                             cross_attention_->forward_cross(in, memory, run, out,
                                                             cache.cross_attention);
                           });
  }
  around_feed_forward_.forward(middle(cache), run, cache.output, cache.around_feed_forward,
                               [&](ConstMatrix<T> in, Matrix<T> out) {
                                 feed_forward_.forward(in, run, out, cache.feed_forward);
                               });
}

template <class T>
void Block<T>::backward(ConstMatrix<T> d_output, Cache& cache, Matrix<T> d_memory) const {
  // output = residual3(crossed, feed_forward)   or   residual2(attended, feed_forward)
  around_feed_forward_.backward(d_output, cache.around_feed_forward, d_middle(cache),
                                [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                                  feed_forward_.backward(d_out, cache.feed_forward, d_in);
                                });
  // crossed = residual2(attended, cross_attention to memory)
  if (cross_attention_) {
    around_cross_->backward(cache.d_crossed, cache.around_cross, cache.d_attended,
                            [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                              cross_attention_->backward_cross(d_out, cache.cross_attention, d_in,
                                                               d_memory);
                            });
  }
  // attended = residual1(x, self_attention)
  around_self_.backward(cache.d_attended, cache.around_self, cache.d_input,
                        [&](ConstMatrix<T> d_out, Matrix<T> d_in) {
                          self_attention_.backward_self(d_out, cache.self_attention, d_in);
                        });
}

// ----------------------------------------------------------------------------------------- a look

template <class T>
TensorId Block<T>::describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x,
                            TensorId memory, ConstMatrix<T> d_output) const {
  using Scope = typename PassVisitor<T>::Scope;
  x = around_self_.describe(visitor, 1, cache.around_self, x, cache.attended, cache.d_attended,
                            [&](TensorId in, const SublayerOutput<T>& out) {
                              const Scope scope(visitor, "self_attn");
                              return self_attention_.describe(visitor, cache.self_attention, in, in,
                                                              out);
                            });
  if (cross_attention_) {
    x = around_cross_->describe(visitor, 2, cache.around_cross, x, cache.crossed, cache.d_crossed,
                                [&](TensorId in, const SublayerOutput<T>& out) {
                                  const Scope scope(visitor, "cross_attn");
                                  return cross_attention_->describe(visitor, cache.cross_attention,
                                                                    in, memory, out);
                                });
  }
  return around_feed_forward_.describe(visitor, last(), cache.around_feed_forward, x, cache.output,
                                       d_output, [&](TensorId in, const SublayerOutput<T>& out) {
                                         const Scope scope(visitor, "feed_forward");
                                         return feed_forward_.describe(visitor, cache.feed_forward,
                                                                       in, out);
                                       });
}

template <class T>
TensorId Block<T>::describe_output(PassVisitor<T>& visitor, const Cache& cache, TensorId x) const {
  return around_feed_forward_.describe_output(visitor, last(), x, cache.output);
}

template <class T>
double Block<T>::operations(int tokens, int memory_tokens, Cells cells) const {
  double sum = self_attention_.operations_self(tokens, cells) + feed_forward_.operations(tokens);
  if (cross_attention_) sum += cross_attention_->operations_cross(tokens, memory_tokens, cells);
  return sum;
}

// --------------------------------------------------------------------------------- token by token

template <class T>
void Block<T>::prepare_past(Arena& arena, int sequences, int longest, int memory_rows,
                            Past& past) const {
  self_attention_.prepare_past_self(arena, sequences, longest, past.self_attention);
  if (cross_attention_) {
    cross_attention_->prepare_past_cross(arena, sequences, memory_rows, past.cross_attention);
  }
}

template <class T>
void Block<T>::read_memory(ConstMatrix<T> memory, Past& past) const {
  if (cross_attention_) cross_attention_->read_memory(memory, past.cross_attention);
}

template <class T>
void Block<T>::prepare_step(Arena& scratch, int sequences, Cache& cache) const {
  around_self_.prepare(scratch, sequences, d_model_, {}, cache.around_self);
  cache.attended = scratch.matrix<T>(sequences, d_model_);
  if (cross_attention_) {
    around_cross_->prepare(scratch, sequences, d_model_, {}, cache.around_cross);
    cache.crossed = scratch.matrix<T>(sequences, d_model_);
  }
  feed_forward_.prepare(scratch, sequences, {}, cache.feed_forward);
  around_feed_forward_.prepare(scratch, sequences, d_model_, {}, cache.around_feed_forward);
}

template <class T>
void Block<T>::step(Arena& scratch, ConstMatrix<T> x, int position,
                    std::span<const MemoryRows> memory, Past& past, Matrix<T> y) const {
  const std::size_t mark = scratch.used();
  Cache cache;
  prepare_step(scratch, x.rows, cache);
  around_self_.forward(x, {}, cache.attended, cache.around_self,
                       [&](ConstMatrix<T> in, Matrix<T> out) {
                         self_attention_.step_self(in, position, past.self_attention, out);
                       });
  if (cross_attention_) {
    around_cross_->forward(cache.attended, {}, cache.crossed, cache.around_cross,
                           [&](ConstMatrix<T> in, Matrix<T> out) {
                             cross_attention_->step_cross(in, position, memory,
                                                          past.cross_attention, out);
                           });
  }
  around_feed_forward_.forward(middle(cache), {}, y, cache.around_feed_forward,
                               [&](ConstMatrix<T> in, Matrix<T> out) {
                                 feed_forward_.forward(in, {}, out, cache.feed_forward);
                               });
  scratch.rewind(mark);
}

template class Block<float>;
template class Block<double>;

}  // namespace tp
