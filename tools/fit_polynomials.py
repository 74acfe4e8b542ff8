#!/usr/bin/env python3
"""Derives every polynomial of engine/core/maths.h and maths.cpp and prints it as C++.

Each fit is a weighted minimax polynomial (Remez exchange, 60 digits). Coefficients are rounded to the
type that will hold them one by one, lowest power first, and the rest is fitted again after each, so that
the higher ones make up for the rounding of the lower. Beside each fit stands its largest error, relative
to the function, before any rounding in the evaluation.

    /usr/bin/python3 tools/fit_polynomials.py          (needs python3-mpmath; a minute)
"""
import re
import struct
import sys

from mpmath import (atanh, cos, erf, erfc, exp, ldexp, linspace, log, lu_solve, matrix, mp, mpf, pi,
                    sin, sqrt, tanh)

mp.dps = 60


def to_float(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_double(x):
    return mpf(float(x))


def literal(x):
    return re.sub(r"\.?0*p", "p", float(x).hex())


def remez(target, variable, weight, powers, low, high, grid=1200):
    """Coefficients c of sum c_k variable(x)^k, k in powers, that minimise max |weight * error|."""
    xs = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / (grid - 1)) for i in range(grid)]
    us, gs, ws = [variable(x) for x in xs], [target(x) for x in xs], [weight(x) for x in xs]
    rows = [[u**k for k in powers] for u in us]
    count = len(powers) + 1
    nodes = [round(i * (grid - 1) / (count - 1)) for i in range(count)]
    for _ in range(40):
        system, right = matrix(count, count), matrix(count, 1)
        for i, node in enumerate(nodes):
            for j, value in enumerate(rows[node]):
                system[i, j] = value
            system[i, count - 1] = (-1) ** i / ws[node]
            right[i] = gs[node]
        solution = lu_solve(system, right)
        c, level = [solution[j] for j in range(count - 1)], abs(solution[count - 1])
        errors = [w * (g - sum(a * b for a, b in zip(c, row))) for w, g, row in zip(ws, gs, rows)]
        # One extremum per run of equal sign; drop the smaller end until count of them are left.
        peaks = []
        for i, error in enumerate(errors):
            if peaks and (errors[peaks[-1]] >= 0) == (error >= 0):
                if abs(error) > abs(errors[peaks[-1]]):
                    peaks[-1] = i
            else:
                peaks.append(i)
        while len(peaks) > count:
            peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
        worst = max(abs(e) for e in errors)
        if len(peaks) < count or worst <= level * mpf("1.0001"):
            break
        nodes = peaks
    return c, worst


def fit(name, rounding, target, variable, weight, degree, low, high):
    fixed = []
    for k in range(degree + 1):
        rest = lambda x: target(x) - sum(c * variable(x) ** j for j, c in enumerate(fixed))
        c, _ = remez(rest, variable, weight, list(range(k, degree + 1)), low, high)
        fixed.append(rounding(c[0]))
    xs = linspace(low, high, 3001)
    worst = max(abs(weight(x) * (target(x) - sum(c * variable(x) ** j for j, c in enumerate(fixed))))
                for x in xs)
    suffix = "f" if rounding is to_float else ""
    print(f"// {name}: relative error 2^{float(log(worst, 2)):.1f} on [{float(low):.6g}, {float(high):.6g}]")
    print("{" + ", ".join(literal(c) + suffix for c in fixed) + "}\n", flush=True)


def split(name, value, widths, rounding):
    """value as a sum of parts, each but the last cut to so many bits that its products stay exact."""
    parts = []
    for width in widths:
        exponent = mp.frexp(value)[1]
        part = ldexp(mp.floor(ldexp(value, width - exponent)), exponent - width)
        parts.append(part)
        value -= part
    parts.append(rounding(value))
    print(f"// {name}\n{{" + ", ".join(literal(p) for p in parts) + "}\n", flush=True)


EDGE = mpf(1) / 10**12  # in place of 0 where target or weight is 0/0
identity, square = (lambda x: x), (lambda x: x * x)
ln2 = log(mpf(2))

