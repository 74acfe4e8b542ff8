#!/usr/bin/python3
"""The training step, greedy decoding with a cache, and learning to reverse, in PyTorch on the CPU.

  pytorch.py --case tiny|small|decode|learn [--seconds S] [--threads N] [--limit S]

Prints one line of JSON. bench/run sets OPENBLAS_CORETYPE=SkylakeX where the processor has AVX-512: Debian's
OpenBLAS takes newer processors for an old one and would run at half its speed.
"""
import argparse
import json
import math
import os
import statistics
import sys
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("--case", choices=["tiny", "small", "decode", "learn"], default="tiny")
arguments.add_argument("--seconds", type=float, default=2)
arguments.add_argument("--threads", type=int, default=1)
arguments.add_argument("--limit", type=float, default=600, help="seconds to learn for, at most")
options = arguments.parse_args()
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(options.threads)  # read on import

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

VOCABULARY, BATCH = 32, 32
PAD, BEGIN, END, MARKS = 0, 1, 2, 3
SIZES = {
    "tiny": {"d_model": 64, "heads": 4, "d_ff": 256, "layers": 2, "length": 16, "parameters": 239_904},
    "small": {"d_model": 128, "heads": 8, "d_ff": 512, "layers": 4, "length": 32, "parameters": 1_864_224},
}


