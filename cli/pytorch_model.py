#!/usr/bin/env python3
"""Rebuilds the model beside this file from PyTorch's own modules and compares the logits.

What nn.Transformer cannot be (without biases, with rotary or ALiBi positions, RMS norm, sparse attention) is made of the
small modules below, under the same names.

    python3 model.py

Needs PyTorch alone. `load()` gives the model for use elsewhere.
"""

import json
import math
import struct
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

HERE = Path(__file__).resolve().parent
TYPES = {"F32": torch.float32, "I64": torch.int64}


def read_safetensors(path):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        data = bytearray(raw[begin:end])
        tensors[name] = torch.frombuffer(data, dtype=TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def sinusoidal(length, d, base):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even = torch.arange(d, dtype=torch.float64) // 2 * 2
    angle = position * torch.pow(torch.tensor(base, dtype=torch.float64), -even / d)
    return torch.where(torch.arange(d) % 2 == 0, angle.sin(), angle.cos()).float()


def causal_mask(length):
    return torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=1)


def is_standard(c):
    return (c["biases"] and c["norm_kind"] == "layer" and c["positions"] not in ("rotary", "alibi")
            and c["sparsity"] == "full")


class Norm(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.rms, self.eps = c["norm_kind"] == "rms", c["norm_eps"]
        self.weight = nn.Parameter(torch.ones(c["d_model"]))
        self.bias = nn.Parameter(torch.zeros(c["d_model"])) if c["biases"] and not self.rms else None

    def forward(self, x):
        if self.rms:
            return self.weight * x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps)
        return functional.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


def rotate(x, base):
    """Turns the pairs of x [..., tokens, d] by an angle proportional to the position."""
    tokens, d = x.shape[-2:]
    frequency = torch.pow(torch.tensor(base, dtype=torch.float64), -torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.arange(tokens, dtype=torch.float64)[:, None] * frequency
    sine, cosine = angle.sin().float(), angle.cos().float()
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), -1).flatten(-2)


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, d = c, c["d_model"]
        self.in_proj_weight = nn.Parameter(torch.zeros(3 * d, d))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * d)) if c["biases"] else None
        self.out_proj = nn.Linear(d, d, bias=c["biases"])

    def forward(self, x, memory=None, causal=False):
        """x looks at memory, or at itself: then distances count."""
        c, seen = self.c, x if memory is None else memory
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        query, key, value = (functional.linear(y, weight, bias).unflatten(-1, (c["heads"], -1)).transpose(1, 2)
                             for y, weight, bias in zip((x, seen, seen), self.in_proj_weight.chunk(3), biases))
        if memory is None and c["positions"] == "rotary":
            query, key = rotate(query, c["position_base"]), rotate(key, c["position_base"])
        scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
        if memory is None:
            step = torch.arange(x.shape[1])
            distance = (step[:, None] - step).abs()
            if c["positions"] == "alibi":
                slope = torch.pow(2.0, -8.0 * (torch.arange(c["heads"]) + 1) / c["heads"])
                scores = scores - slope[:, None, None] * distance
            hidden = causal_mask(x.shape[1]) if causal else torch.zeros_like(distance, dtype=torch.bool)
            if c["sparsity"] == "local":
                hidden = hidden | (distance > c["reach"])
            if c["sparsity"] == "strided":
                hidden = hidden | ((distance >= c["reach"]) & (distance % c["reach"] != 0))
            scores = scores.masked_fill(hidden, -math.inf)
        return self.out_proj((scores.softmax(-1) @ value).transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, c, crosses):
        super().__init__()
        d, biases = c["d_model"], c["biases"]
        self.pre, self.activation = c["norm"] == "pre", getattr(functional, c["activation"])
        self.self_attn = Attention(c)
        if crosses:
            self.multihead_attn = Attention(c)
        self.linear1, self.linear2 = nn.Linear(d, c["d_ff"], bias=biases), nn.Linear(c["d_ff"], d, bias=biases)
        for i in range(3 if crosses else 2):
            setattr(self, f"norm{i + 1}", Norm(c))

    def forward(self, x, memory=None, causal=False):
        parts = [lambda y: self.self_attn(y, causal=causal)]
        if memory is not None:
            parts.append(lambda y: self.multihead_attn(y, memory))
        parts.append(lambda y: self.linear2(self.activation(self.linear1(y))))
        for i, part in enumerate(parts):
            norm = getattr(self, f"norm{i + 1}")
            x = x + part(norm(x)) if self.pre else norm(x + part(x))
        return x


