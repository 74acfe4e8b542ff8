#!/usr/bin/env python3
"""Rebuilds the model beside this file from PyTorch's own modules and compares the logits.

    python3 model.py

Needs PyTorch alone. `load()` gives the model for use elsewhere.
"""

import json
import math
import struct
from pathlib import Path

import torch
from torch import nn

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


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        d, eps = c["d_model"], c["norm_eps"]
        block = dict(dropout=0.0, activation=c["activation"], layer_norm_eps=eps, batch_first=True,
                     norm_first=c["norm"] == "pre")
        if c["architecture"] == "encoder-decoder":
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
            self.src_embed = nn.Linear(c["patch_size"], d) if patches else nn.Embedding(c["source_vocabulary"], d)
            if c["positions"] == "learned":
                self.src_pos = nn.Embedding(c["max_source_length"], d)
        if c["architecture"] != "encoder-only":
            self.tgt_embed = nn.Embedding(c["target_vocabulary"], d)
            if c["positions"] == "learned":
                self.tgt_pos = nn.Embedding(c["max_target_length"], d)
        self.generator = nn.Linear(d, c["outputs"])

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
