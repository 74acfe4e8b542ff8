#!/usr/bin/python3
"""Makes tests/golden/*.safetensors: what PyTorch computes for small models.

Each file holds the weights, one padded batch, the logits, the gradient of every parameter and the
losses of 100 steps of Adam, all in float32 on one thread of a CPU. The engine must reproduce them
(tests/golden/golden_test.cpp). Run it with Debian's python3-torch:

    /usr/bin/python3 tools/make_goldens.py tests/golden

Integers are stored as float32, which holds them exactly.
"""

import json
import math
import struct
import sys
from pathlib import Path

import torch
from torch import nn

D_MODEL, HEADS, D_FF, LAYERS = 16, 4, 24, 2
VOCABULARY, CLASSES, PATCH, OUTPUTS, LONGEST = 11, 3, 5, 2, 8
STEPS, RATE, BETAS, EPSILON = 100, 1e-3, (0.9, 0.98), 1e-9
IGNORED = -1


def sinusoidal(length, d):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even = torch.arange(d, dtype=torch.float64) // 2 * 2
    angle = position * torch.pow(torch.tensor(10000.0, dtype=torch.float64), -even / d)
    return torch.where(torch.arange(d) % 2 == 0, angle.sin(), angle.cos()).float()


def causal_mask(length):
    return torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=1)


def padding_mask(lengths, width):
    return torch.arange(width)[None, :] >= lengths[:, None]


class Model(nn.Module):
    """The engine's model out of PyTorch's own blocks; parameters get the engine's names."""

    def __init__(self, case):
        super().__init__()
        self.case = case
        block = dict(dropout=0.0, activation=case["activation"], batch_first=True,
                     norm_first=case["norm"] == "pre")
        arguments = (D_MODEL, HEADS, D_FF)
        if case["architecture"] == "encoder_decoder":
            whole = nn.Transformer(D_MODEL, HEADS, LAYERS, LAYERS, D_FF, **block)
            self.encoder, self.decoder = whole.encoder, whole.decoder
        else:
            stack = nn.TransformerEncoder(nn.TransformerEncoderLayer(*arguments, **block), LAYERS,
                                          nn.LayerNorm(D_MODEL), enable_nested_tensor=False)
            name = "encoder" if case["architecture"] == "encoder_only" else "decoder"
            setattr(self, name, stack)
        if case["architecture"] != "decoder_only":
            patches = case.get("input") == "patches"
            self.src_embed = nn.Linear(PATCH, D_MODEL) if patches else nn.Embedding(VOCABULARY, D_MODEL)
        if case["architecture"] != "encoder_only":
            self.tgt_embed = nn.Embedding(VOCABULARY, D_MODEL)
        if case.get("positions") == "learned":  # of a decoder-only model
            self.tgt_pos = nn.Embedding(LONGEST, D_MODEL)
        outputs = {"tokens": VOCABULARY, "classification": CLASSES, "regression": OUTPUTS}
        self.generator = nn.Linear(D_MODEL, outputs[case["head"]])
        for name, parameter in self.named_parameters():
            if "norm" in name or name.endswith("bias"):
                nn.init.normal_(parameter, 1.0 if name.endswith("weight") else 0.0, 0.1)
            elif parameter.shape[0] == VOCABULARY and "embed" in name or "_pos" in name:
                nn.init.normal_(parameter, 0.0, D_MODEL ** -0.5)
            else:
                nn.init.xavier_uniform_(parameter)

    def embed(self, embedding, x):
        y = embedding(x)
        if isinstance(embedding, nn.Embedding):
            y = y * math.sqrt(D_MODEL)
        if self.case.get("positions") == "learned":
            return y + self.tgt_pos.weight[:x.shape[1]]
        return y + sinusoidal(x.shape[1], D_MODEL)

    def forward(self, batch):
        case = self.case
        if case["architecture"] == "decoder_only":
            width = batch["target_ids"].shape[1]
            return self.generator(self.decoder(
                self.embed(self.tgt_embed, batch["target_ids"]), mask=causal_mask(width),
                src_key_padding_mask=padding_mask(batch["target_lengths"], width)))
        source = batch["patches"] if "patches" in batch else batch["source_ids"]
        hidden = padding_mask(batch["source_lengths"], source.shape[1])
        memory = self.encoder(self.embed(self.src_embed, source), src_key_padding_mask=hidden)
        if case["architecture"] == "encoder_only":
            if case["head"] == "tokens":
                return self.generator(memory)
            if case.get("pooling") == "first":
                return self.generator(memory[:, 0])
            shown = (~hidden)[:, :, None].float()
            return self.generator((memory * shown).sum(1) / shown.sum(1))
        width = batch["target_ids"].shape[1]
        return self.generator(self.decoder(
            self.embed(self.tgt_embed, batch["target_ids"]), memory, tgt_mask=causal_mask(width),
            tgt_key_padding_mask=padding_mask(batch["target_lengths"], width),
            memory_key_padding_mask=hidden))

    def loss(self, batch):
        logits = self(batch)
        if self.case["head"] == "regression":
            return logits, nn.functional.mse_loss(logits, batch["target_values"])
        smoothing = self.case.get("label_smoothing", 0.0)
        return logits, nn.functional.cross_entropy(
            logits.flatten(0, -2), batch["labels"].flatten(), ignore_index=IGNORED,
            label_smoothing=smoothing)


