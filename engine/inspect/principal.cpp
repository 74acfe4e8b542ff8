#include "engine/inspect/principal.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <utility>

namespace tp {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The smallest eigenvalue, as a share of the sum of all, that is more than rounding.
constexpr double kLeastShare = 1e-12;

// So that its largest number is positive.
void choose_sign(VectorXd& axis) {
  Index largest = 0;
  for (Index i = 1; i < axis.size(); ++i) {
    if (std::abs(axis[i]) > std::abs(axis[largest])) largest = i;
  }
  if (axis[largest] < 0) axis = -axis;
}

Principal analyse(MatrixXd x) {
  x.rowwise() -= x.colwise().mean().eval();
  // X X^T has the eigenvalues of X^T X, and X^T v its eigenvectors: the smaller of the two.
  const bool tall = x.rows() > x.cols();
  const MatrixXd gram = tall ? MatrixXd(x.transpose() * x) : MatrixXd(x * x.transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram);
  const double variance = gram.trace();

  Principal result;
  for (int k = 0; k < kPrincipalAxes; ++k) {
    const Index column = gram.rows() - 1 - k;  // eigenvalues ascend
    VectorXd axis = VectorXd::Zero(x.cols());
    if (column >= 0 && solver.eigenvalues()[column] > kLeastShare * variance) {
      const VectorXd vector = solver.eigenvectors().col(column);
      axis = tall ? vector : VectorXd(x.transpose() * vector).normalized();
      choose_sign(axis);
      result.share[static_cast<std::size_t>(k)] = solver.eigenvalues()[column] / variance;
    }
    result.axes.insert(result.axes.end(), axis.begin(), axis.end());
  }
  const Eigen::Map<const MatrixXd> axes(result.axes.data(), x.cols(), kPrincipalAxes);
  const MatrixXd points = (x * axes).transpose();  // numbers of a point side by side
  result.points.assign(points.data(), points.data() + points.size());
  return result;
}

}  // namespace

template <class T>
Principal principal(ConstMatrix<T> x) {
  TP_CHECK(x.rows > 0 && x.columns > 0, "the analysis of an empty matrix");
  MatrixXd numbers(x.rows, x.columns);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) numbers(i, j) = static_cast<double>(x(i, j));
  }
  return analyse(std::move(numbers));
}

template Principal principal(ConstMatrix<float>);
template Principal principal(ConstMatrix<double>);

}  // namespace tp
