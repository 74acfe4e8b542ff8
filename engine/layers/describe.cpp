#include "engine/layers/describe.h"

namespace tp {

std::string_view name_of(AxisKind kind) {
  switch (kind) {
    case AxisKind::source_token:
      return "source token";
    case AxisKind::target_token:
      return "target token";
    case AxisKind::feature:
      return "feature";
    case AxisKind::head_feature:
      return "head feature";
    case AxisKind::hidden_feature:
      return "hidden feature";
    case AxisKind::output:
      return "output";
    case AxisKind::one:
      return "one";
  }
  return "";
}

}  // namespace tp