class Stack(nn.Module):
    def __init__(self, c, layers, crosses):
        super().__init__()
        self.layers = nn.ModuleList(Block(c, crosses) for _ in range(layers))
        self.norm = Norm(c)

    def forward(self, x, memory=None, mask=None, tgt_mask=None):
        causal = mask is not None or tgt_mask is not None
        for block in self.layers:
            x = block(x, memory, causal)
        return x if self.norm is None else self.norm(x)


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        d, eps = c["d_model"], c["norm_eps"]
        block = dict(dropout=0.0, activation=c["activation"], layer_norm_eps=eps, batch_first=True,
                     norm_first=c["norm"] == "pre")
        if not is_standard(c):
            for side in ("encoder", "decoder"):
                if c["architecture"] in ("encoder-decoder", side + "-only"):
                    crosses = c["architecture"] == "encoder-decoder" and side == "decoder"
                    setattr(self, side, Stack(c, c[side + "_layers"], crosses))
        elif c["architecture"] == "encoder-decoder":
            whole = nn.Transformer(d, c["heads"], c["encoder_layers"], c["decoder_layers"], c["d_ff"], **block)
            self.encoder, self.decoder = whole.encoder, whole.decoder
        else:
            side = "encoder" if c["architecture"] == "encoder-only" else "decoder"
            layer = nn.TransformerEncoderLayer(d, c["heads"], c["d_ff"], **block)
            setattr(self, side, nn.TransformerEncoder(layer, c[side + "_layers"], nn.LayerNorm(d, eps),
                                                      enable_nested_tensor=False))
        if not c["final_norm"]:
            for side in ("encoder", "decoder"):
                if hasattr(self, side):
                    getattr(self, side).norm = None
        if c["architecture"] != "decoder-only":
            patches = c["input"] == "patches"
            self.src_embed = (nn.Linear(c["patch_size"], d, bias=c["biases"]) if patches
                              else nn.Embedding(c["source_vocabulary"], d))
            if c["positions"] == "learned":
                self.src_pos = nn.Embedding(c["max_source_length"], d)
        if c["architecture"] != "encoder-only":
            self.tgt_embed = nn.Embedding(c["target_vocabulary"], d)
            if c["positions"] == "learned":
                self.tgt_pos = nn.Embedding(c["max_target_length"], d)
        self.generator = nn.Linear(d, c["outputs"], bias=c["biases"])
        if c["tying"] != "none":
            self.generator.weight = (self.tgt_embed if hasattr(self, "tgt_embed") else self.src_embed).weight
        if c["tying"] == "all" and c["architecture"] == "encoder-decoder":
            self.src_embed.weight = self.tgt_embed.weight

    def embed(self, side, x):
        c, embedding = self.c, getattr(self, side + "_embed")
        y = embedding(x)
        if isinstance(embedding, nn.Embedding) and c["scale_embedding"]:
            y = y * math.sqrt(c["d_model"])
        if c["positions"] == "learned":
            return y + getattr(self, side + "_pos").weight[:x.shape[1]]
        if c["positions"] == "sinusoidal":
            return y + sinusoidal(x.shape[1], c["d_model"], c["position_base"])
        return y

    def forward(self, source=None, target=None):
        """source [batch, tokens] or [batch, patches, patch_size]; target [batch, tokens]."""
        c = self.c
        mask = None if target is None else causal_mask(target.shape[1])
        if c["architecture"] == "decoder-only":
            return self.generator(self.decoder(self.embed("tgt", target), mask=mask))
        memory = self.encoder(self.embed("src", source))
        if c["architecture"] == "encoder-decoder":
            return self.generator(self.decoder(self.embed("tgt", target), memory, tgt_mask=mask))
        if c["head"] == "tokens":
            return self.generator(memory)
        return self.generator(memory[:, 0] if c["pooling"] == "first" else memory.mean(1))


def load():
    model = Model(json.loads((HERE / "config.json").read_text(encoding="utf-8"))["model"])
    state = read_safetensors(HERE / "model.safetensors")
    model.load_state_dict(state, strict=True)
    return model.eval()


def main():
    example = read_safetensors(HERE / "example.safetensors")
    source = example.get("input.src_ids", example.get("input.src_patches"))
    target = example.get("input.tgt_ids")
    logits = load()(*(None if x is None else x[None] for x in (source, target)))
    logits = logits.detach().reshape(example["output.logits"].shape)
    print(logits)
    print(f"max difference {(logits - example['output.logits']).abs().max().item():.3g}")


if __name__ == "__main__":
    main()