def make_batch(case, generator):
    def draw(high, *shape):
        return torch.randint(high, shape, generator=generator)
    batch = {}
    sequences, source_width, target_width = 4, 6, 5
    if case["architecture"] != "decoder_only":
        batch["source_lengths"] = torch.tensor([6, 2, 5, 1])
        if case.get("input") == "patches":
            batch["patches"] = torch.randn(sequences, source_width, PATCH, generator=generator)
        else:
            batch["source_ids"] = draw(VOCABULARY, sequences, source_width)
    if case["architecture"] != "encoder_only":
        batch["target_lengths"] = torch.tensor([3, 5, 1, 4])
        batch["target_ids"] = draw(VOCABULARY, sequences, target_width)
    if case["head"] == "regression":
        batch["target_values"] = torch.randn(sequences, OUTPUTS, generator=generator)
    elif case["head"] == "classification":
        batch["labels"] = draw(CLASSES, sequences)
    else:
        side = "source" if case["architecture"] == "encoder_only" else "target"
        width = batch[side + "_ids"].shape[1]
        labels = draw(VOCABULARY, sequences, width)
        labels[padding_mask(batch[side + "_lengths"], width)] = IGNORED
        if case["architecture"] == "encoder_only":  # masked tokens: some count, most do not
            labels[:, 1::2] = IGNORED
        batch["labels"] = labels
    return batch


def write_safetensors(path, tensors, metadata):
    header, data = {"__metadata__": metadata}, b""
    for name, tensor in tensors.items():
        raw = tensor.detach().float().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


CASES = {
    "encoder_decoder_pre_relu": dict(architecture="encoder_decoder", norm="pre", activation="relu", head="tokens"),
    "encoder_decoder_post_gelu": dict(architecture="encoder_decoder", norm="post", activation="gelu", head="tokens",
                                      label_smoothing=0.1),
    "encoder_pre_gelu_classification": dict(architecture="encoder_only", norm="pre", activation="gelu",
                                            head="classification"),
    "encoder_post_relu_masked": dict(architecture="encoder_only", norm="post", activation="relu", head="tokens"),
    "encoder_pre_relu_regression": dict(architecture="encoder_only", norm="pre", activation="relu", head="regression",
                                        input="patches", pooling="first"),
    "decoder_pre_gelu": dict(architecture="decoder_only", norm="pre", activation="gelu", head="tokens"),
    "decoder_post_relu": dict(architecture="decoder_only", norm="post", activation="relu", head="tokens",
                              positions="learned"),
}


def make(name, case, folder):
    torch.manual_seed(sum(map(ord, name)))
    generator = torch.Generator().manual_seed(1)
    model = Model(case)
    batch = make_batch(case, generator)
    tensors = {"weight/" + k: v.detach().clone() for k, v in model.named_parameters()}
    tensors.update({"batch/" + k: v for k, v in batch.items()})
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE, betas=BETAS, eps=EPSILON)
    losses = []
    for step in range(STEPS):
        optimiser.zero_grad()
        logits, loss = model.loss(batch)
        loss.backward()
        if step == 0:
            tensors["logits"] = logits.detach().clone()
            tensors.update({"gradient/" + k: v.grad.clone() for k, v in model.named_parameters()})
        losses.append(loss.item())
        optimiser.step()
    tensors["losses"] = torch.tensor(losses)
    metadata = {"made_by": "tools/make_goldens.py", "torch": torch.__version__,
                "case": json.dumps(case, sort_keys=True),
                "adam": f"rate {RATE}, betas {BETAS}, epsilon {EPSILON}, {STEPS} steps on one batch"}
    path = folder / (name + ".safetensors")
    write_safetensors(path, tensors, metadata)
    print(f"{path}: {path.stat().st_size} bytes, loss {losses[0]:.4f} -> {losses[-1]:.4f}")


def main():
    torch.set_num_threads(1)
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "tests/golden")
    for name, case in CASES.items():
        make(name, case, folder)


if __name__ == "__main__":
    main()
