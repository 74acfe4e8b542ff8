#!/usr/bin/env python3
"""Sentence pairs of an invented language and its translation, for `tp train --task pairs`.

    make_pairs.py PAIRS WORDS [SEED] > pairs.tsv

A sentence has 3 to 12 of the WORDS, the frequent ones far more often than the rare ones, as in real texts. Its
translation has the translated words in the opposite order. The same numbers give the same file.
"""

import itertools
import random
import sys

ONSETS = "b d f g h k l m n p r s t v z br st kr tr pl".split()
VOWELS = "a e i o u ai ei".split()
ENDINGS = ["", "n", "r", "s", "l"]


def words(count, draw):
    """Different words of two to four syllables."""
    syllables = ["".join(parts) for parts in itertools.product(ONSETS, VOWELS, ENDINGS)]
    made = {}
    while len(made) < count:
        made["".join(draw.choices(syllables, k=draw.randint(2, 4)))] = None
    return list(made)


def pairs(count, vocabulary, seed):
    draw = random.Random(seed)
    source = words(vocabulary, draw)
    translated = dict(zip(source, words(vocabulary, draw)))
    # The word of rank r is drawn in proportion to 1 / (r + 10).
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(vocabulary)))
    # Every word occurs: the first sentences go through all of them.
    rest = iter(source)
    for _ in range(count):
        sentence = draw.choices(source, cum_weights=weights, k=draw.randint(3, 12))
        sentence[0] = next(rest, sentence[0])
        yield " ".join(sentence) + "\t" + " ".join(translated[word] for word in reversed(sentence))


if __name__ == "__main__":
    for line in pairs(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1):
        print(line)
