#!/usr/bin/python3
"""Loads files that the engine saved into PyTorch's own modules with strict=True.

    load_into_pytorch.py PATH/TO/save_for_pytorch

The names that the engine adds beside PyTorch's are set aside first; nothing may be left over and
nothing may be missing.
"""

import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn

BESIDE = {"src_embed", "tgt_embed", "src_pos", "tgt_pos", "generator"}


def read_safetensors(path):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        data = bytearray(raw[8 + length + begin:8 + length + end])
        tensors[name] = torch.frombuffer(data, dtype=torch.float32).reshape(entry["shape"])
    return tensors


def stack(layers, norm_first=True):
    layer = nn.TransformerEncoderLayer(16, 4, 24, batch_first=True, norm_first=norm_first)
    return nn.TransformerEncoder(layer, layers, nn.LayerNorm(16))


def check(path, module, prefix=""):
    tensors = read_safetensors(path)
    aside = {name for name in tensors if name.split(".")[0] in BESIDE}
    state = {name: tensor for name, tensor in tensors.items() if name not in aside}
    for name in state:
        assert name.startswith(prefix), f"{path.name}: {name} is outside {prefix}"
    module.load_state_dict({name[len(prefix):]: t for name, t in state.items()}, strict=True)
    for name, parameter in module.named_parameters():
        assert torch.equal(parameter, tensors[prefix + name]), name
    print(f"{path.name}: {len(state)} tensors loaded, set aside {sorted(aside)}")
    # One that is missing must be noticed, or the check above proves nothing.
    state.pop(next(iter(state)))
    try:
        module.load_state_dict({name[len(prefix):]: t for name, t in state.items()}, strict=True)
    except RuntimeError:
        return
    raise AssertionError("PyTorch accepted a file with a tensor missing")


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        path = Path(folder)

        def transformer(norm_first):
            return nn.Transformer(16, 4, 3, 2, 24, batch_first=True, norm_first=norm_first)
        check(path / "transformer_pre.safetensors", transformer(True))
        check(path / "transformer_post.safetensors", transformer(False))
        check(path / "transformer_tied.safetensors", transformer(False))
        check(path / "encoder.safetensors", stack(3, False), "encoder.")
        check(path / "encoder_patches.safetensors", stack(3, False), "encoder.")
        check(path / "decoder.safetensors", stack(2), "decoder.")


if __name__ == "__main__":
    main()