class Attention(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        self.heads = heads
        self.scale = 1 / math.sqrt(d_model // heads)
        self.query, self.key, self.value, self.output = (nn.Linear(d_model, d_model) for _ in range(4))
        for linear in (self.query, self.key, self.value):  # the three count as one matrix
            bound = math.sqrt(6 / (d_model + 3 * d_model))
            nn.init.uniform_(linear.weight, -bound, bound)
        nn.init.xavier_uniform_(self.output.weight)

    def split(self, x):
        """[batch, length, d_model] -> [batch, heads, length, d_head]"""
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def mix(self, query, key, value, mask=None):
        scores = query @ key.transpose(-1, -2) * self.scale
        if mask is not None:
            scores = scores + mask
        mixed = (scores.softmax(-1) @ value).transpose(1, 2)
        return self.output(mixed.reshape(mixed.shape[0], mixed.shape[1], -1))

    def forward(self, x, memory, mask=None):
        key, value = self.split(self.key(memory)), self.split(self.value(memory))
        return self.mix(self.split(self.query(x)), key, value, mask)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        nn.init.xavier_uniform_(self.up.weight)
        nn.init.xavier_uniform_(self.down.weight)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.self_attention, self.feed_forward = Attention(d_model, heads), FeedForward(d_model, d_ff)

    def forward(self, x, mask):
        y = self.norm1(x)
        x = x + self.self_attention(y, y, mask)
        return x + self.feed_forward(self.norm2(x))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.self_attention, self.cross_attention = Attention(d_model, heads), Attention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_ff)

    def forward(self, x, memory, causal, mask):
        y = self.norm1(x)
        x = x + self.self_attention(y, y, causal)
        x = x + self.cross_attention(self.norm2(x), memory, mask)
        return x + self.feed_forward(self.norm3(x))


def sinusoids(length, d_model):
    position = torch.arange(length).unsqueeze(1).float()
    frequency = torch.exp(-math.log(10_000.0) * torch.arange(0, d_model, 2).float() / d_model)
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(position * frequency)
    encoding[:, 1::2] = torch.cos(position * frequency)
    return encoding


class Transformer(nn.Module):
    def __init__(self, d_model, heads, d_ff, layers, length, parameters):
        super().__init__()
        self.length, self.scale = length, math.sqrt(d_model)
        self.source_embedding, self.target_embedding = (nn.Embedding(VOCABULARY, d_model) for _ in range(2))
        for embedding in (self.source_embedding, self.target_embedding):
            nn.init.normal_(embedding.weight, std=d_model**-0.5)
        self.encoder = nn.ModuleList(EncoderLayer(d_model, heads, d_ff) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderLayer(d_model, heads, d_ff) for _ in range(layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.generator = nn.Linear(d_model, VOCABULARY)
        nn.init.xavier_uniform_(self.generator.weight)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)
        self.register_buffer("positions", sinusoids(length + 1, d_model))
        self.register_buffer("causal", torch.triu(torch.full((length + 1, length + 1), -1e9), 1))
        count = sum(parameter.numel() for parameter in self.parameters())
        assert count == parameters, f"{count} parameters instead of {parameters}"

    def encode(self, source, mask=None):
        x = self.source_embedding(source) * self.scale + self.positions[: source.shape[1]]
        for layer in self.encoder:
            x = layer(x, mask)
        return self.encoder_norm(x)

    def forward(self, source, target, mask=None):
        memory = self.encode(source, mask)
        length = target.shape[1]
        x = self.target_embedding(target) * self.scale + self.positions[:length]
        for layer in self.decoder:
            x = layer(x, memory, self.causal[:length, :length], mask)
        return self.generator(self.decoder_norm(x))

    @torch.no_grad()
    def write(self, source):
        """Greedy decoding; keys and values of what was written are kept, and those of the source."""
        memory, batch = self.encode(source), source.shape[0]
        of_source = [(layer.cross_attention.split(layer.cross_attention.key(memory)),
                      layer.cross_attention.split(layer.cross_attention.value(memory))) for layer in self.decoder]
        heads = self.decoder[0].self_attention.heads
        shape = (batch, heads, self.length, memory.shape[-1] // heads)
        written = [(torch.empty(shape), torch.empty(shape)) for _ in self.decoder]
        token, tokens = torch.full((batch, 1), BEGIN), []
        for n in range(self.length):
            x = self.target_embedding(token) * self.scale + self.positions[n]
            for layer, (keys, values), (source_key, source_value) in zip(self.decoder, written, of_source):
                own, cross = layer.self_attention, layer.cross_attention
                y = layer.norm1(x)
                keys[:, :, n : n + 1] = own.split(own.key(y))
                values[:, :, n : n + 1] = own.split(own.value(y))
                x = x + own.mix(own.split(own.query(y)), keys[:, :, : n + 1], values[:, :, : n + 1])
                x = x + cross.mix(cross.split(cross.query(layer.norm2(x))), source_key, source_value)
                x = x + layer.feed_forward(layer.norm3(x))
            token = self.generator(self.decoder_norm(x)).argmax(-1)
            tokens.append(token)
        return torch.cat(tokens, 1)


def adam(model, rate):
    return torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), eps=1e-9)


def descend(model, optimiser, loss):
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


def time_calls(call, seconds):
    """Milliseconds of a call: after a warm-up, for some seconds, at least three times."""
    warm_up, calls = time.perf_counter() + min(0.5, seconds), 0
    while calls < 2 or time.perf_counter() < warm_up:
        call()
        calls += 1
    times, stop = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < stop:
        started = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - started))
    return times


def measure_training(name):
    size = SIZES[name]
    model = Transformer(**size)
    optimiser = adam(model, 1e-3)
    batches = []
    for _ in range(16):
        source = torch.randint(MARKS, VOCABULARY, (BATCH, size["length"]))
        labels = source.flip(1)
        batches.append((source, torch.cat([torch.full((BATCH, 1), BEGIN), labels[:, :-1]], 1), labels.reshape(-1)))
    state = {"next": 0, "loss": 0.0}

    def step():
        source, target, labels = batches[state["next"] % len(batches)]
        state["next"] += 1
        logits = model(source, target).view(-1, VOCABULARY)
        loss = F.cross_entropy(logits, labels, label_smoothing=0.1)
        descend(model, optimiser, loss)
        state["loss"] = loss.item()

    times = time_calls(step, options.seconds)
    return {"ms": statistics.median(times), "min": min(times), "steps": len(times), "loss": state["loss"]}