# (name, type, target, variable, weight, degree, low, high); the weight turns the error of the target
# into the relative error of the whole function.
FITS = [
    ("exp float: (e^r - 1 - r) / r^2", to_float, lambda r: (exp(r) - 1 - r) / r**2, identity,
     lambda r: r**2 / exp(r), 4, -ln2 / 2 - EDGE, ln2 / 2),
    ("exp double: (e^r - 1 - r) / r^2", to_double, lambda r: (exp(r) - 1 - r) / r**2, identity,
     lambda r: r**2 / exp(r), 10, -ln2 / 2 - EDGE, ln2 / 2),
    ("log float: (log(1+f) - f + f^2/2) / f^3", to_float, lambda f: (log(1 + f) - f + f**2 / 2) / f**3,
     identity, lambda f: f**3 / log(1 + f), 7, sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1),
    ("log double: (2 atanh(s) - 2s) / s^3 in s^2", to_double, lambda s: (2 * atanh(s) - 2 * s) / s**3, square,
     lambda s: s**3 / (2 * atanh(s)), 7, EDGE, 3 - 2 * sqrt(mpf(2))),
    ("tanh float: (tanh(x) - x) / x^3 in x^2", to_float, lambda x: (tanh(x) - x) / x**3, square,
     lambda x: x**3 / tanh(x), 4, EDGE, mpf("0.625")),
    ("tanh double: (tanh(x) - x) / x^3 in x^2", to_double, lambda x: (tanh(x) - x) / x**3, square,
     lambda x: x**3 / tanh(x), 11, EDGE, mpf("0.625")),
    ("erf float, small: erf(x) / x - 1 in x^2", to_float, lambda x: erf(x) / x - 1, square,
     lambda x: x / erf(x), 5, EDGE, mpf("0.8125")),
    ("erf float, large: log(erfc(x))", to_float, lambda x: log(erfc(x)), identity,
     lambda x: erfc(x) / erf(x), 7, mpf("0.8125"), mpf(4)),
    ("erf double, small: erf(x) / x - 1 in x^2", to_double, lambda x: erf(x) / x - 1, square,
     lambda x: x / erf(x), 12, EDGE, mpf(1)),
    ("erf double, large: erfc(x) e^(x^2) in 1 / (x + 2)", to_double, lambda t: erfc(1 / t - 2) * exp((1 / t - 2) ** 2), identity,
     lambda t: exp(-(1 / t - 2) ** 2) / erf(1 / t - 2), 13, mpf(1) / 8, mpf(1) / 3),
    ("sin float (held in double): (sin(r) - r) / r^3 in r^2", to_double, lambda r: (sin(r) - r) / r**3, square,
     lambda r: r**3 / sin(r), 2, EDGE, pi / 4),
    ("cos float (held in double): (cos(r) - 1 + r^2/2) / r^4 in r^2", to_double,
     lambda r: (cos(r) - 1 + r**2 / 2) / r**4, square, lambda r: r**4 / cos(r), 2, EDGE, pi / 4),
    ("sin double: (sin(r) - r) / r^3 in r^2", to_double, lambda r: (sin(r) - r) / r**3, square,
     lambda r: r**3 / sin(r), 6, EDGE, pi / 4),
    ("cos double: (cos(r) - 1 + r^2/2) / r^4 in r^2", to_double, lambda r: (cos(r) - 1 + r**2 / 2) / r**4, square,
     lambda r: r**4 / cos(r), 6, EDGE, pi / 4),
]

if __name__ == "__main__":
    split("ln 2, float: the first part times an exponent is exact", ln2, [15], to_float)
    split("ln 2, double: the first part times an exponent is exact", ln2, [41], to_double)
    split("pi / 2: each part but the last times n < 2^20 is exact", pi / 2, [33, 33, 33], to_double)
    for wanted in FITS:
        if len(sys.argv) < 2 or sys.argv[1] in wanted[0]:
            fit(*wanted)