def measure_decoding():
    model = Transformer(**SIZES["tiny"]).eval()
    source = torch.randint(MARKS, VOCABULARY, (1, model.length))
    times = [ms / model.length for ms in time_calls(lambda: model.write(source), options.seconds)]
    return {"ms": statistics.median(times), "min": min(times), "steps": len(times) * model.length}


# What the playground learns `reverse` with when nothing is changed (engine/train/recipes.cpp).
RECIPE = {"longest": 16, "batch": 64, "steps": 1500, "warmup": 100, "rate": 2e-3, "lowest": 0.05,
          "evaluate_every": 250, "held_out": 500, "enough": 0.99}


def rate_of_step(step):
    """As engine/train/schedule.cpp has it; steps count from 1."""
    if step <= RECIPE["warmup"]:
        return RECIPE["rate"] * step / RECIPE["warmup"]
    progress = min((step - RECIPE["warmup"]) / (RECIPE["steps"] - RECIPE["warmup"]), 1)
    lowest = RECIPE["lowest"]
    return RECIPE["rate"] * (lowest + (1 - lowest) * 0.5 * (1 + math.cos(math.pi * progress)))


def examples(count, shortest, without=frozenset()):
    """Sequences of `shortest` symbols or more that are not in `without`."""
    drawn = []
    while len(drawn) < count:
        length = int(torch.randint(shortest, RECIPE["longest"] + 1, ()))
        letters = torch.randint(MARKS, VOCABULARY, (length,)).tolist()
        if tuple(letters) not in without:
            drawn.append(letters)
    return drawn


def padded(drawn):
    """Sources padded to the longest, targets and labels to one more, and the mask of padded sources."""
    width = RECIPE["longest"]
    source, target, labels = [], [], []
    for letters in drawn:
        empty, answer = [PAD] * (width - len(letters)), letters[::-1]
        source.append(letters + empty)
        target.append([BEGIN] + answer + empty)
        labels.append(answer + [END] + empty)
    source, target, labels = (torch.tensor(rows) for rows in (source, target, labels))
    return source, target, labels, (source == PAD).float()[:, None, None, :] * -1e9


@torch.no_grad()
def exact_share(model, held_out):
    """Where each token is the best after the true ones before it, greedy decoding writes the same."""
    exact = 0
    for first in range(0, len(held_out), RECIPE["batch"]):
        source, target, labels, mask = padded(held_out[first : first + RECIPE["batch"]])
        right = (model(source, target, mask).argmax(-1) == labels) | (labels == PAD)
        exact += int(right.all(1).sum())
    return exact / len(held_out)


def learn():
    """Until enough held-out answers are exact. The clock runs from the first step and includes evaluation."""
    model = Transformer(**SIZES["tiny"])
    optimiser = adam(model, RECIPE["rate"])
    held_out = examples(RECIPE["held_out"], 3)  # of shorter ones there are too few
    keys = {tuple(letters) for letters in held_out}
    started, exact = time.perf_counter(), 0.0
    for step in range(1, RECIPE["steps"] + 1):
        source, target, labels, mask = padded(examples(RECIPE["batch"], 1, keys))
        optimiser.param_groups[0]["lr"] = rate_of_step(step)
        logits = model(source, target, mask).view(-1, VOCABULARY)
        descend(model, optimiser, F.cross_entropy(logits, labels.view(-1), ignore_index=PAD))
        seconds = time.perf_counter() - started
        if step % RECIPE["evaluate_every"] == 0:
            exact = exact_share(model, held_out)
            seconds = time.perf_counter() - started
            print(f"step {step}: {100 * exact:.1f}% exact after {seconds:.0f} s", file=sys.stderr, flush=True)
        if exact >= RECIPE["enough"] or seconds > options.limit:
            break
    return {"reached": exact >= RECIPE["enough"], "seconds": seconds, "steps": step, "exact": exact}


def main():
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    if options.case == "learn":
        result = learn()
    elif options.case == "decode":
        result = measure_decoding()
    else:
        result = measure_training(options.case)
    print(json.dumps({"case": options.case, **result, "version": torch.__version__}))


main()
